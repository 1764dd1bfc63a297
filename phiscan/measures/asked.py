"""Prompt, Continuation -> in which ways a run was asked: its figures, whether a part of it has any or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, get_args

from phiscan.records import Arm
from phiscan.scan_report import DESIGN

if TYPE_CHECKING:
    import pandas as pd

_ARMS = get_args(Arm)


def ways_asked(prompts: pd.DataFrame, continuations: pd.DataFrame) -> pd.DataFrame:
    """The distinct (scheme, tier, decoding, arm, prefix_tok, placed) of answers, each once.

    ``placed``: the prompt was found in its note. The control's answers to held-out prompts are left out.
    """
    asked = continuations[continuations["arm"] != "control_holdout"]
    ways = asked.merge(prompts, on="prompt_id", how="left")
    ways = ways.assign(placed=ways["prefix_end"].notna(), prefix_tok=ways["prefix_tok"].astype(float))
    return (
        ways[[*DESIGN, "arm", "prefix_tok", "placed"]].drop_duplicates().astype(dict.fromkeys(_WORDS, object))
    )


_WORDS = (*DESIGN, "arm")


def in_order(parts: Sequence[pd.DataFrame], designs: Sequence[tuple[str, ...]] = ()) -> pd.DataFrame:
    """:func:`ways_asked` of a whole run from those of its parts: by design, arm and length.

    ``designs`` are those of the settings, in their order; others follow as they come.
    """
    import pandas as pd

    ways = pd.concat(parts, ignore_index=True).drop_duplicates()
    found = list(ways[list(DESIGN)].itertuples(index=False, name=None))
    order = {design: at for at, design in enumerate(dict.fromkeys([*designs, *found]))}
    ways = ways.assign(_design=[order[design] for design in found], _arm=ways["arm"].map(_ARMS.index))
    return ways.sort_values(["_design", "_arm", "prefix_tok", "placed"], ignore_index=True)


def lengths_of(ways: pd.DataFrame) -> list[int]:
    """The prefix lengths, ascending; none where some prompts have no length."""
    if ways["prefix_tok"].isna().any():
        return []
    return sorted({int(length) for length in ways["prefix_tok"]})
