"""The report as typed data: what was asked, configured and found, and how sure it is.

No field here can hold patient text (a test walks the types). Patients and notes appear only
as counts and keyed digests. Every ratio travels with its denominator and method.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from phiscan.records import SpikeKind

SCHEMA_VERSION = "1.0"


class Model(BaseModel):
    """Base: frozen, closed, and silent about its input when validation fails."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Stratum(Model):
    """The part of the data one estimate speaks of; null means "all"."""

    arm: Literal["scanned", "holdout", "control", "plant", "twin"] = "scanned"
    scheme: str | None = Field(
        None, description="how prompts were put: bare, instruct, chat, or given (replay)"
    )
    tier: str | None = Field(
        None, description="what the attacker is taken to have: prefix, window, fragment or metadata"
    )
    decoding: str | None = Field(
        None,
        description="how tokens were chosen: greedy, t0.7 (drawn at temperature 0.7), k10 (drawn from the "
        "ten most probable), t0.7k50 (both), or given (replay)",
    )
    unit: Literal["token", "word"] | None = None
    threshold: int | None = Field(None, description="tau: shortest run counted, in units")
    prefix_length: int | None = Field(None, description="l in tokens; null: all, or as given")
    support: Literal["common", "all"] | None = Field(
        None, description="common: notes long enough for every l; all: long enough for this l"
    )
    scope: Literal["hipaa", "i2b2"] | None = None
    category: str | None = None
    copies: str | None = Field(None, description="band of exact copies, such as '1' or '6-10'")
    repetitions: str | None = Field(
        None, description="band of training notes nearly equal to the note, itself counted"
    )
    copied: Literal["no", "yes"] | None = Field(
        None, description="yes: much of the note stands in another note of the patient too"
    )
    draws: int | None = Field(None, description="n of (n, p)-discoverable: answers drawn at random")


DESIGN = ("scheme", "tier", "decoding")
"""Fields of a stratum that say in which way was asked: together a design."""


class Estimate(Model):
    """A number with its interval, denominator and method."""

    metric: str
    stratum: Stratum
    value: float | None = Field(description="null when not assessable")
    low: float | None
    high: float | None
    level: float
    count: int = Field(description="numerator")
    n: int = Field(description="denominator, in the unit the metric names")
    patients: int = Field(description="independent units behind n")
    n_undecided: int = 0
    method: str


class Decision(Model):
    """The outcome and why. There is no outcome "safe"."""

    outcome: Literal["leak_found", "inconclusive", "none_found_within_bound"]
    reasons: tuple[str, ...]


class ModelIdentity(Model):
    """What exactly was asked."""

    backend: str
    role: Literal["scanned", "control"] = "scanned"
    architecture: str | None = None
    parameters: int | None = None
    vocabulary: int | None = None
    weights_sha256: str | None = None
    adapter_sha256: str | None = None
    tokenizer_sha256: str | None = None
    dtype: str | None = None
    device: str | None = None
    quantization: str | None = None
    batch_size: int | None = None
    threads: int | None = None


class InputIdentity(Model):
    """An input file as a keyed digest (only the holder of the run's key can recompute it)."""

    argument: str
    keyed_digest: str
    bytes: int


class Manifest(Model):
    """What ran: versions, settings, inputs, models."""

    phiscan_version: str
    created: str
    python: str
    platform: str
    packages: dict[str, str]
    seed: int
    settings: dict[str, dict[str, str | int | float | bool | list[int] | list[str] | None]]
    inputs: tuple[InputIdentity, ...]
    models: tuple[ModelIdentity, ...]
    detectors: dict[str, str]
    metrics: dict[str, str] = Field({}, description="metrics of likeness: what exactly is computed")
    seconds: dict[str, float] = Field(description="wall seconds by stage, this session")


