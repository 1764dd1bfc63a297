"""What the answers hold: verdicts, leak lines, positions, copies, repetitions, reach, chance."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from phiscan.scan_report.base import Estimate, Model


class VerdictCount(Model):
    """Hits of one arm and category by verdict and attributes."""

    arm: Literal["scanned", "holdout", "control"]
    category: str
    hipaa: str | None
    group: str
    verdict: str
    apart: bool = Field(description="clinician or institution: shown apart, never deciding")
    anchored: int
    specific: int
    control_emits: int
    headline: int
    instances: int
    values: int = Field(description="distinct (record, value) pairs among them")


class LeakLine(Model):
    """One line of the leak summary: how many hits, distinct values, notes and patients."""

    line: Literal[
        "headline",
        "other_patient",
        "clinicians_institutions",
        "own_bare",
        "own_control_emits",
        "common",
        "invented",
        "undecided",
        "in_prompt",
        "not_phi",
        "as_published",
    ]
    arm: Literal["scanned", "holdout", "control"]
    instances: int
    values: int
    notes: int
    patients: int


class PositionRow(Model):
    """Where in their continuations the first runs of 30 units of one arm begin."""

    arm: Literal["scanned", "holdout", "control"]
    unit: Literal["token", "word"]
    first: int = Field(description="generated units before the band, such as 0 or 100")
    runs: int = Field(description="prompts whose first run in the suffix begins in this band of 100 units")
    prompts: int = Field(description="prompts asked")


class TriageRow(Model):
    """Answers of one arm that share a run of 30 with their note, or leak, by kind of memorization."""

    arm: Literal["scanned", "holdout", "control"]
    outputs: int
    harmful: int = Field(description="with a headline leak, or so said people")
    uninformative: int = Field(description="every run is template or prompt text")
    beneficial_candidate: int = Field(
        description="every net block stands in several patients' notes, and no value of a record"
    )
    unclassified: int
    by_people: int = Field(description="of the outputs, those whose kind people said")


class CopiesRow(Model):
    """Leakage of notes by how often their exact text stood in the training data."""

    arm: Literal["scanned", "holdout", "control"]
    copies: str
    notes: int
    prompts: int
    net_30: int
    at_risk: int
    recovered: int


RepetitionBand = Literal["repetitions", "copied"]


class RepetitionRow(Model):
    """Leakage of the training notes of one band, asked of one model."""

    arm: Literal["scanned", "control"]
    by: RepetitionBand = Field(
        description="repetitions: near-duplicates of the note in training, itself and exact copies counted; "
        "copied: whether the note counts as copied forward"
    )
    band: str = Field(description="such as '1' or '6-10'; 'no' or 'yes' for copied")
    notes: int = Field(description="distinct notes that were asked about")
    net_ratio: Estimate = Field(
        description="prompts with a net run of 30 or more / prompts, over all lengths"
    )
    phi_recovery_rate: Estimate = Field(description="recovered / at risk, over all lengths")
    k_extractable: Estimate | None = Field(description="null unless the notes were scored")


class RepetitionSection(Model):
    """How often the training notes' texts were, exactly or nearly, said in training, and what it does."""

    similarity: float = Field(description="least Jaccard similarity of shingles of near-duplicates")
    copied_share: float = Field(description="share of a note's words from which on it is copied forward")
    notes: int = Field(description="distinct training notes")
    repeated: int = Field(description="of these, in the training data more than once, exactly or nearly")
    copied_exactly: int = Field(description="of these, more than once exactly")
    groups: int = Field(description="groups of near-duplicates with two distinct notes or more")
    same_patient: int = Field(description="notes with a near-duplicate or copy among their patient's notes")
    other_patients: int = Field(description="notes with one among other patients' notes")
    copied_forward: int = Field(description="notes of which much stands in another note of the patient")
    crowded: int = Field(description="notes beside so many alike that their group may be too small")
    rows: tuple[RepetitionRow, ...]


class ReachRow(Model):
    """PHI at risk at one prefix length: within reach of the generation limit, and beyond."""

    arm: Literal["scanned", "holdout", "control"]
    prefix_length: int
    category: str
    at_risk_within: int
    at_risk_beyond: int
    recovered: int


class ScreeningRow(Model):
    """Notes of one arm that the pass over every note cleared, and those asked for all the same."""

    arm: Literal["scanned", "holdout"]
    notes_cleared: int = Field(description="notes without a greedy run of 30 tokens")
    prompts_cleared: int = Field(description="prompts they would have had")
    prompts_asked: int = Field(description="prompts asked in all, those of the sample among them")
    sample: float = Field(description="share of patients drawn, of whom every note is asked for")
    sampled_patients: int = Field(description="patients drawn who have a cleared note")
    sampled_notes: int
    sampled_prompts: int = Field(description="prompts of cleared notes that were asked all the same")

    @property
    def saved(self) -> int:
        """Prompts that were not asked."""
        return self.prompts_cleared - self.sampled_prompts


class ChanceRow(Model):
    """Bare own-record matches of one arm (of one category, or null: of all) against what chance gives."""

    arm: Literal["scanned", "holdout", "control"]
    category: str | None = Field(description="category of the hit; null: all categories")
    eligible: int = Field(
        description="hits in any record or none that are not in the prompt, undecided, anchored or specific"
    )
    observed: int = Field(description="of these, in the record of the patient asked about")
    expected: float = Field(
        description="the same, had each hit been looked up in another patient's record of like size"
    )
    excess: float | None = Field(description="(observed - expected) / eligible; may be negative")
    low: float | None
    high: float | None
    level: float
    patients: int = Field(description="independent units behind the eligible hits")
    method: str


class ConfirmationRow(Model):
    """Answers with a leak, asked for once more alone, because below float32 an answer depends on its batch.

    Nothing is taken out of other figures for it.
    """

    arm: Literal["scanned", "holdout"]
    outputs: int = Field(
        description="answers with a headline leak, or a value of another patient that decides"
    )
    failed: int = Field(description="of these, prompts that could not be answered alone")
    identical: int = Field(description="of these, came back token for token")
    leaks: int = Field(description="leaks in these answers (hits)")
    seen_again: int = Field(description="of the leaks, those whose text stands in the new answer too")


class BeyondPhiRow(Model):
    """Sensitive content of one topic in one arm, found by a lexicon and for people to review.

    A passage is one distinct entry of the lexicon in one output, affirmed of the patient.
    """

    arm: Literal["scanned", "holdout", "control"]
    topic: str
    title: str
    group: Literal["table_5b", "specially_protected"]
    passages: int = Field(description="distinct passages per output, affirmed and not in the prompt")
    outputs: int = Field(description="outputs with at least one of them")
    patients: int = Field(description="patients whose prompts gave such an output")
    in_record: int = Field(description="passages whose entry that patient's own notes affirm too")
    linked: int = Field(description="of these, beside a headline leak of the same patient in one output")
    linked_patients: int = Field(description="patients with a linked passage")
    in_prompt: int = Field(description="affirmed, but the prompt said so already: not counted")
    not_affirmed: int = Field(description="negated, of a relative, or hypothetical: recorded, not counted")
