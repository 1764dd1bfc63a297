"""The report on a terminal: one compact page for a decision, in colour where there is colour."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rich import box
from rich.console import Console
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from phiscan.reporting.designs import decoding_rows, decoding_sentences, design_rows, position_sentences
from phiscan.reporting.detection import detection_sentences
from phiscan.reporting.discoverable import score_rows
from phiscan.reporting.facts import confirmed, facts, limits
from phiscan.reporting.figures import (
    centre,
    counted,
    excess_words,
    headline_number,
    how_many,
    in_words,
    margin,
    none_seen,
)
from phiscan.reporting.glossary import LEAK_LINES, METRICS, OUTCOMES, REPETITIONS, SYNTHETIC_ARMS, name_of
from phiscan.reporting.plants import plant_lines, plant_sentences
from phiscan.reporting.screening import screening_sentences
from phiscan.reporting.subgroups import differences_sentence, kinds_of
from phiscan.reporting.trend_tables import TrendTable
from phiscan.reporting.triage import triage_sentences
from phiscan.reporting.view import (
    arms_shown,
    audit_rows,
    beyond_rows,
    chance_rows,
    column_key,
    copies_rows,
    copies_story,
    exposure_rows,
    leak_rows,
    likeness_rows,
    other_estimates,
    phi_rows,
    pick,
    ratio_tables,
    repetition_bands,
    repetition_story,
    review_rows,
    review_topics,
    spike_lines,
)
from phiscan.scan_report import Estimate, ExposureSection, ScanReport

SUFFIX = ".txt"
WIDTH = 100
ARM_NAMES = {
    "scanned": "training",
    "holdout": "held out",
    "control": "control",
    "plant": "plants",
    "twin": "twins",
}
COLOURS = {"leak_found": "red", "inconclusive": "yellow", "none_found_within_bound": "blue"}


def render(report: ScanReport) -> str:
    """The page as plain text, 100 columns wide."""
    console = _paper()
    print_report(report, console)
    return _text(console)


def render_trend(sentences: Mapping[str, Iterable[str]], tables: Iterable[TrendTable]) -> str:
    """A trend as plain text, 100 columns wide: sentences by heading, then its tables."""
    console = _paper()
    for heading, said in sentences.items():
        print_sentences(heading, said, console=console)
    for table in tables:
        print_table(table.title, table.columns, table.rows, console=console, left=table.left)
    return _text(console)


def _paper() -> Console:
    return Console(file=io.StringIO(), record=True, width=WIDTH, color_system=None, force_terminal=False)


def _text(console: Console) -> str:
    lines = console.export_text().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def terminal() -> Console:
    """The console on standard output; as wide as the page where that is no terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, console: Console, left: int = 1
) -> None:
    """Print a table under a heading; the first ``left`` columns hold words, the others figures."""
    _heading(console, title)
    table = _table(*columns, left=left)
    for row in rows:
        _row(table, *row)
    console.print(table)


def print_sentences(title: str, sentences: Iterable[str], *, console: Console) -> None:
    """Print sentences under a heading, each after a dash."""
    _heading(console, title)
    _bullets(console, sentences)


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """A bar with rate and time left on standard error, on a terminal only."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bars:
        tasks: dict[str, TaskID] = {}

        def show(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield show


def print_report(report: ScanReport, console: Console) -> None:
    """Print the page on ``console``."""
    _decision(report, console)
    _leaks(report, console)
    _chance(report, console)
    _ratios(report, console)
    _phi(report, console)
    _beyond(report, console)
    if report.exposure is not None:
        print_exposure(report.exposure, console)
    _likeness(report, console)
    print_review(report, console)
    _copies(report, console)
    _repetitions(report, console)
    _subgroups(report, console)
    _spikes(report, console)
    print_sentences("The detectors on notes of this house", detection_sentences(report), console=console)
    _plants(report, console)
    _coverage(report, console)
    _others(report, console)
    _heading(console, "Limits")
    _bullets(console, limits(report))


def _heading(console: Console, title: str) -> None:
    console.print()
    console.print(Rule(Text(title, style="bold"), align="left", characters="─"))


def _bullets(console: Console, sentences: Iterable[str]) -> None:
    grid = Table.grid(padding=(0, 1))
    for sentence in sentences:
        grid.add_row(Text("-"), Text(sentence))
    console.print(grid)


def _table(*columns: str, left: int = 1) -> Table:
    """A plain table: the first ``left`` columns hold words, the others figures."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for index, column in enumerate(columns):
        table.add_column(Text(column), justify="left" if index < left else "right")
    return table


