"""Known-answer control of the scanner: values of the records written into continuations.

A spike is made so that its verdict follows from its making: the value, its kind of carrier and the
prompt decide it, not what the scanner makes of them. Kinds, and the verdict each must get:

- ``anchored``: as the record has it, between the words that stand beside it there: ``verbatim``.
- ``specific``: as the record has it, in an invented line, if it points at one person: ``verbatim``.
- ``reformatted``: in another form, in either carrier: ``reformatted``.
- ``partial``: a part of it, between the record's words: ``partial``.
- ``other_patient``: another member patient's specific value, a name with a second identifier of theirs.
- ``common``: another patient's ordinary value, in an invented line.
- ``in_prompt``: what the prompt shows, written again; ``invented``: a value of nobody's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from phiscan.case import Lookups
from phiscan.other_forms import other_forms, short_forms
from phiscan.records import Phi, SpikeKind, VerdictName
from phiscan.spike_sites import Site, is_hidden, phi_priority, priority, said_of
from phiscan.spike_texts import (
    FILLERS,
    MADE_UP,
    Spliced,
    beside,
    framed,
    is_clear,
    made_up,
    points_at_one,
    splice,
)
from phiscan.taxonomy import REPORTED_APART
from phiscan.words import split_words

POOL = 32
"""Spans of each category that spikes are sought among."""
_COMMON = frozenset({"AGE", "CITY", "ZIP"})
_CUTS = 8
"""Places of the model's answer tried before a filler takes its place."""


