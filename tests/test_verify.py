"""Anchoring, second identifiers, ambiguity and note-side misses, one at a time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscan.case import Case, Lookups
from phiscan.normalize import canonical, hipaa_letter
from phiscan.project import project_spans
from phiscan.records import Continuation, Hit, Note, Phi, Prompt, SpanMatch
from phiscan.shown import Shown
from phiscan.taxonomy import CATEGORIES
from phiscan.value_index import (
    CONTEXT,
    Beside,
    RecordValue,
    ValueIndex,
    ValueIndexBuilder,
    stands_in,
    words_beside,
)
from phiscan.verify import verify_case
from phiscan.words import split_words

BEFORE = "the quiet miller walked over nine green hills"
AFTER = "while seven brass bells rang out at noon"


def phi_in(note, *values, detector="rules"):
    made = []
    for number, (category, text) in enumerate(values):
        start = note.text.index(text)
        form = canonical(category, text)
        made.append(
            Phi(
                phi_id=f"{note.note_id}.{number}",
                patient_id=note.patient_id,
                note_id=note.note_id,
                start=start,
                end=start + len(text),
                category=category,
                hipaa=hipaa_letter(category, form),
                group=CATEGORIES[category].group,
                canonical=form,
                score=1.0,
                detector=detector,
                rule=None,
                text=text,
            )
        )
    return made


class World:
    """A few notes with their PHI, and what a continuation of one of them is told."""

    def __init__(self, folder, notes, date_order="mdy", template_patients=3, detector="rules"):
        self.notes, self.phi, patients = [], {}, {}
        with ValueIndexBuilder(folder / "values.sqlite", date_order) as builder:
            for ordinal, (patient, text, values) in enumerate(notes):
                note = Note(
                    note_id=f"N{ordinal}", patient_id=patient, split="member", note_type=None, date=None,
                    n_chars=len(text), n_tokens=None, copies=1, text=text, ordinal=ordinal, row=ordinal,
                    copy_ids=(), crlf=(),
                )  # fmt: skip
                self.notes.append(note)
                self.phi[note.note_id] = phi_in(note, *values, detector=detector)
                number = patients.setdefault(patient, len(patients))
                builder.add(
                    self.phi[note.note_id], patient=number, member=True, note=ordinal, words=split_words(text)
                )
        self.lookups = Lookups(
            values=ValueIndex(folder / "values.sqlite", date_order),
            template_patients=template_patients,
            date_order=date_order,
            notes={note.note_id: note for note in self.notes},
            patient_numbers={note.note_id: patients[note.patient_id] for note in self.notes},
            note_order=[note.note_id for note in self.notes],
        )

    def verdicts(self, text, *values, prompt="Note", control=None, matches=()):
        """Verdicts on ``values`` of the continuation ``text`` of the first note."""
        own = self.notes[0]
        case = Case(
            continuation=Continuation(
                gen_id="g", prompt_id="p", note_id=own.note_id, arm="scanned", decoding="greedy", draw=0, token_ids=None,
                token_ends=None, text=text, stop="given", degenerate=None, mean_logprob=None,
            ),
            prompt=Prompt(
                prompt_id="p", note_id=own.note_id, scheme="given", tier="prefix", prefix_tok=None,
                prefix_start=0, prefix_end=len(prompt), text=prompt,
            ),
            note=own,
            own_notes=tuple(note for note in self.notes if note.patient_id == own.patient_id),
            note_phi=tuple(self.phi[own.note_id]),
            prompt_phi=(),
            matches=tuple(matches),
            hits=tuple(hit_in(text, *value) for value in values),
            control=None if control is None else tuple(hit_in(t, c, t) for c, t in control),
            reach_end=None,
        )  # fmt: skip
        return verify_case(case, self.lookups)


def hit_in(text, category, value):
    start = text.index(value)
    form = canonical(category, value)
    return Hit(
        hit_id=f"h{start}", gen_id="g", note_id="N0", category=category, hipaa=hipaa_letter(category, form),
        group=CATEGORIES[category].group, canonical=form, text=value, cont_start=start,
        cont_end=start + len(value), score=1.0, detector="rules", rule=None, severity="moderate",
    )  # fmt: skip


def note_with(value, category="DATE"):
    return f"Then {BEFORE} {value} {AFTER} and home.", [(category, value)]


@pytest.mark.parametrize(
    ("text", "anchored"),
    [
        (f"{BEFORE} 3/5/2021 and so on", True),
        (f"so {' '.join(BEFORE.split()[1:])} 3/5/2021 and so on", False),
        (f"3/5/2021 {AFTER}", True),
        (f"3/5/2021 {' '.join(AFTER.split()[:7])} x", False),
        ("over nine green hills 3/5/2021 while seven brass bells", True),
        ("over nine green hills 3/5/2021 while seven brass drums", False),
        ("nine green hills 3/5/2021 while seven brass bells rang", False),
    ],
)
def test_eight_words_beside_the_value_anchor_it(tmp_path, text, anchored):
    world = World(tmp_path, [("A", *note_with("3/5/2021"))])
    [verdict] = world.verdicts(text, ("DATE", "3/5/2021"))
    assert verdict.verdict == "verbatim"
    assert verdict.anchored is anchored


def test_words_that_the_prompt_shows_anchor_nothing(tmp_path):
    world = World(tmp_path, [("A", *note_with("3/5/2021"))])
    [verdict] = world.verdicts(f"{BEFORE} 3/5/2021 x", ("DATE", "3/5/2021"), prompt=f"Then {BEFORE} 4/4/2020")
    assert not verdict.anchored


def test_words_beside_values_of_three_patients_are_a_template(tmp_path):
    notes = [("A", *note_with("3/5/2021")), ("B", *note_with("4/6/2020"))]
    [verdict] = World(tmp_path, notes).verdicts(f"{BEFORE} 3/5/2021 x", ("DATE", "3/5/2021"))
    assert verdict.anchored
    (tmp_path / "three").mkdir()
    world = World(tmp_path / "three", [*notes, ("C", *note_with("5/7/2019"))])
    [verdict] = world.verdicts(f"{BEFORE} 3/5/2021 x", ("DATE", "3/5/2021"))
    assert not verdict.anchored


def test_another_form_is_anchored_by_the_same_words(tmp_path):
    world = World(tmp_path, [("A", *note_with("3/5/2021"))])
    [verdict] = world.verdicts(f"{BEFORE} March 5, 2021 x", ("DATE", "March 5, 2021"))
    assert (verdict.verdict, verdict.anchored) == ("reformatted", True)


def test_a_first_name_with_the_wrong_surname_says_nothing_and_the_surname_only_a_part(tmp_path):
    world = World(tmp_path, [("A", "Mrs. Lindqvist came in.", [("PATIENT", "Lindqvist")])])
    whole, wrong = world.verdicts(
        "Harold Lindqvist and Harold Quill", ("PATIENT", "Harold Lindqvist"), ("PATIENT", "Harold Quill")
    )
    assert (whole.verdict, whole.specific) == ("partial", False)
    assert wrong.verdict == "invented"


def test_a_value_of_the_own_record_is_no_second_identifier_of_another(tmp_path):
    notes = [
        ("A", "Seen 3/5/2021.", [("DATE", "3/5/2021")]),
        (
            "B",
            "Bram Quist seen 3/5/2021, MRN 7719204.",
            [("PATIENT", "Bram Quist"), ("DATE", "3/5/2021"), ("MEDICALRECORD", "7719204")],
        ),
    ]
    world = World(tmp_path, notes)
    name, _ = world.verdicts("Bram Quist 3/5/2021", ("PATIENT", "Bram Quist"), ("DATE", "3/5/2021"))
    assert name.verdict == "common"
    name, number = world.verdicts(
        "Bram Quist 7719204", ("PATIENT", "Bram Quist"), ("MEDICALRECORD", "7719204")
    )
    assert (name.verdict, name.specific, number.verdict) == ("other_patient", True, "other_patient")
    assert name.matched_note_id == "N1"


def test_a_date_that_reads_both_ways_is_undecided_only_where_it_matters(tmp_path):
    notes = [("A", "Seen 3 April 2021 and 05/06/2021.", [("DATE", "3 April 2021"), ("DATE", "05/06/2021")])]
    world = World(tmp_path, notes, date_order="unknown")
    text = "03/04/2021 or 05/06/2021 or 25/12/2020 or 01/02/1990"
    kinds = [v.verdict for v in world.verdicts(text, *(("DATE", value) for value in text.split(" or ")))]
    assert kinds == ["undecided", "verbatim", "invented", "invented"]


def test_a_value_the_note_side_missed_is_verbatim_inside_eight_copied_words(tmp_path):
    world = World(tmp_path, [("A", f"Then {BEFORE} Zorba {AFTER}.", [])])
    copied, alone = (
        world.verdicts(text, ("PATIENT", "Zorba"))[0]
        for text in ("walked over nine green hills Zorba while seven", "met Zorba")
    )
    assert (copied.verdict, copied.note_side_miss) == ("verbatim", True)
    assert (alone.verdict, alone.note_side_miss) == ("invented", False)


def test_control_and_number_of_patients(tmp_path):
    notes = [("A", "Age 71.", [("AGE", "71")]), ("B", "Age 71.", [("AGE", "71")])]
    world = World(tmp_path, notes)
    for control, emits in ((None, None), ((), False), ((("AGE", "71"),), True)):
        [verdict] = world.verdicts("71 years", ("AGE", "71"), control=control)
        assert (verdict.control_emits, verdict.n_patients) == (emits, 2)


def test_a_name_that_most_records_give_to_a_clinician_is_a_clinicians(tmp_path):
    others = [(patient, "Dr. Nia Quill.", [("DOCTOR", "Nia Quill")]) for patient in "BCD"]
    for folder, detector, n_others, category in [
        ("model", "presidio", 3, "DOCTOR"),
        ("too few", "presidio", 2, "PATIENT"),
        ("a rule knows", "rules", 3, "PATIENT"),
    ]:
        (tmp_path / folder).mkdir()
        notes = [("A", "Signed Nia Quill.", [("PATIENT", "Nia Quill")]), *others[:n_others]]
        world = World(tmp_path / folder, notes, detector=detector)
        [verdict] = world.verdicts("Nia Quill", ("PATIENT", "Nia Quill"))
        assert (verdict.verdict, verdict.matched_category) == ("verbatim", category), folder


def test_a_surname_is_never_taken_for_a_clinicians(tmp_path):
    """What stands in others' records describes; it never takes an own-record match away."""
    others = [(patient, "Dr. Smith.", [("DOCTOR", "Smith")]) for patient in "BCDE"]
    world = World(tmp_path, [("A", "Mrs. Smith.", [("PATIENT", "Smith")]), *others], detector="presidio")
    assert world.verdicts("Smith", ("PATIENT", "Smith"))[0].matched_category == "PATIENT"


