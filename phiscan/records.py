"""Every record of the pipeline, in the order in which it appears.

Offsets are half-open and count Unicode code points of the note *as loaded* (line endings
already normalised, see :attr:`Note.crlf`); offsets counted in tokens end in ``_tok``.
A field typed :data:`PhiText` may hold patient text and is left out of ``repr``.
"""

from __future__ import annotations

import dataclasses
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, dataclass_transform, get_type_hints

PHI_MARK = "phiscan:phi"
"""Marker inside :data:`PhiText`; tests and ``repr`` look for it."""

PhiText = Annotated[str, PHI_MARK]
"""Text that may identify a patient: note text, values, note and patient ids."""

Split = Literal["member", "holdout", "plant", "twin"]
"""Notes of patients the model was trained on and of patients it never saw; notes of synthetic patients that
were mixed into its training (plants), and of the same kind of patient that were left out (twins)."""
SYNTHETIC: frozenset[str] = frozenset({"plant", "twin"})
"""Splits whose patients are nobody: they stand in no figure of the patients."""
Arm = Literal[
    "scanned", "holdout", "plant", "twin", "control", "control_holdout", "control_plant", "control_twin"
]
"""Model and notes: the scanned model on the notes of each split, and the control model on the same."""
CONTROL_ARMS: frozenset[str] = frozenset({"control", "control_holdout", "control_plant", "control_twin"})
Unit = Literal["token", "word"]
Stop = Literal["eos", "length", "given", "failed"]
"""Why a continuation ends; given: it was made elsewhere."""
Where = Literal["suffix", "prompt", "template", "same_patient", "other_patient"]
VerdictName = Literal[
    "in_prompt",
    "undecided",
    "verbatim",
    "reformatted",
    "partial",
    "other_patient",
    "common",
    "invented",
    "not_phi",
]
"""``not_phi``: a person's alone, who says the hit is no PHI at all."""

SpikeKind = Literal[
    "anchored", "specific", "reformatted", "partial", "other_patient", "common", "in_prompt", "invented"
]
"""How a known value was written into a continuation; the verdict it must get follows from it."""

PassageStatus = Literal["affirmed", "negated", "family", "hypothetical"]
"""What a text says of a sensitive passage: of the patient; denied; of a relative; only thought of."""


def arm_of(split: Split, *, control: bool) -> Arm:
    """The arm of a prompt made from a note of ``split``."""
    return _ARMS[split][control]


_ARMS: dict[Split, tuple[Arm, Arm]] = {
    "member": ("scanned", "control"),
    "holdout": ("holdout", "control_holdout"),
    "plant": ("plant", "control_plant"),
    "twin": ("twin", "control_twin"),
}

OWN_RECORD: frozenset[str] = frozenset({"verbatim", "reformatted", "partial"})
"""Verdicts that say the value stands in the patient's own record."""

R = TypeVar("R")


def holds_phi(annotation: object) -> bool:
    """True if ``annotation`` is, or contains, :data:`PhiText`."""
    if PHI_MARK in getattr(annotation, "__metadata__", ()):
        return True
    return any(holds_phi(arg) for arg in getattr(annotation, "__args__", ()))


@cache
def _public_fields(cls: type[Any]) -> tuple[str, ...]:
    hints = get_type_hints(cls, include_extras=True)
    return tuple(name for name, hint in hints.items() if not holds_phi(hint))


def _safe_repr(self: Any) -> str:
    cls: Any = type(self)
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in _public_fields(cls))
    return f"{cls.__name__}({shown})"


@dataclass_transform(frozen_default=True, kw_only_default=True)
def record(cls: type[R]) -> type[R]:
    """Make ``cls`` a frozen, slotted, keyword-only dataclass whose repr shows no patient text."""
    made = dataclasses.dataclass(frozen=True, slots=True, kw_only=True, repr=False)(cls)
    made.__repr__ = _safe_repr  # type: ignore[method-assign]
    return made


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of code points."""

    start: int
    end: int

    def covers(self, other: tuple[int, int]) -> bool:
        """True if ``other`` lies wholly inside this span."""
        return self.start <= other[0] and other[1] <= self.end

    def overlaps(self, other: tuple[int, int]) -> bool:
        """True if the two ranges share at least one code point."""
        return self.start < other[1] and other[0] < self.end


@record
class Note:
    """One distinct note of one patient; exact copies are folded into ``copies``."""

    note_id: PhiText
    patient_id: PhiText
    split: Split
    note_type: PhiText | None
    """As the file has it: a free text, whatever its column is called."""
    date: PhiText | None
    n_chars: int
    n_tokens: int | None
    """Tokens without special tokens; null when no tokenizer is known (replay)."""
    copies: int
    """How often this exact text stands in its split, over all patients, itself included."""
    text: PhiText
    ordinal: int
    """Position among the notes of the run: the stem of every derived record id."""
    row: int
    """Row of the input (1 = first record) this note was read from."""
    copy_ids: tuple[PhiText, ...]
    """Note ids of the same patient's exact copies that were folded into this one."""
    crlf: tuple[int, ...]
    """Offsets of the line feeds that were CR LF in the file: raw = offset + number of these before it."""


