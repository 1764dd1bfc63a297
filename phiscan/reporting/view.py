"""A report arranged for reading: the same rows for every renderer, no markup.

Pure functions from :class:`ScanReport` to tables. They show what is there, choose nothing by
value, and leave a missing figure missing (None), never 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from phiscan.reporting.figures import counted, percent, spiked
from phiscan.reporting.glossary import (
    ALL_ARMS,
    ARMS,
    LEAK_LINES,
    METRICS,
    SPIKE_KINDS,
    TOPIC_GROUPS,
    VERDICTS,
)
from phiscan.reporting.ways import several, way
from phiscan.scan_report import (
    BeyondPhiRow,
    ChanceRow,
    CopiesRow,
    Estimate,
    ExposureRow,
    ExposureSection,
    LeakLine,
    RepetitionRow,
    ReviewedTopic,
    ReviewTotal,
    ScanReport,
    SimilarityRow,
)
from phiscan.taxonomy import CATEGORIES, HIPAA_NAMES, REPORTED_APART

RATIOS = ("raw_ratio", "net_ratio")


class Group(NamedTuple):
    """Rows of one band (a prompt length, a number of copies): arm -> column -> estimate."""

    label: str
    arms: dict[str, dict[str, Estimate]]


class RatioTable(NamedTuple):
    """Ratios of one unit and one choice of notes, by prompt length."""

    title: str
    unit: str
    columns: tuple[tuple[str, int], ...]
    groups: tuple[Group, ...]


class PhiRow(NamedTuple):
    """At-risk and recovered PHI of one category over all prompt lengths."""

    letter: str | None
    category: str
    apart: bool
    within: int
    beyond: int
    recovered: int
    arms: dict[str, Estimate]


class LetterRows(NamedTuple):
    """One of the eighteen identifiers (letter null: outside them) and the categories under it."""

    letter: str | None
    name: str
    rows: tuple[PhiRow, ...]
    assessable: bool


class CopiesCell(NamedTuple):
    """One arm's leakage at one number of copies, with intervals where they were estimated."""

    row: CopiesRow
    net: Estimate | None
    recovery: Estimate | None


def pick(estimates: Iterable[Estimate], metric: str, **wanted: object) -> list[Estimate]:
    """Estimates of ``metric`` whose stratum has exactly the ``wanted`` fields, in report order."""
    return [
        estimate
        for estimate in estimates
        if estimate.metric == metric
        and all(getattr(estimate.stratum, field) == value for field, value in wanted.items())
    ]


def first(estimates: Sequence[Estimate]) -> Estimate | None:
    """The first estimate, or None."""
    return estimates[0] if estimates else None


def arms_shown(report: ScanReport) -> list[str]:
    """Arms that the report speaks of, in the order of :data:`~phiscan.reporting.glossary.ARMS`."""
    seen = {estimate.stratum.arm for estimate in report.estimates}
    seen |= {row.arm for row in report.coverage.prefixes} | {line.arm for line in report.leaks}
    return [arm for arm in ARMS if arm in seen]


def length_label(report: ScanReport, length: int | None) -> str:
    """A prompt length as a table shows it."""
    if length is not None:
        return str(length)
    return "as given" if report.coverage.replay_rows else "all"


def grouped(
    report: ScanReport, columns: dict[str, list[Estimate]], *, arms: Sequence[str] = tuple(ARMS)
) -> tuple[Group, ...]:
    """Columns of estimates laid out by prompt length and arm, lengths ascending, "all" last."""
    cells: dict[int | None, dict[str, dict[str, Estimate]]] = defaultdict(lambda: defaultdict(dict))
    for column, estimates in columns.items():
        for estimate in estimates:
            stratum = estimate.stratum
            cells[stratum.prefix_length][stratum.arm].setdefault(column, estimate)
    lengths = sorted(cells, key=lambda length: (length is None, length or 0))
    return tuple(
        Group(
            length_label(report, length),
            {arm: dict(cells[length][arm]) for arm in arms if arm in cells[length]},
        )
        for length in lengths
    )


FEW = 30
"""Fewer prompts than this in a cell say too little to come first."""


