"""Any causal language model that transformers loads: safetensors only, no remote code.

The artefact is asked as it would be deployed: a PEFT adapter stays unmerged on its base. Decoding
is greedy, whatever generation settings the model directory brings along. Batches are padded on
the left and sorted by length; a batch that runs out of memory is halved, never dropped.
"""

from __future__ import annotations

import copy
import gc
import hashlib
import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
)
from transformers.utils import logging as hf_logging

from phiscan.errors import BackendError
from phiscan.protocols import BackendSettings, Generated, ModelSource, Tokens
from phiscan.records import Stop
from phiscan.scan_report import ModelIdentity
from phiscan.tokenizer import ends_of_tokens, leading_ids, load_tokenizer, tokenize

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_MEMORY = (torch.OutOfMemoryError, MemoryError)


def build(source: ModelSource, settings: BackendSettings) -> TransformersBackend:
    """Load the model; BackendError, naming the argument, if it cannot be used."""
    check_weights(source.model, source.argument)
    if not Path(source.model).exists() and not (settings.download or _is_cached(source.model)):
        raise BackendError(
            f"{source.argument}: no such directory, and no model of that name in the local cache "
            "(model.download = true fetches one)"
        )
    if source.adapter:
        if not Path(source.adapter).is_dir():
            raise BackendError(f"{source.adapter_argument}: no such directory")
        check_weights(source.adapter, source.adapter_argument, "adapter_config.json")
    if settings.threads:
        torch.set_num_threads(settings.threads)
    with _quiet():
        return TransformersBackend(source, settings)


def check_weights(model: str, argument: str, config: str = "config.json") -> None:
    """Refuse a directory that holds no safetensors weights; a hub id is left to the hub.

    Pickled weights run code when they are loaded, so they are never read.
    """
    folder = Path(model)
    if not folder.exists() and _is_hub_id(model):
        return
    if not folder.is_dir():
        raise BackendError(f"{argument}: no such directory")
    if not (folder / config).is_file():
        raise BackendError(f"{argument}: the directory has no {config}")
    if _names_only_safetensors(folder, config):
        return
    if any(found for pattern in _PICKLES for found in folder.glob(pattern)):
        raise BackendError(
            f"{argument}: the directory has only pickled weights, which can run code when loaded; "
            "convert them to safetensors"
        )
    raise BackendError(f"{argument}: the directory holds no weights (*.safetensors)")


def _names_only_safetensors(folder: Path, config: str) -> bool:
    """True if what will be loaded is safetensors, whatever else lies in the folder."""
    stem = "adapter_model" if config == "adapter_config.json" else "model"
    if (folder / f"{stem}.safetensors").is_file():
        return True
    try:
        index = json.loads((folder / f"{stem}.safetensors.index.json").read_text(encoding="utf-8"))
        files = set(index["weight_map"].values())
        return bool(files) and all(name.endswith(".safetensors") for name in files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _is_cached(model: str) -> bool:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        return isinstance(try_to_load_from_cache(model, "config.json"), str)
    except HFValidationError:
        return False


def _is_hub_id(model: str) -> bool:
    return not model.startswith((".", "/", "~")) and model.count("/") <= 1 and bool(model.strip())


class TransformersBackend:
    """See :class:`phiscan.protocols.Backend`."""

    def __init__(self, source: ModelSource, settings: BackendSettings) -> None:
        self._source, self._settings = source, settings
        self._device = _device(settings.device)
        self._tokenizer = _tokenizer(source, download=settings.download)
        self._model, self._base = _load_model(source, settings, self._device)
        self._bos = leading_ids(self._tokenizer)
        self._config = self._greedy_config()
        self.batch_size = settings.batch_size

    def identity(self) -> ModelIdentity:
        """Digests of the files that were loaded, and how they were."""
        model, adapter = Path(self._source.model), self._source.adapter
        return ModelIdentity(
            backend="transformers",
            architecture=type(self._base).__name__,
            parameters=sum(p.numel() for p in self._base.parameters()),
            vocabulary=len(self._tokenizer),
            weights_sha256=_digest(model, "*.safetensors"),
            adapter_sha256=_digest(Path(adapter), "*.safetensors") if adapter else None,
            tokenizer_sha256=hashlib.sha256(self._tokenizer.backend_tokenizer.to_str().encode()).hexdigest(),
            dtype=str(self._base.dtype).removeprefix("torch."),
            device=self._device.type,
            batch_size=self.batch_size,
            threads=torch.get_num_threads() if self._device.type == "cpu" else None,
        )

    def tokenize(self, texts: Sequence[str]) -> list[Tokens]:
        """Whole texts, special tokens left out."""
        return tokenize(self._tokenizer, texts)

    def generate(self, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> list[Generated | None]:
        """Continue each prompt greedily; None where one prompt alone outgrows the memory."""
        made: list[Generated | None] = [None] * len(prompts)
        pending = _batches(sorted(range(len(prompts)), key=lambda i: len(prompts[i])), self.batch_size)
        while pending:
            batch = pending.pop(0)
            try:
                for i, answer in zip(
                    batch, self._generate_batch([prompts[i] for i in batch], max_new_tokens), strict=True
                ):
                    made[i] = answer
            except _MEMORY:
                gc.collect()
                if self._device.type == "cuda":
                    torch.cuda.empty_cache()
                if len(batch) > 1:
                    self.batch_size = (len(batch) + 1) // 2
                    pending = _batches(batch, self.batch_size) + pending
        return made

    def _generate_batch(self, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> list[Generated]:
        rows = [[*self._bos, *prompt] for prompt in prompts]
        width = max(len(row) for row in rows)
        pad = self._config.pad_token_id
        ids = torch.tensor([[pad] * (width - len(row)) + row for row in rows], device=self._device)
        mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows], device=self._device)
        scores = _GreedyScores()
        config = copy.deepcopy(self._config)
        config.max_new_tokens = max_new_tokens
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=ids,
                attention_mask=mask,
                generation_config=config,
                logits_processor=LogitsProcessorList([scores]),
            )
        logprobs = scores.logprobs()
        return [
            self._generated(prompt, new, row_scores)
            for prompt, new, row_scores in zip(prompts, out[:, width:].tolist(), logprobs, strict=True)
        ]

    def _generated(self, prompt: Sequence[int], new: list[int], logprobs: list[float]) -> Generated:
        ends = self._config.eos_token_id or []
        length = next((i for i, token in enumerate(new) if token in ends), len(new))
        stop: Stop = "eos" if length < len(new) else "length"
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


