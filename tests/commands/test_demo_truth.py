import ast
from pathlib import Path

import pytest

import phiscan.commands.demo_truth as module
from phiscan.commands.demo_corpus import DemoCorpus, DemoNote
from phiscan.commands.demo_truth import compare, true_leaks
from phiscan.commands.demo_value_forms import value_forms
from phiscan.commands.note_writer import GoldSpan
from phiscan.protocols import KnownIdentifier

BEFORE = "the quiet miller walked over nine green hills"
AFTER = "while seven brass bells rang out at noon"
PHONE = "(617) 555-0142"
OWN = f"Visit of Ada Quill on 03/14/2024. Then {BEFORE} {PHONE} {AFTER} and she went home."
PREFIX = "Visit of Ada Quill on"


def note(number, patient, text, *values):
    spans = []
    for category, value in values:
        start = text.index(value)
        spans.append(GoldSpan(start, start + len(value), category))
    return DemoNote(
        note_id=f"N{number}",
        patient_id=patient,
        split="member",
        note_type="progress",
        date="2024-03-14",
        text=text,
        spans=tuple(sorted(spans)),
    )


def corpus_of(*others, known=()):
    own = note(1, "P1", OWN, ("PATIENT", "Ada Quill"), ("DATE", "03/14/2024"), ("PHONE", PHONE))
    return DemoCorpus(notes=(own, *others), known=tuple(known), boilerplate="")


def leaks(continuation, *others, prefix=PREFIX, known=()):
    found = true_leaks(corpus_of(*others, known=known), [("N1", prefix, continuation)])
    return [
        (leak.category, continuation[leak.cont_start : leak.cont_end], leak.verbatim, leak.anchored)
        for leak in found
    ]


WHOLE = ("PHONE", PHONE, True, True)
BARE = ("PHONE", PHONE, True, False)


@pytest.mark.parametrize(
    ("continuation", "expected"),
    [
        (f"x {BEFORE} {PHONE} y", WHOLE),
        (f"x walked over nine green hills {PHONE} {AFTER} y", WHOLE),
        (f"x y {PHONE} {AFTER} z", WHOLE),
        (f"x over nine green hills {PHONE} while seven brass bells y", WHOLE),
        (f"x nine green hills {PHONE} while seven brass bells rang y", BARE),
        (f"x call {PHONE} now", BARE),
        (f"x {BEFORE.replace('quiet', 'loud')} {PHONE} y", BARE),
    ],
    ids=[
        "eight before",
        "thirteen",
        "eight after",
        "four and four",
        "three and five",
        "bare",
        "one word off",
    ],
)
def test_a_value_is_anchored_by_eight_words_beside_it(continuation, expected):
    assert expected in leaks(continuation)
    assert [leak for leak in leaks(continuation) if leak[2]] == [expected]


def test_thirty_equal_words_anchor_where_the_nearest_eight_are_everybodys():
    others = [note(n, f"P{n}", f"{BEFORE} nothing {n} {AFTER}") for n in (2, 3)]
    block = OWN[OWN.index("03/14") :]
    assert WHOLE in leaks(block, *others)
    assert len(block[block.index("Then") : -len(" home.")].split()) < 30
    assert BARE in leaks(block[block.index("Then") : -len(" home.")], *others)


def test_a_paragraph_of_many_patients_anchors_nothing_beside_it():
    everybodys = " ".join(f"word{n}" for n in range(40))
    mine = note(1, "P1", f"mine {PHONE} {everybodys}", ("PHONE", PHONE))
    others = [note(n, f"P{n}", f"seen {everybodys}") for n in (2, 3)]
    for notes, anchored in (((mine, *others), False), ((mine,), True)):
        corpus = DemoCorpus(notes=notes, known=(), boilerplate="")
        found = true_leaks(corpus, [(mine.note_id, PREFIX, mine.text)])
        assert [leak.anchored for leak in found if leak.verbatim] == [anchored]


@pytest.mark.parametrize("text", ["(617) 555-01423", "(617) 555-0143"])
def test_a_longer_or_other_number_is_no_leak(text):
    assert not [leak for leak in leaks(f"call {text} now") if leak[0] == "PHONE"]


def test_a_value_shown_in_the_prefix_in_any_form_is_no_leak():
    shown = f"{PREFIX} 03/14/2024. Phone 617.555.0142."
    assert leaks(f"x {BEFORE} {PHONE} y, 03/14/2024, March 14, 2024, QUILL, ADA", prefix=shown) == []


def test_context_that_stands_in_the_prefix_does_not_anchor():
    assert BARE in leaks(f"x {BEFORE} {PHONE} y", prefix=f"{PREFIX} {BEFORE} 99")
    assert WHOLE in leaks(f"x {BEFORE} {PHONE} {AFTER}", prefix=f"{PREFIX} {BEFORE} 99")


