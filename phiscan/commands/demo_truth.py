r"""The demo's known answer: which gold values truly came out, found by brute force.

Written apart from the pipeline on purpose: it shares no matching, detection, normalisation or
index with it, only the notes' gold spans, so that agreement between the two means something.
Words are ``\w+|[^\w\s]``; everything is plain search, slow and easy to check by eye.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from phiscan.commands.demo_corpus import DemoCorpus, DemoNote
from phiscan.commands.demo_value_forms import value_forms
from phiscan.records import PhiText, record

Output: TypeAlias = tuple[str, str, str]
"""note_id, prefix text, continuation text."""
Reported: TypeAlias = tuple[str, str, int, int, str, bool, bool]
"""note_id, prefix text, cont_start, cont_end, value, headline, anchored: one own-record hit."""

BLOCK_WORDS = 30
CONTEXT_WORDS = 8
_MASKED_WORDS = 12
"""Longest value, in words, that may stand between two context halves."""


@record
class TrueLeak:
    """One place of one continuation at which a value of the patient's own record stands."""

    note_id: PhiText
    patient_id: PhiText
    prefix: PhiText
    category: str
    value: PhiText
    """The value as the record has it."""
    cont_start: int
    cont_end: int
    verbatim: bool
    """Letter for letter; otherwise another form of the value, or a telling part of it."""
    anchored: bool
    """Verbatim and copied together with what stands beside it in the record."""


@record
class FalseAlarm:
    """A reported headline hit at a place where no value of the own record stands."""

    note_id: PhiText
    cont_start: int
    cont_end: int
    value: PhiText


@record
class KnownAnswer:
    """What the scanner found of what is truly there; ratios are null without a denominator."""

    true_anchored: int
    found: int
    recall: float | None
    reported_headline: int
    correct: int
    precision: float | None
    missed: tuple[TrueLeak, ...]
    false_alarms: tuple[FalseAlarm, ...]


def true_leaks(corpus: DemoCorpus, outputs: Iterable[Output]) -> list[TrueLeak]:
    """Every own-record value in every continuation that its prefix does not show, by plain search.

    A value is shown if the prefix holds it or another full form of it, in any case. A verbatim value
    is *anchored* if it stands, in the continuation and in a note of the record alike, within 30 equal
    words, 30-word blocks of the prefix or of many patients' notes taken out; or beside eight equal
    words (8 before, 4 + 4 or 8 after, itself masked) that are not in the prefix and stand so in notes
    of fewer than max(3, 0.1%) patients.
    """
    records = _Records(corpus)
    return [leak for output in outputs for leak in _leaks_of(records, *output)]


def compare(true: Sequence[TrueLeak], reported: Sequence[Reported]) -> KnownAnswer:
    """Recall of anchored verbatim leaks and precision of headline hits, both by place.

    Recall = anchored places overlapped by a reported hit that is marked anchored / anchored places.
    Precision = headline places that overlap a true value, in any form / headline places. Places of
    different prefixes are different; the same place counts once.
    """
    anchored = {_place(leak): leak for leak in true if leak.anchored}
    headline = {row[:4]: row for row in reported if row[5]}
    marked = _by_output(row[:4] for row in reported if row[6])
    there = _by_output(_place(leak) for leak in true)
    missed = tuple(leak for place, leak in anchored.items() if not _overlapped(place, marked))
    wrong = tuple(
        FalseAlarm(note_id=row[0], cont_start=row[2], cont_end=row[3], value=row[4])
        for place, row in headline.items()
        if not _overlapped(place, there)
    )
    found, correct = len(anchored) - len(missed), len(headline) - len(wrong)
    return KnownAnswer(
        true_anchored=len(anchored),
        found=found,
        recall=found / len(anchored) if anchored else None,
        reported_headline=len(headline),
        correct=correct,
        precision=correct / len(headline) if headline else None,
        missed=missed,
        false_alarms=wrong,
    )


Place: TypeAlias = tuple[str, str, int, int]


def _place(leak: TrueLeak) -> Place:
    return leak.note_id, leak.prefix, leak.cont_start, leak.cont_end


def _by_output(places: Iterable[Place]) -> dict[tuple[str, str], list[tuple[int, int]]]:
    ranges = defaultdict(list)
    for note_id, prefix, start, end in places:
        ranges[note_id, prefix].append((start, end))
    return ranges


def _overlapped(place: Place, ranges: dict[tuple[str, str], list[tuple[int, int]]]) -> bool:
    note_id, prefix, start, end = place
    return any(start < other_end and other < end for other, other_end in ranges.get((note_id, prefix), ()))


