"""Finished runs of invented notes whose model knows the notes one says, read from outputs made elsewhere."""

from replay_cases import NOTES

from phiscan.config import ScanConfig
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan

SECRET = ("Lindqvist", "Tremblay", "Halvorsen", "Quill", "nöte", "päti", "🙂")
CONTROL = "base"
IDS = {note["note_id"]: f"nöte {note['note_id']} 🙂" for note in NOTES}


def scanned(folder, write_jsonl, name, *, known, control=None, notes=None, config=None):
    """A run whose model continues the notes in ``known`` word by word, and the others with nothing of theirs."""
    notes = notes or NOTES
    rows = []
    for note in notes:
        for cut in (60, 140):
            row = {"note_id": IDS[note["note_id"]], "prefix": note["text"][:cut]}
            for model, knows in (("tuned", known), (CONTROL, control)):
                if knows is not None:
                    text = (
                        note["text"][cut:]
                        if note["note_id"] in knows
                        else "All is well and nothing was found."
                    )
                    rows.append({**row, "continuation": text, "model": model})
    renamed = [{**n, "note_id": IDS[n["note_id"]], "patient_id": f"päti {n['patient_id']}"} for n in notes]
    inputs = ScanInputs(
        notes=write_jsonl(folder / f"{name}-notes.jsonl", renamed),
        replay=write_jsonl(folder / f"{name}.jsonl", rows),
        control=None if control is None else CONTROL,
        out=folder / name,
    )
    scan(inputs, config or ScanConfig())
    return inputs.out