def ratio_tables(report: ScanReport) -> tuple[RatioTable, ...]:
    """One table for each unit and support; tokens first, and the support that tells most."""
    ratios = [
        estimate
        for metric in RATIOS
        for estimate in pick(report.estimates, metric, category=None, copies=None)
    ]
    kinds = {(e.stratum.unit, e.stratum.support) for e in ratios}
    # The same notes at every length compare best, but a handful of them tells nothing.
    few = any(e.n < FEW for e in ratios if (e.stratum.arm, e.stratum.support) == ("scanned", "common"))
    first = "all" if few else "common"
    order = sorted(kinds, key=lambda kind: (kind[0] != "token", kind[1] != first, str(kind)))
    tables = []
    for unit, support in order:
        rows = [e for e in ratios if (e.stratum.unit, e.stratum.support) == (unit, support)]
        keys = sorted({(e.stratum.threshold or 0, RATIOS.index(e.metric)) for e in rows})
        columns = tuple((RATIOS[metric], threshold) for threshold, metric in keys)
        by_column = {
            column_key(metric, threshold): [
                e for e in rows if e.metric == metric and (e.stratum.threshold or 0) == threshold
            ]
            for metric, threshold in columns
        }
        notes = {"common": "same notes at every length", "all": "all notes long enough"}.get(support or "")
        title = ", ".join(part for part in (f"{unit or 'unit'}s", notes) if part)
        tables.append(RatioTable(title, unit or "unit", columns, grouped(report, by_column)))
    return tuple(tables)


def column_key(metric: str, threshold: int) -> str:
    """Name of a ratio column inside :class:`Group`."""
    return f"{metric}-{threshold}"


def recovery_groups(report: ScanReport) -> tuple[Group, ...]:
    """Overall PHI recovery by prompt length; columns ``hipaa`` and ``i2b2``."""
    overall = pick(report.estimates, "phi_recovery_rate", category=None, copies=None)
    return grouped(report, {s: [e for e in overall if e.stratum.scope == s] for s in ("hipaa", "i2b2")})


def phi_rows(report: ScanReport) -> list[PhiRow]:
    """One row per category seen, by HIPAA letter; those outside the eighteen last."""
    by_category = [
        e for e in report.estimates if e.metric == "phi_recovery_rate" and e.stratum.category is not None
    ]
    pooled = [e for e in by_category if e.stratum.prefix_length is None and e.stratum.copies is None]
    names = {e.stratum.category or "" for e in by_category} | {row.category for row in report.reach}
    rows = [_phi_row(report, pooled, name) for name in names]
    return sorted(rows, key=lambda row: (row.letter or "Z", row.category))


def _phi_row(report: ScanReport, pooled: list[Estimate], name: str) -> PhiRow:
    known = CATEGORIES.get(name)
    own = [e for e in pooled if e.stratum.category == name]
    own.sort(key=lambda e: ("hipaa", "i2b2").index(e.stratum.scope) if e.stratum.scope else 2)
    reach = [row for row in report.reach if row.category == name and row.arm == "scanned"]
    return PhiRow(
        # An age is letter C only above 89, so a row of ages bears none.
        letter=known.hipaa if known and name != "AGE" else None,
        category=name,
        apart=name in REPORTED_APART,
        within=sum(row.at_risk_within for row in reach),
        beyond=sum(row.at_risk_beyond for row in reach),
        recovered=sum(row.recovered for row in reach),
        arms={arm: e for arm in ARMS if (e := first([e for e in own if e.stratum.arm == arm]))},
    )


def letter_rows(report: ScanReport) -> list[LetterRows]:
    """Every letter A-R with its categories, also where nothing was at risk; then the others."""
    rows = phi_rows(report)
    named: list[tuple[str | None, str]] = [*HIPAA_NAMES.items(), (None, "Outside the eighteen (i2b2)")]
    found = [
        LetterRows(letter, name, tuple(row for row in rows if row.letter == letter), letter != "Q")
        for letter, name in named
    ]
    return [group for group in found if group.letter or group.rows]


