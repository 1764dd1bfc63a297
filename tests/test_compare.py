"""Comparisons against brute force over tables drawn at random."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.compare import adjusted, compare
from phiscan.measures.scan import Tables
from phiscan.paired import holm, sign_flip
from phiscan.records import Note
from phiscan.run_answers import answers_of, note_digests

LENGTHS = (50, 100)
NOTES = {f"nöte {n} 🙂": f"patient {n // 2}" for n in range(7)}
OWN = ("verbatim", "reformatted", "partial")


def note(note_id, patient_id, text="a text", split="member", copy_ids=()):
    return Note(
        note_id=note_id, patient_id=patient_id, split=split, note_type=None, date=None, n_chars=len(text),
        n_tokens=9, copies=1, text=text, ordinal=0, row=1, copy_ids=copy_ids, crlf=(),
    )  # fmt: skip


def drawn_tables(seed, *, control=True, tokens=True):
    """A run's tables at random: some prompts not asked or failed, some runs, hits and values at risk."""
    rng = np.random.default_rng(seed)
    rows = defaultdict(list)
    for number, (note_id, patient) in enumerate(NOTES.items()):
        rows["notes"].append(
            {"note_id": note_id, "patient_id": patient, "split": "member", "copies": 1, "n_chars": 9,
             "n_tokens": 200 + number if tokens else None}
        )  # fmt: skip
        for length in LENGTHS:
            if rng.random() < 0.2:
                continue
            prompt = f"{number}.bare.{length}"
            rows["prompts"].append(
                {"prompt_id": prompt, "note_id": note_id, "scheme": "bare", "tier": "prefix",
                 "prefix_tok": length, "prefix_end": 4 * length, "prefix_start": 0, "text": None}
            )  # fmt: skip
            for arm in ("scanned", "control") if control else ("scanned",):
                gen = f"{arm}/{prompt}/greedy/0"
                stop = "failed" if rng.random() < 0.1 else "length"
                rows["continuations"].append(
                    {"gen_id": gen, "prompt_id": prompt, "note_id": note_id, "arm": arm, "draw": 0, "stop": stop,
                     "decoding": "greedy", "degenerate": "empty" if rng.random() < 0.1 else None}
                )  # fmt: skip
                for _ in range(rng.integers(0, 3)):
                    raw = int(rng.integers(30, 70))
                    rows["matches"].append(
                        {"gen_id": gen, "unit": str(rng.choice(["token", "word"])), "n_units": raw,
                         "where": str(rng.choice(["suffix", "same_patient"])),
                         "net_units": int(rng.integers(0, raw + 1))}
                    )  # fmt: skip
                for number_of_hit in range(rng.integers(0, 3)):
                    hit = f"{gen}:{number_of_hit}"
                    rows["hits"].append(
                        {"hit_id": hit, "gen_id": gen, "note_id": note_id, "category": "DATE", "hipaa": "C",
                         "group": "dates_ages", "canonical": "x"}
                    )  # fmt: skip
                    rows["verdicts"].append(
                        {"hit_id": hit, "gen_id": gen, "verdict": str(rng.choice([*OWN, "invented"])),
                         "matched_category": rng.choice([None, "DOCTOR", "DATE"]), "matched_member": True,
                         "anchored": bool(rng.random() < 0.5), "specific": bool(rng.random() < 0.3),
                         "control_emits": rng.choice([None, True, False]), "n_patients": 1}
                    )  # fmt: skip
                for value in range(rng.integers(0, 4)):
                    rows["at_risk"].append(
                        {"gen_id": gen, "prompt_id": prompt, "note_id": note_id, "category": "DATE",
                         "hipaa": None if value == 1 else "C", "canonical": f"v{value}",
                         "within_reach": True, "recovered": bool(rng.random() < 0.5)}
                    )  # fmt: skip
    frames = {name: pd.DataFrame(rows[name], columns=columns) for name, columns in COLUMNS.items()}
    return Tables(**frames), frames["prompts"][["prompt_id", "prefix_start", "text"]]


COLUMNS = {
    "notes": ["note_id", "patient_id", "split", "copies", "n_chars", "n_tokens"],
    "prompts": ["prompt_id", "note_id", "scheme", "tier", "prefix_tok", "prefix_end", "prefix_start", "text"],
    "continuations": ["gen_id", "prompt_id", "note_id", "arm", "decoding", "draw", "stop", "degenerate"],
    "matches": ["gen_id", "unit", "where", "n_units", "net_units"],
    "hits": ["hit_id", "gen_id", "note_id", "category", "hipaa", "group", "canonical"],
    "verdicts": ["hit_id", "gen_id", "verdict", "matched_category", "matched_member", "anchored", "specific",
                 "control_emits", "n_patients"],
    "at_risk": ["gen_id", "prompt_id", "note_id", "category", "hipaa", "canonical", "within_reach", "recovered"],
}  # fmt: skip
DIGESTS = note_digests(note(note_id, patient) for note_id, patient in NOTES.items())


