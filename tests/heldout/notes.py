"""The held-out corpus: invented clinical notes with gold PHI spans, and their registration table.

Written without sight of the detectors it measures. Spans follow the i2b2-2014 guidelines as
:mod:`phiscan.taxonomy` names the categories; they are right by construction: the builder that
appends a value notes where it put it.
"""

from __future__ import annotations

from random import Random

from heldout import community, inpatient, outpatient, procedures
from heldout.cast import Cast
from heldout.corpus import make_corpus
from heldout.records import GoldSpan, HeldoutCorpus, HeldoutNote, KnownRow, Template
from heldout.world import make_patients

__all__ = ["TEMPLATES", "GoldSpan", "HeldoutCorpus", "HeldoutNote", "KnownRow", "make_heldout"]

TEMPLATES: tuple[Template, ...] = (
    *inpatient.TEMPLATES,
    *procedures.TEMPLATES,
    *outpatient.TEMPLATES,
    *community.TEMPLATES,
)

_FITTING = {
    "any": ("adult", "elder", "pregnant"),
    "adult": ("adult", "elder"),
    "elder": ("elder",),
    "child": ("child",),
    "pregnant": ("pregnant",),
}


def make_heldout(seed: int = 41, n_notes: int = 300) -> HeldoutCorpus:
    """Notes of about 120 patients, the templates in turn, and all patients' registration rows.

    Args:
        seed: The same seed gives the same corpus.
        n_notes: How many notes; from about 250 every category has 15 spans and more.
    """
    rng = Random(seed)
    return make_corpus(
        rng,
        make_patients(rng),
        templates=TEMPLATES,
        fitting=_FITTING,
        answers=Cast,
        n_notes=n_notes,
        note_seed=f"{seed} ",
        note_ids="note",
    )
