"""What runs and option files hold -> rows of the study's tables. Pure: every figure is made elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from phiscan.as_published import published_interval
from phiscan.commands.options import OptionsReport
from phiscan.comparison import Persistence
from phiscan.measures.options import MatchRow
from phiscan.scan_report import (
    DESIGN,
    BeyondPhiRow,
    Estimate,
    ReviewedTopic,
    ScanReport,
    SimilarityRow,
    Stratum,
)
from phiscan.study import AccuracyRow, LikenessRow, ModelRow, OptionRow, PersistenceRow, RatioRow, TopicRow

_Limits = tuple[float | None, float | None]


def ratio_rows(report: ScanReport, *, run: str, threshold: int) -> Iterator[RatioRow]:
    """Tables 1 and 2 of one run, in tokens if it has them, else in words."""
    found = [
        one
        for one in report.estimates
        if one.metric in ("raw_ratio", "net_ratio")
        and (one.stratum.threshold, one.stratum.copies) == (threshold, None)
    ]
    unit = "token" if any(one.stratum.unit == "token" for one in found) else "word"
    cells = {(one.metric, one.stratum): one for one in found if one.stratum.unit == unit}
    for (metric, where), raw in cells.items():
        if metric == "raw_ratio" and where.support != "common":
            common = cells.get(("net_ratio", where.model_copy(update={"support": "common"})))
            low, high = _published(raw, report.manifest.seed)
            yield RatioRow(
                **_asked(where, run),
                unit=unit,
                threshold=threshold,
                published_ratio=raw.value,
                published_low=low,
                published_high=high,
                published_count=raw.count,
                published_n=raw.n,
                **_figure("net", cells["net_ratio", where]),
                **_figure("common_net", common),
            )


def _asked(where: Stratum, run: str) -> dict[str, Any]:
    columns = ("arm", *DESIGN, "prefix_length")
    return {"run": run, **{name: getattr(where, name) for name in columns}}


def _figure(prefix: str, estimate: Estimate | None) -> dict[str, Any]:
    columns = {
        "ratio": "value",
        **{name: name for name in ("low", "high", "count", "n", "patients", "method")},
    }
    return {
        f"{prefix}_{column}": None if estimate is None else getattr(estimate, field)
        for column, field in columns.items()
    }


def _published(estimate: Estimate, seed: int) -> _Limits:
    return (None, None) if estimate.value is None else published_interval(estimate.value, seed=seed)


def persistence_rows(found: Iterable[Persistence], *, first: str, second: str) -> Iterator[PersistenceRow]:
    """Table 3 of two models: raw and net of one stratum side by side."""
    cells = {(one.ratio, one.stratum): one for one in found}
    for (ratio, where), raw in cells.items():
        if ratio != "raw":
            continue
        net = cells["net", where]
        yield PersistenceRow(
            first=first,
            second=second,
            **where.model_dump(include={*DESIGN, "prefix_length", "unit", "threshold"}),
            published_both=raw.both,
            published_only_first=raw.only_a,
            published_only_second=raw.only_b,
            published_common=raw.common,
            published_unique_first=raw.unique_a,
            published_unique_second=raw.unique_b,
            retention=raw.retention,
            retention_low=raw.retention_low,
            retention_high=raw.retention_high,
            net_both=net.both,
            net_only_first=net.only_a,
            net_only_second=net.only_b,
            net_patients=net.patients,
            net_common=net.common,
            net_common_low=net.common_low,
            net_common_high=net.common_high,
            net_retention=net.retention,
            net_retention_low=net.retention_low,
            net_retention_high=net.retention_high,
        )


# --- answer options -----------------------------------------------------------------------


def option_rows(report: OptionsReport, *, name: str) -> Iterator[OptionRow]:
    """Table 4: exact against exact, substring (the study's relaxed) against whole words."""
    cells = {(row.removed, row.test): row for row in report.matches}
    for removed in dict.fromkeys(row.removed for row in report.matches):
        yield _option_row(cells[removed, "exact"], cells[removed, "exact"], report.seed, name)
        yield _option_row(cells[removed, "substring"], cells[removed, "whole_words"], report.seed, name)


def _option_row(study: MatchRow, own: MatchRow, seed: int, name: str) -> OptionRow:
    low, high = _published(study.observed, seed)
    return OptionRow.model_validate(
        {
            "options": name,
            "removed": own.removed,
            "match": "exact" if study.test == "exact" else "relaxed",
            "published_test": study.test,
            "published_rate": study.observed.value,
            "published_low": low,
            "published_high": high,
            "published_count": study.observed.count,
            "n": own.observed.n,
            "questions": own.observed.patients,
            "test": own.test,
            "rate": own.observed.value,
            "low": own.observed.low,
            "high": own.observed.high,
            "count": own.observed.count,
            **{
                column: getattr(own, column)
                for column in (
                    *("chance", "chance_low", "chance_high"),
                    *("excess", "excess_low", "excess_high"),
                )
            },
            "method": own.excess_method,
        }
    )


def accuracy_rows(report: OptionsReport, *, name: str) -> Iterator[AccuracyRow]:
    """Right answers and diagnoses."""
    for row in report.accuracy:
        low, high = _published(row.estimate, report.seed)
        yield AccuracyRow(
            options=name,
            task=row.task,
            top=row.top,
            specialty=row.specialty,
            published_accuracy=row.estimate.value,
            published_low=low,
            published_high=high,
            low=row.estimate.low,
            high=row.estimate.high,
            count=row.estimate.count,
            n=row.estimate.n,
            questions=row.estimate.patients,
            unclear=row.estimate.n_undecided,
            method=row.estimate.method,
        )


# --- beyond PHI and likeness --------------------------------------------------------------


def topic_rows(report: ScanReport, *, run: str) -> Iterator[TopicRow]:
    """Table 5B: flagged by rules in every arm; confirmed, and missed PHI, where people reviewed."""
    review = report.review
    said = {topic.topic: topic for topic in review.topics} if review else {}
    for row in report.beyond_phi:
        people = said.pop(row.topic, None) if row.arm == "scanned" else None
        yield _topic_row(run, row.arm, row.topic, row, people, review.answered if review else None)
    if review is None:
        return
    for topic in said.values():
        yield _topic_row(run, "scanned", topic.topic, None, topic, review.answered)
    for total in review.totals:
        if total.what == "phi" and total.category and total.missed_in_sample:
            yield TopicRow(
                run=run,
                arm="scanned",
                kind="missed_phi",
                topic=total.category,
                table_5b=True,
                reviewed=sum(stratum.blind_answered for stratum in review.strata),
                confirmed=total.missed_in_sample,
                **dict.fromkeys(("flagged", "outputs", "patients", "in_record", "linked")),
                **dict.fromkeys(("confirmed_outputs", "total", "total_low", "total_high")),
            )


def _topic_row(
    run: str,
    arm: Any,
    topic: str,
    rules: BeyondPhiRow | None,
    people: ReviewedTopic | None,
    reviewed: int | None,
) -> TopicRow:
    return TopicRow(
        run=run,
        arm=arm,
        kind="beyond_phi",
        topic=topic,
        table_5b=rules is None or rules.group == "table_5b",
        flagged=rules.passages if rules else None,
        outputs=rules.outputs if rules else None,
        patients=rules.patients if rules else None,
        in_record=rules.in_record if rules else None,
        linked=rules.linked if rules else None,
        reviewed=reviewed if people else None,
        confirmed=people.instances if people else None,
        confirmed_outputs=people.outputs if people else None,
        total=people.total if people else None,
        total_low=people.low if people else None,
        total_high=people.high if people else None,
    )


def likeness_rows(report: ScanReport, *, run: str) -> Iterator[LikenessRow]:
    """Means by metric, arm and length: over all notes, and over those long enough for every length."""
    section = report.similarity
    if section is None:
        return
    cells = {_place(row): row for row in section.rows}
    shares = {one.stratum.model_copy(update={"unit": None}): one.count for one in section.estimates}
    for place, row in cells.items():
        if row.support == "common":
            continue
        common = cells.get((row.metric, place[1].model_copy(update={"support": "common"})))
        yield LikenessRow(
            **_asked(place[1], run),
            metric=row.metric,
            outputs=row.outputs,
            missing=sum(row.missing.values()),
            patients=row.patients,
            published_mean=row.mean,
            mean_low=row.mean_low,
            mean_high=row.mean_high,
            common_outputs=common.outputs if common else None,
            common_mean=common.mean if common else None,
            common_low=common.mean_low if common else None,
            common_high=common.mean_high if common else None,
            similar=shares.get(place[1]) if row.metric == "rouge_l" else None,
        )


def _place(row: SimilarityRow) -> tuple[str, Stratum]:
    columns = {"arm", *DESIGN, "prefix_length", "support"}
    return row.metric, Stratum.model_validate(row.model_dump(include=columns))


def model_rows(models: Sequence[Any], *, run: str) -> Iterator[ModelRow]:
    """Who was asked."""
    for model in models:
        yield ModelRow(run=run, **model.model_dump())