def _row(table: Table, *cells: object) -> None:
    table.add_row(*(Text(f"{cell:,}" if isinstance(cell, int) else str(cell)) for cell in cells))


def _cell(estimate: Estimate | None) -> str:
    if estimate is None:
        return "-"
    if none_seen(estimate):
        return f"{counted(estimate)}; {margin(estimate)}"
    return f"{counted(estimate)} ({margin(estimate)})" if margin(estimate) else counted(estimate)


def _decision(report: ScanReport, console: Console) -> None:
    outcome = OUTCOMES[report.decision.outcome]
    colour = COLOURS[report.decision.outcome]
    words = Text(outcome.meaning)
    for reason in report.decision.reasons:
        words.append(f"\n- {reason}")
    title = Text(outcome.title.upper(), style=f"bold {colour}")
    console.print(Panel(words, title=title, title_align="left", border_style=colour, padding=(1, 2)))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    for fact in facts(report):
        grid.add_row(Text(fact.question, style="bold"), Text("\n".join(fact.sentences)))
    console.print(grid)


def _leaks(report: ScanReport, console: Console) -> None:
    _heading(console, "What came back")
    others = [arm for arm in arms_shown(report) if arm != "scanned"]
    table = _table("", "hits", "values", "notes", "patients", *(f"hits, {ARM_NAMES[arm]}" for arm in others))
    for name, arms in leak_rows(report):
        line = arms.get("scanned")
        own = (line.instances, line.values, line.notes, line.patients) if line else ("-",) * 4
        rest = [arms[arm].instances if arm in arms else "-" for arm in others]
        words = LEAK_LINES[name].name + (" (not comparable)" if name == "as_published" else "")
        _row(table, words, *own, *rest)
    console.print(table)
    if sentences := confirmed(report):
        console.print(Text(" ".join(sentences)))


def _ratios(report: ScanReport, console: Console) -> None:
    for view in ratio_tables(report)[:1]:
        _heading(console, f"Prompts that brought back long runs ({view.title})")
        for threshold in sorted({threshold for _, threshold in view.columns}):
            columns = [column for column in view.columns if column[1] == threshold]
            names = [f"{METRICS[metric].name}, {threshold} or more" for metric, _ in columns]
            table = _table("prompt", "", *names, left=2)
            for group in view.groups:
                for index, (arm, cells) in enumerate(group.arms.items()):
                    figures = [_cell(cells.get(column_key(*column))) for column in columns]
                    _row(table, group.label if index == 0 else "", ARM_NAMES[arm], *figures)
            console.print(table)
    _bullets(console, (*position_sentences(report), *triage_sentences(report)))
    _designs(report, console)


def _designs(report: ScanReport, console: Console) -> None:
    rows = design_rows(report)
    if not rows:
        return
    _heading(console, "By the way of asking (training notes; the tables above show the first)")
    decoded = decoding_rows(report)
    names = ("scheme", "tier", *(("decoding",) if decoded else ()))
    table = _table(*names, "prompt", "raw, 30 or more", "net, 30 or more", "recovered", left=len(names))
    for row in rows:
        length = "-" if row.length is None else str(row.length)
        asked = [getattr(row, name) for name in names]
        _row(table, *asked, length, _cell(row.raw), _cell(row.net), _cell(row.recovery))
    console.print(table)
    if decoded:
        table = _table("decoding", "answers", "notes with a headline leak", "recovered")
        for one in decoded:
            _row(table, one.way, f"{one.answers:,}", _cell(one.leaking), _cell(one.recovery))
        console.print(table)
        _bullets(console, decoding_sentences(report))


