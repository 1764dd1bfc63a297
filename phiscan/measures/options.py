"""Answers -> OptionsReport: options given back, beside chance; right answers; diagnoses by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from phiscan.diagnoses import TOP, Synonyms, place_of
from phiscan.measures.rates import patient_rate
from phiscan.option_match import Answer, chosen, equal_form, exact, substring, whole_words, words
from phiscan.option_tasks import Asked, Task, shown_options
from phiscan.questions import DiagnosisCase, Question
from phiscan.scan_report import Estimate, Model, Stratum
from phiscan.stats import cluster_excess, cluster_mean, zero_bound

if TYPE_CHECKING:
    import pandas as pd

TESTS: dict[str, Callable[[Answer, str], bool]] = {
    "exact": exact,
    "substring": substring,
    "whole_words": whole_words,
}
Removed = Literal["any", "right", "distractor"]


class MatchRow(Model):
    """How often the removed option was given back, by one test, beside what chance gives."""

    test: Literal["exact", "substring", "whole_words"]
    removed: Removed
    observed: Estimate
    chance: float | None
    chance_low: float | None
    chance_high: float | None
    excess: float | None
    excess_low: float | None
    excess_high: float | None
    excess_method: str


class AccuracyRow(Model):
    """Right answers of one task; ``top`` is the number of places of a list that count."""

    task: Literal["answer", "diagnose"]
    top: int
    specialty: str | None
    """As the list of specialties spells it, or `other`; null: over all."""
    estimate: Estimate


class TaskCount(Model):
    """What became of the prompts of one task."""

    task: Task
    asked: int
    answered: int
    failed: int
    empty: int


class Measured(NamedTuple):
    """Everything measured of the answers."""

    tasks: tuple[TaskCount, ...]
    matches: tuple[MatchRow, ...]
    removed_in_prompt: int
    accuracy: tuple[AccuracyRow, ...]


def measure_options(
    asked: Sequence[Asked],
    answers: Sequence[str | None],
    questions: Mapping[str, Question],
    cases: Mapping[str, DiagnosisCase],
    synonyms: Synonyms,
    *,
    seed: int,
    chance_draws: int,
) -> Measured:
    """Every figure; ``answers`` in the order of ``asked``, None where there is none."""
    given: dict[Task, list[tuple[Asked, str]]] = {"regenerate": [], "answer": [], "diagnose": []}
    counts: Counter[tuple[Task, str]] = Counter()
    for one, answer in zip(asked, answers, strict=True):
        counts[one.task, "asked"] += 1
        if answer is None:
            continue
        counts[one.task, "empty"] += not answer.strip()
        given[one.task].append((one, answer))
    regenerated = _regenerated(given["regenerate"], questions, seed, chance_draws)
    return Measured(
        tasks=tuple(
            TaskCount(
                task=task,
                asked=counts[task, "asked"],
                answered=len(rows),
                failed=counts[task, "asked"] - len(rows),
                empty=counts[task, "empty"],
            )
            for task, rows in given.items()
        ),
        matches=() if regenerated.empty else tuple(_matches(regenerated, seed)),
        removed_in_prompt=int(regenerated["in_prompt"].sum()) if len(regenerated) else 0,
        accuracy=(
            *_accuracy(_answered(given["answer"], questions), "answer", (1,), seed),
            *_accuracy(_diagnosed(given["diagnose"], cases, synonyms), "diagnose", TOP, seed),
        ),
    )


# --- options given back -------------------------------------------------------------------


def _regenerated(
    rows: Sequence[tuple[Asked, str]], questions: Mapping[str, Question], seed: int, draws: int
) -> pd.DataFrame:
    """One row an answer: each test on its own removed option, and its mean on those of other questions."""
    import pandas as pd

    pool = [_removed(one, questions) for one, _ in rows]
    stems = [equal_form(questions[one.question_id].stem) for one, _ in rows]
    made = []
    for number, (one, text) in enumerate(rows):
        question = questions[one.question_id]
        assert one.removed is not None
        shown = shown_options(question, one.removed)
        answer = Answer.of(text, shown=shown)
        others = _others(pool, stems, number, {equal_form(option) for option in shown}, seed, draws)
        asked = Answer.of(f"{question.stem}\n" + "\n".join(shown), shown=())
        made.append(
            {
                "patient_id": stems[number],
                "right": None if question.right is None else question.right == one.removed,
                "in_prompt": whole_words(asked, pool[number]),
                **{name: test(answer, pool[number]) for name, test in TESTS.items()},
                **{
                    f"{name}_chance": np.mean([test(answer, other) for other in others]) if others else None
                    for name, test in TESTS.items()
                },
            }
        )
    return pd.DataFrame(made)


def _removed(one: Asked, questions: Mapping[str, Question]) -> str:
    assert one.removed is not None
    return questions[one.question_id].options[one.removed]


def _others(
    pool: Sequence[str], stems: Sequence[str], number: int, shown: set[str], seed: int, draws: int
) -> list[str]:
    """Options removed from other questions, without those in this one's prompt; drawn without replacement."""
    order = Random(f"{seed} chance {number}")
    drawn = order.sample(range(len(pool)), min(len(pool), draws + 20))
    usable = [i for i in drawn if stems[i] != stems[number] and equal_form(pool[i]) not in shown]
    return [pool[i] for i in usable[:draws]]


