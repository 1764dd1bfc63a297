"""A PEFT adapter on its base: unmerged, as it would be deployed, and whole or not at all."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from phiscan.artefacts import ADAPTER, read_json
from phiscan.errors import BackendError
from phiscan.protocols import ModelSource

_BEFORE = "base_model.model."
"""What peft writes before the name of a module of the base."""

Shapes = Mapping[str, tuple[int, ...]]
"""Shape of every tensor in a file, by its name there."""


def with_adapter(base: Any, source: ModelSource) -> Any:
    """The adapter of ``source`` on ``base``, which is changed; in evaluation mode.

    A base with fewer or more tokens than the adapter was trained with is resized first, as a deployment
    would. BackendError, naming the argument, where anything of the adapter is missing or has no place.
    """
    from peft import PeftModel

    folder, argument = str(source.adapter), source.adapter_argument
    shapes = _shapes(Path(folder), argument)
    _check_sizes(Path(folder), shapes, argument)
    _resize(base, shapes, argument)
    device = str(base.device)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = PeftModel.from_pretrained(base, folder, torch_device=device)
            # Once more, for what the first does not tell.
            loaded = model.load_adapter(folder, "default", torch_device=device)
        except Exception as error:
            lost = isinstance(error, KeyError) and str(error.args[0]).startswith(_BEFORE)
            found = f"does not fit the model ({type(error).__name__})"
            # A module that is saved whole is looked up by its name.
            raise BackendError(f"{argument}: the adapter {'lacks weights' if lost else found}") from None
    # peft only warns when weights are missing, and then audits a model nobody would deploy.
    if any("missing adapter keys" in str(warning.message).casefold() for warning in caught):
        raise BackendError(f"{argument}: the adapter lacks weights")
    if not model.active_peft_config.is_prompt_learning and _without_place(loaded.unexpected_keys, base):
        raise BackendError(f"{argument}: the adapter holds weights that have no place in the model")
    return model.eval()


def _without_place(keys: list[str], base: Any) -> bool:
    """Whether any of ``keys`` is left over. Of a resized embedding peft itself writes more than it reads."""
    inside = tuple(f"{_BEFORE}{name}." for name in _embeddings(base))
    return any(not key.startswith(inside) for key in keys)


def _shapes(folder: Path, argument: str) -> Shapes:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(folder / "adapter_model.safetensors", framework="pt") as file:
            return {key: tuple(file.get_slice(key).get_shape()) for key in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError):
        raise BackendError(f"{argument}: the adapter's weights cannot be read") from None


def _check_sizes(folder: Path, shapes: Shapes, argument: str) -> None:
    """What adapter_config.json makes room for must be of a size that stands in the weights."""
    config = read_json(folder / ADAPTER)
    if config is None:
        raise BackendError(f"{argument}: {ADAPTER} cannot be read")
    if config.get("megatron_config") is not None:
        raise BackendError(f"{argument}: {ADAPTER} asks for code of another library, which is never loaded")
    ranks = config.get("rank_pattern")
    sizes = [config.get(name) for name in ("r", "num_virtual_tokens")]
    sizes += list(ranks.values()) if isinstance(ranks, dict) else [ranks]
    most = max((size for shape in shapes.values() for size in shape), default=0)
    if not all(size is None or (isinstance(size, int) and size <= most) for size in sizes):
        raise BackendError(f"{argument}: {ADAPTER} does not describe the weights beside it")


def _resize(base: Any, shapes: Shapes, argument: str) -> None:
    """Give ``base`` as many tokens as the adapter has embeddings for, if it has any."""
    wanted, whole = _tokens(base, shapes)
    rows = base.get_input_embeddings().weight.shape[0]
    if wanted <= {rows}:
        return
    if len(wanted) > 1:
        raise BackendError(f"{argument}: the adapter's embeddings are of different vocabularies")
    [tokens] = wanted
    names = _embeddings(base)
    if tokens > rows and not whole.issuperset(names[:1] if base.config.tie_word_embeddings else names):
        raise BackendError(
            f"{argument}: the adapter was trained with {tokens} tokens and its base has {rows}; the "
            "embeddings of the others are not in it"
        )
    base.resize_token_embeddings(tokens, mean_resizing=False)


def _tokens(base: Any, shapes: Shapes) -> tuple[set[int], set[str]]:
    """Sizes of the vocabularies that the adapter's tensors speak of, and the embeddings it holds whole."""
    found, whole = set(), set()
    for key, shape in shapes.items():
        for name in _embeddings(base):
            part = key.removeprefix(f"{_BEFORE}{name}.")
            if part == key:
                continue
            if part == "lora_embedding_A":
                found.add(shape[-1])
            elif part == "lora_B.weight" or ("lora_" not in part and part.endswith("weight")):
                found.add(shape[0])
                whole |= {name} if "lora_" not in part else set()
    return found, whole


def _embeddings(base: Any) -> list[str]:
    """Names of the modules that tokens go in and, where it is another, come out by."""
    ends = [base.get_input_embeddings(), base.get_output_embeddings()]
    names = {id(module): name for name, module in base.named_modules()}
    return list(dict.fromkeys(names[id(end)] for end in ends if end is not None))
