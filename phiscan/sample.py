"""Verdict -> ReviewItem: which outputs people look at, and with what probability each was drawn.

The unit is one output. Outputs that hold what matters most are few, so a plain sample would miss
them; outputs without a hit are many, and only people can say what the detectors missed there. The
sample is therefore stratified, drawn without replacement within each stratum, and every item knows its
inclusion probability, from which :mod:`phiscan.survey` reckons back to all outputs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Literal, NamedTuple

import numpy as np

from phiscan.records import ReviewItem
from phiscan.survey import allocate

Gravity = Literal["other_patient", "leak", "own_bare", "claimed", "no_hit"]
"""What an output's gravest hit is, gravest first; claimed: common, invented, undecided or in the prompt."""
GRAVITIES: tuple[Gravity, ...] = ("other_patient", "leak", "own_bare", "claimed", "no_hit")

LEAST = 4
"""Outputs drawn from a stratum at least, or all there are: two blind, two not."""


class Output(NamedTuple):
    """What the strata look at of one output."""

    gen_id: str
    gravity: Gravity
    group: str
    """PHI group of its gravest hit; empty if it has none."""
    similar: bool
    """ROUGE-L above :data:`phiscan.records.SIMILAR`, for which the study had outputs read by people."""
    template: bool


class Plan(NamedTuple):
    """How a sample is drawn."""

    n: int
    blind: float = 0.5
    overlap: float = 0.3
    annotators: int = 2
    seed: int = 0


def stratify(outputs: Sequence[Output], n: int) -> dict[str, list[Output]]:
    """Outputs by stratum, as finely as a sample of ``n`` bears.

    Gravity, PHI group, similarity and template; template, then similarity, then group is given up
    until :data:`LEAST` times the number of strata is at most ``n``. Strata are in a fixed order.
    """
    strata: dict[str, list[Output]] = {}
    for name in _NAMES:
        strata = defaultdict(list)
        for output in sorted(outputs, key=lambda o: (GRAVITIES.index(o.gravity), name(o), o.gen_id)):
            strata[name(output)].append(output)
        if len(strata) * LEAST <= n:
            break
    return dict(strata)


def _name(output: Output, *details: str) -> str:
    return "/".join(part for part in (output.gravity, *details) if part)


def _similarity(output: Output) -> str:
    return "similar" if output.similar else "unlike"


def _template(output: Output) -> str:
    return "template" if output.template else ""


_NAMES: tuple[Callable[[Output], str], ...] = (
    lambda o: _name(o, o.group, _similarity(o), _template(o)),
    lambda o: _name(o, o.group, _similarity(o)),
    lambda o: _name(o, o.group),
    _name,
)


def draw(outputs: Sequence[Output], plan: Plan, doc_id: Callable[[str], str]) -> list[ReviewItem]:
    """The items of a review in the order in which annotators get them (shuffled).

    Args:
        outputs: Every output that can be drawn; the same ones and plan give the same items.
        plan: Sizes and seed.
        doc_id: Opaque id of a gen_id.

    """
    strata = stratify(outputs, plan.n)
    sizes = np.array([len(members) for members in strata.values()], dtype=np.int64)
    counts = [int(count) for count in allocate(sizes, plan.n, LEAST)]
    items: list[ReviewItem] = []
    for (name, members), drawn in zip(strata.items(), counts, strict=True):
        chosen = Random(f"{plan.seed} review {name}").sample(members, drawn)
        blind = _blind(chosen, len(members), plan.blind)
        items += [
            ReviewItem(
                doc_id=doc_id(output.gen_id),
                gen_id=output.gen_id,
                stratum=name,
                stratum_size=len(members),
                drawn=drawn,
                blind_drawn=blind,
                probability=drawn / len(members),
                blind=number < blind,
                annotators=(),
            )
            for number, output in enumerate(chosen)
        ]
    return _handed_out(items, plan)


def _blind(chosen: Sequence[Output], size: int, share: float) -> int:
    """How many of the drawn are blind: all without a hit, all of a tiny stratum, else a share."""
    if not chosen or chosen[0].gravity == "no_hit" or size < LEAST:
        return len(chosen)
    return min(max(2, round(share * len(chosen))), len(chosen))


def _handed_out(items: Iterable[ReviewItem], plan: Plan) -> list[ReviewItem]:
    """Shuffled, a share to both annotators, the rest in turn; each stratum as evenly as may be."""
    import dataclasses

    both = tuple(range(1, plan.annotators + 1))
    given: list[ReviewItem] = []
    seen: Counter[tuple[str, bool]] = Counter()
    for number, item in enumerate(items):
        kind = (item.stratum, item.blind)
        # Every 1/overlap-th item of a kind goes to both; the kind's own offset keeps small kinds in.
        before, seen[kind] = seen[kind], seen[kind] + 1
        offset = Random(f"{plan.seed} overlap {kind}").random()
        doubled = int(plan.overlap * (before + 1) + offset) > int(plan.overlap * before + offset)
        annotators = both if doubled else (both[number % len(both)],)
        given.append(dataclasses.replace(item, annotators=annotators))
    Random(f"{plan.seed} order").shuffle(given)
    return given