AgeBand = Literal["0-17", "18-44", "45-64", "65-89", "90 and over", "not known"]
"""Age of a patient: bands that no rule calls identifying."""

AgeSource = Literal["registration", "notes"]


@record
class PatientTraits:
    """What figures are split by of one patient with notes."""

    patient_id: PhiText
    age_band: AgeBand
    """At the patient's latest note."""
    age_source: AgeSource | None
    """The date of birth in the registration table, or ages that the patient's notes say."""


@record
class Repetition:
    """How often the text of one training note was, exactly or nearly, in the training data."""

    note_id: PhiText
    group: int
    """Number of its group of near-duplicates, a group of one included."""
    repetitions: int
    """Training notes in the group, the note itself and every exact copy counted."""
    same_patient: int
    """Of these, notes of the same patient; the others are other patients'."""
    copied_share: float
    """Share of the note's words in runs of 30 or more that another note of the patient holds too,
    boilerplate left out; 1 if the patient's notes hold an exact copy."""
    crowded: bool
    """Too many notes were alike to compare each with each: the group may be too small."""


@record
class DetectedSpan:
    """What a detector returns: a typed range of a text, without the text."""

    start: int
    end: int
    category: str
    score: float
    detector: str
    rule: str | None = None


@record
class Phi:
    """One PHI span of a note, or one known identifier (then note and offsets are null)."""

    phi_id: str
    patient_id: PhiText
    note_id: PhiText | None
    start: int | None
    end: int | None
    category: str
    hipaa: str | None
    """Letter A-R of 45 CFR 164.514(b)(2)(i), or null if outside the eighteen."""
    group: str
    """The study's group: dates_ages, names, locations or other."""
    canonical: PhiText
    score: float
    detector: str
    rule: str | None
    text: PhiText


@record
class Prompt:
    """What the model is asked to continue."""

    prompt_id: str
    note_id: PhiText
    scheme: str
    tier: str
    prefix_tok: int | None
    """Prefix length l in tokens; null for replayed prefixes (stratum ``as given``)."""
    prefix_start: int | None
    prefix_end: int | None
    """End of the prefix in the note; null if a replayed prefix was not found in it."""
    text: PhiText


@record
class Continuation:
    """One answer of one model to one prompt."""

    gen_id: str
    prompt_id: str
    note_id: PhiText
    arm: Arm
    decoding: str
    """How tokens were chosen: greedy, given (made elsewhere), or drawn as the name says (t0.7, k10)."""
    draw: int
    """Number of the answer among those drawn of one prompt in one way of decoding."""
    token_ids: tuple[int, ...] | None
    token_ends: tuple[int, ...] | None
    """Code point of the text at which each token ends."""
    text: PhiText
    stop: Stop
    degenerate: Literal["empty", "looping", "off_language"] | None
    mean_logprob: float | None
    """Mean natural-log probability of the generated tokens under the model's own distribution
    (temperature 1, nothing cut off), however they were chosen; null when unknown or empty."""


@record
class Screened:
    """One note in which the pass shows no run that greedy decoding would repeat: it is not asked for,
    unless its patient was drawn to measure what that misses."""

    note_id: PhiText
    prompts: int
    """Prompts that the note would have had."""
    longest_tok: int
    """Longest stretch, after the shortest prefix, of tokens that greedy decoding would take."""
    drawn: bool
    probability: float
    """Of its patient's being drawn."""


@record
class SpanMatch:
    """A maximal run of equal units shared by a continuation and a note, or one part of it."""

    gen_id: str
    note_id: PhiText
    matched_note_id: PhiText
    unit: Unit
    n_units: int
    matched_start: int
    matched_end: int
    cont_start: int
    cont_end: int
    cont_unit: int
    """Units of the continuation before it."""
    where: Where
    n_patients: int
    """Patients whose notes hold the run's rarest 30-unit window (at least those holding it whole)."""
    net_blocks: tuple[tuple[int, int, int], ...]
    """What is left of 30+ units after prompt, template and better-placed parts went:
    (cont_start, cont_end, units) each; empty for part rows."""
    net_units: int
    """Units of the longest net block; 0 if there is none."""


