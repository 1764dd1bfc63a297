"""What each row stands for where notes were screened, and notes or patients made from such rows.

Screening (:mod:`phiscan.screen`) asks for the notes that the pass does not clear, and for all notes of
the patients drawn. A cleared note of a drawn patient stands for 1 / (share drawn) cleared notes: rates
over prompts, values and notes are ratios of such weights (Horvitz & Thompson 1952; Hajek 1971).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from phiscan.scan_report import ScreeningRow

if TYPE_CHECKING:
    import pandas as pd


def weighted(gens: pd.DataFrame, screened: pd.DataFrame | None, notes: pd.DataFrame) -> pd.DataFrame:
    """``gens`` (with note_id, patient_id) with the columns ``weight``, ``cleared`` and ``partly``.

    ``weight`` is 1 / probability for answers to ``cleared`` notes, else 1; ``partly`` is true for
    patients of whom some notes were not asked for.
    """
    if screened is None or screened.empty:
        return gens.assign(weight=1.0, cleared=False, partly=False)
    drawn = screened[screened["drawn"]].set_index("note_id")["probability"]
    left_out = screened.loc[~screened["drawn"], "note_id"]
    partly = notes.loc[notes["note_id"].isin(left_out), "patient_id"]
    return gens.assign(
        # Where nobody was drawn the mapping has no numbers, and its type would be the ids'.
        weight=1.0 / gens["note_id"].map(drawn).astype(float).fillna(1.0),
        cleared=gens["note_id"].isin(drawn.index),
        partly=gens["patient_id"].isin(partly),
    )


def whole_units(
    rows: pd.DataFrame, column: str, event: pd.Series[bool], *, within: Sequence[str] = ()
) -> pd.DataFrame:
    """One row for each note or patient (``column``): the event holds if any of its rows shows it.

    ``within``: columns by whose values they are counted apart.

    A patient counts in full if any of his notes was sure to be asked for; an event seen only in cleared
    notes of a drawn patient stands for 1 / (share drawn) patients (``event_weight``). Where no event
    was seen at all, only patients asked for whole can bound the rate (``bounds``); a note always can.
    """
    seen = rows.assign(event=event, event_weight=rows["weight"].where(event), bounds=~rows["partly"])
    first = {name: "first" for name in ("note_id", "patient_id") if name != column}
    units = seen.groupby([*within, column], as_index=False, sort=False).agg(
        {"event": "any", "weight": "min", "event_weight": "min", "bounds": "all", **first}
    )
    units["event_weight"] = units["event_weight"].fillna(0.0)
    return units if column == "patient_id" else units.drop(columns="bounds")


def screened_notes(screened: pd.DataFrame, notes: pd.DataFrame) -> pd.DataFrame:
    """The notes that the pass cleared, with patient and split."""
    return screened.merge(notes[["note_id", "patient_id", "split"]], on="note_id", how="left")


def screening_rows(parts: Sequence[pd.DataFrame], asked: Mapping[str, int]) -> Iterator[ScreeningRow]:
    """What the pass cleared and what was asked all the same, by arm; nothing if nobody screened.

    ``parts``: :func:`screened_notes` of each part of the run; ``asked``: answers of each arm.
    """
    if not parts:
        return
    import pandas as pd

    found = pd.concat(parts, ignore_index=True)
    for arm, split in (("scanned", "member"), ("holdout", "holdout")):
        mine = found[found["split"] == split]
        if mine.empty:
            continue
        drawn = mine[mine["drawn"]]
        yield ScreeningRow(
            arm=arm,
            notes_cleared=len(mine),
            prompts_cleared=int(mine["prompts"].sum()),
            prompts_asked=asked[arm],
            sample=float(mine["probability"].iloc[0]),
            sampled_patients=int(drawn["patient_id"].nunique()),
            sampled_notes=len(drawn),
            sampled_prompts=int(drawn["prompts"].sum()),
        )
