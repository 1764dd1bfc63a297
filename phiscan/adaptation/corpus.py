"""The notes or records of an adaptation, split by patient, as files of the run.

data/notes.jsonl        what scans are held against: notes in training, held-out ones, plants and twins
data/training.jsonl     what the model reads, mitigations done
data/validation.jsonl   notes that tell the validation loss
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, NamedTuple

from phiscan.adaptation.split import Part, split_patients
from phiscan.errors import BackendError, NoteFormatError
from phiscan.input_rows import Tally, read_rows
from phiscan.load import SPLITS, LoadSettings, stream_notes
from phiscan.records import Split

NOTES, TRAINING, VALIDATION, COUNTS = "notes.jsonl", "training.jsonl", "validation.jsonl", "counts.json"
_TURNS = ("instruction", "input", "output")


class Text(NamedTuple):
    """One text to learn from."""

    note_id: str
    patient_id: str
    split: Split
    text: str
    """As the model reads it, its beginning-of-sequence mark left out."""
    given: int = 0
    """Characters at its beginning that a completion-only loss leaves out."""
    note_type: str | None = None
    date: str | None = None
    row: int = 0
    """Row of the input (1 = first record)."""


class Texts:
    """Reads the texts of an input file, anew at every call."""

    def __init__(self, argument: str, read: Callable[[Tally], Iterator[Text]]) -> None:
        self.argument = argument
        self.tally = Tally()
        """What became of the rows of the latest call."""
        self._read = read

    def __call__(self) -> Iterator[Text]:
        """Yield the texts in the order of the file."""
        self.tally = Tally()
        return self._read(self.tally)


Mitigate = Callable[[Sequence[Text]], tuple[list[Text], dict[str, int]]]


def notes_of(path: Path, settings: LoadSettings) -> Texts:
    """The notes of a file, repeated ones repeated."""

    def read(tally: Tally) -> Iterator[Text]:
        for note in stream_notes(path, settings, argument="--notes", tally=tally):
            yield Text(
                note.note_id,
                note.patient_id,
                note.split,
                note.text,
                note_type=note.note_type,
                date=note.date,
                row=note.row,
            )

    return Texts("--notes", read)


def records_of(path: Path, tokenizer: Any) -> Texts:
    """Instruction records of a file, put in the model's chat template.

    Columns instruction, output and, if there are any, input, patient_id, record_id and split. Without the
    column patient_id every record is a patient of its own.

    Raises:
        BackendError: The tokenizer has no chat template, or one that cannot take these turns.

    """
    if not tokenizer.chat_template:
        raise BackendError("--model: its tokenizer has no chat template, which --records needs")

    def read(tally: Tally) -> Iterator[Text]:
        found = False
        columns = {name: name for name in (*_TURNS, "patient_id", "record_id", "split")}
        rows = read_rows(path, columns, required=("instruction", "output"), argument="--records", tally=tally)
        for row, fields in rows:
            turns = {name: (fields.get(name) or "").strip() for name in _TURNS}
            split = SPLITS.get((fields.get("split") or "").strip().lower())
            if not (turns["instruction"] and turns["output"]) or split is None:
                tally.bad("--records", row, "no instruction, no output, or an unknown split")
                continue
            found = True
            name = (fields.get("record_id") or "").strip() or f"row-{row}"
            patient = (fields.get("patient_id") or "").strip() or name
            text, given = _in_template(tokenizer, turns)
            yield Text(name, patient, split, text, given, row=row)
        if not found:
            raise NoteFormatError(f"--records: no record could be read{tally.why()}")

    return Texts("--records", read)


def _in_template(tokenizer: Any, turns: dict[str, str]) -> tuple[str, int]:
    """The whole conversation, and the characters of it before the model's answer."""
    request = "\n\n".join(text for text in (turns["instruction"], turns["input"]) if text)
    asked = [{"role": "user", "content": request}]
    answered = [*asked, {"role": "assistant", "content": turns["output"]}]
    try:
        whole = tokenizer.apply_chat_template(answered, tokenize=False)
        opening = tokenizer.apply_chat_template(asked, tokenize=False, add_generation_prompt=True)
        whole.encode()
    except Exception:  # a template is a program of the model's makers
        raise BackendError(
            "--model: its chat template cannot take a user's and an assistant's turn"
        ) from None
    if not whole.startswith(opening):
        raise BackendError("--model: its chat template does not open the answer as it asks for it")
    if turns["output"] not in whole[len(opening) :]:
        raise BackendError("--model: its chat template leaves the answer out, or changes it")
    mark = tokenizer.bos_token or ""
    if mark and whole.startswith(mark):
        whole, opening = whole.removeprefix(mark), opening.removeprefix(mark)
    return whole, len(opening)


def write_corpus(
    folder: Path, texts: Texts, *, validation: float, holdout: float, seed: int, mitigate: Mitigate
) -> None:
    """Split the texts of a file by patient and write them to ``folder``; its mode is the caller's matter."""
    rows: dict[str, int] = {}
    parts = split_patients(
        ((text.patient_id, text.split) for text in _once_each(texts, rows)),
        validation=validation,
        holdout=holdout,
        seed=seed,
        argument=texts.argument,
    )
    counts: Counter[str] = Counter()
    for part in ("training", "validation", "holdout"):
        counts[f"{part}_patients"] = sum(found == part for found in parts.values())
    learnt: list[Text] = []
    with ExitStack() as stack:
        files = {
            name: stack.enter_context((folder / name).open("w", encoding="utf-8"))
            for name in (NOTES, TRAINING, VALIDATION)
        }
        for text in texts():
            part = parts[text.patient_id]
            counts[f"{part}_notes"] += 1
            if part == "training":
                learnt.append(text)
            _write(files[VALIDATION if part == "validation" else NOTES], _as(text, part))
        kept, mitigated = mitigate(learnt)
        if not kept:
            raise NoteFormatError(f"{texts.argument}: the mitigations left nothing to learn from")
        for text in kept:
            _write(files[TRAINING], text)
    unused = texts.tally.counts()
    content = {
        **counts,
        "mitigated": mitigated,
        "rows_bad": unused["rows_bad"],
        "rows_dropped": unused["rows_dropped"],
    }
    (folder / COUNTS).write_text(json.dumps(content), encoding="utf-8")


def _once_each(texts: Texts, rows: dict[str, int]) -> Iterator[Text]:
    """The texts, no id twice; ``rows`` is filled with the row of each."""
    for text in texts():
        before = rows.setdefault(text.note_id, text.row)
        if before != text.row:
            raise NoteFormatError(f"{texts.argument}: row {text.row} repeats the id of row {before}")
        yield text


def _as(text: Text, part: Part) -> Text:
    """The text with its split as a scan is to see it."""
    return text._replace(split="holdout") if part == "holdout" else text


def _write(file: IO[str], text: Text) -> None:
    file.write(json.dumps(text._asdict(), ensure_ascii=False) + "\n")


def read_texts(path: Path) -> Iterator[Text]:
    """The texts of one of the files that :func:`write_corpus` wrote."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield Text(**json.loads(line))


def read_counts_of(folder: Path) -> dict[str, Any]:
    """Patients and notes of each part, and what mitigations did."""
    found: dict[str, Any] = json.loads((folder / COUNTS).read_text(encoding="utf-8"))
    return found
