"""A comparison as tables for people."""

from __future__ import annotations

from collections.abc import Iterator

from phiscan.as_published import NOMINAL, RESAMPLES, SIZE
from phiscan.commands.score_tables import ScoreTable
from phiscan.comparison import Comparison, Difference, Persistence, Published
from phiscan.reporting.figures import percent
from phiscan.reporting.glossary import name_of

_DASH = "-"


def tables(comparison: Comparison) -> Iterator[ScoreTable]:
    """Every table that has a row, in reading order."""
    yield ScoreTable(
        "Runs, and what of theirs is compared",
        ("", "decision", "prompts", "notes", "patients", "only A's", "only its own", "failed", "degenerate"),
        list(_runs(comparison)),
        2,
    )
    learnt = [run for run in comparison.runs if run.utility]
    if learnt:
        names = list(dict.fromkeys(name for run in learnt for name in run.utility))
        yield ScoreTable(
            "How well each had learnt",
            ("", "epoch", *(name.replace("_", " ") for name in names)),
            [
                (run.name, run.epoch, *(_utility(name, run.utility.get(name)) for name in names))
                for run in learnt
            ],
            1,
        )
    for pairing in comparison.pairings:
        rows = [row for row in comparison.differences if row.run == pairing.run]
        for net, words in ((False, ""), (True, ", each net of its own control")):
            some = [_difference(row) for row in rows if row.net_of_control == net]
            if some:
                figures = ("A", pairing.run, "difference", "95%", "p", "p (Holm)")
                yield ScoreTable(f"{pairing.run} less A{words}", ("", "of", *figures), some, 2)
        kept = [_persistence(row) for row in comparison.persistence if row.run == pairing.run]
        yield ScoreTable(
            f"Prompts with a long run in A, in {pairing.run}, in both",
            ("", "of", "both", "only A", f"only {pairing.run}", "common", "95%", "kept of A's", "95%"),
            kept,
            2,
        )
        beside = [_published(row, rows) for row in comparison.published if row.run == pairing.run]
        if beside:
            title = f"As published: {RESAMPLES} means of {SIZE}, rank-sum test (not calibrated)"
            limits = ("A, 95%", f"{pairing.run}, 95%")
            columns = ("", "of", *limits, "p, published", "false alarms", "p, honest")
            yield ScoreTable(title, columns, beside, 2)


def sentences(comparison: Comparison) -> Iterator[str]:
    """Remarks, and what the columns mean."""
    tests = sum(row.p is not None for row in comparison.differences)
    yield f"p (Holm) is adjusted for the {tests} tests of this comparison; the units of tests are patients."
    if comparison.published:
        yield (
            f"False alarms: share of p < {NOMINAL:g} between two equal models with as many prompts, by "
            f"simulation; a calibrated test has {NOMINAL:.0%}."
        )
    yield from comparison.remarks


def _runs(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    first, *others = comparison.runs
    yield (first.name, first.outcome.replace("_", " "), *[_DASH] * 7)
    for run, pairing in zip(others, comparison.pairings, strict=True):
        yield (
            run.name,
            run.outcome.replace("_", " "),
            pairing.prompts,
            pairing.notes,
            pairing.patients,
            pairing.only_a,
            pairing.only_b,
            f"{pairing.failed_a:,} / {pairing.failed_b:,}",
            f"{pairing.degenerate_a:,} / {pairing.degenerate_b:,}",
        )


def _utility(name: str, value: float | None) -> str:
    if value is None:
        return _DASH
    return f"{value:.3f}" if name in ("validation_loss", "epsilon") else percent(value)


def _difference(row: Difference) -> tuple[object, ...]:
    return (
        name_of(row.metric),
        _of(row),
        _share(row.rate_a),
        _share(row.rate_b),
        _share(row.difference),
        _range(row.low, row.high),
        _p(row.p),
        _p(row.p_holm),
    )


def _persistence(row: Persistence) -> tuple[object, ...]:
    return (
        row.ratio,
        _of(row),
        row.both,
        row.only_a,
        row.only_b,
        _share(row.common),
        _range(row.common_low, row.common_high),
        _share(row.retention),
        _range(row.retention_low, row.retention_high),
    )


def _published(row: Published, honest: list[Difference]) -> tuple[object, ...]:
    beside = next(
        one
        for one in honest
        if (one.metric, one.stratum, one.net_of_control) == (row.metric, row.stratum, False)
    )
    return (
        name_of(row.metric),
        _of(row),
        _range(row.low_a, row.high_a),
        _range(row.low_b, row.high_b),
        _p(row.p),
        f"{row.false_positive_rate:.0%}",
        _p(beside.p),
    )


def _of(row: Difference | Persistence | Published) -> str:
    """The stratum in few words: ``30+ words, prompt 50``."""
    where = row.stratum
    parts = (
        where.scheme if where.scheme not in ("bare", "given") else None,
        where.tier if where.tier != "prefix" else None,
        where.decoding if where.decoding not in ("greedy", "given") else None,
        f"{where.threshold}+ {where.unit}s" if where.threshold else None,
        f"prompt {where.prefix_length}" if where.prefix_length else None,
        {"hipaa": "HIPAA", "i2b2": "all PHI", None: None}[where.scope],
    )
    return ", ".join(part for part in parts if part)


def _share(value: float | None) -> str:
    return _DASH if value is None else percent(value)


def _range(low: float | None, high: float | None) -> str:
    return _DASH if low is None or high is None else f"{percent(low).removesuffix('%')} to {percent(high)}"


def _p(value: float | None) -> str:
    if value is None:
        return _DASH
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"
