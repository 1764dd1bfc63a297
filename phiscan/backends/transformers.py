"""Any causal language model that transformers loads: safetensors only, no remote code.

The artefact is asked as it would be deployed: a PEFT adapter stays unmerged on its base. Decoding
is greedy or as asked for, whatever generation settings the model directory brings along. Batches are
sorted by length, padded on the left to generate and on the right to score; one that runs out of memory is
halved, never dropped.
"""

from __future__ import annotations

import copy
import gc
import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import torch
from transformers import GenerationConfig, LogitsProcessor, LogitsProcessorList

from phiscan.artefacts import ADAPTER
from phiscan.batch_decoding import cut_at_end, decode, left_padded
from phiscan.causal_model import CausalModel
from phiscan.model_loading import (
    MEMORY,
    check_tokenizer,
    checked,
    device_of,
    digest,
    load_model,
    quiet,
    tokenizer_of,
)
from phiscan.nested_prompts import Answer, ask_nested
from phiscan.protocols import BackendSettings, Decoding, Generated, ModelSource, Scores, Tokens
from phiscan.quantization import described
from phiscan.records import Stop
from phiscan.sampling import Choose, GumbelMax, take_best
from phiscan.scan_report import ModelIdentity
from phiscan.score_plan import plan_branches, plan_rows, whole_scores
from phiscan.scoring import SharedContext, read_rows
from phiscan.tokenizer import chat_opening, ends_of_tokens, leading_ids, tokenize

_SCORED_AT_ONCE = 8192
"""Positions of a batch of scored texts, padding included: memory of a CPU gives no warning."""

T = TypeVar("T")


def preflight(source: ModelSource, settings: BackendSettings) -> None:
    """BackendError, naming the argument, for what cannot be used whatever its weights are."""
    with quiet():
        checked(source, settings)


def build(source: ModelSource, settings: BackendSettings) -> TransformersBackend:
    """Load the model; BackendError, naming the argument, if it cannot be used."""
    with quiet():
        source = checked(source, settings)
        if settings.threads:
            torch.set_num_threads(settings.threads)
        return TransformersBackend(source, settings)


