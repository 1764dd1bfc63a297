"""The restricted annex as one page: no request, no script, nothing in a note's text that is not text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from phiscan.passes.annex import KINDS, Entry
from phiscan.printable import visible
from phiscan.records import PhiText, record
from phiscan.renderers.html import TEMPLATES, template_environment
from phiscan.reporting import glossary
from phiscan.taxonomy import HIPAA_NAMES

HEADINGS = {
    "headline": "Own record: headline leaks",
    "other_patient": "Another patient's record",
    "own_record": "Own record: every other hit",
}


@record
class Head:
    """What stands at the head of an annex."""

    run_digest: str
    """A digest by which the holder of the run's key knows the run."""
    scanned: str
    """When the report of the run was made, ISO 8601."""
    written: str
    """When the annex was, ISO 8601."""
    phiscan_version: str
    reader: PhiText | None
    everything: bool


def render_annex(head: Head, entries: Sequence[Entry]) -> str:
    """The page of these entries."""
    from markupsafe import Markup

    def shown(value: Any) -> Any:
        """Only characters that can be seen; our own style sheet is no patient's text."""
        return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    kinds = KINDS if head.everything else KINDS[:2]
    template = template_environment(finalize=shown).get_template("annex.html.j2")
    return template.render(
        css=Markup((TEMPLATES / "annex.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
        head=head,
        count=len(entries),
        groups=[(HEADINGS[kind], [e for e in entries if e.kind == kind]) for kind in kinds],
        verdicts=glossary.VERDICTS,
        arms=glossary.ARMS,
        letters=HIPAA_NAMES,
    )