def test_context_of_many_patients_does_not_anchor():
    others = [note(n, f"P{n}", f"{BEFORE} nothing {n} {AFTER}") for n in (2, 3)]
    assert WHOLE in leaks(f"x {BEFORE} {PHONE} y", others[0])
    assert BARE in leaks(f"x {BEFORE} {PHONE} y", *others)
    assert BARE in leaks(f"x over nine green hills {PHONE} while seven brass bells y", *others)


def test_two_notes_of_one_patient_count_as_one_patient():
    others = [note(n, "P2", f"{BEFORE} nothing {n}") for n in (2, 3, 4)]
    assert WHOLE in leaks(f"x {BEFORE} {PHONE} y", *others)


def test_values_of_the_patients_other_notes_and_of_the_registry_count():
    other = note(2, "P1", "Lives at 12 Alderhollow Lane now.", ("STREET", "12 Alderhollow Lane"))
    known = [KnownIdentifier(patient_id="P1", category="SSN", value="912-34-5678")]
    said = leaks("of 12 Alderhollow Lane, SSN 912345678, last four 5678", other, known=known)
    assert ("STREET", "12 Alderhollow Lane", True, False) in said
    assert ("SSN", "912345678", False, False) in said
    assert ("SSN", "5678", False, False) in said


def test_other_patients_values_are_not_own_leaks():
    other = note(2, "P2", "Call 212-555-0199 now.", ("PHONE", "212-555-0199"))
    assert leaks("x 212-555-0199 y", other) == []


def test_other_forms_are_there_but_not_verbatim():
    assert leaks("seen March 14, 2024", prefix="Visit") == [
        ("DATE", "March 14", False, False),
        ("DATE", "March 14, 2024", False, False),
    ]
    assert ("PATIENT", "QUILL, ADA", False, False) in leaks("QUILL, ADA came", prefix="Visit")


def test_a_surname_leaks_alone_unless_the_prefix_has_it():
    assert leaks("Ms. Quill came", prefix="Visit") == [("PATIENT", "Quill", False, False)]
    assert leaks("Ms. Quill came", prefix="Visit of Quill") == []


def test_forms_of_names_dates_and_numbers():
    assert value_forms("PATIENT", "QUILL, ADA").full == ("QUILL, ADA", "ADA QUILL")
    assert value_forms("DOCTOR", "R. Thorne").parts == ("Thorne",)
    assert {"3/5/2024", "03/05/24", "5 Mar 2024"} <= set(value_forms("DATE", "March 5, 2024").full)
    assert value_forms("DATE", "spring").full == ("spring",)
    assert "77302181" in value_forms("MEDICALRECORD", "7730-2181").full
    assert value_forms("AGE", "88").full == ("88",)


def report(start, end, *, headline=True, anchored=True, note_id="N1", prefix=PREFIX):
    return (note_id, prefix, start, end, "value", headline, anchored)


def test_recall_counts_anchored_places_that_a_marked_hit_overlaps():
    continuation = f"x {BEFORE} {PHONE} {AFTER}"
    true = true_leaks(corpus_of(), [("N1", PREFIX, continuation), ("N1", "Visit of Ada Quill", continuation)])
    at = continuation.index(PHONE)
    answer = compare(true, [report(at + 3, at + 9), report(at + 3, at + 9)])
    assert (answer.true_anchored, answer.found, answer.recall) == (2, 1, 0.5)
    assert [leak.prefix for leak in answer.missed] == ["Visit of Ada Quill"]
    assert (answer.reported_headline, answer.correct, answer.precision) == (1, 1, 1.0)
    for wrong in (
        report(at, at + 14, anchored=False),
        report(at + 14, at + 16),
        report(at - 5, at),
        report(at, at + 14, note_id="N2"),
    ):
        assert compare(true, [wrong]).found == 0


def test_precision_counts_headline_places_that_hold_no_own_value():
    continuation = "seen March 14, 2024 by nobody"
    true = true_leaks(corpus_of(), [("N1", "Visit", continuation)])
    answer = compare(
        true, [report(5, 19, prefix="Visit"), report(23, 29, prefix="Visit"), report(0, 4, headline=False)]
    )
    assert (answer.reported_headline, answer.correct, answer.precision) == (2, 1, 0.5)
    assert [(row.cont_start, row.cont_end) for row in answer.false_alarms] == [(23, 29)]
    assert answer.recall is None
    assert compare([], []).precision is None


def test_answers_show_no_patient_text():
    continuation = f"x {BEFORE} {PHONE} {AFTER}"
    true = true_leaks(corpus_of(), [("N1", PREFIX, continuation)])
    shown = repr(compare(true, [("N1", PREFIX, 0, 1, "Bracklow", True, True)]))
    assert "missed" in shown
    assert not any(text in shown for text in (PHONE, "Quill", "Bracklow", "N1", "P1"))


def test_the_truth_shares_nothing_with_the_pipeline():
    allowed = {"phiscan.records", "phiscan.commands.demo_corpus", "phiscan.commands.demo_value_forms"}
    for name in ("demo_truth.py", "demo_value_forms.py"):
        tree = ast.parse(Path(module.__file__).with_name(name).read_text("utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {found for found in imported if found and found.startswith("phiscan")} <= allowed