class TransformersBackend:
    """See :class:`phiscan.protocols.ScoringBackend`."""

    def __init__(self, source: ModelSource, settings: BackendSettings) -> None:
        self._source = source
        tokenizer = tokenizer_of(source, download=settings.download)
        model, base = load_model(source, settings, device_of(settings.device))
        check_tokenizer(tokenizer, base, source, download=settings.download)
        self._take(model, base, tokenizer, settings.batch_size)

    def _take(self, model: Any, base: Any, tokenizer: Any, batch_size: int) -> None:
        """Ask ``model``, which is ``base`` or wraps it."""
        self._model, self._base, self._tokenizer, self._device = model, base, tokenizer, base.device
        self._causal = CausalModel(model, base)
        self._bos = leading_ids(tokenizer)
        self._config = self._greedy_config()
        self._ends: list[int] = self._config.eos_token_id or []
        self.batch_size = batch_size

    def identity(self) -> ModelIdentity:
        """Digests of the files that were loaded, and how they were."""
        model, adapter = Path(self._source.model), self._source.adapter
        return self._identity(
            weights=digest(model, "*.safetensors"),
            adapter=digest(Path(adapter), ADAPTER, "*.safetensors") if adapter else None,
        )

    def _identity(self, *, weights: str | None, adapter: str | None) -> ModelIdentity:
        return ModelIdentity(
            backend="transformers",
            architecture=type(self._base).__name__,
            parameters=self._base.num_parameters(),
            vocabulary=len(self._tokenizer),
            weights_sha256=weights,
            adapter_sha256=adapter,
            tokenizer_sha256=hashlib.sha256(self._tokenizer.backend_tokenizer.to_str().encode()).hexdigest(),
            dtype=str(self._base.dtype).removeprefix("torch."),
            device=self._device.type,
            quantization=described(self._base),
            batch_size=self.batch_size,
            threads=torch.get_num_threads() if self._device.type == "cpu" else None,
        )

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Whole texts, special tokens left out."""
        return tokenize(self._tokenizer, texts)

    def generate(self, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> list[Generated | None]:
        """Continue each prompt greedily; None where one prompt alone outgrows the memory."""

        def ask(asked: Sequence[Sequence[int]]) -> list[Answer | None]:
            return self._in_batches(
                [len(prompt) for prompt in asked],
                lambda batch: self._generate_batch([asked[i] for i in batch], max_new_tokens),
            )

        # Only in float32 is an answer the same in whichever batch it is made.
        nested = self._causal.is_float32
        made = ask_nested(prompts, ask, self._ends, at_once=self.batch_size) if nested else ask(prompts)
        return self._all_generated(prompts, made)

    def sample(
        self,
        prompts: Sequence[Sequence[int]],
        max_new_tokens: int,
        *,
        decoding: Decoding,
        seeds: Sequence[int],
    ) -> list[Generated | None]:
        """See :meth:`phiscan.protocols.SamplingBackend.sample`."""

        def ask(batch: list[int]) -> list[Answer]:
            choose = GumbelMax(decoding, [seeds[i] for i in batch], self._device)
            return self._generate_batch([prompts[i] for i in batch], max_new_tokens, choose)

        return self._all_generated(prompts, self._in_batches([len(prompt) for prompt in prompts], ask))

    def opening(self, request: str) -> tuple[str, tuple[int, ...]] | None:
        """See :class:`phiscan.protocols.ChatBackend`."""
        return chat_opening(self._tokenizer, request, self._bos)

    def score(
        self,
        sequences: Sequence[Sequence[int]],
        *,
        at: Sequence[Sequence[int]] | None = None,
        window: int | None = None,
        context: int | None = None,
        decodings: Sequence[Decoding] = (),
    ) -> list[Scores | None]:
        """See :meth:`phiscan.protocols.ScoringBackend.score`; the head runs for the tokens asked for only."""
        size, context = self._window(window, context)
        rows = plan_rows(sequences, at, size=size, context=context, leading=self._bos)
        found = self._in_batches(
            [len(row.ids) for row in rows],
            lambda batch: read_rows(self._causal, [rows[i] for i in batch], decodings),
            positions=_SCORED_AT_ONCE,
        )
        return whole_scores([len(ids) for ids in sequences], rows, found, decodings)

    def score_spans(
        self,
        ids: Sequence[int],
        candidates: Sequence[Sequence[int]],
        *,
        starts: Sequence[int] | None = None,
        window: int | None = None,
        context: int | None = None,
        decodings: Sequence[Decoding] = (),
    ) -> list[Scores | None]:
        """See :meth:`phiscan.protocols.ScoringBackend.score_spans`; one pass over ``ids`` where the
        model's cache allows, one over each candidate with its context otherwise."""
        size, context = self._window(window, context)
        starts = [len(ids)] * len(candidates) if starts is None else starts
        rows = plan_branches(ids, candidates, starts, size=size, context=context, leading=self._bos)
        read = SharedContext(self._causal, rows, decodings).read if self._causal.branches_plainly else None
        found = self._in_batches(
            [len(row.ids) for row in rows],
            read or (lambda batch: read_rows(self._causal, [rows[i] for i in batch], decodings)),
            positions=_SCORED_AT_ONCE,
        )
        return whole_scores([len(candidate) for candidate in candidates], rows, found, decodings)

    def _window(self, window: int | None, context: int | None) -> tuple[int | None, int]:
        sizes = [size for size in (window, self._causal.max_positions) if size is not None]
        size = min(sizes, default=None)
        return size, (size or 0) // 2 if context is None else context

    def _in_batches(
        self, lengths: Sequence[int], ask: Callable[[list[int]], Sequence[T]], positions: int | None = None
    ) -> list[T | None]:
        """What ``ask`` gives for each item, in order; items of like length are asked together.

        A batch that outgrows the memory is halved; None for an item that does so alone.
        """
        made: list[T | None] = [None] * len(lengths)
        pending = sorted(range(len(lengths)), key=lambda i: lengths[i])
        while pending:
            batch = _first_batch(pending, lengths, self.batch_size, positions)
            try:
                for i, answer in zip(batch, ask(batch), strict=True):
                    made[i] = answer
            except MEMORY:
                gc.collect()
                if self._device.type == "cuda":
                    torch.cuda.empty_cache()
                if len(batch) > 1:
                    self.batch_size = (len(batch) + 1) // 2
                    continue
            pending = pending[len(batch) :]
        return made

    def _generate_batch(
        self, prompts: Sequence[Sequence[int]], max_new_tokens: int, choose: Choose = take_best
    ) -> list[Answer]:
        rows = [[*self._bos, *prompt] for prompt in prompts]
        # Measured on CPUs only (tests/bench): elsewhere transformers' own loop stays.
        if self._device.type == "cpu" and self._causal.caches_plainly:
            return decode(self._causal, rows, max_new_tokens, self._ends, choose)
        return self._generate_whole(rows, max_new_tokens, choose)

    def _generate_whole(
        self, rows: Sequence[Sequence[int]], max_new_tokens: int, choose: Choose = take_best
    ) -> list[Answer]:
        """The same by transformers' own loop, for every kind of model and cache."""
        ids, mask = left_padded(rows, 0, self._device, pad=self._config.pad_token_id)
        chosen = _Chosen(choose, torch.arange(len(rows), device=self._device))
        config = copy.deepcopy(self._config)
        config.max_new_tokens = max_new_tokens
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=ids,
                attention_mask=mask,
                generation_config=config,
                logits_processor=LogitsProcessorList([chosen]),
            )
        made = zip(out[:, ids.shape[1] :].tolist(), chosen.logprobs(), strict=True)
        return [cut_at_end(new, logprobs, self._ends) for new, logprobs in made]

    def _all_generated(
        self, prompts: Sequence[Sequence[int]], made: Sequence[Answer | None]
    ) -> list[Generated | None]:
        return [
            None if answer is None else self._generated(prompt, *answer)
            for prompt, answer in zip(prompts, made, strict=True)
        ]

    def _generated(self, prompt: Sequence[int], new: list[int], logprobs: list[float]) -> Generated:
        stop: Stop = "eos" if new and new[-1] in self._ends else "length"
        length = len(new) - (stop == "eos")
        ids = new[:length]
        text, token_ends = ends_of_tokens(self._tokenizer, prompt, ids)
        mean = sum(logprobs[:length]) / length if length else None
        return Generated(ids, token_ends, text, stop, mean)

    def _greedy_config(self) -> GenerationConfig:
        """Greedy and nothing else: a directory's own settings may sample or forbid repetition."""
        theirs = self._base.generation_config
        eos = theirs.eos_token_id if theirs is not None else None
        eos = self._tokenizer.eos_token_id if eos is None else eos
        eos_ids = [] if eos is None else [eos] if isinstance(eos, int) else list(eos)
        pad = self._tokenizer.pad_token_id
        config = GenerationConfig(
            do_sample=False,
            num_beams=1,
            use_cache=True,
            eos_token_id=eos_ids or None,
            pad_token_id=pad if pad is not None else (eos_ids or [0])[0],
        )
        self._base.generation_config = config
        return config


class _Chosen(LogitsProcessor):  # type: ignore[misc]
    """Makes transformers' greedy loop take the token that ``choose`` names, and notes its log-probability."""

    def __init__(self, choose: Choose, rows: torch.Tensor) -> None:
        self._choose, self._rows = choose, rows
        self._steps: list[torch.Tensor] = []

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        tokens, logprobs = self._choose(scores.float(), self._rows, len(self._steps))
        self._steps.append(logprobs.cpu())
        return torch.full_like(scores, -torch.inf).scatter(1, tokens[:, None], 0.0)

    def logprobs(self) -> list[list[float]]:
        """One list a row, one value a generated token."""
        return torch.stack(self._steps, dim=1).tolist()


def _first_batch(pending: list[int], lengths: Sequence[int], size: int, positions: int | None) -> list[int]:
    """The first of ``pending`` (by length): ``size`` items and ``positions`` at most, but one at least."""
    batch = pending[:size]
    while positions is not None and len(batch) > 1 and len(batch) * lengths[batch[-1]] > positions:
        batch.pop()
    return batch
