"""DP-SGD against its definition: gradients row by row, clipped by hand; noise of the right size."""

import math

import numpy as np
import pytest
import torch
from peft import LoraConfig, get_peft_model
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    Trainer,
    TrainingArguments,
)

from phiscan.adaptation.privacy import Privacy
from phiscan.adaptation.private_gradients import UNIT, PrivateGradients, check_private, row_losses
from phiscan.adaptation.private_training import PrivateTraining
from phiscan.adaptation.rows import Row, Rows, padded
from phiscan.errors import BackendError, ConfigError

pytest.importorskip("opacus")

VOCABULARY = 60


def llama():
    torch.manual_seed(0)
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=VOCABULARY,
            hidden_size=32,
            intermediate_size=64,
            num_hidden_layers=2,
            num_attention_heads=2,
            num_key_value_heads=1,
            max_position_embeddings=64,
            bos_token_id=0,
            eos_token_id=1,
        )
    )


def gpt2():
    torch.manual_seed(0)
    config = {"bos_token_id": 0, "eos_token_id": 1, "resid_pdrop": 0, "embd_pdrop": 0, "attn_pdrop": 0}
    return GPT2LMHeadModel(
        GPT2Config(vocab_size=VOCABULARY, n_embd=32, n_layer=2, n_head=2, n_positions=64, **config)
    )


def adapted(base, **options):
    """With adapters that are not zero, else half of their gradients would be."""
    config = {"r": 4, "lora_alpha": 8, "target_modules": "all-linear", "task_type": "CAUSAL_LM"}
    model = get_peft_model(base, LoraConfig(**{**config, **options}))
    torch.manual_seed(1)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter.normal_(0, 0.1)
    return model.train()


def learnt(model):
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def make_batch(units, seed=0):
    """A row for each of ``units``, of different lengths; the last token of some is not learnt."""
    draw = torch.Generator().manual_seed(seed)
    rows = []
    for at, _ in enumerate(units):
        ids = torch.randint(2, VOCABULARY, (5 + 3 * (at % 3),), generator=draw).numpy()
        labels = ids.copy()
        labels[-1:] = -100 if at % 2 else labels[-1:]
        rows.append({"input_ids": ids, "labels": labels})
    return {**padded(rows, pad=0), UNIT: torch.tensor(units)}