def leak_rows(report: ScanReport) -> list[tuple[str, dict[str, LeakLine]]]:
    """Leak lines in reading order, each by arm; only lines that the report has."""
    lines: dict[str, dict[str, LeakLine]] = {name: {} for name in LEAK_LINES}
    for line in report.leaks:
        lines[line.line][line.arm] = line
    return [(name, arms) for name, arms in lines.items() if arms]


def beyond_rows(report: ScanReport) -> list[tuple[str, list[dict[str, BeyondPhiRow]]]]:
    """Topics beyond PHI by group, each by arm; only those of which anything at all was flagged."""
    topics: dict[str, dict[str, dict[str, BeyondPhiRow]]] = {group: {} for group in TOPIC_GROUPS}
    for row in report.beyond_phi:
        topics[row.group].setdefault(row.topic, {})[row.arm] = row
    found = [
        (group, [arms for arms in named.values() if any(map(_flagged, arms.values()))])
        for group, named in topics.items()
    ]
    return [(group, rows) for group, rows in found if rows]


def topics_not_found(report: ScanReport) -> list[str]:
    """Titles of the topics that were looked for and of which nothing was flagged in any arm."""
    titles = {row.topic: row.title for row in report.beyond_phi}
    flagged = {row.topic for row in report.beyond_phi if _flagged(row)}
    return [title for topic, title in titles.items() if topic not in flagged]


def _flagged(row: BeyondPhiRow) -> int:
    return row.passages + row.in_prompt + row.not_affirmed


def exposure_rows(exposure: ExposureSection) -> list[ExposureRow]:
    """All categories of each arm first; then those of the scanned arm, most greedy spans first."""
    totals = [row for row in exposure.rows if row.category is None]
    totals.sort(key=lambda row: list(ALL_ARMS).index(row.arm))
    mine = [row for row in exposure.rows if row.category is not None and row.arm == "scanned"]
    return [*totals, *sorted(mine, key=lambda row: (-row.greedy, -row.spans, row.category or ""))]


def audit_rows(exposure: ExposureSection) -> list[tuple[int, str, tuple[Estimate | None, ...]]]:
    """(prefix length, arm, cells) of the note audit: runs of 30, of 50, discoverable in 100 draws."""
    found: dict[tuple[int, str], list[Estimate]] = defaultdict(list)
    for estimate in exposure.estimates:
        length = estimate.stratum.prefix_length
        if length is not None:
            found[length, estimate.stratum.arm].append(estimate)
    order = sorted(found, key=lambda key: (key[0], list(ALL_ARMS).index(key[1])))
    return [
        (
            length,
            arm,
            (
                first(pick(found[length, arm], "greedy_run_ratio", threshold=30)),
                first(pick(found[length, arm], "greedy_run_ratio", threshold=50)),
                first(pick(found[length, arm], "np_discoverable", draws=100, decoding="t1")),
            ),
        )
        for length, arm in order
    ]


class LikenessRow(NamedTuple):
    """One metric in one arm at one prompt length, over all notes long enough for it."""

    length: str
    row: SimilarityRow
    above: Estimate | None
    """Share above 0.2; ROUGE-L only."""


def likeness_rows(report: ScanReport) -> list[tuple[str, list[LikenessRow]]]:
    """Rows by metric: ways of asking, lengths ascending, arms; over all notes long enough for the length."""
    if report.similarity is None:
        return []
    shown = [row for row in report.similarity.rows if row.support != "common"]
    names = several(report)
    designs = list(dict.fromkeys(way(row, names) for row in shown))
    shown.sort(
        key=lambda row: (
            designs.index(way(row, names)),
            row.prefix_length or 0,
            list(ARMS).index(row.arm),
        )
    )
    found: dict[str, list[LikenessRow]] = {row.metric: [] for row in report.similarity.rows}
    for row in shown:
        above = pick(
            report.similarity.estimates,
            "similar_share" if row.metric == "rouge_l" else "",
            scheme=row.scheme,
            tier=row.tier,
            decoding=row.decoding,
            arm=row.arm,
            prefix_length=row.prefix_length,
            support=row.support,
        )
        length = length_label(report, row.prefix_length)
        label = f"{length}, {named}" if (named := way(row, names)) else length
        found[row.metric].append(LikenessRow(label, row, first(above)))
    return list(found.items())


