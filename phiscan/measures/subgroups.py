"""What leaked by age, by number of notes and by type of note: rates of patients, counted part by part.

A cell is a number: of ages and of numbers of notes in their order, of types the place among those that may be
named. As patients stand in several types, the rest of the types from each place on is counted too, so that
rows too small to be shown can be joined (:mod:`phiscan.small_cells`) without counting anybody twice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from phiscan.age_bands import AGE_BANDS
from phiscan.between_groups import fisher_p
from phiscan.measures.rates import Rate, add_rates, design_of, rate_of
from phiscan.measures.repetitions import COPIES, copies_band
from phiscan.measures.scan import THRESHOLDS, Judged
from phiscan.measures.screened import whole_units
from phiscan.paired import holm
from phiscan.scan_report import Estimate, Stratum, SubgroupKind, SubgroupRow, SubgroupSection, SubgroupTest
from phiscan.small_cells import LEAST, joined, shown

if TYPE_CHECKING:
    import pandas as pd

_NOTES = sorted(COPIES, key=lambda band: int(band.rstrip("+").partition("-")[0]))
OTHER_TYPES = "other types, or none given"
_RESTS = "rests"
"""Stands where a kind does: the types from a place on, together."""
_TRAINED, _HELD_OUT = ("scanned", "control"), ("holdout",)
"""Arms that speak of the same patients: their rows must be joined alike, or one would tell the other."""

_RATES = 3
"""Of a cell: patients with a headline leak, net ratio, PHI recovery."""
_Cell = tuple[str, int, str]
"""Kind, band, arm."""


class _Counted(NamedTuple):
    """What rates are made of: whole rows of the part, with note_id and patient_id."""

    patients: pd.DataFrame
    asked: pd.DataFrame
    at_risk: pd.DataFrame


class SubgroupCounts:
    """The section of the report, counted part by part; None without anybody's traits."""

    def __init__(self, ways: pd.DataFrame, *, decoding: str, unit: str, types: Sequence[str]) -> None:
        """What the parts are counted by.

        Args:
            ways: In which the run was asked (:mod:`phiscan.measures.asked`).
            decoding: The way of decoding of the ratios.
            unit: Of the net runs.
            types: Types of notes that may be named, those of most patients first.

        """
        self._ways, self._decoding, self._unit, self._types = ways, decoding, unit, types
        self._bands: dict[SubgroupKind, Sequence[str]] = {
            "age": AGE_BANDS,
            "notes": _NOTES,
            "note_type": types,
        }
        self._rates: defaultdict[_Cell, list[Rate]] = defaultdict(list)
        self._notes: Counter[_Cell] = Counter()
        self._sources: Counter[str] = Counter()

    def add(self, traits: pd.DataFrame, notes: pd.DataFrame, judged: Judged) -> None:
        """Count a part of the run.

        Args:
            traits: patient_id, age_band, age_source; one row a patient.
            notes: note_id, patient_id, note_type; one row a note.
            judged: Its answers, hits and values at risk.

        """
        if traits.empty:
            return
        self._sources.update(traits["age_source"].dropna())
        bands = self._of_notes(traits, notes)
        headline = judged.hits.loc[judged.hits["headline"], ["gen_id", "arm"]]
        for arm, ways in self._ways.groupby("arm", sort=False):
            answers = judged.answers[judged.answers["arm"] == arm]
            leaking = answers["gen_id"].isin(headline.loc[headline["arm"] == arm, "gen_id"])
            rows = answers.assign(leaking=leaking).merge(bands, on="note_id")
            first = rows[(rows["decoding"] == self._decoding) & rows["prefix_end"].notna()]
            risk = judged.at_risk[judged.at_risk["arm"] == arm]
            risk = risk[risk["decoding"] == self._decoding].merge(bands, on="note_id")
            units = whole_units(rows, "patient_id", rows["leaking"], within=("kind", "cell"))
            self._add_arm(arm, ways, rows, _Counted(units, first, risk))

    def section(self, *, seed: int) -> SubgroupSection | None:
        """What was counted, rows of few patients joined."""
        if not self._rates:
            return None
        asked = product(self._bands, (_TRAINED, _HELD_OUT))
        rows = [row for kind, arms in asked for row in self._rows(kind, arms, seed)]
        return SubgroupSection(
            least=LEAST,
            ages_registered=self._sources["registration"],
            ages_written=self._sources["notes"],
            rows=tuple(rows),
            tests=tuple(_tests(rows, seed)),
        )

    def _of_notes(self, traits: pd.DataFrame, notes: pd.DataFrame) -> pd.DataFrame:
        """(note_id, kind, cell): where each note counts."""
        import pandas as pd

        of_patient = traits.set_index("patient_id")["age_band"].map(AGE_BANDS.index)
        many = notes.groupby("patient_id")["note_id"].transform("size")
        place = {name: at for at, name in enumerate(self._types)}
        last = len(self._types)
        types = notes["note_type"].map(lambda name: place.get(name, last)).astype(int)
        parts = [
            ("age", notes["patient_id"].map(of_patient)),
            ("notes", many.map(lambda count: _NOTES.index(copies_band(count)))),
            ("note_type", types[types < last]),
            *((_RESTS, types[types >= first] * 0 + first) for first in range(last + 1) if last),
        ]
        frames = [
            notes.loc[band.index, ["note_id"]].assign(kind=kind, cell=band.astype(int))
            for kind, band in parts
        ]
        return pd.concat(frames, ignore_index=True)

    def _add_arm(self, arm: str, ways: pd.DataFrame, rows: pd.DataFrame, counted: _Counted) -> None:
        placed = ways[ways["placed"] & (ways["decoding"] == self._decoding)]
        where = {**design_of(placed), "arm": arm}
        net = Stratum(**where, unit=self._unit, threshold=THRESHOLDS[0])
        split = [dict(list(frame.groupby(["kind", "cell"]))) for frame in counted]
        asked = rows.groupby(["kind", "cell"])["note_id"].nunique()
        for kind, band in self._cells():
            units, first, risk = (
                found.get((kind, band), frame[:0]) for found, frame in zip(split, counted, strict=True)
            )
            made = (
                rate_of("patients_with_headline_leak", units, units["event"], Stratum(arm=arm)),
                rate_of("net_ratio", first, first[f"net_{self._unit}"] >= THRESHOLDS[0], net),
                rate_of("phi_recovery_rate", risk, risk["recovered"], Stratum(**where, scope="i2b2")),
            )
            add_rates(self._rates[kind, band, arm], made)
            self._notes[kind, band, arm] += int(asked.get((kind, band), 0))

    def _cells(self) -> Iterator[tuple[str, int]]:
        for kind, bands in self._bands.items():
            yield from ((kind, band) for band in range(len(bands)))
        if self._types:
            yield from ((_RESTS, first) for first in range(len(self._types) + 1))

    def _sizes(self, kind: str, bands: int, arms: Sequence[str], rate: int = 0) -> list[list[int]]:
        """Patients behind a rate of each band, for each arm."""
        return [[_patients(self._rates[kind, band, arm][rate]) for band in range(bands)] for arm in arms]

    def _rows(self, kind: SubgroupKind, wanted: Sequence[str], seed: int) -> Iterator[SubgroupRow]:
        arms = [arm for arm in wanted if (kind, 0, arm) in self._rates]
        if not arms:
            return
        groups = self._types_shown(arms) if kind == "note_type" else self._bands_joined(kind, arms)
        # A rate that tells of few in one row is told in none: of all but one the total tells the last.
        told = [rate for rate in range(_RATES) if self._tells_of_enough(kind, groups, arms, rate)]
        names = {_RESTS: (OTHER_TYPES,)}
        for cells in groups:
            band = names.get(cells[0][0]) or tuple(self._bands[kind][place] for _, place in cells)
            for arm in arms:
                yield self._row(kind, band, arm, cells, seed, told)

    def _bands_joined(self, kind: SubgroupKind, arms: Sequence[str]) -> list[list[tuple[str, int]]]:
        sizes = list(zip(*self._sizes(kind, len(self._bands[kind]), arms), strict=True))
        groups = joined([min(of_band) for of_band in sizes], [max(of_band) for of_band in sizes])
        return [[(kind, place) for place in one] for one in groups]

    def _types_shown(self, arms: Sequence[str]) -> list[list[tuple[str, int]]]:
        many = len(self._types)
        sizes = self._sizes("note_type", many, arms)
        rests = self._sizes(_RESTS, many + 1, arms) if many else []
        alone = shown(list(zip(sizes, rests, strict=False))) or 0
        groups = [[("note_type", at)] for at in range(alone) if any(of_arm[at] for of_arm in sizes)]
        others = alone and any(of_arm[alone] for of_arm in rests)
        return [*groups, [(_RESTS, alone)]] if others else groups

    def _tells_of_enough(
        self, kind: SubgroupKind, groups: Sequence[Sequence[tuple[str, int]]], arms: Sequence[str], rate: int
    ) -> bool:
        """Whether neither a row nor, where rows share patients, those outside it are few."""
        for arm in arms:
            rows = [sum(_patients(self._rates[*cell, arm][rate]) for cell in cells) for cells in groups]
            if kind == "note_type" and groups:
                whole = _patients(self._rates[_RESTS, 0, arm][rate])
                rows += [whole - row for row in rows]
            if any(0 < row < LEAST for row in rows):
                return False
        return True

    def _row(
        self,
        kind: SubgroupKind,
        band: tuple[str, ...],
        arm: str,
        cells: Sequence[tuple[str, int]],
        seed: int,
        told: Sequence[int],
    ) -> SubgroupRow:
        rates: list[Rate] = []
        for cell in cells:
            # Adding changes the first: it must not be the one that was counted.
            add_rates(rates, [_copy(rate) for rate in self._rates[*cell, arm]])
        leak, net, recovery = (rate.estimate(seed=seed) for rate in rates)
        return SubgroupRow(
            kind=kind,
            band=band,
            arm=arm,
            patients=_patients(rates[0]),
            notes=sum(self._notes[*cell, arm] for cell in cells),
            patients_with_headline_leak=leak,
            net_ratio=net if 1 in told else None,
            phi_recovery_rate=recovery if 2 in told else None,
        )


def _copy(rate: Rate) -> Rate:
    return Rate(rate.metric, rate.stratum, Counter(rate.seen), rate.n_undecided, rate.rows)


def _patients(rate: Rate) -> int:
    return sum(rate.seen.values())


def _tests(rows: Sequence[SubgroupRow], seed: int) -> Iterator[SubgroupTest]:
    """Of the kinds that part the patients, where each counts as one."""
    leaks: Mapping[SubgroupKind, list[Estimate]] = {
        kind: [row.patients_with_headline_leak for row in rows if (row.kind, row.arm) == (kind, "scanned")]
        for kind in ("age", "notes")
    }
    ps = {
        kind: fisher_p([e.count for e in found], [e.n for e in found], seed=seed)
        for kind, found in leaks.items()
        if len(found) > 1 and not any("weighted" in e.method for e in found)
    }
    for (kind, p), corrected in zip(ps.items(), holm(list(ps.values())), strict=True):
        if corrected is not None:
            yield SubgroupTest(kind=kind, p=p, p_holm=corrected)
