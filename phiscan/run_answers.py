"""The tables of a run -> Answers: what each prompt brought back, named so that two runs' rows meet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

from phiscan.measures.scan import Tables, known_category, own_leaks, with_longest_runs
from phiscan.records import Note
from phiscan.scan_report import DESIGN
from phiscan.taxonomy import REPORTED_APART

if TYPE_CHECKING:
    import pandas as pd

MEASURED = ["raw_token", "net_token", "raw_word", "net_word", "headline", "degenerate", "prefix_end"]
"""Columns of :attr:`Answers.answers` that differ from run to run."""
_ARMS = ("scanned", "control")


class Answers(NamedTuple):
    """What two runs are compared by; note ids and texts are digests here."""

    answers: pd.DataFrame
    """One row an answered prompt of a training note: key, arm, note, patient, scheme, tier, decoding,
    prefix_tok and :data:`MEASURED` (longest runs in units; headline: a headline leak, as in the leak
    lines)."""
    values: pd.DataFrame
    """One row a value at risk there: key, arm, category, canonical, hipaa, recovered."""
    note_tokens: pd.Series
    """Tokens of each note, by its digest; null without a tokenizer."""
    failed: int
    """Prompts of training notes that the scanned model could not answer."""


def note_digests(notes: Iterable[Note]) -> dict[str, str]:
    """A digest of every note by its id: of its ids (folded copies' too), patient, split and text."""
    return {
        note.note_id: _digest(
            *sorted([note.note_id, *note.copy_ids]), "", note.patient_id, note.split, note.text
        )
        for note in notes
    }


def _digest(*parts: str) -> str:
    made = blake2b(digest_size=16)
    for part in parts:
        content = part.encode("utf-8", "surrogatepass")
        made.update(len(content).to_bytes(8, "little"))
        made.update(content)
    return made.hexdigest()


def answers_of(tables: Tables, prompts: pd.DataFrame, digests: Mapping[str, str]) -> Answers:
    """The answers of scanned model and control to prompts of training notes.

    Args:
        tables: of the run.
        prompts: prompt_id, prefix_start and, for prompts made elsewhere, text (null for others).
        digests: of the notes, by id.

    Two rows of two runs have one key if note, scheme, tier, prefix, decoding and draw are the same. The
    prefix is named by its length in tokens and where it begins; one made elsewhere by its text.

    """
    gens = tables.continuations[tables.continuations["arm"].isin(_ARMS)]
    gens = gens.merge(tables.prompts.drop(columns="note_id"), on="prompt_id", how="inner")
    gens = gens.merge(prompts, on="prompt_id", how="left")
    gens = gens.merge(tables.notes[["note_id", "patient_id"]], on="note_id", how="inner")
    gens["note"] = gens["note_id"].map(digests)
    gens["key"] = _keys(gens)
    gens = with_longest_runs(gens, tables.matches)
    gens["headline"] = gens["gen_id"].isin(_leaking(tables))
    gens["degenerate"] = gens["degenerate"].notna()
    failed = gens["stop"] == "failed"
    answered = gens[~failed].rename(columns={"patient_id": "patient"})
    about = ["key", "arm", "note", "patient", *DESIGN, "prefix_tok"]
    risk = tables.at_risk[["gen_id", "category", "canonical", "hipaa", "recovered"]]
    return Answers(
        answered[[*about, *MEASURED]],
        risk.merge(answered[["gen_id", "key", "arm"]], on="gen_id", how="inner"),
        tables.notes.set_index(tables.notes["note_id"].map(digests))["n_tokens"],
        int((failed & (gens["arm"] == "scanned")).sum()),
    )


def _keys(gens: pd.DataFrame) -> list[str]:
    """Of each answer."""
    prefixes = [
        _digest(text) if isinstance(text, str) else f"{float(length)}@{float(start)}"
        for text, length, start in zip(gens["text"], gens["prefix_tok"], gens["prefix_start"], strict=True)
    ]
    rows = zip(
        gens["note"], *(gens[name] for name in DESIGN), prefixes, gens["draw"].astype(str), strict=True
    )
    return ["|".join(row) for row in rows]


def _leaking(tables: Tables) -> set[str]:
    """Answers with a headline leak: the line of that name (:mod:`phiscan.measures.scan`)."""
    hits = tables.hits.drop(columns="gen_id").merge(tables.verdicts, on="hit_id", how="inner")
    leak = own_leaks(hits) & ~known_category(hits).isin(REPORTED_APART)
    return set(hits.loc[leak, "gen_id"])
