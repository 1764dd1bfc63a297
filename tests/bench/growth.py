"""A scan of outputs made elsewhere over 1,000, 10,000 and 100,000 notes, and a load of a large file: time and memory.

``python -m tests.bench.growth [notes ...]``; every run is a process of its own. Resident memory counts pages
of mapped files too, which the system takes back when it needs them; what is the process's own is told apart.
"""

import csv
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from phiscan.config import load_config
from phiscan.load import LoadSettings, index_notes, open_notes
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan

SIZES = (1_000, 10_000, 100_000)
LOAD_MB = 300
WARM = 50
_FIRST = [
    a + b for a in ("Mar", "Nel", "Ter", "Iv", "Ott", "Sul", "Ras", "Bel") for b in ("a", "ine", "o", "ian")
]
_LAST = [
    a + b
    for a in ("Quil", "Wex", "Lund", "Hart", "Dun", "Fen", "Brock")
    for b in ("lon", "holm", "mere", "wick", "ley")
]
_TOWNS = [a + b for a in ("Dun", "Har", "Mill", "Stone") for b in ("moor", "wick", "brook", "dale", "ton")]
_PLAIN = """seen walked slept ate drank coughed rested stood bent climbed wrote asked told agreed waited slowly quietly
again twice daily tonight before after during without with under over beside near warm cold dry clear mild firm soft
wound knee hip chest lung heart belly skin gait pulse breath sleep mood diet water broth bread fruit tablet cream
dressing brace frame stairs garden corridor window ward clinic visit review plan scan film swab count level dose
stable better worse unchanged improved settled healed swollen tender clean intact even regular brisk faint""".split()


def main(*sizes: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        print("  scan --replay, rules and known identifiers; CPU milliseconds a note")
        first: dict[str, float] = {}
        for size in sizes or SIZES:
            folder = Path(name) / str(size)
            folder.mkdir()
            found = _apart("scan", str(folder), str(size))
            first = first or found
            times = ", ".join(f"{part} {found[part]:.2f}" for part in ("load", "index", "map", "reduce"))
            print(
                f"    {size:7,} notes: {found['total']:.2f} ({times}), {found['total'] / first['total']:.2f}x the first; "
                f"at most {found['peak']:.0f} MB resident, {found['own']:.0f} MB its own"
            )
        path = Path(name) / "notes.csv.gz"
        for size in (LOAD_MB // 10, LOAD_MB):
            _write_large(path, size * 1_000_000)
            found = _apart("load", str(path), name)
            print(
                f"  load of a .csv.gz of {size} MB: {found['notes']:,.0f} notes, {found['total']:.2f} CPU milliseconds "
                f"each; at most {found['peak']:.0f} MB resident, {found['own']:.0f} MB its own"
            )


def _apart(*task: str) -> dict[str, float]:
    """What a process of its own prints, with the memory that it held at most."""
    command = [sys.executable, "-m", "tests.bench.growth", *task]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        own = peak = 0
        status = Path(f"/proc/{process.pid}/status")
        while process.poll() is None:
            lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            if "RssAnon" in lines:
                own = max(own, int(lines["RssAnon"].split()[0]))
                peak = int(lines["VmHWM"].split()[0])
            time.sleep(0.05)
        assert process.stdout is not None
        return {**json.loads(process.stdout.read()), "own": own / 1024, "peak": peak / 1024}


def _scan(folder: Path, size: int) -> dict[str, float]:
    """Scan ``size`` notes and outputs; what only a process's first scan takes was taken before by a small one."""
    if size > WARM:
        (folder / "warm").mkdir()
        _scan(folder / "warm", WARM)
    _write_inputs(folder, size)
    inputs = ScanInputs(
        notes=folder / "notes.csv",
        known=folder / "known.csv",
        replay=folder / "outputs.csv",
        out=folder / "run",
    )
    config = load_config(flags={"detect": {"detectors": ["rules"]}})
    marks: dict[str, float] = {}

    def progress(stage: str, done: int, total: int) -> None:
        marks.setdefault("load", time.process_time())
        if stage == "scan":
            marks.setdefault("index", time.process_time())
            marks["map"] = time.process_time()

    began = time.process_time()
    scan(inputs, config, progress)
    marks["reduce"] = time.process_time()
    times = [began, marks["load"], marks["index"], marks["map"], marks["reduce"]]
    per_note = [1000 * (end - start) / size for start, end in pairwise(times)]
    return dict(zip(("load", "index", "map", "reduce"), per_note, strict=True)) | {"total": sum(per_note)}


def _load(path: Path, folder: Path) -> dict[str, float]:
    began = time.process_time()
    index = Path(tempfile.mkdtemp(dir=folder))
    index_notes(index, path, LoadSettings())
    notes = len(open_notes(index).notes)
    return {"notes": notes, "total": 1000 * (time.process_time() - began) / notes}


def _write_inputs(folder: Path, size: int) -> None:
    rng = random.Random(size)
    with (
        (folder / "notes.csv").open("w", newline="") as notes,
        (folder / "outputs.csv").open("w", newline="") as outputs,
        (folder / "known.csv").open("w", newline="") as known,
    ):
        writers = [csv.writer(file) for file in (notes, outputs, known)]
        writers[0].writerow(["note_id", "patient_id", "text"])
        writers[1].writerow(["note_id", "prefix", "continuation"])
        writers[2].writerow(["patient_id", "category", "value"])
        for number in range(size):
            name, text = _note(rng, number)
            writers[0].writerow([f"N{number}", f"P{number}", text])
            at = text.index(" ", 80)
            said = (
                text[at:]
                if number % 10 == 0
                else text[at : at + 120] + _note(rng, rng.randrange(size))[1][120:]
            )
            writers[1].writerow([f"N{number}", text[:at], said])
            writers[2].writerow([f"P{number}", "NAME", name])


def _write_large(path: Path, size: int) -> None:
    rng = random.Random(1)
    with gzip.open(path, "wt", newline="", compresslevel=1) as file:
        writer = csv.writer(file)
        writer.writerow(["note_id", "patient_id", "text"])
        number = written = 0
        while written < size:
            text = "\n\n".join(_note(rng, number)[1] for _ in range(5))
            written += len(text)
            writer.writerow([f"N{number}", f"P{number // 3}", text])
            number += 1


def _note(rng: random.Random, number: int) -> tuple[str, str]:
    """A patient's name, and a note of some 80 words with five of the patient's values; all invented."""
    name = f"{rng.choice(_FIRST)} {rng.choice(_LAST)}"
    date = f"{rng.randrange(1, 13)}/{rng.randrange(1, 29)}/20{rng.randrange(10, 24)}"
    return name, (
        f"Patient: {name}  MRN: {1_000_000 + number}\n"
        f"{_prose(rng, 20)} Seen {date} by Dr. {rng.choice(_LAST)} of {rng.choice(_TOWNS)}. {_prose(rng, 20)} "
        f"Phone 617-555-01{number % 100:02d}. {_prose(rng, 20)}\n"
    )


def _prose(rng: random.Random, words: int) -> str:
    return " ".join(rng.choices(_PLAIN, k=words)).capitalize() + "."


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["scan", folder, size]:
            print(json.dumps(_scan(Path(folder), int(size))))
        case ["load", path, folder]:
            print(json.dumps(_load(Path(path), Path(folder))))
        case sizes:
            main(*map(int, sizes))
