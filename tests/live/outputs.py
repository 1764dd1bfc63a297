"""Review tasks with invented outputs, some of them hard to keep the offsets of."""

from __future__ import annotations

import re
from typing import Any

from live.server import ROOT

VERSION = "phiscan-0a1b2c3d"
CONFIG = (ROOT / "annotation" / "label_config.xml").read_text(encoding="utf-8")
NAME, DATE = "Mara Quillon", "3/12/2021"
FAMILY = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"

HARD = {
    "plain": f"Patient: {NAME}, seen {DATE} by the ward.",
    "emoji": f"\N{GRINNING FACE}{FAMILY} Patient {FAMILY}: {NAME} \N{PILE OF POO}\N{PILE OF POO} on {DATE}\N{THUMBS UP SIGN}",
    "crlf": f"Line one\r\n\r\nPatient: {NAME}\r\nSeen\r\n{DATE}\r\nend",
    "lone cr": f"Line one\rPatient: {NAME}\rSeen {DATE}\r\rend",
    "mixed breaks": f"a\n\r\n\rb\n\nPatient: {NAME}\n\n\n\r\nSeen {DATE}\n",
    "tabs": f"\t\tPatient:\t{NAME}\t\tSeen\t{DATE}\t",
    "entities": f"<b>Pt</b> &amp; &lt;{NAME}&gt; <!-- x --> </Text> &#38; \"q\" 'q' {DATE} & <",
    "controls": f"\x01\x02Patient\x0b: {NAME}\x0c seen\x1f {DATE}\x7f\x85",
    "wide": f"\N{EM SPACE}\N{NO-BREAK SPACE}\N{ZERO WIDTH SPACE}{NAME}\N{LINE SEPARATOR}{DATE}\N{PARAGRAPH SEPARATOR}",
    "accents": f"e\N{COMBINING ACUTE ACCENT}\N{COMBINING RING BELOW} \N{LATIN SMALL LETTER SHARP S} İi {NAME} \N{RIGHT-TO-LEFT OVERRIDE}{DATE}\N{POP DIRECTIONAL FORMATTING} שלום",
    "blanks": f"   Patient:    {NAME}      seen     {DATE}     ",
    "long": "Reviewed, stable, no change. " * 3_600 + f"Patient: {NAME}, seen {DATE}.",
}  # fmt: skip
"""Each holds NAME and DATE once; the last is 100 KB."""


def spans(text: str) -> dict[str, tuple[int, int]]:
    """Where NAME and DATE stand, in code points."""
    return {word: (text.index(word), text.index(word) + len(word)) for word in (NAME, DATE)}


def make_task(doc_id: str, text: str, *, blind: bool = False, record: str = "") -> dict[str, Any]:
    """One task with NAME and DATE pre-annotated as h0 and h1, and something for all that the form shows."""
    shown = set(re.findall(r'"\$(\w+)"', CONFIG)) - {"text"}
    data = {"doc_id": doc_id, "text": text} | {name: f"<p>{name}</p>" for name in shown}
    if record:
        data["record"] = record
    result = [
        {
            "id": f"h{number}",
            "from_name": "phi",
            "to_name": "text",
            "type": "labels",
            "value": {"start": start, "end": end, "text": word, "labels": [label]},
        }
        for number, ((word, (start, end)), label) in enumerate(
            zip(spans(text).items(), ("PATIENT", "DATE"), strict=True)
        )
    ]
    prediction = {"model_version": VERSION, "score": 0.5, "result": result}
    return {"data": data, "predictions": [] if blind else [prediction]}


def hard_tasks() -> list[dict[str, Any]]:
    return [make_task(f"{number:016x}", text) for number, text in enumerate(HARD.values())]


def many_tasks(count: int, *, record: str = "") -> list[dict[str, Any]]:
    """Every third one is blind."""
    return [
        make_task(f"{number:016x}", f"{number}. {HARD['emoji']}", blind=number % 3 == 0, record=record)
        for number in range(count)
    ]
