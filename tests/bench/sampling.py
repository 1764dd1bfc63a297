"""Answers drawn at random beside greedy ones: a model of GPT-2's size, 64 prompts, CPU seconds of one thread."""

import time
import warnings

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from phiscan.batch_decoding import decode
from phiscan.causal_model import CausalModel
from phiscan.protocols import Decoding
from phiscan.sampling import GumbelMax, take_best
from tests.bench.timing import compare

ROWS, NEW = 64, 8


def main() -> None:
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        model = GPT2LMHeadModel(GPT2Config()).eval()  # 124M parameters, 50,257 tokens, random weights
    causal = CausalModel(model, model)
    prompts = torch.randint(0, 50_000, (ROWS, 8)).tolist()

    def contender(choose):
        return lambda: decode(causal, prompts, NEW, (), choose)

    ways = {"t0.7": Decoding(0.7), "k10": Decoding(1.0, 10), "t0.7k50": Decoding(0.7, 50)}
    drawn = {name: GumbelMax(way, range(ROWS), torch.device("cpu")) for name, way in ways.items()}
    compare(
        3,
        {"greedy": contender(take_best), **{name: contender(choose) for name, choose in drawn.items()}},
        clock=time.process_time,
    )
    logits, rows = torch.randn(ROWS, 50_257), torch.arange(ROWS)
    compare(
        9,
        {
            "one step: take the best": lambda: take_best(logits, rows, 0),
            **{
                f"one step: {name}": lambda choose=choose: choose(logits, rows, 0)
                for name, choose in drawn.items()
            },
            "one step: torch's exponential noise alone": lambda: (
                torch.empty_like(logits).exponential_().log()
            ),
        },
        clock=time.process_time,
    )