def _phi(report: ScanReport, console: Console) -> None:
    rows = phi_rows(report)
    if not rows:
        return
    _heading(console, "Health information at risk, and what of it was recovered")
    arms = [arm for arm in ARM_NAMES if any(arm in row.arms for row in rows)]
    table = _table("HIPAA", "category", *(ARM_NAMES[arm] for arm in arms), left=2)
    for row in rows:
        name = row.category + (" (apart)" if row.apart else "")
        cells = [
            _cell(estimate) if arm == "scanned" or estimate is None else counted(estimate).partition(":")[0]
            for arm, estimate in ((arm, row.arms.get(arm)) for arm in arms)
        ]
        _row(table, row.letter or "-", name, *cells)
    console.print(table)


def _beyond(report: ScanReport, console: Console) -> None:
    rows = [arms for _, topics in beyond_rows(report) for arms in topics]
    if not rows:
        return
    _heading(console, "Beyond PHI, for review by people: it never decides by itself")
    others = [arm for arm in arms_shown(report) if arm != "scanned"]
    columns = ("passages", "patients", "in record", "linked", "(patients)")
    table = _table("", *columns, *(ARM_NAMES[arm] for arm in others))
    for arms in rows:
        own = arms.get("scanned")
        figures = own and (own.passages, own.patients, own.in_record, own.linked, own.linked_patients)
        rest = [arms[arm].passages if arm in arms else "-" for arm in others]
        _row(table, next(iter(arms.values())).title, *(figures or ("-",) * 5), *rest)
    console.print(table)
    for estimate in pick(report.estimates, "patients_with_linked_disclosure"):
        name = METRICS[estimate.metric].name
        console.print(Text(f"{name}, {ARM_NAMES[estimate.stratum.arm]}: {in_words(estimate)}."))


def print_exposure(exposure: ExposureSection, console: Console) -> None:
    """Print what one pass over every note says."""
    _heading(console, "Exposure: one pass over every note, nothing generated")
    console.print(
        Text(
            f"{how_many(exposure.notes, 'note')} of {how_many(exposure.patients, 'patient')} scored, "
            f"{exposure.notes_failed:,} failed; {how_many(exposure.windowed_spans, 'identifier')} in notes "
            f"longer than the model takes."
        )
    )
    columns = ("spans", "greedy", "patients", "gain, bits", "first of others", "by chance")
    table = _table("", "category", *columns, left=2)
    for row in exposure_rows(exposure):
        gain = "-" if row.median_gain_bits is None else f"{row.median_gain_bits:.1f}"
        others = f"{row.first_among_others} of {row.among_others}"
        chance = f"{row.first_by_chance:.1f}"
        figures = (row.spans, row.greedy, row.greedy_patients, gain, others, chance)
        _row(table, ARM_NAMES[row.arm], row.category or "all", *figures)
    console.print(table)
    audit = _table("prefix", "", "runs of 30", "runs of 50", "in 100 draws", left=2)
    for length, arm, cells in audit_rows(exposure):
        _row(audit, length, ARM_NAMES[arm], *(_cell(cell) for cell in cells))
    console.print(audit)
    for score in score_rows(exposure):
        mean = "none" if score.mean is None else f"{score.mean:.3f}"
        limits = "" if score.low is None else f" ({score.low:.3f} to {score.high:.3f})"
        console.print(
            Text(
                f"Memorization score, {ARM_NAMES[score.arm]}: {mean} on average{limits}; "
                f"all 32 tokens right of {score.bands[-1]:,} of {how_many(score.notes, 'note')}."
            )
        )
    for estimate in exposure.estimates:
        if estimate.metric in ("k_extractable", "patients_with_greedy_identifier"):
            name = METRICS[estimate.metric].name
            console.print(Text(f"{name}, {ARM_NAMES[estimate.stratum.arm]}: {in_words(estimate)}."))


