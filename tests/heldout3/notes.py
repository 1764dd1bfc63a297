"""The third held-out corpus: invented clinical notes with gold PHI spans, and their registration table.

Written without sight of the detectors it measures and of the templates of the other two corpora. The spans
follow the same rules, and are right by construction in the same way.
"""

from __future__ import annotations

from random import Random

from heldout.corpus import make_corpus
from heldout.records import HeldoutCorpus, Template
from heldout2.patients import make_patients

from heldout3 import allied, clinic, emergency, hospital, reports
from heldout3.cast import POPULATION, Cast

TEMPLATES: tuple[Template, ...] = (
    *hospital.TEMPLATES,
    *emergency.TEMPLATES,
    *reports.TEMPLATES,
    *allied.TEMPLATES,
    *clinic.TEMPLATES,
)

_FITTING = {
    "any": ("adult", "elder", "pregnant"),
    "adult": ("adult", "elder"),
    "working": ("adult",),
    "elder": ("elder",),
    "child": ("child",),
    "pregnant": ("pregnant",),
}


def make_heldout3(seed: int = 173, n_notes: int = 300) -> HeldoutCorpus:
    """Notes of about 110 patients, the templates in turn, and all patients' registration rows.

    Args:
        seed: The same seed gives the same corpus.
        n_notes: How many notes; from about 250 every category has 15 spans and more.
    """
    rng = Random(seed)
    return make_corpus(
        rng,
        make_patients(rng, POPULATION),
        templates=TEMPLATES,
        fitting=_FITTING,
        answers=Cast,
        n_notes=n_notes,
        note_seed=f"third {seed} ",
        note_ids="third",
    )
