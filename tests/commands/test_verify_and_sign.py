"""`report --verify` and `--sign`: what was changed is said, what was signed can be checked without phiscan."""

import base64
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands.signed_files import LIST, PUBLIC_KEY, SIGNATURE, SignedList, read_list
from phiscan.commands.verify_report import check_rendered, verify_report
from phiscan.store import RunDirectory

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "verify-and-sign.md"
PASSWORD = "four quite invented words"


def pem(key, password=None):
    how = NoEncryption() if password is None else BestAvailableEncryption(password.encode())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how)


def private_file(path, content):
    path.write_bytes(content)
    path.chmod(0o600)
    return path


@pytest.fixture
def keys(tmp_path):
    key = Ed25519PrivateKey.generate()
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return private_file(tmp_path / "key.pem", pem(key)), private_file(tmp_path / "key.pub", public)


@pytest.fixture
def verified(command_line):
    def call(run, *more):
        code, out, err = command_line("report", run, "--verify", *more)
        assert err == ""
        said = '\n  "intact": false' if "--json" in more else "\nNOT INTACT"
        assert (code == 1) == (said in f"\n{out}")
        return code, out

    return call


@pytest.fixture
def adaptation(tmp_path):
    folder = tmp_path / "adapted"
    (folder / "epochs").mkdir(parents=True)
    (folder / "adapt.json").write_text("{}")
    (folder / "key").write_text("0" * 64)
    return folder


@pytest.fixture
def signed(run, keys, command_line):
    arguments = ("--format", "html,csv", "--sign", keys[0], "--signed-by", "A. Reviewer")
    code, out, err = command_line("report", run, *arguments)
    assert (code, err) == (0, "")
    assert re.search(r"Signed \d+ files with the key SHA256:[\w+/]{43}: ", out)
    return run


def test_a_finished_run_is_intact(run, verified):
    code, out = verified(run)
    assert code == 0
    said = re.search(
        r"intact +(\d\d+) parts of the run as they were written: index (\d+), tables (\d+), (.+)", out
    )
    assert {"report.json", "run.json"} <= set(said[4].removesuffix(".").split(", "))
    assert int(said[1]) == int(said[2]) + int(said[3]) + len(said[4].split(", "))
    assert "Nobody has signed" in out