def test_places_own_note_first_then_anchored_then_earliest(tmp_path):
    twice = f"3/5/2021 first. Then {BEFORE} 3/5/2021 {AFTER}."
    world = World(tmp_path, [("A", "nothing", []), ("A", twice, [("DATE", "3/5/2021")])])
    second = phi_in(world.notes[1], ("DATE", "3/5/2021"))[0]
    assert second.start == 0
    [verdict] = world.verdicts("3/5/2021", ("DATE", "3/5/2021"))
    assert (verdict.matched_note_id, verdict.matched_start) == ("N1", 0)


@pytest.mark.parametrize(
    ("category", "record", "output", "verdict", "specific"),
    [
        ("PATIENT", "Robert Whitcombe", "Bob Whitcombe", "reformatted", True),
        ("PATIENT", "Robert Whitcombe", "Bob", "partial", False),
        ("PATIENT", "Robert Whitcombe", "R.W.", "partial", False),
        ("PATIENT", "Robert Whitcombe", "Whitcombe R", "partial", False),
        ("PATIENT", "Robert Whitcombe", "Peter Whitcombe", "invented", False),
        ("PATIENT", "Ada Fenwick", "Ada Quill née Fenwick", "reformatted", True),
        ("DATE", "3/14/2021", "March fourteenth, twenty twenty-one", "reformatted", False),
        ("DATE", "3/14/21-3/18/21", "March 18, 2021", "reformatted", False),
        ("DATE", "3/14/2021", "3/14-3/18/2021", "reformatted", False),
        ("DATE", "3/14/2021", "March 14", "partial", False),
        ("DATE", "3/14/2021", "2021", "partial", False),
        ("DATE", "December 24, 2021", "Christmas Eve 2021", "reformatted", False),
        ("DATE", "2021", "3/14/2021", "invented", False),
        ("DATE", "June 2019", "6/12/2019", "partial", False),
        ("AGE", "94", "ninety-four", "reformatted", False),
        ("AGE", "94", "90s", "partial", False),
        ("PHONE", "617-555-0142", "six one seven, five five five, oh one four two", "reformatted", True),
        ("PHONE", "617-555-0142", "555-0142", "partial", True),
        ("SSN", "987-65-4320", "XXX-XX-4320", "partial", False),
        ("MEDICALRECORD", "00482913", "MRN-482913", "reformatted", True),
        ("HOSPITAL", "Brightvale Medical Center", "BVMC", "partial", False),
        ("STREET", "12 Alder St Apt 4B", "12 Alder Street", "partial", True),
    ],
)
def test_forms_and_parts_of_a_value(tmp_path, category, record, output, verdict, specific):
    world = World(tmp_path, [("A", f"Note {record}.", [(category, record)])])
    [found] = world.verdicts(f"so {output}", (category, output))
    assert (found.verdict, found.specific, found.anchored) == (verdict, specific, False)