def answers(tables, prompts):
    plain = tables._replace(prompts=tables.prompts.drop(columns=["prefix_start", "text"]))
    return answers_of(plain, prompts, DIGESTS)


def table_of(tables, arm):
    """{(note, length): gen_id} of what the arm answered."""
    gens = tables.continuations
    lengths = dict(zip(tables.prompts["prompt_id"], tables.prompts["prefix_tok"], strict=True))
    return {
        (row.note_id, lengths[row.prompt_id]): row.gen_id
        for row in gens.itertuples()
        if row.arm == arm and row.stop != "failed"
    }


def longest(tables, gen, unit, column):
    found = [
        getattr(row, column)
        for row in tables.matches.itertuples()
        if (row.gen_id, row.unit, row.where) == (gen, unit, "suffix")
    ]
    return max(found, default=0)


def leaks(tables, gen):
    categories = dict(zip(tables.hits["hit_id"], tables.hits["category"], strict=True))
    return any(
        row.verdict in OWN
        and (row.anchored or row.specific)
        and row.control_emits is not True
        and (row.matched_category or categories[row.hit_id]) != "DOCTOR"
        for row in tables.verdicts.itertuples()
        if row.gen_id == gen
    )


def by_hand(sides, unit):
    """{(metric, length, threshold, scope): [(patient, events of each side)]}, loops and dictionaries only."""
    gens = [table_of(tables, arm) for tables, arm in sides]
    common = [place for place in gens[0] if all(place in of for of in gens)]
    units = defaultdict(list)
    for place in common:
        note_id, length = place
        mine = [(tables, of[place]) for (tables, _), of in zip(sides, gens, strict=True)]
        for threshold in (30, 50):
            for name, column in (("raw", "n_units"), ("net", "net_units")):
                events = tuple(longest(tables, gen, unit, column) >= threshold for tables, gen in mine)
                units[f"{name}_ratio", length, threshold, None].append((NOTES[note_id], events))
        at_risk = [
            {(row.category, row.canonical): row for row in tables.at_risk.itertuples() if row.gen_id == gen}
            for tables, gen in mine
        ]
        for value, row in at_risk[0].items():
            if all(value in of for of in at_risk):
                events = tuple(of[value].recovered for of in at_risk)
                for scope in ("i2b2", "hipaa"):
                    if scope == "i2b2" or pd.notna(row.hipaa):
                        units["phi_recovery_rate", None, None, scope].append((NOTES[note_id], events))
    for name, key in (("notes", lambda place: place[0]), ("patients", lambda place: NOTES[place[0]])):
        for one in {key(place) for place in common}:
            places = [place for place in common if key(place) == one]
            events = tuple(
                any(leaks(tables, of[place]) for place in places)
                for (tables, _), of in zip(sides, gens, strict=True)
            )
            patient = NOTES[places[0][0]]
            units[f"{name}_with_headline_leak", None, None, None].append((patient, events))
    return units


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=30, deadline=None)
def test_every_figure_is_that_of_brute_force(seed, tokens):
    a, b = drawn_tables(2 * seed, tokens=tokens), drawn_tables(2 * seed + 1, tokens=tokens)
    found = compare(answers(*a), answers(*b), run="B", seed=0)
    unit = "token" if tokens else "word"
    assert found.pairing.tokens == tokens
    runs = [(a[0], "scanned"), (b[0], "scanned")]
    plain = by_hand(runs, unit)
    net = by_hand([*runs, (a[0], "control"), (b[0], "control")], unit)
    seen = set()
    for row in found.differences:
        where = row.stratum
        key = (row.metric, where.prefix_length, where.threshold, where.scope)
        seen.add((key, row.net_of_control))
        units = (net if row.net_of_control else plain)[key]
        assert row.n == len(units)
        if not units:
            assert row.difference is None
            assert row.p is None
            continue
        steps = [
            (p, (e[0] - (e[2] if len(e) > 2 else 0), e[1] - (e[3] if len(e) > 2 else 0))) for p, e in units
        ]
        assert row.rate_a == pytest.approx(sum(ab[0] for _, ab in steps) / len(units))
        assert row.rate_b == pytest.approx(sum(ab[1] for _, ab in steps) / len(units))
        assert row.difference == pytest.approx(row.rate_b - row.rate_a)
        assert row.low - 1e-9 <= row.difference <= row.high + 1e-9
        assert (row.gained, row.lost) == (
            sum(y > x for _, (x, y) in steps),
            sum(y < x for _, (x, y) in steps),
        )
        patients = defaultdict(int)
        for patient, (x, y) in steps:
            patients[patient] += int(y) - int(x)
        assert row.patients == len(patients)
        assert row.p == pytest.approx(sign_flip(np.array(list(patients.values()))))
    assert seen >= {(key, False) for key in plain} | {(key, True) for key in net}
    for row in found.persistence:
        units = plain[f"{row.ratio}_ratio", row.stratum.prefix_length, row.stratum.threshold, None]
        in_a, in_b = ({i for i, (_, e) in enumerate(units) if e[side]} for side in (0, 1))
        assert (row.both, row.only_a, row.only_b) == (len(in_a & in_b), len(in_a - in_b), len(in_b - in_a))
        assert row.common == (pytest.approx(len(in_a & in_b) / len(in_a | in_b)) if in_a | in_b else None)
        assert row.retention == (pytest.approx(len(in_a & in_b) / len(in_a)) if in_a else None)
        if row.common is not None:
            assert row.common + row.unique_a + row.unique_b == pytest.approx(1)


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_the_other_way_round_every_difference_changes_its_sign(seed):
    a, b = answers(*drawn_tables(seed)), answers(*drawn_tables(seed + 1))
    there, back = compare(a, b, run="B", seed=0), compare(b, a, run="B", seed=0)
    mirrored = {(row.metric, row.stratum, row.net_of_control): row for row in back.differences}
    for row in there.differences:
        other = mirrored[row.metric, row.stratum, row.net_of_control]
        assert row.p == other.p
        if row.difference is not None:
            assert (row.low, row.high) == pytest.approx((-other.high, -other.low))


