"""QLoRA: adapters learn on a base in 4 bits; bitsandbytes' arithmetic for a CPU stands in for a GPU's."""

import pytest
import torch
from planted_notes import FAST, fresh_model, planted_rows
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM

from phiscan import model_loading
from phiscan.adapt_settings import preset_named
from phiscan.adaptation.result import AdaptReport
from phiscan.commands.adapt import AdaptInputs, run_adapt
from phiscan.config import assignments, load_config

pytestmark = pytest.mark.slow


def test_the_study_s_preset_trains_adapters_on_four_bits(tmp_path, monkeypatch, write_jsonl):
    pytest.importorskip("bitsandbytes", reason="NO 4-BIT WEIGHTS: run `make .venv/pretrained` (bitsandbytes)")
    monkeypatch.setattr(model_loading, "check_four_bit", lambda config, **options: None)
    rows = planted_rows()
    model = fresh_model(tmp_path / "model", rows)
    config = LlamaConfig.from_pretrained(model)
    config.update({"hidden_size": 64, "head_dim": 32, "num_attention_heads": 2, "num_key_value_heads": 2})
    config.update({"intermediate_size": 128})  # whole blocks of 64 weights
    torch.manual_seed(0)
    LlamaForCausalLM(config).save_pretrained(model)
    AutoTokenizer.from_pretrained(model).save_pretrained(model)
    settings = [one for one in FAST if not one.startswith("adapt.")]
    settings += ["adapt.epochs=2", "adapt.learning_rate=1e-2", "adapt.batch_size=4"]
    config = load_config(flags=assignments(settings), preset=preset_named("study-clinical"), environment={})
    assert (config.model.quantization, config.adapt.lora_rank, config.adapt.patience) == ("nf4", 64, 2)
    notes = write_jsonl(tmp_path / "notes.jsonl", rows)
    report = run_adapt(AdaptInputs(str(model), tmp_path / "out", notes=notes), config)
    assert isinstance(report, AdaptReport)
    assert report.base.quantization == report.final.quantization == "nf4, double, computed in bfloat16"
    assert report.final.adapter_sha256
    assert report.epochs[-1].training_loss < report.epochs[1].training_loss
    assert all(row.leaks is not None for row in report.epochs)