def everything_in(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def flip(path, place, bit):
    """Change one bit of the byte at the share ``place`` of the file; the byte's number."""
    raw = bytearray(path.read_bytes())
    at = int(place * len(raw))
    raw[at] ^= 1 << bit
    path.write_bytes(raw)
    return at


def test_whichever_byte_changes_is_said(scanned_cases, tmp_path_factory):
    names = everything_in(scanned_cases)
    assert {"report.json", "run.json", "checksums", "key"} < set(names)

    @settings(max_examples=40, deadline=None)
    @given(name=st.sampled_from(names), place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def changed(name, place, bit):
        run = shutil.copytree(scanned_cases, tmp_path_factory.mktemp("flip") / "run")
        closing = (run / name).read_bytes().find(b"\n= ")
        at = flip(run / name, place, bit)
        checks = verify_report(run)
        wrong = [check.said for check in checks if check.intact is False]
        if name == "checksums" and not wrong:
            # Below its closing line stand notes of what was written since; none of them is of a part.
            assert at > closing > 0
            return
        assert wrong, name
        assert name in ("checksums", "key") or any(name.split("/")[0].split(".")[0] in said for said in wrong)
        shutil.rmtree(run.parent)

    changed()


@pytest.mark.parametrize("name", ["tables/hits/00000.parquet", "report.json", "run.json"])
def test_what_is_missing_is_named(run, verified, name):
    (run / name).unlink()
    code, out = verified(run)
    assert code == 1
    assert name in out


@pytest.mark.parametrize("folder", ["tables/hits", "index", "plants/tables/hits"])
@pytest.mark.parametrize("add", [Path.touch, os.mkfifo, lambda path: path.symlink_to("nowhere")])
def test_a_file_that_the_run_did_not_write_is_counted_and_not_named(run, verified, folder, add):
    (run / folder).mkdir(parents=True, exist_ok=True)
    add(run / folder / "Marguerite Lindqvist.parquet")
    code, out = verified(run)
    assert code == 1
    assert "1 file among tables and indexes" in out
    assert "Lindqvist" not in out


@pytest.mark.parametrize("name", ["tables/hits/00000.parquet", "checksums"])
def test_a_pipe_in_a_part_s_place_is_not_waited_for(run, verified, name):
    (run / name).unlink()
    os.mkfifo(run / name)
    code, out = verified(run)
    assert code == 1
    assert ("Damaged: tables/hits/00000.parquet." in out) != (name == "checksums")


def test_the_checks_as_json(signed, verified, keys):
    code, out = verified(signed, "--json", "--public-key", keys[1])
    found = json.loads(out)
    assert (code, found["intact"]) == (0, True)
    assert {frozenset(check) for check in found["checks"]} == {frozenset({"intact", "said", "names"})}
    names = {name for check in found["checks"] if check["intact"] for name in check["names"]}
    assert {"report.json", "report.html", "run.json", "tables/hits/00000.parquet"} < names
    flip(signed / "report.html", 0.5, 0)
    (signed / "tables" / "hits" / "00000.parquet").unlink()
    code, out = verified(signed, "--json")
    found = json.loads(out)
    wrong = [check["names"] for check in found["checks"] if check["intact"] is False]
    assert (code, found["intact"]) == (1, False)
    assert wrong.count(["report.html"]) >= 2  # as part of the run, and as signed
    assert ["tables/hits/00000.parquet"] in wrong


def test_a_report_of_which_no_page_can_be_made_is_not_intact(run, tmp_path, command_line, verified):
    """It fits its types and still breaks the page: who was sent it is told, and not of an internal error."""
    assert command_line("report", run, "--format", "html")[0] == 0
    report = json.loads((run / "report.json").read_text())
    estimates = [
        rate for row in report["repetitions"]["rows"] for rate in row.values() if isinstance(rate, dict)
    ]
    estimates[-1]["value"] = 1e300
    folder = tmp_path / "mail"
    folder.mkdir()
    (folder / "report.json").write_text(json.dumps(report))
    shutil.copy(run / "report.html", folder / "report.html")
    code, out = verified(folder)
    assert (code, "report.html is not of this report.json, of which no page can be made" in out) == (1, True)


def test_a_page_that_may_be_made_again_is_not_missed(run, verified, command_line):
    assert command_line("report", run, "--format", "html,csv")[0] == 0
    (run / "report.html").unlink()
    shutil.rmtree(run / "report-tables")
    assert verified(run)[0] == 0


def test_a_page_that_does_not_say_what_the_report_says_is_said(run, verified, command_line, tmp_path):
    config = tmp_path / "r.toml"
    config.write_text('[release]\nprotocol = "7"\n')
    assert command_line("report", run, "--format", "html,csv")[0] == 0
    assert command_line("report", run, "--config", config)[0] == 0
    code, out = verified(run)
    assert code == 1
    assert "report.html is not what this installation makes of report.json" in out
    assert "report-tables is not what this installation makes of report.json" in out
    assert command_line("report", run, "--config", config, "--format", "html,csv")[0] == 0
    assert verified(run)[0] == 0


def test_a_signature_holds_and_names_its_key(signed, keys, verified):
    code, out = verified(signed)
    assert code == 0
    assert "by A. Reviewer" in out
    assert "whether it is the right one, you must know" in out
    assert "settings are those signed for" in out
    code, out = verified(signed, "--public-key", keys[1])
    assert (code, "the one you gave" in out) == (0, True)
    for name in (LIST, SIGNATURE, PUBLIC_KEY):
        assert stat.S_IMODE((signed / name).stat().st_mode) == 0o600


def test_another_key_does_not_do(signed, tmp_path, verified):
    other = Ed25519PrivateKey.generate().public_key()
    path = tmp_path / "other.pub"
    path.write_bytes(other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    code, out = verified(signed, "--public-key", path)
    assert code == 1
    assert "The signature does not fit" in out


def test_who_wants_a_key_and_finds_no_signature_is_told(run, keys, verified):
    assert verified(run, "--public-key", keys[1])[0] == 1


@pytest.mark.parametrize(
    "name", ["report.json", "report.html", "report-tables/leaks.csv", LIST, SIGNATURE, PUBLIC_KEY]
)
def test_what_changed_after_the_signature_is_said(signed, verified, name):
    raw = bytearray((signed / name).read_bytes())
    raw[len(raw) // 2] ^= 1
    (signed / name).write_bytes(raw)
    assert verified(signed)[0] == 1


def test_a_signer_cannot_be_changed(signed, verified):
    text = (signed / LIST).read_text()
    (signed / LIST).write_text(text.replace("A. Reviewer", "B. Reviewer"))
    assert verified(signed)[0] == 1


def test_another_key_beside_the_signature_is_said(signed, keys, verified):
    """Else who follows the guide without phiscan would check with a key that is not the signer's."""
    other = Ed25519PrivateKey.generate().public_key()
    public = other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (signed / PUBLIC_KEY).write_bytes(public)
    code, out = verified(signed, "--public-key", keys[1])
    assert (code, f"{PUBLIC_KEY} is not the key you gave." in out) == (1, True)
    (signed / PUBLIC_KEY).unlink()
    assert f"{PUBLIC_KEY} is not" not in verified(signed, "--public-key", keys[1])[1]


@pytest.mark.parametrize(
    "name", ["detection.json", "plants/tables/hits/00000.parquet", "tables/hits/x.parquet"]
)
def test_a_part_that_the_run_had_not_when_it_was_signed_is_said(signed, verified, name):
    RunDirectory(signed).write_text(name, "new")
    code, out = verified(signed)
    assert (code, "are NOT those signed for" in out) == (1, True)


def test_an_annex_written_after_the_signature_changes_nothing_that_was_signed(
    signed, verified, command_line, tmp_path
):
    assert command_line("report", signed, "--annex", tmp_path / "annex.html")[0] == 0
    code, out = verified(signed)
    assert (code, "are those signed for" in out) == (0, True)


def test_what_is_rendered_after_the_signature_is_not_signed(signed, verified, command_line):
    assert command_line("report", signed, "--format", "pdf")[0] == 0
    code, out = verified(signed)
    assert code == 1
    assert "Not signed: report.pdf" in out


def shared(run, folder):
    """What an IRB is sent: the report's files, no table, no key."""
    folder.mkdir()
    for name in ("report.json", "report.html", LIST, SIGNATURE, PUBLIC_KEY):
        shutil.copy(run / name, folder / name)
    return folder


def test_the_files_alone_can_be_checked(signed, keys, tmp_path, verified):
    folder = shared(signed, tmp_path / "mail")
    code, out = verified(folder, "--public-key", keys[1])
    assert code == 0
    assert "whether they are whole is not known" in out
    assert "2 files as signed" in out
    assert re.search("Signed, but not here: report-tables/", out)
    page = folder / "report.html"
    page.write_text(page.read_text().replace("Leak found", "No leak found"))
    assert verified(folder)[0] == 1


def test_whichever_byte_of_signed_files_changes_is_said(signed, tmp_path, tmp_path_factory):
    """Whoever has the files alone needs no run to see a change, not even of the key that lies by them."""
    folder = shared(signed, tmp_path / "mail")
    names = everything_in(folder)
    assert len(names) == 5

    @settings(max_examples=60, deadline=None)
    @given(name=st.sampled_from(names), place=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
    def changed(name, place, bit):
        copy = shutil.copytree(folder, tmp_path_factory.mktemp("flip") / "mail")
        flip(copy / name, place, bit)
        wrong = [check.said for check in verify_report(copy) if check.intact is False]
        assert wrong, name
        assert not name.endswith(("json", "html")) or any(name in said for said in wrong)
        shutil.rmtree(copy.parent)

    changed()


@pytest.mark.parametrize("kept", [("report.html",), ("report.json",)])
def test_one_signed_file_is_enough(signed, tmp_path, verified, kept):
    folder = shared(signed, tmp_path / "mail")
    for name in {"report.html", "report.json"} - set(kept):
        (folder / name).unlink()
    code, out = verified(folder)
    assert code == 0
    assert "1 file as signed" in out
    assert re.search(r"Signed, but not here: report\.\w+, report-tables/", out)
    assert " more." in out  # tables are many
    flip(folder / kept[0], 0.5, 0)
    code, out = verified(folder)
    assert (code, f"Changed since it was signed: {kept[0]}." in out) == (1, True)


def test_a_page_without_its_report_is_said(signed, tmp_path):
    folder = shared(signed, tmp_path / "mail")
    (folder / "report.json").unlink()
    flip(folder / "report.html", 0.5, 0)
    assert "report.json is not here to compare report.html with." in [c.said for c in verify_report(folder)]


def test_what_can_be_held_against_nothing_does_not_pass(run, tmp_path, command_line):
    (tmp_path / "mail").mkdir()
    shutil.copy(run / "report.json", tmp_path / "mail" / "report.json")
    assert "nothing can be checked" in refused(command_line, tmp_path / "mail", "--verify")


def test_a_run_without_its_key_is_not_intact(run, verified):
    (run / "key").unlink()
    code, out = verified(run)
    assert (code, "has lost its key" in out) == (1, True)


def test_a_file_added_to_signed_tables_is_said(signed, verified):
    (signed / "report-tables" / "Marguerite Lindqvist.csv").write_text("a\n1\n")
    code, out = verified(signed)
    assert (code, "report-tables is not what" in out) == (1, True)
    assert "Lindqvist" not in out


def test_without_cryptography_the_rest_is_checked(signed, keys, verified, command_line, monkeypatch):
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    code, out = verified(signed)
    assert (code, "The signature was not looked at: a signature needs cryptography" in out) == (0, True)
    (signed / "report.html").write_text("changed")
    assert verified(signed)[0] == 1
    said = "a signature needs cryptography: pip install 'phiscan[encrypt]'"
    assert said in refused(command_line, signed, "--verify", "--public-key", keys[1])
    assert said in command_line("report", signed, "--sign", keys[0])[2]


def test_a_signed_report_of_another_version_is_as_signed(tmp_path, verified):
    """A report that only a later version can read is not called damaged."""
    key = Ed25519PrivateKey.generate()
    (tmp_path / "report.json").write_text('{"manifest": {"phiscan_version": "9.9"}, "new": 1}')
    digest = hashlib.sha256((tmp_path / "report.json").read_bytes()).hexdigest()
    text = SignedList("2026-12-01T00:00:00+00:00", None, None, {"report.json": digest}).text().encode()
    (tmp_path / LIST).write_bytes(text)
    (tmp_path / SIGNATURE).write_bytes(key.sign(text))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    (tmp_path / PUBLIC_KEY).write_bytes(public)
    code, out = verified(tmp_path)
    assert (code, "report.json is of phiscan 9.9; this version cannot read it." in out) == (0, True)
    (tmp_path / SIGNATURE).write_bytes(key.sign(text)[:-1])
    assert verified(tmp_path)[0] == 1


def test_an_unsigned_page_is_held_against_its_report(run, tmp_path, command_line, verified):
    assert command_line("report", run, "--format", "html")[0] == 0
    folder = tmp_path / "mail"
    folder.mkdir()
    for name in ("report.json", "report.html"):
        shutil.copy(run / name, folder / name)
    assert verified(folder)[0] == 0
    (folder / "report.html").write_text((folder / "report.html").read_text().replace("Leak found", "Nothing"))
    assert verified(folder)[0] == 1


def test_a_page_of_another_version_is_not_judged(run, tmp_path, command_line):
    folder = tmp_path / "mail"
    folder.mkdir()
    text = (run / "report.json").read_text()
    (folder / "report.json").write_text(
        re.sub(r'"phiscan_version": "[^"]+"', '"phiscan_version": "9.9"', text)
    )
    (folder / "report.html").write_text("x")
    assert "nothing can be checked" in refused(command_line, folder, "--verify")
    assert "report.html was made by phiscan 9.9; this version cannot tell." in [
        check.said for check in check_rendered(folder)
    ]


def snippets():
    return re.findall(r"```(\w+)\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_guide_s_lines_check_a_signature_without_phiscan(signed):
    """The very lines of the guide: coreutils and openssl, and a few lines of Python."""
    [shell] = [text for kind, text in snippets() if kind == "sh" and "sha256sum" in text]
    [python] = [text for kind, text in snippets() if kind == "python"]
    for tool in ("sha256sum", "openssl"):
        assert shutil.which(tool), f"the guide needs {tool}"
    good = subprocess.run(["sh", "-ec", shell], cwd=signed, capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stderr
    assert "report.json: OK" in good.stdout
    assert "Verified Successfully" in good.stdout
    assert subprocess.run([sys.executable, "-c", python], cwd=signed, check=False).returncode == 0
    (signed / "report.json").write_text("{}")
    bad = subprocess.run(["sh", "-ec", shell], cwd=signed, capture_output=True, text=True, check=False)
    assert bad.returncode != 0
    assert subprocess.run(
        [sys.executable, "-c", python], cwd=signed, capture_output=True, check=False
    ).returncode


def test_the_fingerprint_is_the_digest_of_the_raw_key(signed, keys, verified):
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    raw = load_pem_public_key(keys[1].read_bytes()).public_bytes_raw()
    digest = base64.b64encode(hashlib.sha256(raw).digest()).decode().rstrip("=")
    assert f"SHA256:{digest}:" in verified(signed)[1]


names = st.text(alphabet=st.characters(codec="utf-8"), max_size=30)


@given(
    by=st.none() | names.filter(lambda text: text.isprintable() and text.strip() == text and text),
    run=st.none() | st.just("ab" * 32),
)
def test_a_list_reads_back_or_is_none(by, run):
    made = SignedList(
        "2026-12-01T00:00:00+00:00", by, run, {"report.json": "0" * 64, "report-tables/a.csv": "f" * 64}
    )
    assert read_list(made.text()) == made


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("report.json", "../report.json"),
        lambda text: text.replace("report.json", "/etc/passwd"),
        lambda text: text + "\n",
        lambda text: text.replace("# by", "# of"),
        lambda text: text + "# by somebody else\n",
        lambda text: text.upper(),
        lambda _: "",
    ],
)
def test_a_list_that_is_none_is_refused(change):
    made = SignedList("2026-12-01T00:00:00+00:00", "A. R.", None, {"report.json": "0" * 64}).text()
    assert read_list(made) is not None
    assert read_list(change(made)) is None


def refused(command_line, *arguments):
    code, out, err = command_line("report", *arguments)
    assert (code, err.count("\n"), out) == (2, 1, "")
    return err


def test_keys_that_cannot_be_used_are_refused_in_one_line(run, tmp_path, command_line, monkeypatch):
    secret = Ed25519PrivateKey.generate()
    files = {
        "open.pem": pem(secret),
        "locked.pem": pem(secret, PASSWORD),
        "rsa.pem": pem(generate_private_key(65537, 2048)),
        "text.pem": b"not a key",
    }
    paths = {name: private_file(tmp_path / name, content) for name, content in files.items()}
    monkeypatch.setenv("KEY_WORD", PASSWORD)
    monkeypatch.setenv("WRONG_WORD", "other words")
    paths["open.pem"].chmod(0o640)
    said = [
        refused(command_line, run, "--sign", paths["open.pem"]),
        refused(command_line, run, "--sign", paths["locked.pem"]),
        refused(command_line, run, "--sign", paths["locked.pem"], "--key-password-env", "WRONG_WORD"),
        refused(command_line, run, "--sign", paths["locked.pem"], "--key-password-env", "NO_SUCH_WORD"),
        refused(command_line, run, "--sign", paths["rsa.pem"]),
        refused(command_line, run, "--sign", paths["text.pem"]),
        refused(command_line, run, "--sign", tmp_path / "none.pem"),
        refused(command_line, run, "--sign", "a" * 5000),
        refused(command_line, run, "--sign", tmp_path),
        refused(
            command_line,
            run,
            "--sign",
            paths["locked.pem"],
            "--key-password-env",
            "KEY_WORD",
            "--signed-by",
            "a\x1b",
        ),
    ]
    for line, words in zip(
        said,
        ("others can read", "needs a password", "not its password", "holds no password", "no Ed25519", "no key in PEM",
         "no such file", "no such file", "is no file", "--signed-by"),
        strict=True,
    ):  # fmt: skip
        assert words in line
        assert PASSWORD not in line
        assert "PRIVATE" not in line
    assert not (run / LIST).exists()
    assert (
        command_line("report", run, "--sign", paths["locked.pem"], "--key-password-env", "KEY_WORD")[0] == 0
    )


def test_a_pipe_is_no_key(signed, tmp_path, command_line):
    os.mkfifo(tmp_path / "pipe")
    assert "--sign: is no file" in refused(command_line, signed, "--sign", tmp_path / "pipe")
    arguments = ("--verify", "--public-key", tmp_path / "pipe")
    assert "--public-key: is no file" in refused(command_line, signed, *arguments)


def test_a_key_that_cannot_be_used_is_refused_before_anything_is_written(run, tmp_path, command_line):
    before = everything_in(run)
    arguments = ("--annex", tmp_path / "annex.html", "--format", "html,csv", "--sign", tmp_path / "none.pem")
    assert "--sign: no such file" in refused(command_line, run, *arguments)
    assert everything_in(run) == before
    assert not (tmp_path / "annex.html").exists()


@pytest.mark.parametrize(
    "more", [("--verify",), ("--annex", "x.html"), ("--format", "html,json"), ("--sign", "KEY")]
)
def test_an_adaptation_is_no_run(adaptation, keys, command_line, more, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    more = [keys[0] if part == "KEY" else part for part in more]
    if more[0] != "--format":  # what is rendered of an adaptation is its trend
        assert "this is an adaptation; name one of" in refused(command_line, adaptation, *more)
    assert "the measurements of an adaptation" in refused(command_line, adaptation / "epochs", *more)
    monkeypatch.chdir(adaptation / "epochs")
    assert "the measurements of an adaptation" in refused(command_line, ".", *more)


@pytest.mark.parametrize(
    "more", [("--verify",), ("--sign", "KEY"), ("--format", "html"), ("--annex", "x.html")]
)
def test_a_name_that_no_folder_can_have_is_refused(keys, command_line, more):
    more = [keys[0] if part == "KEY" else part for part in more]
    refused(command_line, "a" * 5000, *more)


def test_nothing_damaged_is_signed(run, keys, command_line):
    part = next((run / "tables" / "hits").glob("*.parquet"))
    part.write_bytes(part.read_bytes()[:-1])
    assert "--verify says what" in command_line("report", run, "--sign", keys[0])[2]
    assert not (run / LIST).exists()


def test_the_gate_refuses_a_run_of_which_a_part_was_changed(run, command_line):
    assert command_line("gate", run, "--policy", "exploratory")[0] in (0, 1)
    part = next((run / "tables" / "verdicts").glob("*.parquet"))
    part.write_bytes(part.read_bytes() + b"x")
    code, _, err = command_line("gate", run, "--policy", "exploratory")
    assert (code, err.count("\n")) == (2, 1)
    assert "--verify says which part" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--schema", "--annex", "x"), "--schema: goes without --annex"),
        (("RUN", "--schema"), "--schema: goes without RUN"),
        (("RUN", "--open-annex", "x", "--annex", "y"), "--open-annex: goes without RUN"),
        (("RUN", "--verify", "--sign", "k"), "--verify: goes without --sign"),
        (("RUN", "--verify", "--format", "html"), "--verify: goes without --format"),
        (("RUN", "--public-key", "k"), "--public-key: only with --verify"),
        (("RUN", "--json"), "--json: only with --verify"),
        (("RUN", "--signed-by", "k"), "--signed-by: only with --sign"),
        (("RUN", "--annex-all"), "--annex-all: only with --annex"),
        (("--annex", "x"), "RUN: name a run directory"),
        ((), "RUN: name a run directory"),
        (("--verify",), "RUN: name a run directory"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(run, command_line, arguments, words):
    given_ = [run if part == "RUN" else part for part in arguments]
    assert words in refused(command_line, *given_)


def test_what_is_no_report_is_refused(tmp_path, command_line):
    (tmp_path / "empty").mkdir()
    assert "there is no report" in refused(command_line, tmp_path / "empty", "--verify")
    assert "there is no report" in refused(command_line, tmp_path / "none", "--verify")


def test_the_path_of_an_annex_cannot_move_the_terminal(run, tmp_path, command_line):
    page = tmp_path / "a\x1b[31m.html"
    code, out, _ = command_line("report", run, "--annex", page)
    assert code == 0
    assert "\x1b[31m" not in out
    assert os.path.lexists(page)


def test_the_path_of_a_run_cannot_move_the_terminal(scanned_cases, tmp_path, keys, command_line):
    run = shutil.copytree(scanned_cases, tmp_path / "a\x1b[31m")
    code, out, err = command_line("report", run, "--format", "html", "--sign", keys[0])
    assert (code, err) == (0, "")
    assert "\\x1b[31m" in out
    assert "\x1b" not in out
    assert "PRIVATE" not in out


@pytest.mark.parametrize("command", [("gate", "--policy", "exploratory"), ("report",)])
def test_a_pipe_in_the_place_of_the_report_is_not_waited_for(run, command_line, command):
    (run / "report.json").unlink()
    os.mkfifo(run / "report.json")
    code, _, err = command_line(command[0], run, *command[1:])
    assert (code, err.count("\n")) == (2, 1)
    assert "report.json is damaged" in err
