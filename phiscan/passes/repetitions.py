"""The table of repetitions: how often each training note's text was, nearly, said in training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from phiscan.copied_forward import copied_shares
from phiscan.near_duplicates import near_groups, word_hashes
from phiscan.passes.plan import Plan, part_name
from phiscan.records import Repetition


def index_repetitions(plan: Plan) -> None:
    """Write the table, unless it stands already."""
    part, digest = part_name(0), plan.loaded.notes_digest
    if not plan.run.has_part("repetitions", part, digest):
        plan.run.write_part("repetitions", part, _repetitions(plan), digest)


def _repetitions(plan: Plan) -> Iterator[Repetition]:
    columns = ["note_id", "patient_id", "split", "ordinal", "copy_ids"]
    notes = plan.run.read_frame("notes", columns).sort_values("ordinal")
    notes = notes[notes["split"] == "member"]
    ordinals = notes["ordinal"].tolist()
    # A patient's exact copies were folded into one note: here each counts.
    rows = [1 + len(copies) for copies in notes["copy_ids"]]
    hashes = word_hashes(list(plan.vocabulary))
    found = near_groups(
        lambda note: hashes[plan.words.note_units(ordinals[note])],
        len(ordinals),
        similarity=plan.loaded.config.repetitions.similarity,
        seed=plan.loaded.config.run.seed,
    )
    groups = found.group.tolist()
    shares = copied_shares(plan.words, ordinals, template_patients=plan.template_patients)
    in_group: Counter[int] = Counter()
    of_patient: Counter[tuple[int, str]] = Counter()
    for group, patient, count in zip(groups, notes["patient_id"], rows, strict=True):
        in_group[group] += count
        of_patient[group, patient] += count
    for at, (note_id, patient) in enumerate(zip(notes["note_id"], notes["patient_id"], strict=True)):
        yield Repetition(
            note_id=note_id,
            group=groups[at],
            repetitions=in_group[groups[at]],
            same_patient=of_patient[groups[at], patient],
            copied_share=1.0 if rows[at] > 1 else float(shares[at]),
            crowded=bool(found.crowded[at]),
        )