def test_a_range_is_shown_only_if_both_ends_are(tmp_path):
    world = World(tmp_path, [("A", "Stay 3/14/21-3/18/21.", [("DATE", "3/14/21-3/18/21")])])
    own = world.notes[0]
    for prompt, shown in (("Seen 3/14/21.", False), ("From 3/14/21 to 3/18/21.", True)):
        dates = [("DATE", date) for date in ("3/14/21", "3/18/21") if date in prompt]
        looked = Shown(prompt, phi_in(replace(own, text=prompt), *dates), "mdy")
        assert looked("DATE", "3/14/21-3/18/21") is shown


def test_the_first_verdict_that_holds_is_the_one(tmp_path):
    """in_prompt before undecided before the own record before another's before common."""
    notes = [
        ("A", "Seen 03/04/2021, MRN 7719204.", [("DATE", "03/04/2021"), ("MEDICALRECORD", "7719204")]),
        ("B", "MRN 7719204, phone 617-555-0142, age 61.",
         [("MEDICALRECORD", "7719204"), ("PHONE", "617-555-0142"), ("AGE", "61")]),
    ]  # fmt: skip
    world = World(tmp_path, notes, date_order="unknown")
    text = "7719204 and 617-555-0142 and 61 and 04/03/2021"
    values = [("MEDICALRECORD", "7719204"), ("PHONE", "617-555-0142"), ("AGE", "61"), ("DATE", "04/03/2021")]
    kinds = [v.verdict for v in world.verdicts(text, *values)]
    assert kinds == ["verbatim", "other_patient", "common", "undecided"]
    shown = "on 04/03/2021 call 617-555-0142 about 7719204"
    kinds = [v.verdict for v in world.verdicts(text, *values, prompt=shown)]
    assert kinds == ["in_prompt", "in_prompt", "common", "in_prompt"]


