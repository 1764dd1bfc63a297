"""Measures of tables that stand in memory whole."""

from phiscan.measures.asked import in_order, ways_asked
from phiscan.measures.run import RunMeasures
from phiscan.near_duplicates import RepetitionSettings


def measure(tables, *, seed, template_patients, units=("token", "word"), people=None):
    """Every measure of a run of one part."""
    counted = RunMeasures(
        in_order([ways_asked(tables.prompts, tables.continuations)]),
        template_patients=template_patients,
        units=units,
        repetitions=RepetitionSettings(),
        people=people,
    )
    counted.add(tables)
    return counted.measures(seed=seed)