class SpikeSettings(BaseModel):
    """How the scanner is tested in each run."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    each: int = Field(
        1, ge=0, description="spikes of each kind and category; 0: none, and nothing clean is concluded"
    )


class Planned(NamedTuple):
    """A spike before the scanner saw it."""

    spike_id: str
    kind: SpikeKind
    category: str
    site: Site
    text: str
    start: int
    end: int
    expected: VerdictName
    leak: bool


class _Piece(NamedTuple):
    """What is to be written where, and the verdict that must follow."""

    site: Site
    written: Spliced
    expected: VerdictName


def plan_spikes(
    sites: Sequence[Site], pool: Iterable[Phi], lookups: Lookups, settings: SpikeSettings, seed: int
) -> list[Planned]:
    """``settings.each`` spikes of each kind and category for which the sites and values allow them.

    ``pool``: values of the records, in any order; those of notes without a site are passed over.
    """
    return list(_Planner(sites, pool, lookups, settings.each, seed).planned())


class _Planner:
    def __init__(
        self, sites: Sequence[Site], pool: Iterable[Phi], lookups: Lookups, each: int, seed: int
    ) -> None:
        self._seed, self._each, self._lookups = seed, each, lookups
        self._sites = sorted(
            sites, key=lambda s: priority(seed, s.note.patient_id, s.ends(), s.prompt.text, s.answer)
        )
        self._of_note: dict[str, list[Site]] = defaultdict(list)
        self._of_patient: dict[str, list[Site]] = defaultdict(list)
        for site in self._sites:
            self._of_note[site.note.note_id].append(site)
            self._of_patient[site.note.patient_id].append(site)
        self._pool: dict[str, list[Phi]] = defaultdict(list)
        for phi in sorted(pool, key=lambda phi: (phi_priority(seed, phi), phi.note_id or "")):
            if self._sites_of(phi):
                self._pool[phi.category].append(phi)
        self._words = {site.note.note_id: split_words(site.note.text) for site in sites}

    def planned(self) -> Iterator[Planned]:
        for category, values in sorted(self._pool.items()):
            for kind, make in self._makers().items():
                pieces = (
                    piece
                    for phi in values
                    if (piece := make(phi, self._rng(kind, category, phi.patient_id, phi.start, phi.text)))
                )
                yield from self._chosen(kind, category, pieces)
        for category in MADE_UP:
            yield from self._chosen("invented", category, self._invented(category))

    def _makers(self) -> Mapping[SpikeKind, Callable[[Phi, Random], _Piece | None]]:
        return {
            "anchored": self._anchored,
            "specific": self._specific,
            "reformatted": self._reformatted,
            "partial": self._partial,
            "other_patient": self._other_patient,
            "common": self._common,
            "in_prompt": self._in_prompt,
        }

    def _chosen(self, kind: SpikeKind, category: str, pieces: Iterator[_Piece]) -> Iterator[Planned]:
        """The first of the pieces, as far as may be each of a patient of its own."""
        seen: set[str] = set()
        for piece in pieces:
            if len(seen) == self._each:
                return
            patient = piece.site.note.patient_id
            if patient in seen:
                continue
            rng = self._rng("carrier", kind, category, patient)
            text, start, end = _carried(piece, rng)
            leak = kind in ("anchored", "specific", "reformatted", "partial", "other_patient")
            yield Planned(
                spike_id=f"{kind}/{category}/{len(seen)}",
                kind=kind,
                category=category,
                site=piece.site,
                text=text,
                start=start,
                end=end,
                expected=piece.expected,
                leak=leak and category not in REPORTED_APART,
            )
            seen.add(patient)

    def _rng(self, *names: object) -> Random:
        return Random(priority(self._seed, *names))

    def _sites_of(self, phi: Phi) -> list[Site]:
        return self._of_patient[phi.patient_id] if phi.note_id is None else self._of_note[phi.note_id]

    # --- own record -----------------------------------------------------------------------

    def _anchored(self, phi: Phi, rng: Random) -> _Piece | None:
        return self._between_words(phi, phi.text, "verbatim")

    def _specific(self, phi: Phi, rng: Random) -> _Piece | None:
        if not points_at_one(phi.category, phi.text):
            return None
        site = next((site for site in self._sites_of(phi) if is_hidden(phi, phi.text, site)), None)
        return None if site is None else _Piece(site, framed(phi.category, phi.text), "verbatim")

    def _reformatted(self, phi: Phi, rng: Random) -> _Piece | None:
        forms = list(other_forms(phi.category, phi.text, self._lookups.date_order))
        rng.shuffle(forms)
        for form in forms:
            if any(form in text for site in self._sites_of(phi)[:1] for text in said_of(site)):
                continue
            if not points_at_one(phi.category, phi.text):
                return self._between_words(phi, form, "reformatted")
            site = next((site for site in self._sites_of(phi) if is_hidden(phi, form, site)), None)
            return None if site is None else _Piece(site, framed(phi.category, form), "reformatted")
        return None

    def _partial(self, phi: Phi, rng: Random) -> _Piece | None:
        for form in short_forms(phi.category, phi.text, self._lookups.date_order):
            own = self._patient(self._sites_of(phi)[0])
            if not self._lookups.values.same_value(phi.category, form, patient=own):
                return self._between_words(phi, form, "partial")
        return None

    def _between_words(self, phi: Phi, form: str, expected: VerdictName) -> _Piece | None:
        """``form`` between the eight words beside the value, if few records have these and no prompt."""
        if phi.note_id is None or phi.start is None or phi.end is None:
            return None
        for site in self._sites_of(phi):
            words = self._words[phi.note_id]
            made = beside(site.note.text, words, phi.start, phi.end, form)
            if made is None or phi.start - made.start < site.ends()[1]:
                continue
            head, tail = made.text[: made.start], made.text[made.end :]
            if head in site.prompt.text or tail in site.prompt.text or not is_hidden(phi, form, site):
                continue
            before, after = split_words(head).words, split_words(tail).words
            contexts = ((tuple(before), ()), (tuple(before[-4:]), tuple(after[:4])))
            if all(self._is_rare(*context) for context in contexts):
                return _Piece(site, made, expected)
        return None

    def _is_rare(self, before: tuple[str, ...], after: tuple[str, ...]) -> bool:
        return self._lookups.values.context_patients(before, after) < self._lookups.template_patients

    # --- not the patient's ----------------------------------------------------------------

    def _other_patient(self, phi: Phi, rng: Random) -> _Piece | None:
        """A specific value of few records; a name after a second identifier of the same patient."""
        apart = phi.category in REPORTED_APART
        if apart or not points_at_one(phi.category, phi.text) or not self._is_of_few(phi):
            return None
        written = framed(phi.category, phi.text)
        told = [phi]
        if phi.category == "PATIENT":
            second = [p for p in self._sites_of(phi)[0].record if self._is_second(p)]
            if not second:
                return None
            told.append(rng.choice(second))
            first = framed(told[1].category, told[1].text).text + "\n"
            written = Spliced(first + written.text, len(first) + written.start, len(first) + written.end)
        host = self._host(phi.patient_id, told)
        return None if host is None else _Piece(host, written, "other_patient")

    def _is_second(self, phi: Phi) -> bool:
        return phi.category != "PATIENT" and points_at_one(phi.category, phi.text) and self._is_of_few(phi)

    def _is_of_few(self, phi: Phi) -> bool:
        return self._lookups.values.patients_with(phi.category, phi.text) < self._lookups.template_patients

    def _common(self, phi: Phi, rng: Random) -> _Piece | None:
        if phi.category not in _COMMON:
            return None
        host = self._host(phi.patient_id, [phi])
        return None if host is None else _Piece(host, framed(phi.category, phi.text), "common")

    def _host(self, patient_id: str, told: Sequence[Phi]) -> Site | None:
        """A site of another patient whose prompt and record hold nothing of what is told."""
        order = sorted(self._of_patient, key=lambda p: priority(self._seed, "host", p, told[0].text))
        for other in order:
            site = self._of_patient[other][0]
            if other != patient_id and all(
                is_clear(phi.text, site.prompt.text + "\n" + site.control)
                and not self._in_record(phi.category, phi.text, site)
                for phi in told
            ):
                return site
        return None

    def _in_record(self, category: str, text: str, site: Site) -> bool:
        values, own = self._lookups.values, self._patient(site)
        found = values.same_value(category, text, patient=own)
        return bool(found or values.part_of_value(category, text, patient=own))

    def _patient(self, site: Site) -> int:
        return self._lookups.patient_numbers[site.note.note_id]

    # --- no leak --------------------------------------------------------------------------

    def _in_prompt(self, phi: Phi, rng: Random) -> _Piece | None:
        if phi.start is None or phi.end is None or not points_at_one(phi.category, phi.text):
            return None
        for site in self._sites_of(phi):
            start, end = site.ends()
            if start <= phi.start and phi.end <= end:
                return _Piece(site, framed(phi.category, phi.text), "in_prompt")
        return None

    def _invented(self, category: str) -> Iterator[_Piece]:
        for site in self._sites:
            rng = self._rng("invented", category, site.note.patient_id)
            for value in made_up(category, rng):
                in_records = self._lookups.values.patients_matching(category, value)
                if not any(in_records) and is_clear(value, site.prompt.text):
                    yield _Piece(site, framed(category, value), "invented")
                    break


def _carried(piece: _Piece, rng: Random) -> Spliced:
    """The piece in the model's own answer, where that does not hold the value; else between fillers."""
    written = piece.written
    value = written.text[written.start : written.end]
    for _ in range(_CUTS if piece.site.answer else 0):
        made = splice(piece.site.answer, written.text, rng)
        rest = made.text[: made.start] + "\n" + made.text[made.end :]
        if is_clear(value, rest):
            return _placed(made, written)
    return _placed(splice("\n".join(rng.sample(FILLERS, 2)), written.text, rng), written)


def _placed(made: Spliced, written: Spliced) -> Spliced:
    return Spliced(made.text, made.start + written.start, made.start + written.end)
