"""Tracing outputs over a corpus: every run of 30+ tokens in any note, and in how many patients' notes it stands.

``python -m tests.bench.tracing [tokens] [outputs]``; each contender works in a process of its own. The suffix
array needs ``pydivsufsort`` (not a dependency) and is left out, loudly, where that is missing.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from phiscan.corpus_builder import build_corpus_index
from phiscan.corpus_index import CorpusIndex, UnitText
from phiscan.runs import maximal_runs

NOTE, OUTPUT, BOILERPLATE = 500, 500, 60
SAMPLE = 200_000
"""Tokens of the corpus on which all contenders must agree with a loop over notes."""
ROUNDS = 3


def main(tokens: int = 20_000_000, outputs: int = 10_000) -> None:
    contenders: dict[str, Callable[..., dict[str, Any]]] = {"phiscan": ours}
    if find_spec("pydivsufsort"):
        contenders["suffix array"] = suffix_array
    else:
        print("  !!! pydivsufsort is not installed: NO comparison with a suffix array")
    for boilerplate in (False, True):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make_corpus(folder, SAMPLE, 100, boilerplate)
            expected, _ = note_loop(folder, outputs=100, notes=SAMPLE // NOTE)
            for contender, trace in contenders.items():
                assert trace(folder)["runs"] == expected, contender
            make_corpus(folder, tokens, outputs, boilerplate)
            print(
                f"  {outputs:,} outputs of {OUTPUT} tokens over {tokens:,}, boilerplate in "
                f"{'half the notes' if boilerplate else 'no note'}; same runs as the loop on {SAMPLE:,}"
            )
            report(folder, contenders, outputs, tokens)


def report(folder: Path, contenders: dict[str, Any], outputs: int, tokens: int) -> None:
    took: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
    loops = []
    for _ in range(ROUNDS):
        for name, trace in contenders.items():
            took[name].append(_apart(trace, folder))
        pairs = (20, 200)
        _, seconds = note_loop(folder, *pairs)
        loops.append(seconds / (pairs[0] * pairs[1]) * outputs * (tokens // NOTE))
    ours_total = [run["build"] + run["query"] for run in took["phiscan"]]
    for name, runs in took.items():
        build, query, peak = (
            statistics.median(run[key] for run in runs) for key in ("build", "query", "peak")
        )
        ratio = statistics.median(
            (run["build"] + run["query"]) / mine for run, mine in zip(runs, ours_total, strict=True)
        )
        print(
            f"    {name:24} build {build:6.2f} s, trace {query:6.2f} s, peak {peak:5.0f} MB"
            f"   {ratio:10.1f}x the time of ours"
        )
    ratio = statistics.median(loop / mine for loop, mine in zip(loops, ours_total, strict=True))
    print(
        f"    {'loop over notes (sample)':24} {statistics.median(loops):.0f} s"
        f"                                   {ratio:10.0f}x the time of ours"
    )
    print(f"    index without the tokens: {took['phiscan'][0]['index'] / tokens:.2f} bytes a token")


def make_corpus(folder: Path, tokens: int, outputs: int, boilerplate: bool) -> None:
    """Notes of skewed random tokens; outputs that hold a passage of a note, and the boilerplate every other."""
    rng = np.random.default_rng(1)
    units, asked = _random_tokens(rng, tokens), _random_tokens(rng, outputs * OUTPUT).reshape(outputs, OUTPUT)
    if boilerplate:
        passage = _random_tokens(rng, BOILERPLATE)
        notes = np.arange(0, tokens // NOTE, 2)
        at = notes * NOTE + rng.integers(0, NOTE - BOILERPLATE, len(notes))
        units[at[:, None] + np.arange(BOILERPLATE)] = passage
        asked[::2, 300 : 300 + BOILERPLATE] = passage
    for output in asked:
        at, size = rng.integers(0, tokens - 200), rng.integers(20, 200)
        output[50 : 50 + size] = units[at : at + size]
    np.save(folder / "units.npy", units)
    np.save(folder / "asked.npy", asked)


def _random_tokens(rng: np.random.Generator, size: int) -> np.ndarray:
    return np.minimum(rng.pareto(0.7, size) * 20, 31_999).astype(np.uint32)


def _read(folder: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Tokens, outputs, the patient of each note (four notes each), and how many make a template."""
    units, asked = (
        np.load(folder / f"{name}.npy", mmap_mode="r").view(np.ndarray) for name in ("units", "asked")
    )
    patients = np.arange(len(units) // NOTE) // 4
    return units, asked, patients, max(3, -(-len(patients) // 4_000))


def _apart(trace: Callable[[Path], dict[str, Any]], folder: Path) -> dict[str, Any]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_with_peak, trace, folder).result()


def _with_peak(trace: Callable[[Path], dict[str, Any]], folder: Path) -> dict[str, Any]:
    result = trace(folder)
    del result["runs"]
    status = Path("/proc/self/status").read_text()
    return result | {"peak": int(status.split("VmHWM:")[1].split()[0]) / 1024}


def ours(folder: Path) -> dict[str, Any]:
    units, asked, patients, template = _read(folder)
    ends = np.arange(1, NOTE + 1, dtype=np.uint32)
    texts = (UnitText(units[at : at + NOTE], ends - 1, ends) for at in range(0, len(units), NOTE))
    began = time.perf_counter()
    build_corpus_index(folder / "index", texts, patients)
    built = time.perf_counter()
    traces = CorpusIndex(folder / "index").trace(list(asked), template_patients=template)
    done = time.perf_counter()
    files = {file.stem: file.stat().st_size for file in (folder / "index").iterdir()}
    return {
        "build": built - began,
        "query": done - built,
        "index": sum(size for name, size in files.items() if name not in ("units", "begins", "ends")),
        "runs": sorted((n, note, *run) for n, trace in enumerate(traces) for note, run in trace.runs),
    }


def note_loop(folder: Path, outputs: int, notes: int) -> tuple[list[tuple[int, ...]], float]:
    """The exact pair matcher on each note (the fastest loop there is), and the seconds it took.

    That a run is more than templates is told afterwards, and not timed.
    """
    units, asked, patients, template = _read(folder)
    began = time.perf_counter()
    found = [
        (n, note, *run)
        for n in range(outputs)
        for note in range(notes)
        for run in maximal_runs(asked[n], units[note * NOTE : (note + 1) * NOTE])
    ]
    seconds = time.perf_counter() - began
    holders: dict[tuple[int, int], set[int]] = {}
    for n, note, start, _, length in found:
        for at in range(start, start + length - 29):
            holders.setdefault((n, at), set()).add(int(patients[note]))
    kept = [
        run
        for run in found
        if min(len(holders[run[0], at]) for at in range(run[2], run[2] + run[4] - 29)) < template
    ]
    return sorted(kept), seconds


def suffix_array(folder: Path) -> dict[str, Any]:
    """Lookups of one 16-gram in fifteen, which every run of 30 holds; windows of grams at many places are counted.

    It is not asked for the patients of rare windows, which ours tells as well.
    """
    from pydivsufsort import divsufsort

    units, asked, patients, template = _read(folder)
    began = time.perf_counter()
    notes = np.full((len(units) // NOTE, NOTE + 1), 0xFFFF, dtype=np.uint16)  # a border after each note
    notes[:, :NOTE] = units.reshape(-1, NOTE)
    text = np.append(notes.ravel(), np.zeros(32, np.uint16))
    suffixes = divsufsort(text.astype(">u2").view(np.uint8))
    suffixes = suffixes[suffixes % 2 == 0] >> 1
    suffixes = suffixes[suffixes < notes.size]
    heads = _heads(text)[suffixes]
    built = time.perf_counter()
    runs = []
    for first in range(0, len(asked), 1_000):
        queries = np.full((len(asked[first : first + 1_000]), OUTPUT + 1), 0xFFFE, dtype=np.uint16)
        queries[:, :OUTPUT] = asked[first : first + 1_000]
        query = np.append(queries.ravel(), np.zeros(32, np.uint16))
        ours, theirs = _suffix_pairs(text, suffixes, heads, query, patients, template)
        runs += [(n + first, *rest) for n, *rest in _maximal(query, text, ours, theirs)]
    done = time.perf_counter()
    return {"build": built - began, "query": done - built, "runs": sorted(runs)}


def _heads(text: np.ndarray) -> np.ndarray:
    """The first four units from each place as one number, in the order of the suffixes."""
    wide = text.astype(np.uint64)
    return sum(wide[k : len(text) - 3 + k] << np.uint64(48 - 16 * k) for k in range(4))


def _ranges(
    text: np.ndarray, suffixes: np.ndarray, heads: np.ndarray, query: np.ndarray, at: np.ndarray, size: int
):
    """Where the suffixes begin and end that start with the ``size`` units from each place of the query."""
    wanted = _heads(query)[at]
    low, high = np.searchsorted(heads, wanted), np.searchsorted(heads, wanted, side="right")
    alive = np.flatnonzero(low < high)
    rows = np.lib.stride_tricks.sliding_window_view
    ours = rows(query, size)[at[alive]]
    ends = []
    for side in (0, 1):
        begin, end = low[alive].copy(), high[alive].copy()
        while (open_ := np.flatnonzero(begin < end)).size:
            middle = (begin[open_] + end[open_]) // 2
            theirs = rows(text, size)[suffixes[middle]]
            differ = theirs != ours[open_]
            column = differ.argmax(axis=1)
            line = np.arange(len(open_))
            after = theirs[line, column] < ours[open_][line, column]
            if side:
                after |= ~differ.any(axis=1)
            begin[open_[after]] = middle[after] + 1
            end[open_[~after]] = middle[~after]
        ends.append(begin)
    low, high = np.zeros(len(at), np.int64), np.zeros(len(at), np.int64)
    low[alive], high[alive] = ends
    return low, high


def _suffix_pairs(text, suffixes, heads, query, patients, template):
    """Pairs of places in query and text from which on 16 units are equal, through no template window."""
    grams = np.arange(0, len(query) - 32 - 16, 15)
    low, high = _ranges(text, suffixes, heads, query, grams, 16)
    few, many = (high > low) & (high - low < template), grams[high - low >= template]
    pairs = [_expand(suffixes, grams[few], low[few], high[few])]
    starts = np.unique(np.maximum(many[:, None] - np.arange(15), 0))
    low, high = _ranges(text, suffixes, heads, query, starts, 30)
    distinct, which = np.unique(low, return_inverse=True)
    counts = np.zeros(len(distinct), np.int64)
    for number, (begin, row) in enumerate(zip(distinct, np.unique(which, return_index=True)[1], strict=True)):
        counts[number] = len(np.unique(patients[suffixes[begin : high[row]] // (NOTE + 1)]))
    rare = (counts[which] < template) & (high > low)
    pairs.append(_expand(suffixes, starts[rare], low[rare], high[rare]))
    return (np.concatenate(side) for side in zip(*pairs, strict=True))


def _expand(suffixes, at, low, high):
    sizes = high - low
    rows = np.repeat(low - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
    return np.repeat(at, sizes), suffixes[rows].astype(np.int64)


def _maximal(query, text, ours, theirs):
    """Extend pairs both ways; yields (output, note, place in the output, in the note, length)."""
    order = np.lexsort((ours, theirs - ours))
    ours, theirs = ours[order], theirs[order]
    first = np.ones(len(ours), bool)
    first[1:] = (np.diff(theirs - ours) != 0) | (np.diff(ours) > 16)
    ours, theirs = ours[first], theirs[first]
    reach = []
    for step in (-1, 1):
        ends = ours.copy() - (step < 0)
        alive = np.flatnonzero(ends >= 0)
        while alive.size:  # the borders of outputs and notes are different units, so nothing crosses them
            place = ends[alive] + (theirs - ours)[alive]
            alive = alive[(place >= 0) & (query[ends[alive]] == text[np.maximum(place, 0)])]
            ends[alive] += step
            alive = alive[(ends[alive] >= 0) & (ends[alive] < len(query) - 32)]
        reach.append(ends)
    found = np.unique(np.stack([reach[0] + 1, theirs - ours, reach[1]]), axis=1)
    start, diagonal, end = found[:, found[2] - found[0] >= 30]
    note, place = np.divmod(start + diagonal, NOTE + 1)
    output, begin = np.divmod(start, OUTPUT + 1)
    return zip(*(x.tolist() for x in (output, note, begin, place, end - start)), strict=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
