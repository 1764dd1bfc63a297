"""Run directories as inputs of a forecast, written record by record: what is counted, what is refused."""

import json

import pytest

from phiscan.commands.forecast import forecast_suite
from phiscan.errors import PhiscanError
from phiscan.records import Note, NoteAudit
from phiscan.store import RunDirectory

CANARY = "zyxwvutcanary"


def note(number, *, n_tokens=80, split="member", text=None):
    return Note(
        note_id=f"{CANARY}{number}", patient_id=f"{CANARY}p{number // 2}", split=split, note_type=None, date=None,
        n_chars=9, n_tokens=n_tokens, copies=1, text=text or f"{CANARY} {number}", ordinal=number, row=number + 1,
        copy_ids=(), crlf=(),
    )  # fmt: skip


def audit(of, run_tok, *, arm="scanned", prefix_tok=32, score=None):
    return NoteAudit(
        audit_id=f"{arm}/{of.ordinal}/{prefix_tok}", note_id=of.note_id, arm=arm, prefix_tok=prefix_tok,
        n_tokens=of.n_tokens - prefix_tok, run_tok=run_tok, longest_tok=run_tok, ties=0, next_tok=10, next_logprob=-1.0, context_tok=32, score_tok=score,
    )  # fmt: skip


def write_run(root, notes, audits, *, parameters=100, tokenizer="t"):
    run = RunDirectory(root)
    run.open()
    model = {"role": "scanned", "parameters": parameters, "tokenizer_sha256": tokenizer}
    run.write_json("run.json", {"identity": {"models": {"scanned": model}}})
    run.write_part("notes", "00000", notes, "d")
    run.write_part("audits", "00000", audits, "d")
    run.finish()
    return root


@pytest.fixture
def suite(tmp_path):
    """Writes two runs and their suite; the cheap one may differ."""

    def write(notes=None, audits=None, *, extra="", **more):
        full = [note(i) for i in range(6)]
        write_run(
            tmp_path / "full",
            full,
            [audit(one, 40) for one in full[:4]] + [audit(one, 31) for one in full[4:]],
        )
        notes = full if notes is None else notes
        write_run(tmp_path / "cheap", notes, [audit(notes[0], 32)] if audits is None else audits, **more)
        (tmp_path / "suite.toml").write_text(
            'full = "full"\n[[model]]\nname = "full"\nrun = "full"\ntokens = 10\n'
            f'[[model]]\nname = "cheap"\nrun = "cheap"\ntokens = 5\n{extra}\n'
        )
        return tmp_path / "suite.toml"

    return write


def refused(path, *words):
    with pytest.raises(PhiscanError) as caught:
        forecast_suite(path)
    assert "\n" not in str(caught.value)
    assert CANARY not in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_a_note_without_an_audit_is_not_scored_and_others_arms_do_not_count(suite):
    notes = [note(i) for i in range(6)]
    other = [audit(notes[4], 40, arm="control"), audit(notes[4], 40, prefix_tok=50)]
    result = forecast_suite(
        suite(audits=[audit(notes[0], 32), audit(notes[1], 31), audit(notes[5], 48), *other])
    )
    (cheap,) = result.forecast.candidates
    assert (cheap.own.sequences, cheap.unscored, cheap.own.alarms, cheap.own.memorised) == (3, 3, 2, 2)
    assert (cheap.own.both, cheap.cost_share, result.forecast.patients, result.too_short) == (1, 0.5, 3, 0)


def test_the_order_of_the_data_is_that_of_the_rows(suite):
    notes = [note(i) for i in range(6)]
    result = forecast_suite(suite(audits=[audit(one, 40) for one in notes], extra="seen = 4"))
    (cheap,) = result.forecast.candidates
    assert (cheap.own.sequences, cheap.unseen) == (4, 2)


def test_short_notes_are_counted_and_held_out_ones_are_no_part(tmp_path, suite, command_line):
    notes = [note(0), note(1, n_tokens=63), note(2, n_tokens=64), note(3, split="holdout")]
    path = suite()
    for name in ("full", "cheap"):
        run = RunDirectory(tmp_path / name)
        run.write_part("notes", "00000", notes, "d")
        run.write_part("audits", "00000", [audit(one, 32) for one in notes], "d")
    code, out, err = command_line("forecast", path, "--json")
    found = json.loads(out)
    assert code == 0
    assert (found["sequences"], found["too_short"], found["memorised"]) == (2, 1, 2)
    assert CANARY not in out + err
    _, _, err = command_line("forecast", path)
    assert err == "phiscan: notes of fewer than 64 tokens, left out: 1\n"


def test_other_notes_or_tokens_are_refused(suite):
    notes = [note(i) for i in range(6)]
    refused(
        suite([*notes[:5], note(5, text="changed")]),
        "model 2: run: its training notes",
        "1 note with another",
    )
    refused(suite(notes[:5]), "model 2: run: its training notes", "1 note with another")
    refused(suite(tokenizer="u"), "model 2: run: its tokenizer is not that of the full run")


def test_what_a_run_lacks_is_said(suite, tmp_path):
    refused(suite(audits=[]), "model 2: run: no note was audited", "phiscan expose")
    refused(suite(parameters=None), "SUITE: model 2: parameters: must be given")
    assert (
        forecast_suite(suite(parameters=None, extra="parameters = 7")).forecast.candidates[0].parameters == 7
    )
    short = [note(i, n_tokens=60) for i in range(6)]
    refused(suite(short), "model 2: run: no training note has 64 tokens")
    path = suite()
    (tmp_path / "cheap" / "tables" / "audits" / "00000.parquet").write_bytes(b"PAR1torn")
    refused(path, "model 2: run: the run directory's table audits is damaged")


def test_a_threshold_below_one_is_of_scores_and_needs_them(suite):
    notes = [note(i) for i in range(6)]
    path = suite()
    path.write_text("threshold = 0.5\n" + path.read_text())
    refused(path, "threshold", "expose.free_running")
    for name, scores in (("full", (32, 20, 16, 15, 0, 0)), ("cheap", (32, 16, 0, 31, 0, 0))):
        audits = [audit(one, 32 if s == 32 else 3, score=s) for one, s in zip(notes, scores, strict=True)]
        write_run(path.parent / name, notes, audits)
    found = forecast_suite(path).forecast
    assert found.memorised == 3
    [cheap] = found.candidates
    assert (cheap.own.alarms, cheap.own.both) == (3, 2)