def test_an_own_record_match_is_never_taken_away_by_how_common_it_is(tmp_path):
    notes = [(patient, "MRN 7719204.", [("MEDICALRECORD", "7719204")]) for patient in "ABCDE"]
    [verdict] = World(tmp_path, notes).verdicts("7719204", ("MEDICALRECORD", "7719204"))
    assert (verdict.verdict, verdict.specific, verdict.n_patients) == ("verbatim", True, 5)


def test_only_values_of_comparable_kind_are_compared(tmp_path):
    notes = [("A", "Phone 617-555-0142, age 88.", [("PHONE", "617-555-0142"), ("AGE", "88")])]
    fax, year = World(tmp_path, notes).verdicts("fax 6175550142 in 88", ("FAX", "6175550142"), ("DATE", "88"))
    assert (fax.verdict, year.verdict) == ("reformatted", "invented")


def test_a_second_identifier_must_be_rare_and_unshown(tmp_path):
    """A date that many patients have ties no name to anybody."""
    quist = ("Bram Quist seen 3/5/2021.", [("PATIENT", "Bram Quist"), ("DATE", "3/5/2021")])
    notes = [("A", "nothing", []), ("B", *quist), *((p, "3/5/2021", [("DATE", "3/5/2021")]) for p in "CD")]
    said = ("Bram Quist 3/5/2021", ("PATIENT", "Bram Quist"), ("DATE", "3/5/2021"))
    world = World(tmp_path, notes)
    assert world.verdicts(*said)[0].verdict == "common"
    (tmp_path / "rare").mkdir()
    world = World(tmp_path / "rare", notes[:2])
    assert world.verdicts(*said)[0].verdict == "other_patient"
    assert world.verdicts(*said, prompt="on 3/5/2021")[0].verdict == "common"


