"""Who is learnt from, who tells the validation loss, and who is kept out: patients, never single notes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import Literal

from phiscan.errors import NoteFormatError
from phiscan.records import Split

Part = Literal["training", "validation", "holdout", "twin"]


def split_patients(
    splits: Iterable[tuple[str, Split]],
    *,
    validation: float,
    holdout: float,
    seed: int,
    argument: str = "--notes",
) -> dict[str, Part]:
    """Where each patient belongs, given patient and split of every note.

    What the file says stands: held-out patients stay held out, plants are learnt from, twins never. Of the
    others, ``validation`` and ``holdout`` (shares) are drawn in an order that hangs on seed and patient
    id alone; where the file names held-out patients none are drawn.

    Raises:
        NoteFormatError: Nobody is left to learn from, or a patient stands in two splits.

    """
    said: dict[str, Split] = {}
    for patient, split in splits:
        if said.setdefault(patient, split) != split:
            raise NoteFormatError(
                f"{argument}: patients with notes in two splits; a holdout patient must be one the model "
                "never sees, and a plant or twin nobody's"
            )
    found: dict[str, Part] = {p: _kept(split) for p, split in said.items() if split != "member"}
    members = sorted((p for p, split in said.items() if split == "member"), key=lambda p: _drawn(seed, p))
    share = 0.0 if "holdout" in found.values() else holdout
    # Rounded first: 0.07 x 100 is a little more than 7 in binary.
    held_out, checked = (math.ceil(round(part * len(members), 9)) for part in (share, validation))
    if members and held_out + checked >= len(members):
        raise NoteFormatError(
            f"{argument}: {len(members)} are too few patients, plants aside, to keep some out and still "
            "learn from one; set adapt.validation_share and adapt.holdout_share lower, or to 0"
        )
    found |= dict.fromkeys(members[:held_out], "holdout")
    found |= dict.fromkeys(members[held_out : held_out + checked], "validation")
    found |= dict.fromkeys(members[held_out + checked :], "training")
    if "training" not in found.values():
        raise NoteFormatError(f"{argument}: nothing to learn from; everything is held out or a twin")
    return found


def _kept(split: Split) -> Part:
    return "training" if split == "plant" else "twin" if split == "twin" else "holdout"


def _drawn(seed: int, patient: str) -> str:
    return hashlib.sha256(f"{seed} adapt {patient}".encode()).hexdigest()
