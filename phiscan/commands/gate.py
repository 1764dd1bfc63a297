"""`phiscan gate`: reads a policy and a report, and writes what came of them for people and for CI."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from pydantic import ValidationError

from phiscan import __version__
from phiscan.commands.report import read_report
from phiscan.commands.verify_report import check_parts
from phiscan.config import first_problem
from phiscan.errors import ConfigError, StoreError
from phiscan.gate import KINDS, Finding, GateResult, Policy, judge
from phiscan.printable import shown_name
from phiscan.private_file import refuse_in_run, write_private
from phiscan.reporting.figures import how_many
from phiscan.resources import resource_dir
from phiscan.toml_file import read_toml

ARGUMENT = "--policy"
COLUMNS = ("rule", "result", "figure", "reason")
SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def shipped_policies() -> dict[str, Path]:
    """Policies that come with this installation, by name."""
    return {path.stem: path for path in sorted(resource_dir("rules").glob("policies/*.toml"))}


def read_policy(name: str) -> Policy:
    """The shipped policy of that name, else the file; ConfigError says what in it cannot be."""
    path = shipped_policies().get(name, Path(name))
    if not os.path.isfile(path):  # noqa: PTH113 - Path raises OSError for a name that is too long
        known = ", ".join(shipped_policies())
        what = "is no file" if os.path.lexists(path) else "no such file"  # a pipe would be waited for
        raise ConfigError(f"{ARGUMENT}: {what}, and none of the shipped policies: {known}")
    try:
        return Policy.model_validate(read_toml(path, ARGUMENT))
    except ValidationError as error:
        raise ConfigError(f"{ARGUMENT}: {_problem(error)}") from None


def _problem(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_context=False)
    found = problems[0]
    unknown = any(problem["type"] == "extra_forbidden" for problem in problems)
    if unknown or not found["type"].startswith("union_tag"):
        return first_problem(error)
    # Its own message would show the unknown kind, whatever characters that holds.
    where = ".".join(shown_name(str(part)) for part in found["loc"])
    wanted = f"what must be one of {', '.join(KINDS)}"
    known = {name for kind in KINDS.values() for name in kind.model_fields}
    without = found["type"] == "union_tag_not_found" and isinstance(found["input"], Mapping)
    mistyped = [shown_name(key) for key in found["input"] if key not in known] if without else []
    return f"{where}.{mistyped[0]}: unknown setting; {wanted}" if mistyped else f"{where}: {wanted}"


def refuse_one_file(junit: Path | None, sarif: Path | None) -> None:
    """Raise ConfigError if both name one place: the second would replace the first."""
    if junit is not None and sarif is not None and os.path.realpath(junit) == os.path.realpath(sarif):
        raise ConfigError("--junit, --sarif: name two files")


def gate_run(run: Path, policy: str, now: datetime | None = None) -> GateResult:
    """What the policy makes of a finished run's report; ``now`` is aware.

    StoreError for a run of which a part is not as it was written: its report may be of other data.
    """
    wanted = read_policy(policy)
    report = read_report(run)
    if any(check.intact is False for check in check_parts(run)):
        raise StoreError("the run is not as it was written; phiscan report RUN --verify says which part")
    return judge(wanted, report, now or datetime.now(UTC))


def rows(result: GateResult) -> list[Sequence[str]]:
    """A row for each rule, by :data:`COLUMNS`."""
    return [(found.rule, found.result, found.figure, found.reason) for found in result.findings]


def sentence(result: GateResult) -> str:
    """The outcome in one line."""
    counts = f"{how_many(len(result.findings), 'rule')}, {result.count('failed')} failed"
    skipped = f", {result.count('skipped')} skipped" if result.count("skipped") else ""
    return f"Policy {result.policy} {'passed' if result.passed else 'FAILED'}: {counts}{skipped}"


def write_junit(result: GateResult, path: Path) -> None:
    """Write JUnit XML: one test case a rule."""
    counts = {"tests": str(len(result.findings)), "failures": str(result.count("failed")), "errors": "0"}
    counts |= {"skipped": str(result.count("skipped")), "time": "0"}
    suites = ET.Element("testsuites", counts)
    suite = ET.SubElement(suites, "testsuite", {"name": f"phiscan gate: {result.policy}", **counts})
    for found in result.findings:
        case = ET.SubElement(
            suite, "testcase", classname=f"phiscan.gate.{found.what}", name=found.rule, time="0"
        )
        if found.result == "failed":
            failure = ET.SubElement(case, "failure", type=found.what, message=_message(found))
            failure.text = found.why
        elif found.result == "skipped":
            ET.SubElement(case, "skipped", message=_message(found))
    ET.indent(suites)
    text = ET.tostring(suites, encoding="unicode")
    refuse_in_run(path, "--junit")
    write_private(path, f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n', "--junit")


def write_sarif(result: GateResult, path: Path) -> None:
    """Write SARIF 2.1.0: every rule, and a result for each that failed or that nothing was said of."""
    rules = [
        {
            "id": found.rule,
            "name": found.what,
            "shortDescription": {"text": (KINDS[found.what].__doc__ or "").partition("\n")[0]},
            "fullDescription": {"text": found.why},
        }
        for found in result.findings
    ]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "phiscan", "version": __version__, "rules": rules}},
        "results": [
            _sarif_result(n, found) for n, found in enumerate(result.findings) if found.result != "passed"
        ],
        "properties": {"policy": result.policy, "passed": result.passed, "report_created": result.created},
    }
    log = {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}
    refuse_in_run(path, "--sarif")
    write_private(path, json.dumps(log, indent=2) + "\n", "--sarif")


def _sarif_result(number: int, found: Finding) -> dict[str, Any]:
    failed = found.result == "failed"
    return {
        "ruleId": found.rule,
        "ruleIndex": number,
        "kind": "fail" if failed else "open",  # open: too little is known to decide
        "level": "error" if failed else "none",
        "message": {"text": _message(found)},
        # A run has no source file; code scanning shows no result without a place.
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "report.json"}}}],
    }


def _message(found: Finding) -> str:
    return found.reason if found.figure == "-" else f"{found.figure}: {found.reason}"
