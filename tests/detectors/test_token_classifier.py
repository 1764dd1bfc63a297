"""The token classifier: labels to categories, windows, and which models and settings are refused."""

from __future__ import annotations

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_labeller import CLINICAL, make_labeller
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForSequenceClassification,
    BertForTokenClassification,
)

from phiscan.detectors.token_classifier import LABELS, build
from phiscan.errors import ConfigError, MissingDependencyError
from phiscan.protocols import DetectorContext
from phiscan.taxonomy import CATEGORIES


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return make_labeller(tmp_path_factory.mktemp("labeller"))


@pytest.fixture(scope="module")
def detector(folder):
    return build(DetectorContext(model=str(folder)))


@pytest.fixture
def changed(folder, tmp_path):
    """A copy of the model in which one JSON file is changed."""

    def change(file, edit):
        shutil.copytree(folder, tmp_path / "m")
        content = json.loads((folder / file).read_text())
        edit(content)
        (tmp_path / "m" / file).write_text(json.dumps(content))
        return tmp_path / "m"

    return change


def refusal(place, **settings):
    with pytest.raises(ConfigError) as caught:
        build(DetectorContext(model=str(place), **settings))
    message = str(caught.value)
    assert "\n" not in message
    return message


def found(detector, text):
    return [(span.category, text[span.start : span.end]) for span in detector.detect([text])[0]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pt Marguerite Lindqvist, seen", [("PATIENT", "Marguerite Lindqvist")]),
        ("saw Dr. Okonkwo today", [("DOCTOR", "Okonkwo")]),
        ("the nurse was Okonkwo", [("DOCTOR", "Okonkwo")]),
        ("Dr. Anne Lindqvist rounded", [("DOCTOR", "Anne Lindqvist")]),
        ("from Worcester, MA", [("CITY", "Worcester")]),
        ("at Brightvale Clinic.", [("HOSPITAL", "Brightvale Clinic")]),
        ("call 617-555-0142.", [("PHONE", "617"), ("PHONE", "555"), ("PHONE", "0142")]),
        ("MRN 219", [("IDNUM", "219")]),
        ("in March of", [("DATE", "March")]),
    ],
)
def test_labels_become_categories(detector, text, expected):
    assert found(detector, text) == expected


@pytest.mark.parametrize(
    "text", ["Foley in place", "reviewed quarterly", "[**Marguerite Lindqvist**]", "anne"]
)
def test_a_models_error_is_not_believed(detector, text):
    assert found(detector, text) == []


def test_nothing_spans_a_blank_line_or_a_line_end(detector):
    text = "Anne\n\nLindqvist, Anne\nLindqvist"
    assert found(detector, text) == [("PATIENT", "Anne")] + [("PATIENT", "Lindqvist")] + [
        ("PATIENT", "Anne"),
        ("PATIENT", "Lindqvist"),
    ]


@pytest.mark.parametrize("before", range(40, 140, 3))
def test_a_name_on_a_windows_edge_is_found_whole(detector, before):
    text = "a " * before + "Marguerite Lindqvist " + "b " * 200
    assert found(detector, text) == [("PATIENT", "Marguerite Lindqvist")]


def test_nothing_is_truncated(detector):
    text = "a b c.\n" * 5_000 + "seen by Okonkwo"
    assert found(detector, text) == [("DOCTOR", "Okonkwo")]


def test_batch_size_changes_nothing(folder):
    texts = ["x " * n + "Anne Lindqvist" for n in range(20)]
    one, many = (build(DetectorContext(model=str(folder), batch_size=n)).detect(texts) for n in (1, 16))
    assert one == many


def test_a_random_model_gives_the_same_alone_and_in_a_batch(tmp_path):
    make_labeller(tmp_path)
    torch.manual_seed(3)
    random = BertForTokenClassification(BertConfig.from_pretrained(tmp_path, initializer_range=0.6))
    random.save_pretrained(tmp_path)
    made = build(DetectorContext(model=str(tmp_path)))
    texts = [f"Anne {'Worcester ' * n}at Brightvale on 4471 by Okonkwo" for n in range(30)]
    batch = made.detect(texts)
    assert any(batch)
    assert batch == [build(DetectorContext(model=str(tmp_path))).detect([text])[0] for text in texts]


