"""What a directory that is called a model holds: a whole model, an adapter, or what a training left.

Told from the names of its files and from small JSON files, before any weights are read. Nothing pickled
is ever opened: optimizer states and random states may lie about.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

from phiscan.errors import BackendError
from phiscan.protocols import ModelSource
from phiscan.resources import is_folder

MODEL, ADAPTER = "config.json", "adapter_config.json"
"""The files by which a whole model and a PEFT adapter are known."""

_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl")
_TOKENIZERS = ("tokenizer*", "vocab.*", "*.model", "*.tiktoken")
_CHECKPOINT = re.compile(r"checkpoint-([0-9]{1,18})")
_LARGEST_JSON = 1 << 24
_NAME_BOTH = "give that model as --model and the adapter as --adapter"


def resolve(source: ModelSource, *, download: bool) -> ModelSource:
    """The directories to load: a whole model (or its hub id), and the adapter that goes on it, if any.

    ``source.model`` may be an adapter, whose base its adapter_config.json names, or the output of a training
    with one checkpoint and no final model. BackendError, naming the argument, for what cannot be used
    or is not clear.
    """
    if not is_folder(source.model):
        _check_hub_id(source.model, source.argument, download)
        folder = None
    else:
        folder = _deployed(Path(source.model), source.argument)
    if source.adapter is not None:
        return _on_base(source, folder)
    if folder is None:
        return source
    if not _is_adapter(folder, source.argument):
        check_weights(str(folder), source.argument)
        return source._replace(model=str(folder))
    check_weights(str(folder), source.argument, ADAPTER)
    base, named = _base_of(folder, source.argument), f"{source.argument} (the adapter's base model)"
    if is_folder(base):
        check_weights(base, named)
    elif not (download or is_cached(base)):
        raise BackendError(
            f"{source.argument}: an adapter, and its base model {base} is not in the local cache "
            f"(model.download = true fetches it), or {_NAME_BOTH}"
        )
    return ModelSource(base, str(folder), named, source.argument)


def _on_base(source: ModelSource, folder: Path | None) -> ModelSource:
    """Model and adapter as they were named: the base in the adapter's own file is of no consequence."""
    if folder is not None:
        if _is_adapter(folder, source.argument):
            raise BackendError(
                f"{source.argument}: an adapter itself, and {source.adapter_argument} names one; give the "
                f"base model, or the one adapter alone as {source.argument}"
            )
        check_weights(str(folder), source.argument)
    if not is_folder(source.adapter or ""):
        raise BackendError(f"{source.adapter_argument}: no such directory")
    adapter = _deployed(Path(source.adapter or ""), source.adapter_argument, (ADAPTER,))
    check_weights(str(adapter), source.adapter_argument, ADAPTER)
    return source._replace(
        model=source.model if folder is None else str(folder),
        adapter=str(adapter),
    )


def _deployed(folder: Path, argument: str, known_by: tuple[str, ...] = (MODEL, ADAPTER)) -> Path:
    """``folder`` where a training ended with a model in it, else its only checkpoint.

    A folder with neither is returned too: what it lacks is said where its weights are checked.
    """
    if any(_has(folder, name) for name in known_by):
        return folder
    steps = _checkpoints(folder, argument, known_by)
    if len(steps) > 1:
        best = _best_step(folder, max(steps, key=int))
        hint = f"; by the training's own measure step {best} was the best" if best in steps else ""
        raise BackendError(
            f"{argument}: {len(steps)} checkpoints of a training and no final model; name the one that is "
            f"deployed{hint}"
        )
    return folder / f"checkpoint-{steps[0]}" if steps else folder


def _checkpoints(folder: Path, argument: str, known_by: tuple[str, ...]) -> list[str]:
    """Steps of the checkpoints in ``folder``, as their names say them."""
    try:
        found = [_CHECKPOINT.fullmatch(name) for name in os.listdir(folder)]  # noqa: PTH208 - names only
    except OSError:
        raise BackendError(f"{argument}: the directory cannot be read") from None
    return [match[1] for match in found if match and any(_has(folder / match[0], name) for name in known_by)]


def _best_step(folder: Path, newest: str) -> str | None:
    """Step of the checkpoint that the training called its best one; None if it does not say."""
    for place in (folder, folder / f"checkpoint-{newest}"):
        best = (read_json(place / "trainer_state.json") or {}).get("best_model_checkpoint")
        name = re.split(r"[/\\]", best.rstrip("/\\"))[-1] if isinstance(best, str) else ""
        if match := _CHECKPOINT.fullmatch(name):
            return match[1]
    return None


