"""Trend reports of invented figures, for tests of words, charts, tables and pages."""

from itertools import pairwise

from phiscan.comparison import Difference, Pairing
from phiscan.scan_report import Estimate, Stratum
from phiscan.stats import wilson
from phiscan.trend import TrendReport, TrendRun, TrendStep


def share(metric, count, n, **where):
    low, high = wilson(count, n)
    return Estimate(
        metric=metric,
        stratum=Stratum(**where),
        value=count / n,
        low=low,
        high=high,
        level=0.95,
        count=count,
        n=n,
        patients=n,
        method="Wilson",
    )


def run(number, count, *, n=40, **fields):
    figures = (
        share("patients_with_headline_leak", count, n),
        share("patients_with_headline_leak", 0, 11, arm="holdout"),
        share("net_ratio", count, n, unit="token", threshold=30, prefix_length=50),
        share("net_ratio", count // 2, n, unit="token", threshold=50, prefix_length=50),
    )
    plain = {
        "number": number,
        "label": f"run {number}",
        "outcome": "leak_found" if count else "none_found_within_bound",
        "complete": True,
        "model": None,
        "epoch": None,
        "notes_group": 1,
        "settings_group": 1,
        "screened": False,
        "answers": n,
        "degenerate": 0,
        "estimates": figures,
        "other_patient": None,
        "utility": {},
        "mitigations": None,
    }
    return TrendRun(**{**plain, **fields})


def step(first, second, *, gained=0, lost=0, p=None, differ=(), why=None, n=40):
    pairing = Pairing(
        run=str(second), prompts=n, notes=n, patients=n, only_a=0, only_b=0, failed_a=0, failed_b=0,
        degenerate_a=0, degenerate_b=0, control_prompts=0, values_only_one=0, tokens=True,
    )  # fmt: skip
    row = Difference(
        run=str(second), metric="patients_with_headline_leak", stratum=Stratum(), n=n, patients=n,
        net_of_control=False, rate_a=0.2, rate_b=0.2 + (gained - lost) / n, difference=(gained - lost) / n,
        low=-0.1, high=0.4, level=0.95, gained=gained, lost=lost, p=p, p_holm=p, test="t", method="m",
    )  # fmt: skip
    return TrendStep(
        first=first,
        second=second,
        differ=(*([why] if why else []), *differ),
        not_compared=why,
        pairing=None if why else pairing,
        differences=() if why else (row,),
    )


def trend(runs, steps=None, **fields):
    steps = steps or [step(a.number, b.number) for a, b in pairwise(runs)]
    overall = steps[0] if len(steps) == 1 else step(1, len(runs), gained=3, p=0.25)
    plain = {"phiscan_version": "0", "epochs": False, "not_measured": 0, "tests": 3, "overall": overall}
    return TrendReport(**{**plain, "runs": tuple(runs), "steps": tuple(steps), **fields})
