"""Do groups of different patients differ? Counts in, a p value out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

TABLES = 9_999
"""Random tables with the margins of the true one."""


def fisher_p(events: Sequence[int], totals: Sequence[int], *, seed: int) -> float:
    """P of the Fisher-Freeman-Halton test that all groups have the same rate of events.

    ``events`` of ``totals`` independent units in each group, two groups or more. Two: exact. More: the share
    of random tables with the same margins that are no likelier than the true one, itself counted.

    >>> round(fisher_p([3, 10], [23, 20], seed=0), 4), fisher_p([0, 0, 0], [9, 9, 9], seed=0)
    (0.018, 1.0)
    """
    from scipy.stats import MonteCarloMethod, fisher_exact

    counts, whole = np.array(events), np.array(totals)
    if not counts.any() or (counts == whole).all():
        return 1.0
    table = np.column_stack([counts, whole - counts])
    if len(table) == 2:
        return float(fisher_exact(table).pvalue)
    drawn = MonteCarloMethod(n_resamples=TABLES, rng=np.random.default_rng(seed))
    return float(fisher_exact(table, method=drawn).pvalue)
