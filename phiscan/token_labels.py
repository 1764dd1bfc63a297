"""From a text to labelled spans with a model that labels tokens: windows, and the way back.

A text falls into blocks at its blank lines, which no span crosses; equal blocks are equal windows,
wherever they stand, and are asked about once. A block longer than the model's window goes through
in overlapping windows cut at line starts, or at word starts within a long line, and every token is
judged in the window where it stands farther from the cut. Nothing is ever truncated.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from phiscan.lru import Lru
from phiscan.records import Span

OVERLAP = 64
"""Tokens shared by two windows of a block: no name or address is half as long."""
CACHE_BYTES = 16_000_000
_TOKEN_BYTES = 6
"""What a judged token takes in memory, beside its id in the key."""
_BLOCKS = 256
"""Blocks tokenised at once."""

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_UNREADABLE = re.compile(
    r"\[\*\*[^\n]{0,200}?\*\*\]|_{3,}|[\ud800-\udfff]+"
    # spaCy takes such a run apart sign by sign, each time with a look at all the rest of it.
    r"|(?:[^\w\s]|_|(?<=['’])[sS](?![^\W_])){60,}"
)
_FORMS = {
    "EMAIL": re.compile(r"[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,6}[A-Za-z]{2,24}"),
    "URL": re.compile(
        r"(?:https?://|www\.)\S{2,250}|(?:[\w-]{1,63}\.){1,5}[a-z]{2,6}/\S{1,200}", re.IGNORECASE
    ),
    "IPADDR": re.compile(r"(?:\d{1,3}\.){3}\d{1,3}"),
    "SSN": re.compile(r"\d{3}([- ])\d{2}\1\d{4}"),
}
_PREFIXED = re.compile(r"([BIESLU])-(?=.)")


class Labelled(NamedTuple):
    """A run of words under one label: ``score`` is the mean probability of its words."""

    span: Span
    label: str
    score: float

    def moved(self, by: int) -> Labelled:
        """The same run ``by`` code points further on."""
        return self._replace(span=Span(self.span.start + by, self.span.end + by))


class Judged(NamedTuple):
    """For each token its likeliest label's number and that label's probability."""

    labels: array[int]
    scores: array[float]


Ask = Callable[[Sequence[Sequence[int]]], list[Judged]]
"""Judges windows: one judgement for every id of each, the special tokens among them."""


def readable(text: str) -> str:
    """``text`` with blanks for what carries no value: placeholders, rules, long runs of punctuation
    and lone surrogates.

    >>> readable("Seen by [**Doctor 12**] on ___.")
    'Seen by                 on    .'
    """
    return _UNREADABLE.sub(lambda found: " " * len(found[0]), text)


def form(value: str) -> str | None:
    """The category of a contact or number that its form alone gives away, None for others.

    >>> form("198.18.4.7"), form("219-09-4471"), form("4471-20")
    ('IPADDR', 'SSN', None)
    """
    return next((category for category, pattern in _FORMS.items() if pattern.fullmatch(value)), None)


class TokenLabeller:
    """Labels whole texts by a model of limited length, asked about equal windows once."""

    def __init__(self, tokenizer: Any, names: Sequence[str], length: int, ask: Ask) -> None:
        """``tokenizer``: a ``tokenizers.Tokenizer``; ``names``: labels by number; ``length``: tokens the
        model takes at once, special tokens included; ``ask``: the model."""
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self._tokenizer = tokenizer
        self._names = names
        self._ask = ask
        self._head, self._tail = _special_tokens(tokenizer)
        self._budget = length - len(self._head) - len(self._tail)
        self._seen: Lru[Judged] = Lru(CACHE_BYTES)

    def label(self, texts: Sequence[str], worth: Callable[[str], object] = bool) -> list[list[Labelled]]:
        """The labelled spans of each text by start; blocks that are not ``worth`` a look have none."""
        found: list[list[Labelled]] = [[] for _ in texts]
        pending = (
            (index, start, block)
            for index, text in enumerate(texts)
            for start, block in blocks(text)
            if worth(block)
        )
        while part := list(islice(pending, _BLOCKS)):
            labelled = self._blocks([block for _, _, block in part])
            for (index, start, _), spans in zip(part, labelled, strict=True):
                found[index] += (one.moved(start) for one in spans)
        return found

    def _blocks(self, texts: Sequence[str]) -> Iterator[list[Labelled]]:
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        windows = [
            (encoding, cut(_word_starts(encoding, text), self._budget))
            for encoding, text in zip(encoded, texts, strict=True)
        ]
        asked = self._judge([encoding.ids[a:b] for encoding, spans in windows for a, b in spans])
        for (encoding, spans), text in zip(windows, texts, strict=True):
            judged = _joined(spans, [next(asked) for _ in spans])
            yield decode(text, _words(encoding, judged), self._names)

    def _judge(self, windows: Sequence[list[int]]) -> Iterator[Judged]:
        keys = [array("I", ids).tobytes() for ids in windows]
        answers = {key: self._seen.get(key) for key in keys}
        missing = {key: ids for key, ids in zip(keys, windows, strict=True) if answers[key] is None}
        asked = self._ask([[*self._head, *ids, *self._tail] for ids in missing.values()]) if missing else []
        for (key, ids), whole in zip(missing.items(), asked, strict=True):
            inner = slice(len(self._head), len(self._head) + len(ids))
            answers[key] = judged = Judged(whole.labels[inner], whole.scores[inner])
            self._seen.put(key, judged, _TOKEN_BYTES * len(ids))
        for key in keys:
            found = answers[key]
            assert found is not None
            yield found


def blocks(text: str) -> Iterator[tuple[int, str]]:
    r"""The text between blank lines, each with the offset at which it starts.

    >>> list(blocks("John\n\nJohn Doe | 612"))
    [(0, 'John'), (6, 'John Doe | 612')]
    """
    start = 0
    for gap in (*_BLANK_LINE.finditer(text), None):
        block = text[start : gap.start() if gap else len(text)]
        if block and not block.isspace():
            yield start, block
        start = gap.end() if gap else len(text)


class WordStarts(NamedTuple):
    """Which tokens begin a word, and which of these begin a line; ``count``: tokens in all."""

    words: Sequence[bool]
    lines: Sequence[bool]


def cut(starts: WordStarts, budget: int, overlap: int = OVERLAP) -> list[Span]:
    """Windows of at most ``budget`` tokens that cover all, two neighbours sharing some ``overlap`` tokens.

    A window ends before a line if one starts in its second half, else before a word; where one
    word is longer than a window it is cut.
    """
    count, start, end, made = len(starts.words), 0, 0, []
    overlap = min(overlap, budget // 4)
    while start + budget < count:
        end = _last(starts, max(start + budget // 2, end + 1), start + budget)
        made.append(Span(start, end))
        start = _last(starts, max(start + 1, end - 2 * overlap), end - overlap)
    return [*made, Span(start, count)] if count else []


def _last(starts: WordStarts, first: int, last: int) -> int:
    """The last line start in [first, last], else the last word start there, else ``last``."""
    for flags in starts:
        for at in range(last, first - 1, -1):
            if flags is starts.lines and flags[at]:
                return at
    return next((at for at in range(last, first - 1, -1) if starts.words[at]), last)


def _word_starts(encoding: Any, text: str) -> WordStarts:
    words = encoding.word_ids
    begins = [index == 0 or words[index - 1] != word for index, word in enumerate(words)]
    lines, previous = [], 0
    for start, _ in encoding.offsets:
        lines.append("\n" in text[previous:start])
        previous = start  # a line end may be a token of its own
    return WordStarts(begins, lines)


def _joined(spans: Sequence[Span], parts: Sequence[Judged]) -> Judged:
    """One judgement a token: of two windows, the one where it is farther from the cut decides."""
    labels, scores, at = array("H"), array("f"), 0
    for number, (span, part) in enumerate(zip(spans, parts, strict=True)):
        last = number + 1 == len(spans)
        end = span.end if last else (spans[number + 1].start + span.end) // 2
        labels += part.labels[at - span.start : end - span.start]
        scores += part.scores[at - span.start : end - span.start]
        at = end
    return Judged(labels, scores)


class Word(NamedTuple):
    """A word's range, the number of its likeliest label, and the probability of that."""

    span: Span
    label: int
    score: float


