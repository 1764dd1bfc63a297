"""How much of a note stands in other notes of the same patient: text that was copied forward."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from phiscan.corpus_index import CorpusIndex, Trace

_BATCH = 256


def copied_shares(
    index: CorpusIndex, notes: Sequence[int], *, template_patients: int
) -> npt.NDArray[np.float64]:
    """Share of each note's units that lie in a run of 30+ units of another note of its patient.

    A run made of template windows only (of ``template_patients`` patients or more) is boilerplate
    and no copy. Shape (notes,), in [0, 1]; 0 for a note without units.
    """
    shares: list[float] = []
    for start in range(0, len(notes), _BATCH):
        some = notes[start : start + _BATCH]
        traces = index.trace([index.note_units(note) for note in some], template_patients=template_patients)
        shares += [_share(index, note, trace) for note, trace in zip(some, traces, strict=True)]
    return np.array(shares, dtype=np.float64)


def _share(index: CorpusIndex, note: int, trace: Trace) -> float:
    patient = index.patient(note)
    copied = np.zeros(len(index.note_units(note)), dtype=np.bool_)
    for source, run in trace.runs:
        if source != note and index.patient(source) == patient:
            copied[run.a_start : run.a_start + run.length] = True
    return float(copied.mean()) if len(copied) else 0.0
