"""Tables of a run -> Coverage: everything loaded, asked and lost, counted part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

from phiscan.decodings import GIVEN
from phiscan.measures.rates import added
from phiscan.measures.scan import Tables
from phiscan.passes.plan import Plan
from phiscan.records import arm_of
from phiscan.run_files import PEOPLE
from phiscan.scan_report import Coverage, PrefixCoverage
from phiscan.store import RunDirectory

if TYPE_CHECKING:
    import pandas as pd

_CELL = ("arm", "scheme", "tier", "decoding", "prefix_length")


class CoverageCounts:
    """The counts of one scan."""

    def __init__(self, plan: Plan, ways: pd.DataFrame) -> None:
        """``ways``: in which the run was asked (:mod:`phiscan.measures.asked`)."""
        self._plan, self._ways, self._arms = plan, ways, _arms_asked(plan)
        self._sums: Counter[str] = Counter()
        self._prefixes: list[PrefixCoverage] = []

    def add(self, tables: Tables) -> None:
        """Count a part of the run, whole patients."""
        notes, gens = tables.notes, tables.continuations
        holdout, failed = notes[notes["split"] == "holdout"], gens[gens["stop"] == "failed"]
        self._sums.update(
            notes=len(notes),
            patients=int(notes["patient_id"].nunique()),
            holdout_notes=len(holdout),
            holdout_patients=int(holdout["patient_id"].nunique()),
            control_holdout_failed=int((failed["arm"] == "control_holdout").sum()),
        )
        if self._plan.loaded.replay is not None:
            lost = gens.merge(tables.prompts, on="prompt_id", how="left", suffixes=("", "_p"))
            known = lost["note_id"].isin(notes["note_id"])
            self._sums.update(
                replay_unknown_note=int((~known).sum()),
                replay_prefix_not_found=int((known & lost["prefix_end"].isna()).sum()),
            )
        self._prefixes = added([*self._prefixes, *self._cells_of(tables)], *_CELL)

    def _cells_of(self, tables: Tables) -> Iterator[PrefixCoverage]:
        """What became of the notes in each design and at each prefix length, arm by arm."""
        kinds = ["prompt_id", "scheme", "tier", "prefix_tok"]
        gens = tables.continuations.merge(tables.prompts[kinds], on="prompt_id", how="left")
        replayed = self._plan.loaded.replay is not None
        left_out = _left_out(tables)
        for arm in ("scanned", "holdout", "control"):
            mine = gens[gens["arm"] == arm]
            split = "holdout" if arm == "holdout" else "member"
            pool = int((tables.notes["split"] == split).sum())
            spared = left_out[left_out["split"] == split]
            ways = self._ways[self._ways["arm"] == arm]
            for scheme, tier, decoding, length in _cells(self._plan, ways, asked=arm in self._arms):
                asked = (mine["scheme"] == scheme) & (mine["tier"] == tier) & (mine["decoding"] == decoding)
                here = _at_length(mine[asked], length)
                screened = len(_at_length(spared, length))
                degenerate = here["degenerate"].value_counts()
                failed = int((here["stop"] == "failed").sum())
                asked_for = here["note_id"].nunique()
                yield PrefixCoverage(
                    arm=arm,
                    scheme=scheme,
                    tier=tier,
                    decoding=decoding,
                    prefix_length=length,
                    asked=len(here),
                    done=len(here) - failed,
                    failed=failed,
                    too_short=0 if replayed else pool - asked_for - screened,
                    screened=screened,
                    empty=int(degenerate.get("empty", 0)),
                    looping=int(degenerate.get("looping", 0)),
                    off_language=int(degenerate.get("off_language", 0)),
                )

    def coverage(self) -> Coverage:
        """What was counted, with what the plan and the files of the run say."""
        plan, loaded, run = self._plan, self._plan.loaded.notes, self._plan.run
        replay, known = plan.loaded.replay, plan.loaded.known
        counts: dict[str, Any] = {
            "rows_read": loaded.rows_read,
            "rows_bad": _added(loaded.rows_bad, known.rows_bad if known else {}),
            "rows_dropped": loaded.rows_dropped,
            "copies_folded": loaded.copies_folded,
            "known_identifiers": len(known.identifiers) if known else 0,
            "chars_loaded": plan.notes.chars(),
            "chars_scanned": run.chars_read("phi"),
            "note_side_misses": _note_side_misses(run),
            "phi_spans": run.count_rows("phi"),
            "prefixes": tuple(self._prefixes),
            "chars_generated": run.count_chars("continuations", "text"),
            "chars_generated_scanned": run.chars_read("hits"),
            **self._sums,
        }
        if replay is not None:
            counts["rows_bad"] = _added(counts["rows_bad"], replay.rows_bad)
            # Outputs for plants and twins are counted with them.
            counts["replay_rows"] = len(replay.rows) - replay.rows.count_from(len(plan.notes))
        complete = (
            counts["chars_loaded"] == counts["chars_scanned"]
            and counts["chars_generated"] == counts["chars_generated_scanned"]
            and not sum(counts["rows_bad"].values())
            and not counts.get("replay_unknown_note", 0)
            and not counts["control_holdout_failed"]
            and not any(cell.failed for cell in self._prefixes)
        )
        return Coverage(**counts, complete=complete)


def _note_side_misses(run: RunDirectory) -> int:
    """Counted from the rules' verdicts: what people said since changes nothing in what was loaded."""
    parts = ([part] for part in run.part_names("verdicts") if part != PEOPLE)
    return sum(
        int(run.read_frame("verdicts", ["note_side_miss"], parts=part).sum().iloc[0]) for part in parts
    )


def _at_length(rows: pd.DataFrame, length: int | None) -> pd.DataFrame:
    return rows[rows["prefix_tok"].isna() if length is None else rows["prefix_tok"] == length]


def _left_out(tables: Tables) -> pd.DataFrame:
    """Prompts that screening spared, with the arm they would have been asked in."""
    assert tables.screened is not None
    spared = tables.screened.loc[~tables.screened["drawn"].astype(bool), "note_id"]
    prompts = tables.prompts[tables.prompts["note_id"].isin(spared)]
    return prompts.merge(tables.notes[["note_id", "split"]], on="note_id", how="left")


def _arms_asked(plan: Plan) -> set[str]:
    """Arms whose model was asked about their notes, however short these are."""
    if plan.loaded.replay is not None:
        return set()
    return {
        arm_of(split, control=role == "control")
        for split in plan.notes.splits()
        for role in plan.loaded.models
    }


def _cells(plan: Plan, ways: pd.DataFrame, *, asked: bool) -> Iterator[tuple[str, str, str, int | None]]:
    """Every (scheme, tier, decoding, prefix length) that was to be asked, or that replayed rows have."""
    if plan.loaded.replay is None:
        settings = plan.loaded.config.regenerate
        for (scheme, tier), decoding in product(settings.designs, settings.decodings) if asked else ():
            lengths = (None,) if tier == "metadata" else settings.prefix_lengths
            yield from ((scheme, tier, decoding, length) for length in lengths)
        return
    for length in sorted(int(length) for length in ways["prefix_tok"].dropna().unique()):
        yield "given", "prefix", GIVEN, length
    if ways["prefix_tok"].isna().any():
        yield "given", "prefix", GIVEN, None


def _added(first: Mapping[str, int], second: Mapping[str, int]) -> dict[str, int]:
    return {reason: first.get(reason, 0) + second.get(reason, 0) for reason in {**first, **second}}