def _words(encoding: Any, judged: Judged) -> Iterator[Word]:
    """Words by the tokenizer's own division; the surest of a word's tokens speaks for it."""
    current: Word | None = None
    number: int | None = None
    for (start, end), word, label, score in zip(
        encoding.offsets, encoding.word_ids, judged.labels, judged.scores, strict=True
    ):
        if start >= end:
            continue
        if current is None or word != number:
            if current is not None:
                yield current
            current, number = Word(Span(start, end), label, score), word
        else:
            best = (label, score) if score > current.score else current[1:]
            current = Word(Span(current.span.start, max(end, current.span.end)), *best)
    if current is not None:
        yield current


def decode(text: str, words: Iterator[Word], names: Sequence[str]) -> list[Labelled]:
    """Spans from words labelled by BIO, BILOU, BIOES or bare labels, only white space between words of one.

    A word that continues a label (I, L, E) which did not begin begins it: models do leave the B out.
    """
    found: list[Labelled] = []
    open_ = False
    scores: list[float] = []
    for word in words:
        prefix, label = split_label(names[word.label])
        if label is None:
            open_ = False
            continue
        goes_on = (
            open_
            and prefix in ("I", "L", "E", "")
            and found[-1].label == label
            and text[found[-1].span.end : word.span.start].strip() == ""
        )
        scores = [*scores, word.score] if goes_on else [word.score]
        start = found.pop().span.start if goes_on else word.span.start
        found.append(Labelled(Span(start, word.span.end), label, sum(scores) / len(scores)))
        open_ = prefix not in ("L", "E", "U", "S")
    return found


def split_label(name: str) -> tuple[str, str | None]:
    """A label's place in the scheme ("" without one) and its name, None for "outside".

    >>> split_label("B-PATIENT"), split_label("PATIENT"), split_label("O")
    (('B', 'PATIENT'), ('', 'PATIENT'), ('', None))
    """
    if name == "O":
        return "", None
    match = _PREFIXED.match(name)
    return (match[1], name[match.end() :]) if match else ("", name)


def _special_tokens(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The ids the tokenizer sets before and behind a text."""
    bare = tokenizer.encode("a", add_special_tokens=False).ids
    whole = tokenizer.encode("a", add_special_tokens=True).ids
    for at in range(len(whole) - len(bare) + 1):
        if whole[at : at + len(bare)] == bare:
            return whole[:at], whole[at + len(bare) :]
    return [], []