class ReviewRow(NamedTuple):
    """What people's review says of one category, of all, or of headline leaks."""

    name: str
    precision: Estimate | None
    right: Estimate | None
    missed: Estimate | None
    total: ReviewTotal | None


def review_rows(report: ScanReport) -> list[ReviewRow]:
    """All categories first, then each that was seen, headline leaks last; empty without a review."""
    if report.review is None:
        return []
    totals = {(row.what, row.category): row for row in report.review.totals}
    by_metric = {(e.metric, e.stratum.category): e for e in report.review.estimates}
    names = sorted({name for _, name in (*totals, *by_metric) if name})
    rows = [
        ReviewRow(
            name or "All",
            by_metric.get(("detector_precision", name)),
            by_metric.get(("detector_right_category", name)),
            by_metric.get(("detector_miss_rate", name)),
            totals.get(("phi", name)),
        )
        for name in (None, *names)
    ]
    return [*rows, ReviewRow("Headline leaks", None, None, None, totals.get(("leaks", None)))]


def review_topics(report: ScanReport) -> list[tuple[str, ReviewedTopic]]:
    """Topics of which people marked anything, with their titles."""
    titles = {row.topic: row.title for row in report.beyond_phi}
    found = report.review.topics if report.review else ()
    return [
        (titles.get(row.topic, row.topic.replace("_", " ").capitalize()), row)
        for row in found
        if row.instances
    ]


class SpikeLine(NamedTuple):
    """What the scanner made of the spikes of one kind or category, each share in words."""

    name: str
    meaning: str
    found: str
    right: str
    reported: str


def spike_lines(report: ScanReport) -> tuple[list[SpikeLine], list[SpikeLine]]:
    """All spikes and each kind; and each category. Both empty without spikes."""
    lines: tuple[list[SpikeLine], list[SpikeLine]] = ([], [])
    for row in report.spikes.rows if report.spikes else ():
        words = SPIKE_KINDS[row.kind] if row.kind else None
        line = SpikeLine(
            name=words.name if words else row.category or "All spikes",
            meaning=words.meaning if words else "",
            found=spiked(row.found, row.spikes, row.found_low, row.found_high),
            right=spiked(row.right, row.spikes, row.right_low, row.right_high),
            reported=spiked(row.reported, row.leaks, row.reported_low, row.reported_high),
        )
        lines[row.category is not None].append(line)
    return lines


def verdicts_shown(report: ScanReport) -> list[str]:
    """Columns of the verdict table; people's own only where they spoke."""
    seen = {row.verdict for row in report.verdicts}
    return [name for name in VERDICTS if name != "not_phi" or name in seen]


def chance_rows(report: ScanReport) -> list[tuple[str, list[ChanceRow]]]:
    """Bare matches against chance by arm: all categories first, then each."""
    arms: dict[str, list[ChanceRow]] = {arm: [] for arm in ARMS}
    for row in report.chance:
        arms[row.arm].append(row)
    return [(arm, sorted(rows, key=lambda row: row.category or "")) for arm, rows in arms.items() if rows]


def copies_rows(report: ScanReport) -> list[tuple[str, dict[str, CopiesCell]]]:
    """Leakage by number of exact copies, bands in report order, each by arm."""
    bands: dict[str, dict[str, CopiesCell]] = {}
    for row in report.by_copies:
        same = {"arm": row.arm, "copies": row.copies, "category": None, "prefix_length": None}
        nets = pick(report.estimates, "net_ratio", **same)
        nets = [e for e in nets if e.stratum.threshold in (30, None)]
        nets.sort(key=lambda e: (e.stratum.unit == "word", e.stratum.support == "all"))
        recovery = pick(report.estimates, "phi_recovery_rate", **same)
        recovery.sort(key=lambda e: e.stratum.scope == "i2b2")
        bands.setdefault(row.copies, {})[row.arm] = CopiesCell(row, first(nets), first(recovery))
    return list(bands.items())


def _times(band: str) -> str:
    return "once" if band == "1" else f"{band} times"


