"""The demo's report, number by number: pinned, valid, and the same when it is made once more."""

import json
import shutil

import pytest
from golden.figures import PINNED, figures, machine

from phiscan.commands.demo import run_demo
from phiscan.scan_report import ScanReport

pytestmark = pytest.mark.slow


def differences(found, wanted, path=""):
    """Where two JSON values differ, as paths with both values."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        for name in sorted({*found, *wanted}):
            if name not in found or name not in wanted:
                yield f"{path}.{name}: only in {'the run' if name in found else 'the pinned report'}"
            else:
                yield from differences(found[name], wanted[name], f"{path}.{name}")
    elif isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for at, pair in enumerate(zip(found, wanted, strict=True)):
            yield from differences(*pair, f"{path}[{at}]")
    elif found != wanted:
        yield f"{path}: {str(found)[:80]} instead of {str(wanted)[:80]}"


def weights(figures):
    return figures["manifest"]["models"][0]["weights_sha256"]


def test_the_numbers_of_the_demo_are_pinned(demo):
    found, pinned = figures(demo[0].report), json.loads(PINNED.read_text())
    if weights(found) != weights(pinned["report"]) and machine() != pinned["made_on"]:
        # Five hundred steps of training amplify the last bit of an addition; what is asked then differs.
        # On the same machine other weights mean other code or other notes, and that fails.
        pytest.skip(f"NOT COMPARED: pinned on {pinned['made_on']}, and this machine trains other weights")
    assert list(differences(found, pinned["report"]))[:20] == []


def test_the_same_model_scanned_again_gives_the_same_report(demo, tmp_path):
    """In another directory, so with another key."""
    result, out = demo
    shutil.copytree(out / "demo", tmp_path / "again" / "demo")
    again = run_demo(tmp_path / "again")
    assert list(differences(figures(again.report), figures(result.report)))[:20] == []
    keyed = [r.report.manifest.inputs[0].keyed_digest for r in (result, again)]
    assert keyed[0] != keyed[1], "it is another run"


def test_the_report_is_valid_by_the_schema_that_is_published(demo):
    import jsonschema

    written = json.loads((demo[1] / "report.json").read_text())
    schema = json.loads(json.dumps(ScanReport.model_json_schema()))
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(written, schema)
    written["estimates"][0]["value"] = "a lot"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(written, schema)


def test_differences_are_seen():
    assert list(differences({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}], "c": 0})) == [
        ".a[1].b: 2 instead of 3",
        ".c: only in the pinned report",
    ]
