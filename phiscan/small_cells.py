"""Bands with few patients are made one with others, so that no row is of few, nor can be told by subtraction.

Fewer than eleven is what US health agencies withhold from public tables (CMS cell size suppression policy).
To leave such a row empty is not enough: of all rows but one the total tells the last. So nothing is left
empty; rows are joined.
"""

from __future__ import annotations

from collections.abc import Sequence

LEAST = 11
"""Patients a row must have."""


def joined(sizes: Sequence[int], held: Sequence[int] | None = None, least: int = LEAST) -> list[list[int]]:
    """Places of bands, in their order, in groups of ``least`` patients or more each; none if all have fewer.

    Bands part the patients and stand in an order, so that neighbours make sense together. The smallest group
    joins its smaller neighbour until none is too small. A band of nobody is left out: ``held`` says who is in
    one, where ``sizes`` are the fewest of several counts of it.

    >>> joined([0, 3, 40, 2, 15]), joined([20, 4]), joined([5, 5]), joined([20, 0], [20, 3])
    ([[1, 2], [3, 4]], [[0, 1]], [], [[0, 1]])
    """
    present = [place for place, size in enumerate(sizes if held is None else held) if size]
    groups, totals = [[place] for place in present], [sizes[place] for place in present]
    while len(groups) > 1 and min(totals) < least:
        at = totals.index(min(totals))
        beside = [place for place in (at - 1, at + 1) if 0 <= place < len(groups)]
        other = min(beside, key=lambda place: totals[place])
        first, second = sorted((at, other))
        groups[first] += groups.pop(second)
        totals[first] += totals.pop(second)
    return groups if totals and totals[0] >= least else []


def shown(counts: Sequence[tuple[Sequence[int], Sequence[int]]], least: int = LEAST) -> int | None:
    """How many bands, of those in a fixed order, may stand by themselves, all others being joined to one row.

    For bands that share patients, whose totals do not add up. Each count is (sizes, rests): ``rests[k]`` are
    the patients of all bands from the k-th on, of whatever is in none of ``sizes`` too, so ``rests[0]`` are
    all. Neither a row nor those who are not in it may be few. None: not even all together.

    >>> shown([([40, 12, 3], [60, 20, 14, 0])]), shown([([40], [45, 12])]), shown([([5], [9, 9])])
    (2, 0, None)
    """
    bands = len(counts[0][0]) if counts else 0
    for count in range(bands, -1, -1):
        if all(_none_small(sizes[:count], rests[count], rests[0], least) for sizes, rests in counts):
            return count if any(rests[0] for _, rests in counts) else None
    return None


def _none_small(own: Sequence[int], rest: int, whole: int, least: int) -> bool:
    rows = [*own, rest]
    return all(few == 0 or few >= least for row in rows for few in (row, whole - row))
