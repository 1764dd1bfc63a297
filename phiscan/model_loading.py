"""Weights from files: safetensors only, no remote code, and nothing that is not wholly there."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.utils import logging as hf_logging

from phiscan.adapters import with_adapter
from phiscan.artefacts import brings_tokenizer, resolve
from phiscan.errors import BackendError
from phiscan.protocols import BackendSettings, ModelSource
from phiscan.quantization import check_four_bit, is_four_bit, nf4
from phiscan.resources import is_folder
from phiscan.tokenizer import load_tokenizer

MEMORY = (torch.OutOfMemoryError, MemoryError)
"""What is raised when memory runs out."""

_UNLOADABLE = "{}: not a causal language model that can be loaded without remote code ({})"
_WHOLE = 'leave it at "none" to ask the model with whole weights, which is then not what is deployed'
_LEAST_SHARE = 0.5
"""Of a model's embeddings that its own tokenizer uses, and of a base's tokens that an adapter's keeps."""


def checked(source: ModelSource, settings: BackendSettings) -> ModelSource:
    """What :func:`load_model` is to load; BackendError for what can be refused before weights are read."""
    source = resolve(source, download=settings.download)
    _quantized(_config_of(source, settings), source, settings, device_of(settings.device))
    return source


def tokenizer_of(source: ModelSource, *, download: bool) -> Any:
    """The adapter's tokenizer if it brings one (it may have new tokens), else the model's."""
    if source.adapter and brings_tokenizer(source.adapter):
        return load_tokenizer(source.adapter, source.adapter_argument)
    if is_folder(source.model) and not brings_tokenizer(source.model):
        raise BackendError(f"{source.argument}: the directory holds no tokenizer; save the model's into it")
    return load_tokenizer(source.model, source.argument, download=download)


def check_tokenizer(tokenizer: Any, base: Any, source: ModelSource, *, download: bool) -> None:
    """Refuse a tokenizer that is plainly not that of ``base``, which has its adapter's size by now."""
    adapted = source.adapter is not None and brings_tokenizer(source.adapter)
    argument = source.adapter_argument if adapted else source.argument
    ids, rows = tokenizer.get_vocab(), base.get_input_embeddings().weight.shape[0]
    if max(ids.values(), default=0) >= rows:
        raise BackendError(f"{argument}: the tokenizer has more tokens ({len(ids)}) than the model ({rows})")
    if len(ids) < _LEAST_SHARE * rows:
        raise BackendError(
            f"{argument}: the tokenizer is another model's: it has {len(ids)} tokens and the model {rows}"
        )
    if not adapted or (is_folder(source.model) and not brings_tokenizer(source.model)):
        return
    theirs = load_tokenizer(source.model, source.argument, download=download).get_vocab()
    if sum(ids.get(token) == number for token, number in theirs.items()) < _LEAST_SHARE * len(theirs):
        raise BackendError(f"{argument}: the adapter's tokenizer is another one than its base model's")


def load_model(source: ModelSource, settings: BackendSettings, device: torch.device) -> tuple[Any, Any]:
    """The model to ask and its base (the same object without an adapter)."""
    config = _config_of(source, settings)
    quantized = _quantized(config, source, settings, device)
    try:
        base, loading = AutoModelForCausalLM.from_pretrained(
            source.model,
            config=config,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=not settings.download,
            output_loading_info=True,
            **(quantized or {"dtype": _dtype(settings.dtype, device)}),
        )
    except MEMORY:
        raise BackendError(f"{source.argument}: the model does not fit into memory") from None
    except Exception as error:
        raise BackendError(_UNLOADABLE.format(source.argument, type(error).__name__)) from None
    # Weights that do not fit the architecture would leave parts of it random: nobody deploys that.
    if any(loading[kind] for kind in ("missing_keys", "unexpected_keys", "mismatched_keys")):
        raise BackendError(f"{source.argument}: the weights do not fit the model that config.json describes")
    if getattr(base, "_hf_peft_config_loaded", False):  # by transformers, from the same place
        raise BackendError(f"{source.argument}: an adapter lies with the model; give each by itself")
    base.eval()
    if not quantized:
        base.to(device)
    return (with_adapter(base, source) if source.adapter else base), base


def _config_of(source: ModelSource, settings: BackendSettings) -> Any:
    try:
        return AutoConfig.from_pretrained(
            source.model, trust_remote_code=False, local_files_only=not settings.download
        )
    except Exception as error:
        raise BackendError(_UNLOADABLE.format(source.argument, type(error).__name__)) from None


def _quantized(
    config: Any, source: ModelSource, settings: BackendSettings, device: torch.device
) -> dict[str, Any]:
    """Options that load the model in 4 bits, where its files or the setting say so; empty where not."""
    already = is_four_bit(getattr(config, "quantization_config", None), source.argument)
    if not already and settings.quantization == "none":
        return {}
    if already and settings.quantization != "none":
        raise BackendError(
            f'[model] quantization: {source.argument} is in 4 bits already; leave it at "none"'
        )
    if already:
        blame, otherwise = source.argument, "name the model it was made from"
    else:
        blame, otherwise = "[model] quantization", _WHOLE
    check_four_bit(config, blame=blame, device=device.type, otherwise=otherwise)
    if settings.dtype == "float32":
        raise BackendError("[model] dtype: a model in 4 bits does not compute in float32; leave it at auto")
    dtype = torch.bfloat16 if settings.dtype == "auto" else _dtype(settings.dtype, device)
    made = {} if already else {"quantization_config": nf4()}
    return {"dtype": dtype, "device_map": {"": device}, **made}


def device_of(wanted: str) -> torch.device:
    """The device of the setting; BackendError if this machine has none."""
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


def digest(folder: Path, *patterns: str) -> str | None:
    """SHA-256 over the matching files in name order; None for a model that is not a directory."""
    if not folder.is_dir():
        return None
    total = hashlib.sha256()
    for path in sorted(found for pattern in patterns for found in folder.glob(pattern)):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


@contextmanager
def quiet() -> Iterator[None]:
    """No progress bars or advice on the terminal while a model loads."""
    level = hf_logging.get_verbosity()
    hf_logging.set_verbosity_error()
    hf_logging.disable_progress_bar()
    for name in ("transformers", "bitsandbytes"):
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        yield
    finally:
        hf_logging.set_verbosity(level)
