"""The label configuration: what it must hold, what is refused, and the page made from it."""

import re

import pytest

from phiscan.errors import ConfigError
from phiscan.resources import resource_dir
from phiscan.review.codebook import (
    FILE,
    GENDER,
    MEMORIZATION_TYPES,
    VERDICTS,
    load_codebook,
    needed,
    read_codebook,
    render_codebook,
)
from phiscan.rulebook.topics import load_topics
from phiscan.taxonomy import CATEGORIES, HIPAA_NAMES

CONFIG = (resource_dir("annotation") / FILE).read_text(encoding="utf-8")
CODEBOOK = load_codebook()


# --- what the shipped one holds ---------------------------------------------------------------


def test_every_category_and_gender_is_a_label_and_no_other():
    assert CODEBOOK.phi_labels == {*CATEGORIES, GENDER}


def test_every_topic_beyond_phi_is_a_label_and_no_other():
    assert CODEBOOK.beyond_labels == {topic.id for topic in load_topics()}


def test_topics_stand_under_the_heading_of_their_group():
    groups = {topic.id: topic.spec.group for topic in load_topics()}
    headings = {"table_5b": "Beyond PHI: Table 5B", "specially_protected": "Specially protected"}
    for label in CODEBOOK.labels:
        if label.control == "beyond":
            assert label.group == headings[groups[label.value]], label.value


def test_answers_are_the_four_verdicts_and_the_four_types():
    assert CODEBOOK.verdicts == set(VERDICTS)
    assert CODEBOOK.memorization_types == set(MEMORIZATION_TYPES)


def test_every_definition_says_what_is_counted():
    units = {
        "phi": "One instance: one mention.",
        "beyond": "One instance: one distinct passage per output.",
        "verdict": "One answer per region.",
        "memorization": "One answer per output.",
    }
    for one in [*CODEBOOK.labels, *CODEBOOK.choices]:
        assert one.definition.endswith(units[one.control]), one.value
        assert len(units[one.control]) + 10 < len(one.definition) < 400, one.value


def test_a_definition_bears_the_hipaa_letter_of_its_category():
    for label in CODEBOOK.labels:
        if label.control != "phi":
            continue
        letter = CATEGORIES[label.value].hipaa if label.value in CATEGORIES else None
        opening = f"HIPAA {letter}" if letter else "Outside HIPAA's eighteen"
        assert re.match(rf"{opening}\b", label.definition), label.value
        assert letter is None or letter in HIPAA_NAMES


def test_no_rare_label_is_given_a_key_by_the_tool():
    """Label Studio hands its single keys to labels without one; each of them is taken."""
    keys = [one.key for one in [*CODEBOOK.labels, *CODEBOOK.choices] if one.key]
    assert set("1234567890qwetasdfgzxcvbyiopjklnm") <= set(keys)
    assert len(keys) == len(set(keys))


def test_the_verdict_is_not_required_since_it_would_stop_at_drawn_regions():
    assert " required=" not in CONFIG.split("-->", 1)[1]


def test_the_configuration_shows_these_fields_of_a_task():
    shown = re.findall(r'value="\$(\w+)"', CONFIG)
    assert sorted(shown) == ["passage", "prompt", "record", "text"]


def test_colours_are_of_a_set_that_colour_blind_readers_tell_apart():
    """Okabe and Ito's palette, and a dark grey."""
    palette = {"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#595959"}
    assert set(re.findall(r'background="(#\w+)"', CONFIG)) == palette


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("<Choices", "<Choice", "not valid XML"),
        ('name="beyond"', 'name="other"', "needs one Labels with the name beyond"),
        ('<TextArea name="comment"', '<TextArea name="phi"', "needs one Labels with the name phi"),
        ('granularity="symbol"', 'granularity="word"', 'Text text needs granularity="symbol"'),
        (' perRegion="true"', "", 'Choices verdict needs perRegion="true"'),
        ('value="ZIP"', 'value="POSTCODE"', "phi lacks ZIP"),
        ('value="hiv_sti"', 'value="hiv"', "beyond lacks hiv_sti"),
        ('value="not_phi"', 'value="no_phi"', "verdict lacks not_phi"),
        ('value="harmful"', 'value="harm"', "memorization lacks harmful"),
        ('<Label value="ZIP"', '<Label value="CITY" hint="x"/><Label value="ZIP"', "its value stands twice"),
        ('<Label value="ZIP"', '<Label value="PAGER"/><Label value="ZIP"', "has no hint"),
        ('<Label value="ZIP"', '<Label hint="x"/><Label value="ZIP"', "has no value"),
        ('hotkey="3"', 'hotkey="4"', "its hotkey stands twice"),
        ('value="$passage"', 'value="$source"', "taken by Label Studio"),
    ],
)
def test_a_configuration_that_would_not_come_back_is_refused_in_one_line(old, new, says):
    assert old in CONFIG
    with pytest.raises(ConfigError, match=re.escape(says)) as error:
        read_codebook(CONFIG.replace(old, new, 1))
    assert "\n" not in str(error.value)
    assert str(error.value).startswith(FILE)