@record
class Hit:
    """A PHI span of a continuation."""

    hit_id: str
    gen_id: str
    note_id: PhiText
    category: str
    hipaa: str | None
    group: str
    canonical: PhiText
    text: PhiText
    cont_start: int
    cont_end: int
    score: float
    detector: str
    rule: str | None
    severity: str
    """high, moderate or low (:mod:`phiscan.severity`): how bad the value is, apart from being found."""


@record
class Verdict:
    """What the records say about one hit. Verdicts append; a person's outranks a rule's."""

    hit_id: str
    gen_id: str
    verdict: VerdictName
    reason: str
    matched_note_id: PhiText | None
    matched_start: int | None
    matched_end: int | None
    matched_category: str | None
    """Category of the matched record value: the record knows better than a broken output."""
    matched_member: bool
    """The matched value stands in a record the model was trained on."""
    anchored: bool
    specific: bool
    control_emits: bool | None
    """The control model emits the value for the same prompt; null when no control ran."""
    n_patients: int
    note_side_miss: bool
    """Found only because a run of 8+ words carried it: the note side did not list it."""
    verifier: Literal["rule", "human"]
    author: str
    time: str | None
    """ISO 8601 for a person's verdict; null for a rule's, so that equal runs give equal records."""


@record
class Confirmation:
    """A continuation with a leak, asked for once more alone: only where the dtype is not float32."""

    gen_id: str
    note_id: PhiText
    arm: Arm
    failed: bool
    """The prompt could not be answered alone."""
    identical: bool
    """The same tokens came back."""
    same_tok: int
    """Tokens up to the first that differs."""
    leaks: int
    """Hits of the continuation that are headline leaks, or values of other patients that decide."""
    seen_again: int
    """Of these, hits whose text, in whole words, stands in the new answer too."""


@record
class AtRisk:
    """One distinct value of the suffix that the prompt does not show, for one continuation."""

    gen_id: str
    prompt_id: str
    note_id: PhiText
    category: str
    hipaa: str | None
    canonical: PhiText
    within_reach: bool
    """The value ends within the prefix plus ``max_new_tokens``."""
    recovered: bool


@record
class Passage:
    """One distinct sensitive passage of a continuation (topic, term, status), at its first place.

    Found by a lexicon, for people to review: what it says, and of whom, is theirs to decide.
    """

    passage_id: str
    gen_id: str
    note_id: PhiText
    topic: str
    status: PassageStatus
    term: str
    """The lexicon's entry, a term or a pattern: no patient text."""
    text: PhiText
    cont_start: int
    cont_end: int
    in_prompt: bool
    """The prompt affirms the same term."""
    in_record: bool
    """The patient's own notes hold the same term with the same status."""
    linked: bool
    """Affirmed, in the record and not in the prompt, and the same output holds a headline leak of the
    same patient: an identifier and a sensitive fact of one person side by side."""


@record
class Spike:
    """A known value written into a continuation of the run, and what the scanner said of it.

    Spikes stand in this table alone: no other table and no rate knows them.
    """

    spike_id: str
    """Kind, category and number, such as ``anchored/DATE/0``."""
    kind: SpikeKind
    category: str
    """Of the value where it was taken from."""
    note_id: PhiText
    """The note that was asked for."""
    prefix_end: int
    """End of the prompt in that note."""
    text: PhiText
    start: int
    end: int
    expected: VerdictName
    leak: bool
    """It must be reported as a leak: of this patient's own record, or of another's."""
    found: bool
    """Some hit shares a character with the value."""
    verdict: VerdictName | None
    """Of the hit that shares most with the value; null: there is none."""
    reported: bool
    """Some hit on the value counts as a leak that decides."""


@record
class Exposure:
    """How probable one PHI span of a note is to the model, given all of the note before it."""

    phi_id: str
    note_id: PhiText
    category: str
    hipaa: str | None
    n_tok: int
    """Tokens that hold the span."""
    logprob: float
    """Natural log of the span's probability, summed in float64."""
    control_logprob: float | None
    """The same under the control model; null without one."""
    greedy: bool
    """Greedy decoding, given the note up to the span, writes it whole."""
    ties: int
    """Tokens of the span at which the two best were nearly equal: ``greedy`` may turn over there."""
    context_tok: int
    """Tokens of the note that the model saw before the span."""
    shown_before: bool
    """The same words stand earlier in the note: the model may only have copied them from there."""
    windowed: bool
    """These are not all: the note is longer than the model takes."""
    rank: int | None
    """Rank among the decoys, 1: none is as probable; null if it was not ranked."""
    decoys: int | None
    given_rank: int | None
    """Rank among the decoys that stand in other patients' notes alone; null if there are none."""
    given_decoys: int | None
    """Number of these; the other decoys were drawn."""
    exposure_bits: float | None
    """log2((decoys + 1) / rank): at most log2(decoys + 1)."""
    space_bits: float | None
    """log2 of the number of values of this form that could be drawn."""