def _is_adapter(folder: Path, argument: str) -> bool:
    """True for an adapter; BackendError for an adapter and a whole model in one."""
    if not _has(folder, ADAPTER):
        return False
    if _has(folder, MODEL) and _names_only_safetensors(folder, MODEL):
        # transformers would put the one on the other without a word.
        raise BackendError(
            f"{argument}: the directory holds a whole model and an adapter; give the one that is "
            "deployed by itself, or each by itself"
        )
    return True


def _base_of(folder: Path, argument: str) -> str:
    """Directory or hub id of the model that the adapter in ``folder`` says it was trained on."""
    config = read_json(folder / ADAPTER)
    if config is None:
        raise BackendError(f"{argument}: {ADAPTER} cannot be read")
    base = config.get("base_model_name_or_path")
    if not isinstance(base, str) or not base.strip():
        raise BackendError(f"{argument}: {ADAPTER} names no base model; {_NAME_BOTH}")
    if is_folder(base):
        if _has(Path(base), ADAPTER):
            raise BackendError(f"{argument}: the base model that {ADAPTER} names holds an adapter itself")
        return base
    if not is_hub_id(base):
        raise BackendError(f"{argument}: the base model that {ADAPTER} names is not there; {_NAME_BOTH}")
    if config.get("revision") not in (None, "main"):
        raise BackendError(
            f"{argument}: {ADAPTER} names a revision of its base model {base}; download it, and {_NAME_BOTH}"
        )
    return base


def _check_hub_id(model: str, argument: str, download: bool) -> None:
    if not is_hub_id(model):
        raise BackendError(f"{argument}: no such directory")
    if not (download or is_cached(model)):
        raise BackendError(
            f"{argument}: no such directory, and no model of that name in the local cache "
            "(model.download = true fetches one)"
        )


def check_weights(folder: str, argument: str, config: str = MODEL) -> None:
    """Refuse a directory that holds no safetensors weights.

    Pickled weights run code when they are loaded, so they are never read.
    """
    place = Path(folder)
    if not _has(place, config):
        raise BackendError(f"{argument}: the directory has no {config}")
    if _names_only_safetensors(place, config):
        return
    if any(found for pattern in _PICKLES for found in place.glob(pattern)):
        raise BackendError(
            f"{argument}: the directory has only pickled weights, which can run code when loaded; "
            "convert them to safetensors"
        )
    raise BackendError(f"{argument}: the directory holds no weights (*.safetensors)")


def _names_only_safetensors(folder: Path, config: str) -> bool:
    """True if what will be loaded is safetensors, whatever else lies in the folder."""
    if config == ADAPTER:
        return _has(folder, "adapter_model.safetensors")  # peft knows no parts
    if _has(folder, "model.safetensors"):
        return True
    index = read_json(folder / "model.safetensors.index.json")
    files = (index or {}).get("weight_map")
    return (
        isinstance(files, dict)
        and bool(files)
        and all(isinstance(name, str) and name.endswith(".safetensors") for name in files.values())
    )


def brings_tokenizer(folder: str) -> bool:
    """True if the files of a tokenizer lie in ``folder``."""
    return any(found for pattern in _TOKENIZERS for found in Path(folder).glob(pattern))


def model_config(model: str) -> dict[str, Any] | None:
    """What config.json of a directory, or of a hub id in the local cache, says; None if there is none."""
    if is_folder(model):
        return read_json(Path(model) / MODEL)
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(model, MODEL)
    return read_json(Path(found)) if isinstance(found, str) else None


def is_cached(model: str) -> bool:
    """True if the hub's local cache holds a model of this name."""
    return is_hub_id(model) and model_config(model) is not None


def is_hub_id(model: str) -> bool:
    """True if ``model`` can be a name on the hub, and so is no path that leads elsewhere."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    try:
        validate_repo_id(model)
    except HFValidationError:
        return False
    return True


def read_json(path: Path) -> dict[str, Any] | None:
    """The object in a file of at most 16 MB; None where there is none that can be read."""
    try:
        if not path.is_file() or path.stat().st_size > _LARGEST_JSON:
            return None
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _has(folder: Path, name: str) -> bool:
    return os.path.isfile(folder / name)  # noqa: PTH113 - Path raises for a folder that may not be entered