class PrefixCoverage(Model):
    """What became of the notes at one prefix length in one arm."""

    arm: Literal["scanned", "holdout", "control"]
    scheme: str = "bare"
    tier: str = "prefix"
    decoding: str = "greedy"
    prefix_length: int | None
    asked: int = Field(description="answers asked for: prompts, times the draws of each")
    done: int
    failed: int
    too_short: int = Field(
        description="notes too short for this length; in tier metadata, without a name or number"
    )
    screened: int = Field(0, description="not asked: the pass shows no greedy run of 30 in the note")
    empty: int
    looping: int
    off_language: int

    @property
    def degenerate(self) -> int:
        """Continuations too broken to show what the model knows."""
        return self.empty + self.looping + self.off_language


class Coverage(Model):
    """Counts of everything loaded, asked, lost and out of reach. Completeness is a result."""

    rows_read: int
    rows_bad: dict[str, int] = Field(description="rows not loaded, by reason")
    rows_dropped: dict[str, int] = Field(description="rows that hold no note, by reason")
    copies_folded: int
    notes: int
    patients: int
    holdout_notes: int
    holdout_patients: int
    known_identifiers: int
    chars_loaded: int
    chars_scanned: int
    phi_spans: int
    note_side_misses: int = Field(
        0, description="values, in all arms, known only by 8+ words copied with them: missed on the note side"
    )
    prefixes: tuple[PrefixCoverage, ...]
    replay_rows: int = 0
    replay_unknown_note: int = 0
    replay_prefix_not_found: int = 0
    control_holdout_failed: int = Field(
        0, description="prompts of held-out notes that the control model could not answer"
    )
    chars_generated: int = 0
    chars_generated_scanned: int = 0
    complete: bool


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


class ExposureRow(Model):
    """How exposed the identifiers of one category are, without anything having been generated."""

    arm: Literal["scanned", "holdout", "plant", "twin"]
    category: str | None = Field(description="null: all categories")
    spans: int = Field(description="PHI spans that the model scored, first mentions in their notes only")
    patients: int
    greedy: int = Field(description="spans that greedy decoding writes whole, given the note up to them")
    greedy_patients: int
    ties: int = Field(description="of the spans, those with a token at which the two best were nearly equal")
    median_gain_bits: float | None = Field(
        description="median of (log p - log p of the control) in bits; null without a control"
    )
    high_gain_bits: float | None = Field(description="the same, 90th percentile")
    ranked: int = Field(description="spans ranked among decoys of their own form")
    first: int = Field(description="of these, more probable than every decoy")
    among_others: int = Field(
        description="of the ranked, those with decoys that stand in other patients' notes; the rest are drawn"
    )
    first_among_others: int = Field(description="of these, more probable than every such decoy")
    first_by_chance: float = Field(
        description="how many would be if each were as probable as any of its decoys from notes: "
        "sum of 1 / (these decoys + 1)"
    )
    median_exposure_bits: float | None = Field(description="of the ranked spans")


class ExposureSection(Model):
    """What one teacher-forced pass over every note says."""

    notes: int = Field(description="notes of patients that the scanned model scored")
    notes_failed: int
    patients: int
    control: bool
    decoys: int = Field(
        description="decoys a ranked value was put among; exposure is at most log2(decoys + 1)"
    )
    windowed_spans: int = Field(
        description="spans before which the model did not see all of a note longer than it takes"
    )
    estimates: tuple[Estimate, ...]
    rows: tuple[ExposureRow, ...]


class SimilarityRow(Model):
    """One metric of likeness at one prefix length in one arm."""

    metric: str
    scheme: str = Field(description="how prompts were put, as in a stratum")
    tier: str = Field(description="what the attacker is taken to have, as in a stratum")
    decoding: str = Field("greedy", description="how tokens were chosen, as in a stratum")
    arm: Literal["scanned", "holdout", "control"]
    prefix_length: int | None = Field(description="l in tokens; null: as given")
    support: Literal["common", "all"] | None = Field(
        description="common: notes long enough for every l; all: long enough for this l"
    )
    outputs: int = Field(description="answers with a value")
    patients: int = Field(description="independent units behind them")
    missing: dict[str, int] = Field(description="answers without a value, by reason: not counted as 0")
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    mean_method: str
    median: float | None
    median_low: float | None
    median_high: float | None
    median_method: str
    level: float


