"""Weights from files: safetensors only, no remote code, and nothing that is not wholly there."""

from __future__ import annotations

import hashlib
import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM
from transformers.utils import logging as hf_logging

from phiscan.errors import BackendError
from phiscan.protocols import BackendSettings, ModelSource
from phiscan.resources import is_folder
from phiscan.tokenizer import load_tokenizer

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
MEMORY = (torch.OutOfMemoryError, MemoryError)
"""What is raised when memory runs out."""


def check_weights(model: str, argument: str, config: str = "config.json") -> None:
    """Refuse a directory that holds no safetensors weights; a hub id is left to the hub.

    Pickled weights run code when they are loaded, so they are never read.
    """
    folder = Path(model)
    if not is_folder(model) and is_hub_id(model):
        return
    if not is_folder(model):
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


def is_cached(model: str) -> bool:
    """True if the hub's local cache holds a model of this name."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        return isinstance(try_to_load_from_cache(model, "config.json"), str)
    except HFValidationError:
        return False


def is_hub_id(model: str) -> bool:
    """True if ``model`` can only be a name on the hub, no path."""
    return not model.startswith((".", "/", "~")) and model.count("/") <= 1 and bool(model.strip())


def tokenizer_of(source: ModelSource, *, download: bool) -> Any:
    """The adapter's tokenizer if it brings one (it may have new tokens), else the model's."""
    if source.adapter and any(Path(source.adapter).glob("tokenizer*")):
        return load_tokenizer(source.adapter, source.adapter_argument)
    return load_tokenizer(source.model, source.argument, download=download)


def load_model(source: ModelSource, settings: BackendSettings, device: torch.device) -> tuple[Any, Any]:
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
    except MEMORY:
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


def digest(folder: Path, pattern: str) -> str | None:
    """SHA-256 over the matching files in name order; None for a model that is not a directory."""
    if not folder.is_dir():
        return None
    total = hashlib.sha256()
    for path in sorted(folder.glob(pattern)):
        with path.open("rb") as file:
            total.update(hashlib.file_digest(file, "sha256").digest())
    return total.hexdigest()


@contextmanager
def quiet() -> Iterator[None]:
    """No progress bars or advice on the terminal while a model loads."""
    level = hf_logging.get_verbosity()
    hf_logging.set_verbosity_error()
    hf_logging.disable_progress_bar()
    logging.getLogger("transformers").setLevel(logging.ERROR)
    try:
        yield
    finally:
        hf_logging.set_verbosity(level)
