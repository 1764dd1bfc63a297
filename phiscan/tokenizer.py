"""Loading a fast tokenizer, quietly, and where each token stands in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from phiscan.errors import BackendError
from phiscan.protocols import Tokens

_BROKEN = "\ufffd"
"""What a decoder writes for bytes that are no whole character yet."""
_CONTEXT = 16
"""Tokens before one that tell how it is written: whether a blank goes before it, which character it ends."""


def load_tokenizer(place: str, argument: str, *, download: bool = False) -> Any:
    """The fast tokenizer of a directory or hub id; BackendError naming ``argument`` otherwise.

    Without ``download`` a hub id is looked up in the local cache only.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(
            place, trust_remote_code=False, local_files_only=not download
        )
    except Exception as error:  # the cause may quote paths and file contents
        raise BackendError(f"{argument}: the tokenizer cannot be loaded ({type(error).__name__})") from None
    if not getattr(tokenizer, "is_fast", False):
        raise BackendError(f"{argument}: the tokenizer gives no offsets (a fast one is needed)")
    return tokenizer


@contextmanager
def no_progress_bar() -> Iterator[None]:
    """Models are loaded and saved in here without a bar on the terminal; afterwards all is as before."""
    from transformers.utils import logging

    before = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if before:
            logging.enable_progress_bar()


def tokenize(tokenizer: Any, texts: Sequence[str]) -> list[Tokens]:
    """Whole texts as tokens, special tokens left out."""
    if not texts:
        return []
    coded = tokenizer(list(texts), add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    return [
        Tokens(list(ids), [end for _, end in offsets])
        for ids, offsets in zip(coded["input_ids"], coded["offset_mapping"], strict=True)
    ]


def leading_ids(tokenizer: Any) -> list[int]:
    """The beginning-of-sequence id, if this tokenizer puts one before a text by default."""
    coded = tokenizer("a")["input_ids"]
    bos = tokenizer.bos_token_id
    return [bos] if bos is not None and coded[:1] == [bos] else []


def chat_opening(tokenizer: Any, request: str, leading: Sequence[int]) -> tuple[str, tuple[int, ...]] | None:
    """The chat template up to where the model's turn begins, as text and ids without ``leading``.

    None if the tokenizer has no template.
    """
    if not tokenizer.chat_template:
        return None
    turns = [{"role": "user", "content": request}]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    ids = tuple(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
    return text, ids[len(leading) :] if leading and ids[: len(leading)] == tuple(leading) else ids


def ends_of_tokens(tokenizer: Any, prompt: Sequence[int], ids: Sequence[int]) -> tuple[str, list[int]]:
    """The text that ``ids`` add after ``prompt``, and the code point at which each id ends.

    Decoded with the prompt before it and without clean-up, since many decoders drop a leading
    blank or tidy spaces. When re-encoding the text gives the same ids the encoder's own offsets
    serve; otherwise each token is decoded in turn, behind those before it.
    """
    before = _decode(tokenizer, prompt).rstrip(_BROKEN)
    text = _decode(tokenizer, [*prompt, *ids])[len(before) :]
    coded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
    if coded["input_ids"] == list(ids):
        return text, [end for _, end in coded["offset_mapping"]]
    ends = [min(len(text), end) for end in _ends_in_turn(tokenizer, prompt, ids)]
    if ends:
        ends[-1] = len(text)  # a last, broken character belongs to the last token
    return text, ends


def _ends_in_turn(tokenizer: Any, prompt: Sequence[int], ids: Sequence[int]) -> Iterator[int]:
    """How many characters stand after the prompt with each id, decoded behind a few tokens before it."""
    everything = [*prompt, *ids]
    begin, before, reached = max(0, len(prompt) - _CONTEXT), 0, 0
    held = _shown(tokenizer, everything[begin : len(prompt)])
    for at in range(len(prompt), len(everything)):
        if at - begin > 2 * _CONTEXT:
            begin, before = at - _CONTEXT, reached
            held = _shown(tokenizer, everything[begin:at])
        reached = max(reached, before + _shown(tokenizer, everything[begin : at + 1]) - held)
        yield reached


def _shown(tokenizer: Any, ids: Sequence[int]) -> int:
    """Whole characters that ``ids`` show."""
    return len(_decode(tokenizer, ids).rstrip(_BROKEN))


def _decode(tokenizer: Any, ids: Sequence[int]) -> str:
    decoded: str = tokenizer.decode(list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False)
    return decoded