def privacy(units, **options):
    """Each unit in ``units`` is drawn in every second step."""
    rows = [[at for at, unit in enumerate(units) if unit == one] for one in sorted(set(units))]
    return Privacy(
        **{"units": rows, "units_a_step": max(1, len(rows) // 2), "noise_multiplier": 0.0, **options}
    )


def by_hand(model, batch, *, clip, expected):
    """Unit by unit: the gradient of the mean loss of its rows, alone in a batch; clipped; added up."""
    summed = [torch.zeros_like(parameter) for parameter in learnt(model)]
    norms = []
    for unit in batch[UNIT].unique().tolist():
        mine = batch[UNIT] == unit
        rows = [
            {name: found[at : at + 1] for name, found in batch.items()} for at in mine.nonzero().flatten()
        ]
        model.zero_grad()
        torch.stack([row_losses(model, row)[0] for row in rows]).mean().backward()
        gradient = [parameter.grad.clone() for parameter in learnt(model)]
        norms.append(math.sqrt(sum(float(one.pow(2).sum()) for one in gradient)))
        scale = min(1.0, clip / norms[-1])
        summed = [one + scale * other for one, other in zip(summed, gradient, strict=True)]
    model.zero_grad()
    return [one / expected for one in summed], norms


@pytest.mark.parametrize("base", [llama, gpt2])
@pytest.mark.parametrize("at_once", [1, 2, 100])
@pytest.mark.parametrize("units", [[0, 1, 2], [0, 0, 1, 2, 2, 2, 3]])
def test_without_noise_the_gradient_is_the_sum_of_the_clipped_ones(base, at_once, units):
    model, batch = adapted(base()), make_batch(units)
    norms = by_hand(model, batch, clip=1e9, expected=1)[1]
    clip = sorted(norms)[1]  # some are clipped, some are not
    wanted, _ = by_hand(model, batch, clip=clip, expected=privacy(units).sample_rate * len(norms))
    gradients = PrivateGradients(model, privacy(units, max_grad_norm=clip, at_once=at_once))
    with torch.no_grad():
        loss = float(row_losses(model, batch).mean())
    for _ in range(2):  # nothing is left over from the step before
        assert gradients.compute(batch) == pytest.approx(loss, rel=1e-4)
        for parameter, expected in zip(learnt(model), wanted, strict=True):
            torch.testing.assert_close(parameter.grad, expected, rtol=1e-3, atol=1e-6)


def test_one_unit_more_moves_the_gradient_by_its_own_and_by_no_more_than_the_bound():
    """Sensitivity: with a loss taken over all tokens of a batch a unit would move the others' too."""
    model, units = adapted(llama()), [0, 1, 1, 2, 3]
    batch = make_batch(units)
    _, norms = by_hand(model, batch, clip=1e9, expected=1)
    clip = sorted(norms)[1]
    gradients = PrivateGradients(model, privacy(units, max_grad_norm=clip, at_once=2))
    gradients.compute(batch)
    whole = [parameter.grad.clone() for parameter in learnt(model)]
    expected = gradients.privacy.sample_rate * 4
    for unit in range(4):
        gradients.compute({name: found[batch[UNIT] != unit] for name, found in batch.items()})
        moved = [one - parameter.grad for one, parameter in zip(whole, learnt(model), strict=True)]
        norm = math.sqrt(sum(float(one.pow(2).sum()) for one in moved)) * expected
        assert norm == pytest.approx(min(norms[unit], clip), rel=1e-3)


@pytest.mark.parametrize("units", [[], [0, 0, 1, 2]])
def test_noise_has_the_size_that_is_accounted_for(units):
    """Also where nobody was drawn: an empty step must not show as a step without noise."""
    model = adapted(llama())
    batch = make_batch(units) if units else {name: found[:0] for name, found in make_batch([0]).items()}
    given = {"max_grad_norm": 0.5, "at_once": 2}
    drawn = torch.Generator().manual_seed(5)
    noisy = PrivateGradients(model, privacy([0, 0, 1, 2], noise_multiplier=3.0, **given), generator=drawn)
    noisy.compute(batch)
    with_noise = torch.cat([parameter.grad.flatten() for parameter in learnt(model)])
    noisy.remove()
    plain = PrivateGradients(model, privacy([0, 0, 1, 2], **given))
    plain.compute(batch)
    noise = with_noise - torch.cat([parameter.grad.flatten() for parameter in learnt(model)])
    expected = 3.0 * 0.5 / (plain.privacy.sample_rate * 3)
    n = len(noise)
    assert abs(float(noise.std()) / expected - 1) < 4 / math.sqrt(2 * n)
    assert abs(float(noise.mean())) < 4 * expected / math.sqrt(n)


def test_noise_is_new_at_every_step_and_in_every_run():
    batch = {name: found[:0] for name, found in make_batch([0]).items()}
    seen = []
    for _ in range(2):
        model = adapted(llama())
        torch.manual_seed(3)
        gradients = PrivateGradients(model, privacy([0, 1], noise_multiplier=1.0))
        for _ in range(2):
            gradients.compute(batch)
            seen.append(tuple(learnt(model)[0].grad.flatten()[:4].tolist()))
    assert len(set(seen)) == 4


@pytest.mark.parametrize(
    "make",
    [
        llama,
        gpt2,
        lambda: adapted(llama(), target_modules=["q_proj", "embed_tokens"]),
        lambda: adapted(llama(), use_dora=True),
        lambda: adapted(llama(), target_modules=["q_proj"], modules_to_save=["norm"]),
        lambda: adapted(llama(), target_modules=["q_proj"], modules_to_save=["embed_tokens"]),
        lambda: adapted(llama()).requires_grad_(False),
    ],
    ids=["llama", "gpt2", "embedding", "dora", "norm", "saved embedding", "nothing"],
)
def test_what_cannot_be_told_apart_by_row_is_refused(make):
    with pytest.raises(BackendError, match="other weights learn too"):
        check_private(make())


def test_gradient_checkpointing_is_refused_and_would_be_noticed():
    model = adapted(llama())
    gradients = PrivateGradients(model, privacy([0, 1, 2]))
    model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.enable_input_require_grads()
    with pytest.raises(BackendError, match="cannot be told apart by row"):
        gradients.compute(make_batch([0, 1, 2]))
    gradients.remove()
    with pytest.raises(BackendError, match="without gradient checkpointing"):
        check_private(model)


@pytest.mark.parametrize("options", [{"use_rslora": True}, {"modules_to_save": ["lm_head"], "target_modules": ["q_proj"]}, {"bias": "lora_only"}, {"lora_dropout": 0.1}])  # fmt: skip
def test_other_adapters_of_linear_layers_are_taken(options):
    check_private(adapted(llama(), **options))


# ------------------------------------------------------------------ in transformers' Trainer


class PrivateTrainer(PrivateTraining, Trainer):
    pass


def trainer_for(model, gradients, rows, folder, **options):
    arguments = TrainingArguments(
        **{"output_dir": str(folder), "num_train_epochs": 6, "learning_rate": 0.02,
           "logging_strategy": "epoch", "save_strategy": "no", "report_to": "none", "disable_tqdm": True,
           "use_cpu": True, "remove_unused_columns": False, **options}
    )  # fmt: skip
    return PrivateTrainer(
        model=model,
        args=arguments,
        data_collator=lambda rows: padded(rows, pad=0),
        train_dataset=Rows(rows),
        gradients=gradients,
        delta=1e-3,
    )


def some_rows(count):
    """Rows that count upwards: something to learn for all of them."""
    found = [np.arange(2 + at % 7, 14 + at % 9) for at in range(count)]
    return [Row(ids, ids.copy(), at, f"P{at}") for at, ids in enumerate(found)]


def test_the_trainer_learns_in_private_and_says_what_it_spent(tmp_path):
    model = adapted(llama(), target_modules=["q_proj", "v_proj"], modules_to_save=["lm_head"])
    before = {name: p.clone() for name, p in model.named_parameters()}
    plan = Privacy(units=[[at] for at in range(40)], units_a_step=8, noise_multiplier=0.3)
    trainer = trainer_for(model, PrivateGradients(model, plan), some_rows(40), tmp_path)
    trainer.train()
    logs = [line for line in trainer.state.log_history if "loss" in line]
    assert len(logs) == 6
    assert trainer.state.global_step == 6 * plan.steps_an_epoch == 30
    assert logs[-1]["loss"] < 0.8 * logs[0]["loss"]
    assert [line["epsilon"] for line in logs] == [plan.epsilon(5 * epoch, 1e-3) for epoch in range(1, 7)]
    changed = {name for name, p in model.named_parameters() if not torch.equal(p, before[name])}
    assert changed == {name for name in before if "lora" in name or "modules_to_save" in name}


def test_the_trainer_takes_steps_in_which_nobody_was_drawn(tmp_path):
    """Seldom drawn: most of the steps are empty, and each of them brings noise."""
    model = adapted(llama())
    plan = Privacy(units=[[at] for at in range(20)], units_a_step=1, noise_multiplier=1.0)
    trainer = trainer_for(model, PrivateGradients(model, plan), some_rows(20), tmp_path, num_train_epochs=1)
    trainer.train()
    assert trainer.state.global_step == 20
    assert all(bool(torch.isfinite(parameter).all()) for parameter in learnt(model))


def test_trainer_settings_that_would_undo_it_are_refused(tmp_path):
    model = adapted(llama())
    gradients = PrivateGradients(model, privacy([0, 1]))
    with pytest.raises(ConfigError, match="gradient accumulation"):
        trainer_for(model, gradients, some_rows(2), tmp_path, gradient_accumulation_steps=2)