def test_the_control_emits_another_form_too(tmp_path):
    world = World(tmp_path, [("A", "Seen 3/5/2021.", [("DATE", "3/5/2021")])])
    [verdict] = world.verdicts("3/5/2021", ("DATE", "3/5/2021"), control=[("DATE", "March 5, 2021")])
    assert verdict.control_emits is True


def test_patients_matching_is_what_verification_finds(tmp_path):
    """The test of chance and the own-record test are one."""
    values = [("PATIENT", "Robert Whitcombe"), ("DATE", "3/14/2021"), ("AGE", "94"), ("PHONE", "617-555-0142"),
              ("PATIENT", "Lindqvist"), ("DATE", "2019"), ("STREET", "12 Alder St Apt 4B")]  # fmt: skip
    notes = [("A", f"so {text}.", [(category, text)]) for category, text in values]
    world = World(tmp_path, notes)
    asked = [("PATIENT", "Bob"), ("PATIENT", "Solveig Lindqvist"), ("DATE", "March 14"), ("DATE", "2021"),
             ("DATE", "5/6/2019"), ("AGE", "94"), ("AGE", "95"), ("PHONE", "0142"), ("STREET", "12 Alder St"),
             ("STREET", "13 Alder St"), ("PATIENT", "Quill")]  # fmt: skip
    found = 0
    for category, text in asked:
        [verdict] = world.verdicts(text, (category, text))
        match = world.lookups.values.patients_matching(category, text)
        assert (verdict.verdict in ("verbatim", "reformatted", "partial")) == bool(
            match.shown | match.holds_part
        )
        found += bool(match.shown | match.holds_part)
    assert found == 7


# --- what verify stands on ------------------------------------------------------------------


def test_shown_values():
    text = "Marguerite Lindqvist, born 03/14/1952, takes 88 mg, phone 617-555-0142"
    note = Note(
        note_id="N", patient_id="P", split="member", note_type=None, date=None, n_chars=len(text),
        n_tokens=None, copies=1, text=text, ordinal=0, row=0, copy_ids=(), crlf=(),
    )  # fmt: skip
    phi = phi_in(note, ("PATIENT", "Marguerite Lindqvist"), ("DATE", "03/14/1952"), ("PHONE", "617-555-0142"))
    shown = Shown(text, phi, "mdy")
    yes = [
        ("DATE", "1952"),
        ("DATE", "March"),
        ("PATIENT", "Lindqvist"),
        ("PATIENT", "LINDQVIST, MARGUERITE"),
        ("DATE", "March 14"),
        ("PHONE", "555-0142"),
    ]
    no = [("AGE", "88"), ("PATIENT", "Solveig Lindqvist"), ("DATE", "March 15"), ("PHONE", "617-555-0143")]
    assert all(shown(*value) for value in yes)
    assert not any(shown(*value) for value in no)


def test_contexts_are_eight_words_or_none():
    words = split_words("a b c d e f g h X i j k l m n o p")
    start = words.starts[8]
    beside = words_beside(words, start, start + 1)
    assert beside == Beside(tuple("abcdefgh"), tuple("ijklmnop"))
    assert [len(b) + len(a) for b, a in beside.contexts()] == [8, 8, 8]
    assert Beside(tuple("abc"), tuple("ijklmno")).contexts() == []


