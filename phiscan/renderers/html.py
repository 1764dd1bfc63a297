"""The report as one page: no request, readable on paper and without its script, every figure defined."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phiscan.reporting import glossary
from phiscan.reporting.designs import decoding_rows, decoding_sentences, design_rows, position_sentences
from phiscan.reporting.detection import detection_sentences
from phiscan.reporting.discoverable import curve_story, drawn_rows, score_rows
from phiscan.reporting.facts import affected, confirmed, facts, limits
from phiscan.reporting.figures import (
    centre,
    excess_words,
    headline_number,
    how_many,
    percent,
    qualification,
)
from phiscan.reporting.legal import breach_factors, crosswalk, risk_prompts
from phiscan.reporting.plants import (
    difference_name,
    difference_words,
    plant_categories,
    plant_lines,
    plant_sentences,
)
from phiscan.reporting.release import RETEST, entries, expires, identity
from phiscan.reporting.report_charts import report_charts
from phiscan.reporting.scope import NOT_TRIED, attackers
from phiscan.reporting.screening import screening_sentences
from phiscan.reporting.subgroups import AGE_WORDS, differences_sentence, kinds_of
from phiscan.reporting.triage import triage_sentences
from phiscan.reporting.view import (
    arms_shown,
    audit_rows,
    beyond_rows,
    beyond_share,
    chance_rows,
    column_key,
    copies_rows,
    copies_story,
    estimates_by_metric,
    exposure_rows,
    leak_rows,
    length_label,
    letter_rows,
    likeness_rows,
    other_estimates,
    ratio_tables,
    reach_rows,
    recovery_groups,
    repetition_bands,
    repetition_story,
    review_rows,
    review_topics,
    spike_lines,
    topics_not_found,
    verdict_matrix,
    verdicts_shown,
)
from phiscan.reporting.ways import several, stratum_in, way
from phiscan.scan_report import ScanReport

if TYPE_CHECKING:
    from jinja2 import Environment

SUFFIX = ".html"
TEMPLATES = Path(__file__).parent / "templates"


def render(report: ScanReport) -> str:
    """The page; equal reports give equal pages."""
    ways = several(report)
    environment = template_environment()
    environment.filters.update(
        figure=headline_number,
        beside=qualification,
        percent=percent,
        how_many=how_many,
        count="{:,}".format,
        setting=_setting,
        stratum=lambda stratum: stratum_in(stratum, ways),
        excess=excess_words,
        difference=difference_words,
        difference_name=difference_name,
    )
    return environment.get_template("report.html.j2").render(_context(report))


def template_environment(finalize: Callable[[Any], Any] | None = None) -> Environment:
    """What pages are made with: everything is escaped; ``finalize`` sees each value first."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=finalize,
    )


def _context(report: ScanReport) -> dict[str, object]:
    from markupsafe import Markup

    script = (TEMPLATES / "tables.js").read_text(encoding="utf-8")
    tables, copies = ratio_tables(report), copies_rows(report)
    return {
        "css": Markup((TEMPLATES / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
        "script": Markup(script),  # noqa: S704 - our own file
        "script_digest": _digest(script),
        "report": report,
        "words": glossary,
        "outcome": glossary.OUTCOMES[report.decision.outcome],
        "level": " or ".join(f"{level * 100:g}%" for level in sorted({e.level for e in report.estimates})),
        "identity": identity(report),
        "entries": entries(report),
        "expires": expires(report),
        "retest": RETEST,
        "attackers": attackers(report),
        "not_tried": NOT_TRIED,
        "risk": risk_prompts(report),
        "breach": breach_factors(report),
        "crosswalk": crosswalk(),
        "facts": facts(report),
        "limits": limits(report),
        "confirmed": confirmed(report),
        "affected": {arm: affected(report, arm) for arm in glossary.ARMS},
        "arms": arms_shown(report),
        "ratio_tables": tables,
        "key": column_key,
        "recovery": recovery_groups(report),
        "letters": letter_rows(report),
        "leaks": leak_rows(report),
        "matrix": verdict_matrix(report),
        "chance": chance_rows(report),
        "topics": beyond_rows(report),
        "topics_not_found": topics_not_found(report),
        "exposure_rows": exposure_rows(report.exposure) if report.exposure else [],
        "audit_rows": audit_rows(report.exposure) if report.exposure else [],
        "curve_story": curve_story(report.exposure) if report.exposure else "",
        "score_rows": score_rows(report.exposure) if report.exposure else [],
        "drawn_rows": drawn_rows(report.exposure) if report.exposure else [],
        "likeness": likeness_rows(report),
        "centre": centre,
        "review_rows": review_rows(report),
        "review_topics": review_topics(report),
        "detection": detection_sentences(report),
        "spike_kinds": spike_lines(report)[0],
        "spike_categories": spike_lines(report)[1],
        "plant_sentences": plant_sentences(report),
        "plant_lines": plant_lines(report),
        "plant_categories": plant_categories(report),
        "verdicts_shown": verdicts_shown(report),
        "copies": copies,
        "story": copies_story(report),
        "screening": screening_sentences(report),
        "designs": design_rows(report),
        "decodings": decoding_rows(report),
        "decoding_story": decoding_sentences(report),
        "way": lambda row: way(row, several(report)),
        "positions": position_sentences(report),
        "triage": triage_sentences(report),
        "repetition_bands": repetition_bands(report),
        "repetition_story": repetition_story(report),
        "subgroups": kinds_of(report),
        "age_words": AGE_WORDS,
        "differences": differences_sentence(report),
        "reach": reach_rows(report),
        "beyond": beyond_share(report),
        "length": lambda value: length_label(report, value),
        "other": other_estimates(report),
        "appendix": estimates_by_metric(report),
        "charts": {name: Markup(svg) for name, svg in report_charts(report).items()},  # noqa: S704 - built and escaped in charts
    }


def _digest(script: str) -> str:
    """What a page's policy names the one script by that it lets run."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def _setting(value: object) -> str:
    """A setting as a person writes it."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