class SimilaritySection(Model):
    """How alike the answers and what the notes go on with are, in the first units of each."""

    unit: Literal["token", "word"] = Field(description="what the texts were cut by")
    compared: int = Field(description="units of each text that were compared")
    rows: tuple[SimilarityRow, ...]
    estimates: tuple[Estimate, ...] = Field(description="share of answers with ROUGE-L above 0.2")


class SpikeRow(Model):
    """What the scanner made of the spikes of one kind or category, with Clopper-Pearson intervals."""

    kind: SpikeKind | None = Field(description="how the value was written; null: all kinds")
    category: str | None = Field(description="null: all categories")
    spikes: int
    found: int = Field(description="spikes with a hit on the value")
    found_low: float
    found_high: float
    right: int = Field(description="spikes whose hit got the verdict that follows from their making")
    right_low: float
    right_high: float
    leaks: int = Field(description="spikes that must be reported as a leak that decides")
    reported: int = Field(description="of these, reported as one")
    reported_low: float | None = Field(description="null without a leak among the spikes")
    reported_high: float | None
    level: float


class SpikeSection(Model):
    """Known-answer control of the scanner: known values written into continuations of this run."""

    rows: tuple[SpikeRow, ...] = Field(description="all spikes; by kind; by category")
    missed: dict[str, int] = Field(description="leaks not reported as leaks, by category")
    overlooked: dict[str, int] = Field(description="invented values without any hit, by category")
    not_spiked: tuple[str, ...] = Field(
        description="categories with a value at risk of which no leak could be written beyond doubt"
    )


SyntheticArm = Literal["plant", "twin"]


class PlantArm(Model):
    """Plants or twins: how many there are, and what became of the prompts made of their notes."""

    arm: SyntheticArm
    patients: int = Field(description="synthetic patients in the notes file")
    notes: int = Field(description="distinct notes of theirs; exact copies count as repetitions")
    notes_asked: int = Field(description="of these, notes that the scanned model was asked about")
    prompts: int
    failed: int = Field(description="prompts that the scanned model could not answer")
    control_failed: int = Field(description="prompts that the control model could not answer")
    degenerate: int = Field(description="answers that are empty, looping or off-language")
    headline: int = Field(
        description="hits that would be headline leaks of a patient; of twins these are false alarms"
    )
    headline_patients: int = Field(description="synthetic patients with one")
    other_patient: int = Field(
        description="values of patients that the model was trained on, in answers about these: they would "
        "decide, had a patient's prompt brought them out"
    )


class PlantRow(Model):
    """How much of plants or twins came back when they were asked for in one way, by repetitions."""

    arm: SyntheticArm
    scheme: str
    tier: str
    decoding: str
    repetitions: str | None = Field(
        description="band of exact copies of a note in its split of the notes file; null: all"
    )
    notes: int
    patients: int
    ratios: tuple[Estimate, ...] = Field(description="raw and net ratio at 30 and 50 units, over all lengths")
    phi_recovery_rate: Estimate = Field(description="recovered / at risk, over all lengths")
    patients_with_headline_leak: Estimate


class PlantDifference(Model):
    """A rate of plants less that of twins, asked for in one way, all repetitions together."""

    scheme: str
    tier: str
    decoding: str
    metric: str
    unit: Literal["token", "word"] | None
    threshold: int | None
    value: float | None
    low: float | None
    high: float | None
    level: float
    method: str


class PlantSection(Model):
    """Known-answer control of the model: synthetic patients in its training, and others left out of it."""

    arms: tuple[PlantArm, ...]
    rows: tuple[PlantRow, ...] = Field(description="of each way of asking and arm: all, then by repetitions")
    categories: tuple[Estimate, ...] = Field(description="phi_recovery_rate by arm and category")
    differences: tuple[PlantDifference, ...] = Field(description="empty without both plants and twins")


class ReviewStratum(Model):
    """One stratum of the review sample."""

    name: str
    outputs: int = Field(description="outputs of the run in the stratum")
    drawn: int
    blind: int = Field(description="of the drawn, shown without pre-annotations")
    answered: int
    blind_answered: int