class _GreedyScores(LogitsProcessor):  # type: ignore[misc]
    """Notes the log-probability of the greedy token at each step, without keeping the scores."""

    def __init__(self) -> None:
        self._steps: list[torch.Tensor] = []

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        best = scores.max(dim=-1).values.float() - torch.logsumexp(scores.float(), dim=-1)
        self._steps.append(best.cpu())
        return scores

    def logprobs(self) -> list[list[float]]:
        """One list a row, one value a generated token."""
        return torch.stack(self._steps, dim=1).tolist()


def _tokenizer(source: ModelSource, *, download: bool) -> Any:
    """The adapter's tokenizer if it brings one (it may have new tokens), else the model's."""
    if source.adapter and any(Path(source.adapter).glob("tokenizer*")):
        return load_tokenizer(source.adapter, source.adapter_argument)
    return load_tokenizer(source.model, source.argument, download=download)


def _load_model(source: ModelSource, settings: BackendSettings, device: torch.device) -> tuple[Any, Any]:
    """The model to ask and its base (the same object without an adapter)."""
    local = not settings.download
    try:
        config = AutoConfig.from_pretrained(source.model, trust_remote_code=False, local_files_only=local)
        base, loading = AutoModelForCausalLM.from_pretrained(
            source.model,
            config=config,
            dtype=_dtype(settings.dtype, device),
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=local,
            output_loading_info=True,
        )
    except _MEMORY:
        raise BackendError(f"{source.argument}: the model does not fit into memory") from None
    except Exception as error:
        raise BackendError(
            f"{source.argument}: not a causal language model that can be loaded without remote code "
            f"({type(error).__name__})"
        ) from None
    # Weights that do not fit the architecture would leave parts of it random: nobody deploys that.
    if any(loading[kind] for kind in ("missing_keys", "unexpected_keys", "mismatched_keys")):
        raise BackendError(f"{source.argument}: the weights do not fit the model that config.json describes")
    base.eval().to(device)
    if not source.adapter:
        return base, base
    return _with_adapter(base, source), base


def _with_adapter(base: Any, source: ModelSource) -> Any:
    from peft import PeftModel

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = PeftModel.from_pretrained(base, source.adapter)
        except Exception as error:
            raise BackendError(
                f"{source.adapter_argument}: the adapter does not fit the model ({type(error).__name__})"
            ) from None
    # peft only warns when weights are missing, and then audits a model nobody would deploy.
    if any("missing adapter keys" in str(warning.message).casefold() for warning in caught):
        raise BackendError(f"{source.adapter_argument}: weights of the adapter are missing")
    return model.eval()


def _device(wanted: str) -> torch.device:
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        raise BackendError("[model] device: this machine has no CUDA device")
    try:
        return torch.device(wanted)
    except RuntimeError:
        raise BackendError("[model] device: no such device") from None


def _dtype(wanted: str, device: torch.device) -> torch.dtype | str:
    if wanted == "auto":
        return torch.float32 if device.type == "cpu" else "auto"
    return getattr(torch, wanted)  # type: ignore[no-any-return]


def _digest(folder: Path, pattern: str) -> str | None:
    """SHA-256 over the matching files in name order; None for a model that is not a directory."""
    if not folder.is_dir():
        return None
    total = hashlib.sha256()
    for path in sorted(folder.glob(pattern)):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


def _batches(items: Sequence[int], size: int) -> list[list[int]]:
    return [list(items[i : i + size]) for i in range(0, len(items), size)]


@contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars or advice on the terminal while a model loads."""
    level = hf_logging.get_verbosity()
    hf_logging.set_verbosity_error()
    hf_logging.disable_progress_bar()
    logging.getLogger("transformers").setLevel(logging.ERROR)
    try:
        yield
    finally:
        hf_logging.set_verbosity(level)