def _likeness(report: ScanReport, console: Console) -> None:
    rows = likeness_rows(report)
    if report.similarity is None or not rows:
        return
    units = f"{report.similarity.compared} {report.similarity.unit}s"
    _heading(console, f"Likeness of answers and notes, first {units} of each")
    table = _table("metric", "prompt", "", "answers", "missing", "mean", "median", "above 0.2", left=3)
    for metric, of_metric in rows:
        for length, row, above in of_metric:
            share = "" if above is None else headline_number(above)
            figures = (
                row.outputs,
                sum(row.missing.values()),
                centre(row.mean, row.mean_low, row.mean_high),
                "-" if row.median is None else f"{row.median:.3f}",
                share,
            )
            _row(table, name_of(metric), length, ARM_NAMES[row.arm], *figures)
    console.print(table)


def print_review(report: ScanReport, console: Console) -> None:
    """Print what people's review found; nothing without one."""
    review = report.review
    if review is None:
        return
    _heading(console, "What people found")
    console.print(
        Text(
            f"People ({review.people}) read {review.answered:,} of {review.items:,} outputs drawn from "
            f"{review.outputs:,}, {review.blind:,} of them blind. Read twice: {review.twice:,}; differing: "
            f"{review.differing:,}; adjudicated: {review.adjudicated:,}; open: {review.open:,}. Regions that "
            f"cannot be used: {review.unusable_regions:,}."
        )
    )
    table = _table("", "precision", "miss rate", "counted", "corrected total")
    for row in review_rows(report):
        total = row.total
        corrected = (
            "-"
            if total is None or total.corrected is None
            else f"{total.corrected:,.0f} ({total.low:,.0f} to {total.high:,.0f})"
        )
        figures = (_cell(row.precision), _cell(row.missed), total.counted if total else "-", corrected)
        _row(table, row.name, *figures)
    console.print(table)
    for estimate in review.agreement:
        console.print(Text(f"{name_of(estimate.metric)}: {_cell(estimate)}"))
    topics = [f"{title} {row.instances:,}" for title, row in review_topics(report)]
    if topics:
        console.print(Text(f"Beyond PHI, instances in the sample: {'; '.join(topics)}."))


def _chance(report: ScanReport, console: Console) -> None:
    arms = chance_rows(report)
    if not arms:
        return
    _heading(console, "Bare matches beyond chance (per eligible hit)")
    table = _table("", "", "hits", "observed", "by chance", "excess", left=2)
    for arm, rows in arms:
        for row in rows if arm == "scanned" else rows[:1]:
            name = row.category or "all categories"
            figures = (row.eligible, row.observed, f"{row.expected:,.1f}", excess_words(row))
            _row(table, ARM_NAMES[arm], name, *figures)
    console.print(table)


def _copies(report: ScanReport, console: Console) -> None:
    rows = copies_rows(report)
    if not rows:
        return
    _heading(console, "By exact copies of a note in the training data")
    table = _table("copies", "", "prompts", "net 30", "at risk", "recovered", left=2)
    for band, arms in rows:
        for arm, cell in arms.items():
            row = cell.row
            _row(table, band, ARM_NAMES[arm], row.prompts, row.net_30, row.at_risk, row.recovered)
    console.print(table)
    story = copies_story(report)
    if story:
        console.print(Text(story))


def _repetitions(report: ScanReport, console: Console) -> None:
    section = report.repetitions
    if section is None:
        return
    _heading(console, "By repetitions of a note in the training data, near-duplicates counted")
    scored = any(row.k_extractable for row in section.rows)
    columns = ("notes", "prompts", "net 30", "recovered of at risk", *(("k-extractable",) if scored else ()))
    for by, bands in repetition_bands(report):
        table = _table(name_of(REPETITIONS[by]).lower(), "", *columns, left=2)
        for band, rows in bands:
            for row in rows:
                cells = (row.notes, row.net_ratio.n, row.net_ratio.count, _cell(row.phi_recovery_rate))
                more = (_cell(row.k_extractable),) if scored else ()
                _row(table, band, ARM_NAMES[row.arm], *cells, *more)
        console.print(table)
    console.print(Text(repetition_story(report) or ""))