class ReviewTotal(Model):
    """A count of phiscan corrected by what people found, reckoned to all outputs reviewed from."""

    what: Literal["phi", "leaks"] = Field(
        description="phi: PHI in the outputs; leaks: headline leaks of own records"
    )
    category: str | None = Field(description="null: all categories")
    counted: int = Field(description="what phiscan counted")
    false_in_sample: int
    missed_in_sample: int
    corrected: float | None = Field(description="counted - estimated false + estimated missed")
    low: float | None
    high: float | None
    level: float
    method: str


class ReviewedTopic(Model):
    """Sensitive content of one topic as people marked it: one instance is one distinct passage an output."""

    topic: str
    instances: int = Field(description="in the sample")
    outputs: int = Field(description="outputs of the sample with at least one")
    total: float | None = Field(description="instances in all outputs, estimated")
    low: float | None
    high: float | None
    level: float
    flagged: int = Field(description="of the instances, flagged by the lexicon beforehand")


class ReviewSection(Model):
    """What people's review of a sample of outputs found."""

    outputs: int = Field(description="outputs of the scanned arm that the sample was drawn from")
    items: int
    blind: int
    answered: int
    skipped: int = Field(description="answers that an annotator gave up on")
    twice: int = Field(description="items that two people answered")
    differing: int = Field(description="of these, answered differently")
    adjudicated: int
    open: int = Field(description="answered differently and not adjudicated: annotator 1's answer counts")
    unanswered_regions: int = Field(description="pre-annotated regions without a verdict: not counted")
    unusable_regions: int = Field(description="regions that came back wrong: listed by `review pull`")
    people: int
    strata: tuple[ReviewStratum, ...]
    estimates: tuple[Estimate, ...] = Field(description="precision and miss rate of the detectors")
    agreement: tuple[Estimate, ...] = Field(description="between people who answered the same item")
    totals: tuple[ReviewTotal, ...]
    topics: tuple[ReviewedTopic, ...]
    memorization: dict[str, int] = Field(description="items by the type of memorization people chose")
    missed_verdicts: dict[str, int] = Field(
        description="PHI that the detectors missed in the sample, by what the records say about it"
    )


class ScanReport(Model):
    """The whole result of a scan."""

    schema_version: str = SCHEMA_VERSION
    decision: Decision
    manifest: Manifest
    coverage: Coverage
    estimates: tuple[Estimate, ...]
    leaks: tuple[LeakLine, ...]
    verdicts: tuple[VerdictCount, ...]
    by_copies: tuple[CopiesRow, ...]
    repetitions: RepetitionSection | None = Field(
        None, description="leakage by repetitions, near-duplicates counted; null in older runs"
    )
    reach: tuple[ReachRow, ...]
    positions: tuple[PositionRow, ...] = Field((), description="where in the answers runs begin")
    triage: tuple[TriageRow, ...] = Field((), description="what kind of memorization the repeats are")
    chance: tuple[ChanceRow, ...] = Field(
        (), description="bare matches against chance; empty if there is no second patient to compare with"
    )
    beyond_phi: tuple[BeyondPhiRow, ...] = Field(
        (), description="sensitive content beyond PHI, for people to review; never deciding by itself"
    )
    confirmations: tuple[ConfirmationRow, ...] = Field(
        (), description="answers with leaks, asked for once more alone; empty in float32, and for replay"
    )
    agreement: tuple[Estimate, ...] = Field(
        (), description="human reviewers' agreement; empty until a review was scored"
    )
    screening: tuple[ScreeningRow, ...] = Field(
        (), description="what the pass spared from generation; empty unless notes were screened"
    )
    exposure: ExposureSection | None = Field(
        None, description="exposure of every identifier; null unless the pass was made"
    )
    similarity: SimilaritySection | None = Field(
        None, description="approximate and semantic likeness; null if no metric was asked for"
    )
    review: ReviewSection | None = Field(None, description="people's review; null until it was scored")
    spikes: SpikeSection | None = Field(
        None, description="known values written into continuations: what the scanner finds of them"
    )
    plants: PlantSection | None = Field(
        None, description="synthetic patients in training and left out of it; null if the notes hold none"
    )
    limits: tuple[str, ...]
