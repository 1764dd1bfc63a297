"""Bands with few patients are made one with others, so that no row is of few, nor can be told by subtraction.

Fewer than eleven is what US health agencies withhold from public tables (CMS cell size suppression policy).
To leave such a row empty is not enough: of all rows but one the total tells the last. So nothing is left
empty; rows are joined.
"""

from __future__ import annotations

from collections.abc import Sequence

LEAST = 11
"""Patients a row must have."""


def joined(sizes: Sequence[int], least: int = LEAST) -> list[list[int]]:
    """Places of bands, in their order, in groups of ``least`` patients or more each; none if all have fewer.

    Bands part the patients and stand in an order, so that neighbours make sense together. The smallest group
    joins its smaller neighbour until none is too small. A band of nobody is left out.

    >>> joined([0, 3, 40, 2, 15]), joined([20, 4]), joined([5, 5])
    ([[1, 2], [3, 4]], [[0, 1]], [])
    """
    groups = [[place] for place, size in enumerate(sizes) if size]
    totals = [size for size in sizes if size]
    while len(groups) > 1 and min(totals) < least:
        at = totals.index(min(totals))
        beside = [place for place in (at - 1, at + 1) if 0 <= place < len(groups)]
        other = min(beside, key=lambda place: totals[place])
        first, second = sorted((at, other))
        groups[first] += groups.pop(second)
        totals[first] += totals.pop(second)
    return groups if totals and totals[0] >= least else []


def shown(sizes: Sequence[int], rests: Sequence[int], least: int = LEAST) -> int | None:
    """How many bands, of those in a fixed order, may stand by themselves, all others being joined to one row.

    For bands that share patients, whose totals do not add up: ``rests[k]`` are the patients of all
    bands from the k-th on, of whatever is in none of ``sizes`` too. None: not even all together.

    >>> shown([40, 12, 3], [45, 20, 4, 0]), shown([40, 12], [45, 20, 12]), shown([5], [9, 9])
    (1, 2, None)
    """
    for count in range(len(sizes), -1, -1):
        own = [size for size in sizes[:count] if size]
        if all(size >= least for size in own) and (rests[count] == 0 or rests[count] >= least):
            return count if own or rests[count] else None
    return None
