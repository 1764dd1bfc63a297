"""Weights in 4 bits (bitsandbytes): where they can be asked, and what they are.

An adapter that was trained on a 4-bit base will be deployed on one, and is asked on one.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from phiscan.errors import BackendError, MissingDependencyError

_LIBRARY = "bitsandbytes"


def check_four_bit(config: Any, *, blame: str, device: str, otherwise: str) -> None:
    """Refuse 4-bit weights that could not be loaded here, before weights or data are read.

    Args:
        config: The model's configuration, as transformers loads it; None leaves its layers unchecked.
        blame: The setting or argument that asks for 4 bits: the message begins with it.
        device: Type of the device that the model would stand on, ``cuda`` or ``cpu``.
        otherwise: What else a user can do, as an order, at the end of the message.

    Raises:
        BackendError: On anything but a CUDA device, or for a model whose layers are Conv1D as GPT-2's.
        MissingDependencyError: Without bitsandbytes.

    """
    if device != "cuda":
        raise BackendError(
            f"{blame}: 4-bit weights need a CUDA device, and this is a {device}; use a machine with one, "
            f"or {otherwise}"
        )
    if find_spec(_LIBRARY) is None:
        raise MissingDependencyError.of(f"{blame}: 4-bit weights need {_LIBRARY}", "four-bit")
    if config is not None and _has_conv1d(config):
        raise BackendError(
            f"{blame}: the model has Conv1D layers, as GPT-2 has, which are not held in 4 bits: {otherwise}"
        )


def _has_conv1d(config: Any) -> bool:
    """True if the model, built without weights, has such layers."""
    import copy

    import torch
    from transformers import AutoModelForCausalLM
    from transformers.pytorch_utils import Conv1D

    bare = copy.deepcopy(config)
    bare.__dict__.pop("quantization_config", None)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(bare, trust_remote_code=False)
    return any(isinstance(module, Conv1D) for module in model.modules())


def nf4() -> Any:
    """Settings for transformers: NF4 with double quantisation, computing in bfloat16: QLoRA's."""
    import torch
    from transformers import BitsAndBytesConfig

    return BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.bfloat16,
    )


def is_four_bit(stated: Any, argument: str) -> bool:
    """True if a config.json's ``quantization_config`` says that the weights are in bitsandbytes' 4 bits.

    BackendError if they are quantised in any other way, which phiscan does not load.
    """
    if stated is None:
        return False
    if not isinstance(stated, dict) or stated.get("load_in_4bit") is not True:
        raise BackendError(
            f"{argument}: the weights are quantised in a way that is not loaded (only {_LIBRARY}, 4 bits, is)"
        )
    return True


def described(model: Any) -> str | None:
    """How the weights of a loaded model are held, for the manifest; None if they are not quantised."""
    stated = getattr(model.config, "quantization_config", None)
    if stated is None:
        return None
    kind = "nf4" if stated.bnb_4bit_quant_type == "nf4" else "fp4"
    double = ", double" if stated.bnb_4bit_use_double_quant else ""
    return f"{kind}{double}, computed in {str(stated.bnb_4bit_compute_dtype).removeprefix('torch.')}"