@pytest.mark.parametrize("scheme", ["BILOU", "BIOES", "bare"])
def test_other_schemes(tmp_path, scheme):
    last, unit = {"BILOU": "LU", "BIOES": "ES", "bare": "  "}[scheme]
    words = {"anne": "B-HCW", "marie": "I-HCW", "lindqvist": f"{last}-HCW", "okonkwo": f"{unit}-HCW"}
    if scheme == "bare":
        words = dict.fromkeys(words, "HCW")
    made = build(DetectorContext(model=str(make_labeller(tmp_path, words))))
    assert found(made, "Anne Marie Lindqvist, Okonkwo") == [
        ("DOCTOR", "Anne Marie Lindqvist"),
        ("DOCTOR", "Okonkwo"),
    ]
    two = found(made, "Okonkwo Okonkwo")
    assert two == ([("DOCTOR", "Okonkwo Okonkwo")] if scheme == "bare" else [("DOCTOR", "Okonkwo")] * 2)


def test_every_target_is_a_category():
    assert set(LABELS.values()) - {"PERSON", "LOCATION"} <= set(CATEGORIES)


def test_labels_without_a_category_are_listed(tmp_path):
    make_labeller(tmp_path, {"anne": "B-WHO", "worcester": "B-WHERE", "march": "B-DATE"})
    with pytest.raises(ConfigError, match=r"detect\.labels: .* labels WHO, WHERE: ") as caught:
        build(DetectorContext(model=str(tmp_path)))
    assert "\n" not in str(caught.value)
    given = build(DetectorContext(model=str(tmp_path), labels=("WHO=PERSON", "WHERE=", "DATE=AGE")))
    assert found(given, "Anne of Worcester in March") == [("PATIENT", "Anne"), ("AGE", "March")]


def test_only_what_looks_like_a_label_is_shown_and_not_too_much_of_it(tmp_path):
    odd = {"anne": "B-Anne Lindqvist 1950", "march": "B-" + "x" * 41, "okonkwo": "B-a\nb"}
    message = refusal(make_labeller(tmp_path / "odd", odd))
    assert "labels (3, not shown): give" in message
    many = {letter + digit: f"B-L-{letter}{digit}" for letter in "abc" for digit in "01234567"}
    message = refusal(make_labeller(tmp_path / "many", {**odd, **many}))
    assert "labels L-a0, L-a1, " in message
    assert ", L-c3 and 7 more: give" in message
    assert "L-c4" not in message
    assert "Lindqvist" not in message


def test_a_malformed_label_setting_is_told_before_a_model_is_looked_for():
    assert refusal("nowhere", labels=("WHO",)).startswith('detect.labels: write "LABEL=CATEGORY"')


@pytest.mark.parametrize("bad", ["WHO", "=PATIENT", "WHO=SHOE SIZE"])
def test_a_label_setting_that_makes_no_sense_is_refused(folder, bad):
    with pytest.raises(ConfigError, match=r"detect\.labels: write"):
        build(DetectorContext(model=str(folder), labels=(bad,)))


def test_no_model_is_refused():
    with pytest.raises(ConfigError, match=r"detect\.model: the detector token_classifier needs a model"):
        build(DetectorContext())


def test_a_place_that_is_no_model_is_refused_without_its_name(tmp_path):
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ConfigError, match=r"detect\.model: ") as caught:
            build(DetectorContext(model=str(place)))
        assert tmp_path.name not in str(caught.value)


