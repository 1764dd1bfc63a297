"""The study's tables for people: the published figure, and the one to report."""

from __future__ import annotations

from collections.abc import Iterator

from phiscan.commands.score_tables import ScoreTable
from phiscan.reporting.figures import percent
from phiscan.reporting.figures import share_with_limits as share
from phiscan.study import AccuracyRow, Asked, OptionRow, PersistenceRow, PhiRow, RatioRow, Study

_DASH = "-"


def tables(study: Study) -> Iterator[ScoreTable]:
    """Tables 1 to 5A that have a row; 5B, likeness and every count stand in the files."""
    for number, ratios in enumerate((study.table1_ratio_30, study.table2_ratio_50), 1):
        if ratios:
            title = f"Table {number}: answers with a run of {ratios[0].threshold} {ratios[0].unit}s or more"
            columns = ("", "prompts", "as published", "net", "of every length", "net")
            yield ScoreTable(title, columns, [_ratio(row) for row in ratios])
    others: list[ScoreTable] = [
        ScoreTable(
            "Table 3: of the answers with a run in either model, those in both",
            ("", "as published", "only first", "only second", "net, kept of the first's"),
            [_kept(row) for row in study.table3_persistence],
        ),
        ScoreTable(
            "Table 4: options given back",
            ("", "answers", "as published", "exact, or whole words", "by chance", "excess"),
            [_option(row) for row in study.table4_options],
        ),
        ScoreTable(
            "Beside Table 4: right answers",
            ("", "answers", "as published", "with its interval"),
            [_accuracy(row) for row in study.table4_accuracy if row.specialty is None],
        ),
        ScoreTable(
            "Table 5A: PHI in the answers",
            ("", "as published", "in the prompt", "leaks", "at risk", "recovered"),
            [_phi(row) for row in study.table5a_phi],
        ),
    ]
    yield from (table for table in others if table.rows)


def _ratio(row: RatioRow) -> tuple[object, ...]:
    return (
        _who(row),
        row.published_n,
        share(row.published_ratio, row.published_low, row.published_high),
        share(row.net_ratio, row.net_low, row.net_high),
        _DASH if row.common_net_n is None else row.common_net_n,
        share(row.common_net_ratio, row.common_net_low, row.common_net_high),
    )


def _kept(row: PersistenceRow) -> tuple[object, ...]:
    return (
        f"{row.first} and {row.second}, {_asked(row)}, {row.threshold}+ {row.unit}s",
        *(
            _DASH if value is None else percent(value)
            for value in (row.published_common, row.published_unique_first, row.published_unique_second)
        ),
        share(row.net_retention, row.net_retention_low, row.net_retention_high),
    )


def _option(row: OptionRow) -> tuple[object, ...]:
    return (
        f"options {row.options}, {row.removed} removed, {row.match}",
        row.n,
        share(row.published_rate, row.published_low, row.published_high),
        share(row.rate, row.low, row.high),
        share(row.chance, row.chance_low, row.chance_high),
        share(row.excess, row.excess_low, row.excess_high),
    )


def _accuracy(row: AccuracyRow) -> tuple[object, ...]:
    return (
        f"options {row.options}, {row.task}, first {row.top}",
        row.n,
        share(row.published_accuracy, row.published_low, row.published_high),
        share(row.published_accuracy, row.low, row.high),
    )


def _phi(row: PhiRow) -> tuple[object, ...]:
    return (
        f"{_who(row)}, {row.group.replace('_', ' and ')}",
        row.published_hits,
        row.in_prompt,
        row.leaks,
        row.at_risk,
        share(row.rate, row.low, row.high),
    )


def _who(row: Asked) -> str:
    return f"{row.run} {row.arm}, {_asked(row)}"


def _asked(row: Asked | PersistenceRow) -> str:
    """How was asked, in few words; what is usual is not said."""
    said = (
        row.scheme if row.scheme not in (None, "bare", "given") else None,
        row.tier if row.tier not in (None, "prefix") else None,
        row.decoding if row.decoding not in (None, "greedy", "given") else None,
        None if row.prefix_length is None else f"prompt {row.prefix_length}",
    )
    return ", ".join(part for part in said if part) or "as given"