def _matches(frame: pd.DataFrame, seed: int) -> Iterator[MatchRow]:
    parts: dict[Removed, pd.DataFrame] = {"any": frame}
    known = frame[frame["right"].notna()]
    if len(known):
        right = known["right"].astype(bool)
        parts |= {"right": known[right], "distractor": known[~right]}
    for removed, rows in parts.items():
        for test in ("exact", "substring", "whole_words"):
            yield _match_row(test, removed, rows, seed)


def _match_row(test: Any, removed: Removed, rows: pd.DataFrame, seed: int) -> MatchRow:
    """The questions of one stem are one cluster."""
    # A question without another beside it has no chance rate.
    by_stem = rows[rows[f"{test}_chance"].notna()].groupby("patient_id")
    events = by_stem[test].sum().to_numpy(np.int64)
    expected = by_stem[f"{test}_chance"].sum().to_numpy(np.float64)
    totals = by_stem.size().to_numpy(np.int64)
    chance = cluster_mean(expected, totals, seed=seed)
    excess = cluster_excess(events, expected, totals, seed=seed)
    return MatchRow(
        test=test,
        removed=removed,
        observed=patient_rate(f"option_{test}", rows, rows[test], Stratum(), seed=seed),
        chance=chance.value,
        chance_low=None if chance.low is None else max(0.0, chance.low),
        # No match among all draws bounds the rate, it does not make it zero.
        chance_high=zero_bound(len(totals)) if chance.value == 0 else chance.high,
        excess=excess.value,
        excess_low=excess.low,
        excess_high=excess.high,
        excess_method=excess.method,
    )


# --- right answers ------------------------------------------------------------------------


def _answered(rows: Sequence[tuple[Asked, str]], questions: Mapping[str, Question]) -> list[dict[str, Any]]:
    made = []
    for one, text in rows:
        question = questions[one.question_id]
        pick = chosen(text, question.options)
        made.append(
            {
                "patient_id": equal_form(question.stem),
                "specialty": question.specialty,
                "place": 1 if pick is not None and pick == question.right else None,
                "unclear": pick is None,
            }
        )
    return made


def _diagnosed(
    rows: Sequence[tuple[Asked, str]], cases: Mapping[str, DiagnosisCase], synonyms: Synonyms
) -> list[dict[str, Any]]:
    return [
        {
            "patient_id": equal_form(cases[one.question_id].stem),
            "specialty": cases[one.question_id].specialty,
            "place": place_of(f"1. {text}", cases[one.question_id].diagnoses, synonyms),
            "unclear": not words(text),
        }
        for one, text in rows
    ]


def _accuracy(made: list[dict[str, Any]], task: Any, tops: Sequence[int], seed: int) -> Iterator[AccuracyRow]:
    """Over all, then by specialty; an answer that names nothing clear is wrong, and counted as unclear."""
    import pandas as pd

    if not made:
        return
    frame = pd.DataFrame(made)
    parts = [(None, frame), *frame[frame["specialty"].notna()].groupby("specialty", sort=True)]
    for specialty, rows in parts:
        for top in tops:
            event = rows["place"].notna() & (rows["place"].fillna(0) <= top)
            estimate = patient_rate(
                f"{task}_top_{top}",
                rows,
                event,
                Stratum(category=None if specialty is None else str(specialty)),
                seed=seed,
                n_undecided=int(rows["unclear"].sum()),
            )
            yield AccuracyRow(task=task, top=top, specialty=estimate.stratum.category, estimate=estimate)