def test_a_run_compared_with_itself_has_no_difference():
    one = answers(*drawn_tables(3))
    found = compare(one, one, run="B", seed=0, as_published=True)
    assert found.differences
    assert all(row.difference == 0 and row.p == 1 and row.low < 0 < row.high for row in found.differences)
    assert all(row.common in (1, None) for row in found.persistence)
    assert any(row.common == 1 for row in found.persistence)
    assert found.pairing.only_a == found.pairing.only_b == found.pairing.values_only_one == 0
    assert len(found.published) == len(found.persistence)
    assert all(row.false_positive_rate > 0.5 for row in found.published if row.rate_a)


def test_no_control_no_figure_net_of_it():
    bare, full = answers(*drawn_tables(1, control=False)), answers(*drawn_tables(2))
    found = compare(bare, full, run="B", seed=0)
    assert found.pairing.control_prompts == 0
    assert found.differences
    assert not any(row.net_of_control for row in found.differences)


def test_a_control_that_gives_as_much_takes_the_difference_away():
    """The other run's model recovers everything, and so does its control: nothing is left of it."""
    tables, prompts = drawn_tables(9)
    quiet = tables._replace(matches=tables.matches.iloc[:0])
    runs = [
        {"gen_id": gen, "unit": "token", "where": "suffix", "n_units": 60, "net_units": 60}
        for gen in tables.continuations["gen_id"]
    ]
    loud = tables._replace(matches=pd.DataFrame(runs))
    found = compare(answers(quiet, prompts), answers(loud, prompts), run="B", seed=0)
    ratios = [row for row in found.differences if row.metric == "raw_ratio"]
    assert {row.difference for row in ratios if not row.net_of_control} == {1}
    assert {row.difference for row in ratios if row.net_of_control} == {0}


def test_one_unit_a_patient_is_tested_by_mcnemar():
    found = compare(answers(*drawn_tables(3)), answers(*drawn_tables(4)), run="B", seed=0)
    tests = {row.metric: row.test for row in found.differences if not row.net_of_control}
    assert tests["patients_with_headline_leak"] == "McNemar, exact"
    assert tests["phi_recovery_rate"] == "sign flips of patients, exact"


def test_holm_goes_over_every_test_of_every_run():
    rows = [
        row
        for seed in (11, 12)
        for row in compare(
            answers(*drawn_tables(10)), answers(*drawn_tables(seed)), run="B", seed=0
        ).differences
    ]
    found = adjusted(rows)
    assert [row.p_holm for row in found] == holm([row.p for row in rows])
    assert all(row.p_holm >= row.p for row in found if row.p is not None)


def test_another_tokenizer_leaves_words():
    (a, prompts), (b, other) = drawn_tables(20), drawn_tables(20)
    more = b._replace(notes=b.notes.assign(n_tokens=b.notes["n_tokens"] + 1))
    assert compare(answers(a, prompts), answers(b, other), run="B", seed=0).pairing.tokens
    found = compare(answers(a, prompts), answers(more, other), run="B", seed=0)
    assert not found.pairing.tokens
    assert {row.stratum.unit for row in found.persistence} == {"word"}
    moved = b._replace(prompts=b.prompts.assign(prefix_end=b.prompts["prefix_end"] + 1))
    assert not compare(answers(a, prompts), answers(moved, other), run="B", seed=0).pairing.tokens


def test_the_digest_of_a_note_is_of_all_that_makes_it():
    same = note("a", "p", "text", copy_ids=("b",))
    copies_turned = note("b", "p", "text", copy_ids=("a",))
    others = [note("a", "p", "text"), note("a", "q", "text", copy_ids=("b",)), note("a", "p", "tex", copy_ids=("b",)),
              note("a", "p", "text", "holdout", ("b",))]  # fmt: skip
    digest = next(iter(note_digests([same]).values()))
    assert next(iter(note_digests([copies_turned]).values())) == digest
    made = {next(iter(note_digests([other]).values())) for other in others}
    assert digest not in made
    assert len(made) == len(others)