def test_entities_are_refused():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><View>&b;</View>'
    with pytest.raises(ConfigError, match="not valid XML"):
        read_codebook(bomb)


def test_a_file_that_is_not_there_is_an_expected_error_without_its_path(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read") as error:
        load_codebook(tmp_path / "label_config.xml")
    assert str(tmp_path) not in str(error.value)


def test_a_site_may_add_labels_and_reword_hints(tmp_path):
    added = '<Label value="TRIBE" hint="A tribe | clan by name."/><Label value="ZIP"'
    path = tmp_path / "label_config.xml"
    path.write_text(CONFIG.replace('<Label value="ZIP"', added), encoding="utf-8")
    codebook = load_codebook(path)
    assert codebook.phi_labels == {*CATEGORIES, GENDER, "TRIBE"}
    [label] = [label for label in codebook.labels if label.value == "TRIBE"]
    assert (label.control, label.group, label.key) == ("phi", "Places", "")
    assert "| `TRIBE` |  | A tribe \\| clan by name. |" in render_codebook(codebook)


def test_needed_values_are_those_of_taxonomy_and_lexicons():
    assert set(needed("phi")) == {*CATEGORIES, GENDER}
    assert set(needed("beyond")) == {topic.id for topic in load_topics()}


def test_bytes_and_text_read_alike():
    assert read_codebook(CONFIG.encode()) == read_codebook(CONFIG) == CODEBOOK


# --- the page ---------------------------------------------------------------------------------


def test_the_codebook_is_current():
    page = (resource_dir("annotation") / "codebook.md").read_text(encoding="utf-8")
    assert page == render_codebook(), "run: python -m phiscan.commands.reference"


def test_the_codebook_holds_every_definition_under_its_heading():
    page = render_codebook()
    for one in [*CODEBOOK.labels, *CODEBOOK.choices]:
        assert page.count(f"| `{one.value}` | ") == 1
        assert f"| {one.definition} |" in page
    for label in CODEBOOK.labels:
        assert f"### {label.group}\n" in page


# --- the annotation tool's own check ----------------------------------------------------------


@pytest.fixture(scope="module")
def interface():
    sdk = pytest.importorskip("label_studio_sdk.label_interface", reason="needs the extra `review`")
    return sdk.LabelInterface(CONFIG)


def region(control, label):
    value = {"start": 0, "end": 4, "text": "Mara", "labels": [label]}
    return {
        "id": f"{control}{label}",
        "from_name": control,
        "to_name": "text",
        "type": "labels",
        "value": value,
    }


def prediction(*regions):
    return {"model_version": "phiscan-0a1b2c3d", "score": 0.5, "result": list(regions)}


def test_label_studio_accepts_the_configuration(interface):
    interface.validate()
    assert {tag.name for tag in interface.controls} == {
        "phi",
        "beyond",
        "verdict",
        "memorization",
        "comment",
    }


def test_label_studio_accepts_a_prediction_of_every_label(interface):
    regions = [region(label.control, label.value) for label in CODEBOOK.labels]
    assert interface.validate_prediction(prediction(*regions), return_errors=True) == []


def test_label_studio_refuses_a_prediction_of_another_label(interface):
    assert interface.validate_prediction(prediction(region("phi", "hiv_sti")), return_errors=True)
    assert not interface.validate_prediction(prediction(region("nowhere", "PATIENT")))
