"""Training notes without what the detectors found, and what they still hold."""

import re
from collections import Counter
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.adaptation.corpus import Text
from phiscan.adaptation.deidentify import deidentified
from phiscan.detect import DetectSettings, build_detectors, detect_texts
from phiscan.protocols import KnownIdentifier
from phiscan.records import DetectedSpan
from phiscan.taxonomy import CATEGORIES

SETTINGS = DetectSettings(detectors=("known_identifiers",))
VALUES = {
    "PATIENT": ["Marcus Quillon", "Zelda Ostrander", "Ines Wexholm"],
    "MEDICALRECORD": ["00-482913", "7730218"],
    "PHONE": ["(617) 555-0142", "(773) 555-0149"],
    "STREET": ["12 Aldergate Court", "840 Tinkerhollow Lane"],
    "EMAIL": ["m.quillon@example.org"],
    "SSN": ["912-34-5678"],
}
FLAT = [(category, value) for category, values in VALUES.items() for value in values]
FILLER = ["Seen in clinic.", "Lungs clear,", "follow up", "BP 120/80\n", "wound dry;", "he walks well"]


def make_note(text, *, note_id="N1", patient_id="P1", date="2021-03-14", given=0):
    return Text(note_id, patient_id, "member", text, given, "progress", date)


def detectors(known=FLAT, patient_id="P1"):
    rows = [KnownIdentifier(patient_id=patient_id, category=c, value=v) for c, v in known]
    return build_detectors(SETTINGS, rows)


def texts(notes, how, known=FLAT, **options):
    return [one.text.text for one in deidentified(notes, detectors(known), SETTINGS, how=how, **options)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from([value for _, value in FLAT] + FILLER), min_size=1, max_size=8), min_size=1, max_size=4),
    st.sampled_from(["remove", "surrogate"]),
    st.integers(0, 99),
)  # fmt: skip
def test_no_value_that_was_found_survives(pieces, how, seed):
    notes = [make_note(" ".join(piece), note_id=f"N{at}") for at, piece in enumerate(pieces)]
    found = list(deidentified(notes, detectors(), SETTINGS, how=how, seed=seed))
    own = {value for piece in pieces for value in piece} - set(FILLER)
    for note, one in zip(notes, found, strict=True):
        for value in own:
            assert value not in one.text.text
            digits = re.sub(r"\D", "", value)
            assert len(digits) < 6 or digits not in re.sub(r"\D", "", one.text.text)
        # All that stands between the values is as it was, in its order.
        kept = (
            re.split("|".join(map(re.escape, sorted(own, key=len, reverse=True))), note.text)
            if own
            else [note.text]
        )
        assert re.fullmatch(".*?".join(map(re.escape, kept)), one.text.text, re.S)
        assert sum(one.replaced.values()) == len(kept) - 1
    again = deidentified(notes, detectors(), SETTINGS, how=how, seed=seed)
    assert [one.text.text for one in again] == [one.text.text for one in found]


def test_removal_leaves_marks():
    assert texts([make_note("Mr. Quillon? No: Marcus Quillon, MRN 482913.")], "remove") == [
        "Mr. [PATIENT]? No: [PATIENT], MRN [MEDICALRECORD]."
    ]


def test_surrogates_agree_across_the_notes_of_a_patient_and_not_with_another_patients():
    pair = [make_note("Marcus Quillon 00-482913"), make_note("QUILLON, MARCUS (482913)", note_id="N2")]
    one, other = texts(pair, "surrogate")
    given_name, surname, number = one.split()
    assert other == f"{surname}, {given_name} ({number.removeprefix('00-')})".replace(
        f"{surname}, {given_name}", f"{surname}, {given_name}".upper()
    )
    strangers = [make_note("Marcus Quillon 00-482913", patient_id=f"Q{at}") for at in range(8)]
    assert len(set(texts(strangers, "surrogate"))) == 8


def test_what_one_note_tells_is_replaced_in_the_patients_others_but_nobody_elses():
    """The detector knows a name only beside its label; a regular expression stands for such a rule."""

    class Labelled:
        def describe(self):
            return "names behind a label"

        def detect(self, given):
            return [
                [
                    DetectedSpan(start=m.start(1), end=m.end(1), category=c, score=1.0, detector="rules")
                    for c, p in (("PATIENT", r"Name: (\w+)"), ("PROFESSION", r"Work: (\w+)"))
                    for m in re.finditer(p, text)
                ]
                for text in given
            ]

    notes = [
        make_note("Quillonby feels well. The welder, Edema, walks. Quillonbys"),
        make_note("Name: Quillonby Work: welder", note_id="N2"),
        make_note("Name: Edema", note_id="N3"),
        make_note("Quillonby feels well.", note_id="N4", patient_id="P2"),
    ]
    found = list(deidentified(notes, {"rules": Labelled()}, SETTINGS, how="remove"))
    assert [one.text.text for one in found] == [
        "[PATIENT] feels well. The welder, Edema, walks. Quillonbys",
        "Name: [PATIENT] Work: [PROFESSION]",
        "Name: [PATIENT]",
        "Quillonby feels well.",
    ]
    assert found[0].replaced == Counter({"PATIENT": 1})


def test_dates_move_by_the_days_of_the_patient():
    dates = [("DATE", "1960-02-28"), ("DATE", "2021-03-14")]
    (text,) = texts([make_note("Born 02/28/1960, seen March 14, 2021.")], "surrogate", dates)
    born, seen = re.fullmatch(r"Born (.*), seen (\w+ \d+, \d{4})\.", text).groups()
    days = datetime.strptime(seen, "%B %d, %Y") - datetime(2021, 3, 14)
    assert abs(days) > timedelta(365)
    assert datetime.strptime(born, "%m/%d/%Y") - datetime(1960, 2, 28) == days


def test_all_but_the_words_stays_and_so_does_the_order():
    notes = [
        make_note("Marcus Quillon\n", note_id=f"N{at}", patient_id=patient, date=f"2021-03-{at + 10}")
        for at, patient in enumerate(["P1", "P2", "P1", "P3", "P2"])
    ]
    found = deidentified(notes, detectors(), SETTINGS, how="remove")
    assert [one.text for one in found] == [note._replace(text="[PATIENT]\n") for note in notes]
    assert deidentified([], detectors(), SETTINGS, how="remove") == []


def test_what_is_not_learnt_of_a_record_ends_at_the_same_place():
    text = "Ask of Marcus Quillon: ANSWER Zelda Ostrander"
    for shown, before in [
        (text.index("ANSWER"), "Ask of [PATIENT]: "),
        (len(text), "Ask of [PATIENT]: ANSWER [PATIENT]"),
        (text.index("Quillon"), "Ask of "),  # a value on the border is learnt whole
        (3, "Ask"),
        (0, ""),
    ]:
        (one,) = deidentified([make_note(text, given=shown)], detectors(), SETTINGS, how="remove")
        assert one.text.text[: one.text.given] == before


@pytest.mark.parametrize("how", ["remove", "surrogate"])
def test_what_no_detector_finds_stays(how):
    note = make_note("Her neighbour Zyla Brandt called.")
    assert texts([note], how) == [note.text]


def test_marks_are_no_phi_to_the_rules():
    """A scan of a model that learnt the marks does not take them for names."""
    rules = DetectSettings(detectors=("rules",))
    text = "\n".join(
        f"Name: [{c}]\nMRN: [{c}]\nDr. [{c}] saw [{c}] on [{c}], phone [{c}]." for c in CATEGORIES
    )
    assert detect_texts(build_detectors(rules), [text], rules) == [[]]
