"""What transformers' Trainer and peft leave on a disk, made in a second from the tiny model."""

from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from tiny_model import TEXTS
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments

from phiscan.backends.transformers import build
from phiscan.protocols import BackendSettings, ModelSource

LORA = {"r": 4, "target_modules": ["q_proj", "v_proj"], "task_type": "CAUSAL_LM"}


def train(model, out: Path, *, lora=None, tokenizer=True, new_tokens=(), **options):
    """Five steps of the real Trainer from ``model`` into ``out``; the trainer."""
    torch.manual_seed(5)
    words = AutoTokenizer.from_pretrained(model)
    net = AutoModelForCausalLM.from_pretrained(model)
    if new_tokens:
        words.add_tokens(list(new_tokens))
        net.resize_token_embeddings(len(words))
    if lora is not None:
        net = get_peft_model(net, LoraConfig(**LORA, **lora))
    rows = [words(text)["input_ids"] for text in TEXTS]
    data = [{"input_ids": ids[:12], "labels": ids[:12]} for ids in rows]
    arguments = TrainingArguments(
        out,
        max_steps=6,
        learning_rate=0.05,
        per_device_train_batch_size=2,
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
        **{"save_strategy": "steps", "save_steps": 3} | options,
    )
    trainer = Trainer(
        net,
        arguments,
        train_dataset=data,
        eval_dataset=data[:2],
        processing_class=words if tokenizer else None,
    )
    trainer.train()
    return trainer


def load(model, adapter=None, argument="--model", **settings):
    source = ModelSource(str(model), None if adapter is None else str(adapter), argument)
    return build(source, BackendSettings(**settings))


def said(backend, new=16):
    """What a model answers to three openings."""
    ids = [tokens.ids[:7] for tokens in backend.tokenize(TEXTS[:3])]
    return [answer.ids for answer in backend.generate(ids, new)]


def greedy(net, model, new=16):
    """The same by transformers alone, from a model in memory."""
    words = AutoTokenizer.from_pretrained(model)
    answers = []
    for text in TEXTS[:3]:
        ids = [words.bos_token_id, *words(text, add_special_tokens=False)["input_ids"][:7]]
        with torch.no_grad():
            made = net.generate(
                input_ids=torch.tensor([ids]),
                attention_mask=torch.ones(1, len(ids), dtype=torch.long),
                do_sample=False,
                max_new_tokens=new,
                pad_token_id=words.pad_token_id,
            )
        made = made[0, len(ids) :].tolist()
        answers.append(made[: made.index(words.eos_token_id)] if words.eos_token_id in made else made)
    return answers