@record
class NoteAudit:
    """What one pass over a note says of asking for it from one prefix length."""

    audit_id: str
    note_id: PhiText
    arm: Arm
    prefix_tok: int
    n_tokens: int
    """Tokens of the note after the prefix."""
    run_tok: int
    """Tokens that greedy decoding repeats verbatim from there on."""
    longest_tok: int
    """Longest stretch anywhere after the prefix of tokens that greedy decoding would take, each given
    the note before it; where the two best are nearly equal, either counts."""
    ties: int
    """Tokens up to the end of that run at which the two best were nearly equal."""
    next_tok: int
    """Tokens behind ``next_logprob``: 50, or what is left of the note."""
    next_logprob: float
    """Natural log of the joint probability of these next tokens."""
    context_tok: int
    """Fewest tokens of the note that the model saw before any of them."""
    score_tok: int | None
    """Of the 32 tokens after a prefix of 32 those that free-running greedy decoding gives in their place: 32
    times the forecast paper's memorization score. Null at other lengths, for notes of fewer than 64 tokens,
    and where nothing was generated for it."""


@record
class Discoverable:
    """How probable the next tokens of a note are when they are drawn in one way of decoding."""

    note_id: PhiText
    arm: Arm
    prefix_tok: int
    decoding: str
    """As in a continuation: t0.7, k10, ..."""
    next_tok: int
    """Tokens behind ``next_logprob``: 50, or what is left of the note."""
    next_logprob: float
    """Natural log of their joint probability; minus infinity if one of them is never drawn."""


COMPARED = 100
"""Units of an answer, and of what the note goes on with, that are compared for likeness (the study's)."""
SIMILAR = 0.2
"""ROUGE-L above which the study had outputs read by people."""

MissingReason = Literal[
    "failed",
    "unknown_note",
    "no_suffix",
    "empty",
    "no_words",
    "no_model",
    "too_long",
    "out_of_memory",
    "not_finite",
]
"""Why a similarity is missing: the prompt failed; the note is not known; nothing of it follows the prompt
(or the prompt was not found in it); the answer is empty; a text holds nothing that the metric counts; no
model is named for it; a text is longer than that model takes; memory ran out; the result is no number."""


@record
class Similarity:
    """How alike an answer and what the note goes on with are, in the first 100 units of each."""

    gen_id: str
    metric: str
    """Plug-in of the family `metrics`."""
    value: float | None
    """In the metric's own scale; null if it could not be computed, never 0 for that."""
    reason: MissingReason | None
    """Why the value is null."""


ReviewRound = Literal["review", "adjudication"]
RegionOrigin = Literal["prediction", "changed", "manual", "deleted"]
"""Where a region of an answer comes from: shown and left, shown and changed, drawn, shown and removed."""


@record
class ReviewItem:
    """One output drawn for human review, with the probability of being drawn."""

    doc_id: str
    """Opaque keyed id: all that an annotator sees of the output's identity."""
    gen_id: str
    stratum: str
    stratum_size: int
    """Outputs in the stratum."""
    drawn: int
    """Of these, drawn."""
    blind_drawn: int
    """Of the drawn, shown without pre-annotations."""
    probability: float
    """drawn / stratum_size."""
    blind: bool
    """Shown without pre-annotations, so that what the detectors missed is sought without an anchor."""
    annotators: tuple[int, ...]
    """Numbers of the annotators who get it."""


@record
class ReviewRegion:
    """One pre-annotated region of an item: a hit or a passage, trimmed of white space."""

    doc_id: str
    region_id: str
    source_id: str
    """hit_id or passage_id."""
    kind: Literal["phi", "beyond"]
    label: str
    start: int
    end: int


@record
class ReviewAnswer:
    """What one person said of one item as a whole. Answers append; a person's latest counts."""

    answer_id: str
    """Name of the project (1, 2, adjudication), name of what was pulled, number of the answer in it."""
    doc_id: str
    round: ReviewRound
    author: str
    time: str
    """ISO 8601, as the annotation tool gives it."""
    skipped: bool
    memorization: str | None
    comment: PhiText


@record
class ReviewSpan:
    """One region of one person's answer, its offsets checked against the output."""

    answer_id: str
    doc_id: str
    round: ReviewRound
    author: str
    region_id: str
    source_id: str | None
    """The hit or passage that was shown; null for a region drawn by hand."""
    kind: Literal["phi", "beyond"]
    label: str
    start: int
    end: int
    verdict: Literal["confirmed", "not_phi", "copied_from_prompt", "wrong_category"] | None
    origin: RegionOrigin
    problem: str | None
    """Why the region cannot be used; null if it can. Nothing that came back is dropped."""
    text: PhiText