class _Text:
    """A text as words; ``spaced`` is those words between single blanks, for plain search."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._found = [(m[0], m.start(), m.end()) for m in re.finditer(r"\w+|[^\w\s]", text)]

    @cached_property
    def words(self) -> list[str]:
        return [word for word, _, _ in self._found]

    @cached_property
    def spaced(self) -> str:
        return f" {' '.join(self.words)} "

    def word_range(self, start: int, end: int) -> tuple[int, int]:
        """Words that lie in the code points ``[start, end)``, as a half-open range."""
        inside = [i for i, (_, a, b) in enumerate(self._found) if start <= a and b <= end]
        return (inside[0], inside[-1] + 1) if inside else (0, 0)


class _Origin(NamedTuple):
    """A value where the record has it, as a range of words."""

    note: _Text
    first: int
    last: int


class _Records:
    """Distinct notes by patient, and the values of every patient's record with their places."""

    def __init__(self, corpus: DemoCorpus) -> None:
        self.patient_of = {note.note_id: note.patient_id for note in corpus.notes}
        self.template_patients = max(3, -(-len(set(self.patient_of.values())) // 1000))
        self.values: dict[str, dict[tuple[str, str], list[_Origin]]] = defaultdict(dict)
        self._notes: list[tuple[str, _Text]] = []
        for note in {(note.patient_id, note.text): note for note in corpus.notes}.values():
            self._add(note)
        for row in corpus.known:
            self.values[row.patient_id].setdefault((row.category, row.value), [])

    def _add(self, note: DemoNote) -> None:
        text = _Text(note.text)
        self._notes.append((note.patient_id, text))
        for start, end, category in note.spans:
            places = self.values[note.patient_id].setdefault((category, note.text[start:end]), [])
            places.append(_Origin(text, *text.word_range(start, end)))

    def is_rare(self, before: Sequence[str], after: Sequence[str], *, gap: bool) -> bool:
        """Fewer than ``template_patients`` patients have a note with these neighbours."""
        holders = {who for who, note in self._notes if _stands(before, after, note.spaced, gap=gap)}
        return len(holders) < self.template_patients


def _leaks_of(records: _Records, note_id: str, prefix: str, continuation: str) -> Iterator[TrueLeak]:
    patient_id = records.patient_of[note_id]
    said, shown = _Text(continuation), _Text(prefix)
    for (category, value), origins in records.values[patient_id].items():
        full, parts = value_forms(category, value)
        if any(_find(form, prefix) for form in full):
            continue
        told = [part for part in parts if not _find(part, prefix)]
        for start, end in sorted({place for form in (*full, *told) for place in _find(form, continuation)}):
            verbatim = continuation[start:end] == value
            at = said.word_range(start, end)
            yield TrueLeak(
                note_id=note_id,
                patient_id=patient_id,
                prefix=prefix,
                category=category,
                value=value,
                cont_start=start,
                cont_end=end,
                verbatim=verbatim,
                anchored=verbatim and any(_anchored(records, said, shown, at, o) for o in origins),
            )


def _anchored(records: _Records, said: _Text, shown: _Text, at: tuple[int, int], origin: _Origin) -> bool:
    """True if the words beside ``at`` in ``said`` are those beside ``origin``, rare and not shown."""
    first, last = at
    left = _equal(said.words[:first][::-1], origin.note.words[: origin.first][::-1])
    right = _equal(said.words[last:], origin.note.words[origin.last :])
    block = said.words[first - left : last + right]
    if _own_words(records, shown, block, left, left + last - first) >= BLOCK_WORDS:
        return True
    half = CONTEXT_WORDS // 2
    for before, after in ((CONTEXT_WORDS, 0), (half, half), (0, CONTEXT_WORDS)):
        if left < before or right < after:
            continue
        words = said.words[first - before : first], said.words[last : last + after]
        gap = bool(before and after)
        if not _stands(*words, shown.spaced, gap=gap) and records.is_rare(*words, gap=gap):
            return True
    return False


def _own_words(records: _Records, shown: _Text, block: Sequence[str], first: int, last: int) -> int:
    """Words of the copied ``block`` around its words ``first`` to ``last`` that are the record's own.

    What stands in 30 words that the prefix or many patients' notes hold too is taken out first.
    """
    taken = set()
    for start in range(len(block) - BLOCK_WORDS + 1):
        window = block[start : start + BLOCK_WORDS]
        if _stands(window, (), shown.spaced, gap=False) or not records.is_rare(window, (), gap=False):
            taken |= set(range(start, start + BLOCK_WORDS))
    if taken & set(range(first, last)):
        return 0
    while first and first - 1 not in taken:
        first -= 1
    while last < len(block) and last not in taken:
        last += 1
    return last - first


def _equal(a: Sequence[str], b: Sequence[str]) -> int:
    """Length of the longest equal beginning."""
    same = 0
    while same < min(len(a), len(b)) and a[same] == b[same]:
        same += 1
    return same


def _stands(before: Sequence[str], after: Sequence[str], spaced: str, *, gap: bool) -> bool:
    """True if ``before`` then ``after`` stand in ``spaced``, with a few words between if ``gap``."""
    if not gap:
        return f" {' '.join((*before, *after))} " in spaced
    head, tail = f" {' '.join(before)} ", f"{' '.join(after)} "
    if head not in spaced or tail not in spaced:
        return False
    between = rf"(?:\S+ ){{1,{_MASKED_WORDS}}}"
    return re.search(re.escape(head) + between + re.escape(tail), spaced) is not None


def _find(form: str, text: str) -> list[tuple[int, int]]:
    """Ranges of ``form`` in ``text`` as a whole word, in any case."""
    if form.lower() not in text.lower():  # spares compiling a pattern
        return []
    return [m.span() for m in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.IGNORECASE)]