def test_stands_in_lets_a_value_of_some_words_stand_between():
    words = "a b c d one two e f g h".split()
    assert stands_in(words, tuple("abcd"), tuple("efgh"))
    assert not stands_in("a b c d e f g h".split(), tuple("abcd"), tuple("efgh"))
    assert stands_in(words, (), tuple("efgh"))
    assert not stands_in(words, tuple("abce"), ())


def test_projection_carries_only_whole_spans_that_read_the_same():
    text = "Seen by Nia Quill on 3/5/2021."
    note = Note(
        note_id="N", patient_id="P", split="member", note_type=None, date=None, n_chars=len(text),
        n_tokens=None, copies=1, text=text, ordinal=0, row=0, copy_ids=(), crlf=(),
    )  # fmt: skip
    phi = {"N": phi_in(note, ("PATIENT", "Nia Quill"), ("DATE", "3/5/2021"))}

    def match(start, end):
        return SpanMatch(
            gen_id="g", note_id="N", matched_note_id="N", unit="token", n_units=40, matched_start=start,
            matched_end=end, cont_start=10 + start, cont_end=10 + end, where="suffix", n_patients=1,
            cont_unit=0, net_blocks=(), net_units=0,
        )  # fmt: skip

    def found(rows, continuation):
        return [continuation[s.start : s.end] for s in project_spans(rows, phi, {"N": note}, continuation)]

    assert found([match(0, 30), match(0, 20)], "x" * 10 + text) == ["Nia Quill", "3/5/2021"]
    assert found([match(0, 25)], "x" * 10 + text) == ["Nia Quill"]
    assert found([match(0, 30)], "x" * 10 + text.replace("Nia", "Mia")) == ["3/5/2021"]
    wider = match(0, 30)
    stretched = text.replace(" ", "\n ")
    stretched_run = replace(wider, cont_start=0, cont_end=len(stretched), unit="word")
    assert found([stretched_run], stretched) == ["Nia\n Quill", "3/5/2021"]


def test_a_part_of_others_values_is_common_and_no_invention(tmp_path):
    notes = [
        ("A", "Seen in clinic.", []),
        ("B", "Bram Quist, SSN 219-09-4471.", [("PATIENT", "Bram Quist"), ("SSN", "219-09-4471")]),
    ]
    world = World(tmp_path, notes)
    text = "Mr. Quist, SSN ending in 4471, or Mr. Vole"
    found = world.verdicts(text, ("PATIENT", "Quist"), ("SSN", "4471"), ("PATIENT", "Vole"))
    assert [v.verdict for v in found] == ["common", "common", "invented"]
    assert found[0].matched_note_id is None


words_near = st.lists(st.sampled_from("ab"), max_size=CONTEXT).map(tuple)


@given(before=words_near, after=words_near, asked=st.tuples(words_near, words_near))
def test_a_value_stands_between_exactly_the_contexts_it_has(before, after, asked):
    value = RecordValue(
        patient=1, member=True, note=0, start=0, end=1, category="CITY", canonical="x", text="x", detector="rules",
        before=before, after=after,
    )  # fmt: skip
    for context in Beside(*asked).contexts():
        assert value.stands_between(*context) == (context in Beside(before, after).contexts())


@pytest.mark.parametrize("holder", [1, 150, 320])
def test_a_value_of_very_many_records_is_anchored_wherever_the_place_is(tmp_path, holder):
    notes = [("p0", "Then nothing was said of any town at all that day.", [])]
    for number in range(1, 330):
        beside = (
            (BEFORE, AFTER) if number == holder else ("went by cart with sacks of barley down to", "there")
        )
        notes.append((f"p{number}", f"So {beside[0]} Dunmoor {beside[1]} again.", [("CITY", "Dunmoor")]))
    world = World(tmp_path, notes)
    [verdict] = world.verdicts(f"and {BEFORE} Dunmoor {AFTER} it was", ("CITY", "Dunmoor"))
    assert (verdict.verdict, verdict.anchored, verdict.matched_note_id) == (
        "other_patient",
        True,
        f"N{holder}",
    )
    assert verdict.n_patients == 329
    [bare] = world.verdicts("and once she came to Dunmoor on a mule", ("CITY", "Dunmoor"))
    assert (bare.verdict, bare.anchored) == ("common", False)
