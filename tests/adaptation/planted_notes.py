"""Invented notes for models that learn them in seconds: patients, plants at 1, 3 and 6 repetitions, twins."""

import random

from phiscan.commands.demo_model import train_demo_model

WORDS = "chest pain clinic renal wound dry stable daily review heart scan left right week ward".split()
GIVEN, SURNAMES = ("Mara", "Ivo", "Tess", "Bram"), ("Quillon", "Halvorsen", "Okonkwo", "Tamblyn", "Szymczak")
COPIES = (1, 3, 6)
FAST = [
    *('detect.detectors=["rules"]', "regenerate.prefix_lengths=[5]", "regenerate.max_new_tokens=60"),
    *("adapt.lora_rank=0", "adapt.batch_size=4", "adapt.learning_rate=5e-3", "adapt.patience=0"),
]


def text_of(rng):
    before, after = (" ".join(rng.choice(WORDS) for _ in range(14)) for _ in range(2))
    name = f"{rng.choice(GIVEN)} {rng.choice(SURNAMES)}"
    return (
        f"{before}. Patient: {name}, MRN: {rng.randrange(10**6, 10**7)}, "
        f"phone 617-555-01{rng.randrange(100):02d}. {after}."
    )


def planted_rows(seed=5, patients=4, copies=6):
    rng = random.Random(seed)
    made = [("member", copies)] * patients + [("plant", copies) for copies in COPIES for _ in range(2)]
    rows = []
    for number, (split, copies) in enumerate([*made, ("twin", 1), ("twin", 1)]):
        text = text_of(rng)
        rows += [
            {"note_id": f"n{number}.{copy}", "patient_id": f"p{number}", "text": text, "split": split}
            for copy in range(copies)
        ]
    return rows


def planted_files(folder, write_jsonl):
    """Notes of six patients, plants and twins, their file, and a fresh model."""
    rows = planted_rows(patients=6)
    return {
        "rows": rows,
        "notes": write_jsonl(folder / "notes.jsonl", rows),
        "model": fresh_model(folder / "model", rows),
    }


def fresh_model(folder, rows):
    """A model that has seen one step, with a tokenizer that knows the notes' words."""
    train_demo_model([row["text"] for row in rows], folder, steps=1)
    return folder