def test_a_model_of_another_kind_is_refused(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    BertForMaskedLM(BertConfig.from_pretrained(folder)).save_pretrained(tmp_path)
    config = json.loads((folder / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(ConfigError, match=r"detect\.model: the weights are not"):
        build(DetectorContext(model=str(tmp_path)))


def test_pickled_weights_are_not_read(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (tmp_path / "model.safetensors").unlink()
    torch.save(
        BertForTokenClassification.from_pretrained(folder).state_dict(), tmp_path / "pytorch_model.bin"
    )
    with pytest.raises(ConfigError, match="safetensors"):
        build(DetectorContext(model=str(tmp_path)))


def test_describe_tells_models_apart_and_no_path(folder, tmp_path):
    other = make_labeller(tmp_path, {**CLINICAL, "green": "B-PATIENT"})
    lines = [build(DetectorContext(model=str(place))).describe() for place in (folder, other)]
    assert lines[0] != lines[1]
    assert not any(place.name in line for line in lines for place in (folder, tmp_path))


@pytest.mark.parametrize("kinds", [["BertForSequenceClassification"], None, 7])
def test_a_directory_that_does_not_name_a_token_classifier_is_refused(changed, kinds):
    place = changed("config.json", lambda config: config.update(architectures=kinds))
    assert refusal(place).startswith("detect.model: no token-classification model (config.json names no")


def test_a_classifier_of_whole_texts_is_refused(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    BertForSequenceClassification(BertConfig.from_pretrained(folder)).save_pretrained(tmp_path)
    assert refusal(tmp_path).startswith("detect.model: no token-classification model (config.json names no")


@pytest.mark.parametrize(("extra", "refused"), [("crf.transitions", True), ("bert.pooler.dense.bias", False)])
def test_weights_of_another_head_are_refused_and_old_extras_are_not(folder, tmp_path, extra, refused):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")
    save_file({**weights, extra: torch.zeros(32)}, tmp_path / "model.safetensors", {"format": "pt"})
    if refused:
        assert refusal(tmp_path) == "detect.model: the weights are not those of a token-classification model"
    else:
        assert found(build(DetectorContext(model=str(tmp_path))), "Anne") == [("PATIENT", "Anne")]


@pytest.mark.parametrize(
    ("file", "edit", "words"),
    [
        ("config.json", lambda c: c["id2label"].update({"99": c["id2label"].pop("2")}), "does not number"),
        ("config.json", lambda c: c["id2label"].pop("2"), "no token-classification model"),
        ("config.json", lambda c: c.update(id2label=None), "no token-classification model"),
        ("config.json", lambda c: c["id2label"].update({"2": None}), "a label that is no text"),
        ("config.json", lambda c: c["id2label"].update({"2": 7}), "a label that is no text"),
        ("config.json", lambda c: c["id2label"].update({"2": ""}), "a label that is no text"),
        ("config.json", lambda c: c.update(pad_token_id="x"), "cannot be loaded"),
        ("tokenizer_config.json", lambda c: c.update(model_max_length="many"), "is no number"),
        ("tokenizer_config.json", lambda c: c.update(model_max_length=float("nan")), "is no number"),
        ("tokenizer_config.json", lambda c: c.update(model_max_length=3), "too few tokens"),
        ("tokenizer.json", lambda c: c["model"]["vocab"].update(anne=5_000), "more tokens than the model"),
    ],
)
def test_odd_settings_of_a_model_are_one_line(changed, file, edit, words):
    message = refusal(changed(file, edit))
    assert message.startswith("detect.model: ")
    assert words in message


@pytest.mark.parametrize(
    "edit", [lambda c: c.update(pad_token_id=-1), lambda c: c.update(return_dict=False)], ids=["pad", "tuple"]
)
def test_odd_settings_that_do_no_harm(changed, edit):
    made = build(DetectorContext(model=str(changed("config.json", edit))))
    assert [len(spans) for spans in made.detect(["Anne", "seen by Anne, and by Okonkwo"])] == [1, 2]


def test_a_model_that_cannot_be_asked_or_answers_no_numbers_is_refused(folder, tmp_path, monkeypatch):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    weights = load_file(tmp_path / "model.safetensors")
    weights["classifier.bias"][:] = float("nan")
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    assert refusal(tmp_path) == "detect.model: the model's answers are no numbers"

    def forward(*args, **kwargs):
        raise IndexError("Zebulon")

    monkeypatch.setattr(BertForTokenClassification, "forward", forward)
    assert refusal(folder) == "detect.model: the model cannot be asked (IndexError)"


@pytest.mark.parametrize("device", ["meta", "hpu", "nonsense", "cuda:77"])
def test_a_device_that_computes_nothing_is_refused(folder, device):
    assert refusal(folder, device=device).startswith("detect.device: ")


def test_a_name_that_no_file_can_have_and_a_folder_that_may_not_be_entered(tmp_path, monkeypatch):
    assert refusal("x" * 5_000) == "detect.model: the directory cannot be read (File name too long)"

    def denied(*args, **kwargs):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.is_dir", denied)
    assert refusal(tmp_path) == "detect.model: the directory cannot be read (Permission denied)"


def test_loading_shows_no_progress(folder, capfd):
    build(DetectorContext(model=str(folder)))
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "")


def test_without_torch_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setattr("phiscan.detectors.token_classifier.find_spec", lambda name: None)
    with pytest.raises(
        MissingDependencyError, match=r"pip install 'phiscan' \(in a checkout: pip install -e '\.'\)$"
    ):
        build(DetectorContext(model="nowhere"))
