"""The second held-out corpus: invented clinical notes with gold PHI spans, and their registration table.

Written without sight of the detectors it measures and of the templates of the first corpus. The spans
follow the same rules, and are right by construction in the same way.
"""

from __future__ import annotations

from random import Random

from heldout.corpus import make_corpus
from heldout.records import HeldoutCorpus, Template

from heldout2 import papers, studies, visits, ward
from heldout2.cast import Cast
from heldout2.patients import make_patients

TEMPLATES: tuple[Template, ...] = (*ward.TEMPLATES, *studies.TEMPLATES, *visits.TEMPLATES, *papers.TEMPLATES)

_FITTING = {
    "adult": ("adult", "elder"),
    "working": ("adult",),
    "elder": ("elder",),
    "child": ("child",),
    "pregnant": ("pregnant",),
}


def make_heldout2(seed: int = 97, n_notes: int = 300) -> HeldoutCorpus:
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
        note_seed=f"second {seed} ",
        note_ids="second",
    )