def _subgroups(report: ScanReport, console: Console) -> None:
    kinds = kinds_of(report)
    if not kinds:
        return
    _heading(console, "By kind of patient and of note (bands of few patients are joined)")
    for name, bands in kinds:
        table = _table(name.lower(), "", "patients", "with a headline leak", left=2)
        for band, rows in bands:
            for row in rows:
                leaking = _cell(row.patients_with_headline_leak)
                _row(table, band, ARM_NAMES[row.arm], row.patients, leaking)
        console.print(table)
    console.print(Text(differences_sentence(report)))


def _spikes(report: ScanReport, console: Console) -> None:
    kinds, _ = spike_lines(report)
    if report.spikes is None or not kinds:
        return
    _heading(console, "The scanner itself: values written into answers (spikes)")
    table = _table("", "found", "right verdict", "leaks reported")
    for line in kinds:
        _row(table, line.name, *(share.partition(" (")[0] for share in line[2:4]), line.reported)
    console.print(table)
    if report.spikes.not_spiked:
        console.print(Text(f"At risk, but without a spike: {', '.join(report.spikes.not_spiked)}."))


def _plants(report: ScanReport, console: Console) -> None:
    if report.plants is None:
        return
    _heading(console, "The model: made-up patients in its training, and left out (plants and twins)")
    console.print(Text("Plants and twins stand in no other figure, exposure's rows of their own apart."))
    _bullets(console, plant_sentences(report))
    columns = ("notes", "raw, 30 or more", "net, 30 or more", "recovered", "headline leak")
    table = _table("", "repeated", *columns, left=2)
    for line in plant_lines(report):
        row, (raw, _, net, _) = line.row, line.ratios
        name = f"{ARM_NAMES[row.arm]} {line.design}".rstrip()
        cells = (raw, net, row.phi_recovery_rate, row.patients_with_headline_leak)
        _row(table, name, row.repetitions or "all", row.notes, *map(_cell, cells))
    console.print(table)


def _reasons(rows: Mapping[str, int]) -> str:
    return f" ({'; '.join(f'{reason}: {count:,}' for reason, count in sorted(rows.items()))})" if rows else ""


def _beside(report: ScanReport) -> list[str]:
    """Plants and twins, which stand in no count of the coverage."""
    return [
        f"{SYNTHETIC_ARMS[arm.arm]}, counted apart: {how_many(arm.notes, 'note')} of "
        f"{how_many(arm.patients, 'made-up patient')}."
        for arm in (report.plants.arms if report.plants else ())
    ]


def _coverage(report: ScanReport, console: Console) -> None:
    coverage = report.coverage
    _heading(console, "Coverage: " + ("complete" if coverage.complete else "NOT COMPLETE"))
    bad, dropped = sum(coverage.rows_bad.values()), sum(coverage.rows_dropped.values())
    _bullets(
        console,
        (
            f"{how_many(coverage.rows_read, 'row')} read: {how_many(coverage.notes, 'note')} of "
            f"{how_many(coverage.patients, 'patient')}; {coverage.copies_folded:,} copies folded, "
            f"{bad:,} bad{_reasons(coverage.rows_bad)}, {dropped:,} dropped.",
            *_beside(report),
            f"Held out: {how_many(coverage.holdout_notes, 'note')} of "
            f"{how_many(coverage.holdout_patients, 'patient')}.",
            f"{coverage.chars_scanned:,} of {coverage.chars_loaded:,} characters of notes searched for PHI; "
            f"{coverage.chars_generated_scanned:,} of {coverage.chars_generated:,} of answers.",
            *screening_sentences(report),
        ),
    )
    table = _table("prompts", "asked", "done", "failed", "too short", "degenerate")
    for arm in arms_shown(report):
        rows = [row for row in coverage.prefixes if row.arm == arm]
        counts = [(row.asked, row.done, row.failed, row.too_short, row.degenerate) for row in rows]
        if counts:
            _row(table, ARM_NAMES[arm], *(sum(column) for column in zip(*counts, strict=True)))
    console.print(table)


def _others(report: ScanReport, console: Console) -> None:
    estimates = other_estimates(report)
    if not estimates:
        return
    _heading(console, "Other estimates")
    table = _table("metric", "", "value", left=2)
    for estimate in estimates:
        _row(table, estimate.metric, ARM_NAMES[estimate.stratum.arm], _cell(estimate))
    console.print(table)