def copies_story(report: ScanReport) -> str | None:
    """How leakage differs between the least and the most copied notes; None if it cannot be told."""
    rows = [(band, cells["scanned"].row) for band, cells in copies_rows(report) if "scanned" in cells]
    rows = [(band, row) for band, row in rows if row.prompts]
    if len(rows) < 2:
        return None
    (few, low), (many, high) = rows[0], rows[-1]
    return (
        f"Of notes that stood {_times(few)} in the training data {low.net_30:,} of {low.prompts:,} prompts "
        f"({percent(low.net_30 / low.prompts)}) gave back a run of 30 or more; of those that stood "
        f"{_times(many)}, {high.net_30:,} of {high.prompts:,} ({percent(high.net_30 / high.prompts)})."
    )


def repetition_bands(report: ScanReport) -> list[tuple[str, list[tuple[str, list[RepetitionRow]]]]]:
    """Leakage by repetitions, then by whether notes were copied forward: (by, [(band, rows by arm)])."""
    found: dict[str, dict[str, list[RepetitionRow]]] = {}
    for row in report.repetitions.rows if report.repetitions else ():
        found.setdefault(row.by, {}).setdefault(row.band, []).append(row)
    for bands in found.values():
        for rows in bands.values():
            rows.sort(key=lambda row: list(ARMS).index(row.arm))
    return [(by, list(bands.items())) for by, bands in found.items()]


def repetition_story(report: ScanReport) -> str | None:
    """How many notes were said more than once, and how leakage differs; None if it was not counted."""
    section = report.repetitions
    if section is None:
        return None
    near = section.repeated - section.copied_exactly
    told = (
        f"Of {section.notes:,} distinct training notes {section.repeated:,} stood in the training data more "
        f"than once: {section.copied_exactly:,} as exact copies, {near:,} only nearly equal. "
        f"{section.copied_forward:,} were copied forward."
    )
    rows = [
        row for row in section.rows if row.by == "repetitions" and row.arm == "scanned" and row.net_ratio.n
    ]
    if len(rows) < 2:
        return told
    few, many = rows[0], rows[-1]
    return (
        f"{told} Prompts that gave back a run of 30 or more (net): {counted(few.net_ratio)} with "
        f"{few.band} in training, {counted(many.net_ratio)} with {many.band}."
    )


def beyond_share(report: ScanReport) -> str | None:
    """Share of at-risk PHI that the prompts of the scanned arm could not reach; None if unknown."""
    reach = [row for row in report.reach if row.arm == "scanned"]
    total = sum(row.at_risk_within + row.at_risk_beyond for row in reach)
    return percent(sum(row.at_risk_beyond for row in reach) / total) if total else None


def reach_rows(report: ScanReport) -> list[tuple[int, int, int]]:
    """(prompt length, at risk within reach, at risk beyond) of the scanned arm, all categories."""
    sums: dict[int, tuple[int, int]] = {}
    for row in report.reach:
        if row.arm == "scanned":
            within, beyond = sums.get(row.prefix_length, (0, 0))
            sums[row.prefix_length] = (within + row.at_risk_within, beyond + row.at_risk_beyond)
    return [(length, *sums[length]) for length in sorted(sums)]


def other_estimates(report: ScanReport) -> list[Estimate]:
    """Estimates of metrics that have no place of their own."""
    return [e for e in report.estimates if e.metric not in METRICS]


def verdict_matrix(report: ScanReport) -> list[tuple[str, bool, dict[str, int], int]]:
    """Scanned arm: (category, apart, instances by verdict, headline values) by category name."""
    cells: dict[tuple[bool, str], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    headline: dict[tuple[bool, str], int] = defaultdict(int)
    for row in report.verdicts:
        if row.arm == "scanned":
            cells[row.apart, row.category][row.verdict] += row.instances
            headline[row.apart, row.category] += row.headline
    return [(name, apart, dict(cells[apart, name]), headline[apart, name]) for apart, name in sorted(cells)]


def estimates_by_metric(report: ScanReport) -> list[tuple[str, list[Estimate]]]:
    """Every estimate of the report, grouped by metric in the order of first appearance."""
    groups: dict[str, list[Estimate]] = defaultdict(list)
    for estimate in report.estimates:
        groups[estimate.metric].append(estimate)
    return list(groups.items())
