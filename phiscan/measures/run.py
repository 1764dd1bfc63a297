"""Tables of a run -> every rate and count, part by part: no more than a part's tables are needed at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from phiscan.measures.counts import (
    copies_rows,
    first_runs,
    leak_lines,
    position_rows,
    reach_rows,
    verdict_counts,
)
from phiscan.measures.estimates import rates_of
from phiscan.measures.linked import beyond_phi_rows
from phiscan.measures.rates import Rate, add_rates, added
from phiscan.measures.repetitions import RepetitionCounts
from phiscan.measures.scan import Tables, judge, with_generation
from phiscan.measures.screened import screened_notes, screening_rows
from phiscan.measures.subgroups import SubgroupCounts
from phiscan.measures.triage import triage_rows
from phiscan.near_duplicates import RepetitionSettings
from phiscan.records import Unit
from phiscan.scan_report import (
    BeyondPhiRow,
    CopiesRow,
    Estimate,
    LeakLine,
    PositionRow,
    ReachRow,
    RepetitionSection,
    ScreeningRow,
    SubgroupSection,
    TriageRow,
    VerdictCount,
)

if TYPE_CHECKING:
    import pandas as pd


class Measures(NamedTuple):
    """What was measured of a whole run."""

    estimates: tuple[Estimate, ...]
    leaks: tuple[LeakLine, ...]
    verdicts: tuple[VerdictCount, ...]
    by_copies: tuple[CopiesRow, ...]
    repetitions: RepetitionSection | None
    subgroups: SubgroupSection | None
    reach: tuple[ReachRow, ...]
    beyond_phi: tuple[BeyondPhiRow, ...]
    screening: tuple[ScreeningRow, ...]
    positions: tuple[PositionRow, ...]
    triage: tuple[TriageRow, ...]


class RunMeasures:
    """Every measure of a run, from its tables alone, added up over its parts."""

    def __init__(
        self,
        ways: pd.DataFrame,
        *,
        template_patients: int,
        units: Sequence[Unit],
        repetitions: RepetitionSettings,
        types: Sequence[str] = (),
        people: Mapping[int, str] | None = None,
    ) -> None:
        """What the parts are counted by.

        Args:
            ways: In which the run was asked (:mod:`phiscan.measures.asked`).
            template_patients: Records with a value from which on it belongs to nobody in particular.
            units: Those in which the run has runs.
            repetitions: When a note counts as copied forward.
            types: Types of notes that may be named (:mod:`phiscan.note_types`).
            people: What people said of an answer's memorization, by gen_id.

        """
        self._ways, self._units, self._people = ways, units, people
        self._template_patients = template_patients
        # Counts of prompts are of one way of decoding, or a prompt would count as often as it was decoded.
        self._decoding = next(iter(ways["decoding"]), "")
        first = ways[ways["decoding"] == self._decoding]
        self._repetitions = RepetitionCounts(first, unit=units[0], settings=repetitions)
        self._subgroups = SubgroupCounts(ways, decoding=self._decoding, unit=units[0], types=types)
        self._rates: list[Rate] = []
        self._leaks: list[LeakLine] = []
        self._verdicts: list[VerdictCount] = []
        self._copies: list[CopiesRow] = []
        self._reach: list[ReachRow] = []
        self._beyond: list[BeyondPhiRow] = []
        self._triage: list[TriageRow] = []
        self._screened: list[pd.DataFrame] = []
        self._runs: Counter[tuple[str, int]] = Counter()
        self._prompts: Counter[str] = Counter()

    def add(self, tables: Tables) -> None:
        """Count a part of the run, whole patients."""
        judged = judge(tables, template_patients=self._template_patients)
        unit, arms = self._units[0], sorted({*self._ways["arm"], "scanned"})
        passages = None if tables.passages is None else with_generation(tables.passages, judged.answers)
        add_rates(self._rates, rates_of(judged, passages, self._ways, self._units))
        self._leaks = added([*self._leaks, *leak_lines(judged.hits, arms)], "arm", "line")
        kind = ("arm", "category", "hipaa", "group", "verdict", "apart")
        self._verdicts = added([*self._verdicts, *verdict_counts(judged.hits)], *kind)
        if passages is not None:
            found = beyond_phi_rows(passages, arms)
            self._beyond = added([*self._beyond, *found], "arm", "topic", "title", "group")
        gens = judged.answers[judged.answers["decoding"] == self._decoding]
        risk = judged.at_risk[judged.at_risk["gen_id"].isin(gens["gen_id"])]
        self._copies = added([*self._copies, *copies_rows(gens, risk, unit)], "arm", "copies")
        self._reach = added([*self._reach, *reach_rows(risk)], "arm", "prefix_length", "category")
        self._runs += first_runs(gens, tables.matches, unit)
        self._prompts.update(gens["arm"])
        kinds = triage_rows(gens, judged.hits, tables.matches, unit=unit, people=self._people)
        self._triage = added([*self._triage, *kinds], "arm")
        if tables.screened is not None:
            self._screened.append(screened_notes(tables.screened, tables.notes))
        if tables.repetitions is not None:
            self._repetitions.add(tables.repetitions, tables.notes, gens, risk, tables.audits)
        if tables.patients is not None:
            self._subgroups.add(tables.patients, tables.notes, judged)

    def measures(self, *, seed: int) -> Measures:
        """What was measured, in an order that does not depend on the parts."""
        return Measures(
            tuple(rate.estimate(seed=seed) for rate in self._rates if rate.rows),
            # People's own line: only where people spoke.
            tuple(line for line in self._leaks if line.line != "not_phi" or line.instances),
            tuple(sorted(self._verdicts, key=_verdict_place)),
            tuple(sorted(self._copies, key=lambda row: (row.arm, row.copies))),
            self._repetitions.section(seed=seed),
            self._subgroups.section(seed=seed),
            tuple(sorted(self._reach, key=lambda row: (row.arm, row.prefix_length, row.category))),
            tuple(self._beyond),
            tuple(screening_rows(self._screened, self._prompts)),
            tuple(position_rows(self._runs, self._prompts, self._units[0])),
            tuple(sorted(self._triage, key=lambda row: row.arm)),
        )


def _verdict_place(row: VerdictCount) -> tuple[str, str, bool, str, str]:
    return row.arm, row.category, row.hipaa is None, row.hipaa or "", row.verdict
