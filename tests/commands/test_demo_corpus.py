import csv
import json
import re
import stat
import sys
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscan.commands.demo_corpus import make_corpus, write_corpus
from phiscan.commands.demo_model import train_demo_model
from phiscan.commands.demo_templates import DISCLAIMER, SENTENCES
from phiscan.errors import ConfigError, MissingDependencyError, StoreError
from phiscan.taxonomy import CATEGORIES


@pytest.fixture(scope="module")
def corpus():
    return make_corpus()


@pytest.fixture(scope="module")
def values(corpus):
    found = defaultdict(set)
    for note in corpus.notes:
        for start, end, category in note.spans:
            found[category].add(note.text[start:end])
    return found


def test_every_category_occurs(values):
    assert set(values) == set(CATEGORIES)


def test_equal_seeds_make_equal_notes_and_others_do_not(corpus):
    assert make_corpus() == corpus
    assert {n.text for n in make_corpus(seed=8).notes}.isdisjoint(n.text for n in corpus.notes)


@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_gold_spans_lie_in_order_inside_the_text_without_overlap(seed):
    for note in make_corpus(seed=seed, repeated=4, copies=2, unique=6, holdout=4).notes:
        edges = [edge for start, end, _ in note.spans for edge in (start, end)]
        assert edges == sorted(edges)
        assert all(start < end <= len(note.text) for start, end, _ in note.spans)
        for start, end, _ in note.spans:
            value = note.text[start:end]
            assert value == value.strip()
            assert not re.match(r"\w", note.text[end : end + 1])
            assert start == 0 or not re.match(r"\w", note.text[start - 1])
        assert "{" not in note.text


def test_values_lie_in_ranges_that_belong_to_nobody(values):
    patterns = {
        "PHONE": r"\(?\d{3}\)?[ -]555-01\d\d",
        "FAX": r"\(?\d{3}\)?[ -]555-01\d\d",
        "EMAIL": r"[\w.]+@example\.org",
        "URL": r"https://example\.org/[\w/]+",
        "IPADDR": r"198\.1[89]\.\d{1,3}\.\d{1,3}",
        "SSN": r"9\d\d-\d\d-\d{4}",
        "ZIP": r"(213|343|353|419|517|533|552|632|682|987)\d\d",
    }
    for category, pattern in patterns.items():
        assert all(re.fullmatch(pattern, value) for value in values[category]), category


def test_copies_are_rows_of_one_patient_and_holdout_stands_apart():
    corpus = make_corpus(repeated=5, copies=6, unique=7, holdout=4)
    rows = Counter(note.text for note in corpus.notes)
    assert Counter(rows.values()) == {6: 5, 1: 11}
    assert len({note.note_id for note in corpus.notes}) == len(corpus.notes) == 41
    owners = defaultdict(set)
    patients = defaultdict(set)
    for note in corpus.notes:
        owners[note.text].add(note.patient_id)
        patients[note.split].add(note.patient_id)
    assert all(len(who) == 1 for who in owners.values())
    assert patients["member"].isdisjoint(patients["holdout"])
    assert sum(note.split == "holdout" for note in corpus.notes) == 4


def test_patients_share_no_passage_but_the_disclaimer(corpus):
    holders = defaultdict(set)
    for note in corpus.notes:
        words = re.findall(r"\w+|[^\w\s]", note.text.replace(DISCLAIMER, ""))
        for i in range(len(words) - 21):
            holders[tuple(words[i : i + 22])].add(note.patient_id)
    assert max(len(who) for who in holders.values()) == 1
    disclaimed = {note.patient_id for note in corpus.notes if corpus.boilerplate in note.text}
    assert len(DISCLAIMER.split()) >= 45
    assert len(disclaimed) > 10


def test_the_opening_tells_a_note_from_every_other(corpus):
    texts = {note.text for note in corpus.notes}
    assert len({" ".join(text.split()[:14]) for text in texts}) == len(texts)


def test_most_notes_hold_about_a_dozen_values_and_a_few_are_long(corpus):
    distinct = {note.text: note for note in corpus.notes}.values()
    counts = sorted(len(note.spans) for note in distinct)
    assert counts[len(counts) // 10] >= 10
    assert counts[len(counts) // 2] <= 16
    long = [note for note in distinct if len(note.text) > 1600]
    assert 4 <= len(long) <= 10
    assert len({note.text for note in long if note.split == "member"}) >= 3


def test_known_identifiers_cover_every_patient(corpus):
    table = defaultdict(set)
    for row in corpus.known:
        table[row.patient_id].add(row.category)
    wanted = {"PATIENT", "DATE", "MEDICALRECORD", "PHONE", "SSN", "STREET"}
    assert set(table) == {note.patient_id for note in corpus.notes}
    assert all(categories == wanted for categories in table.values())


def test_traps_for_detectors_are_there_and_are_no_gold(corpus):
    text = "\n".join(note.text for note in corpus.notes)
    gold = {note.text[a:b] for note in corpus.notes for a, b, _ in note.spans}
    for trap in ("Vitamin B12", "BP 120/80", "Hodgkin", "Foley", "E11."):
        assert trap in text
        assert not any(trap in value for value in gold)
    assert re.search(r"pain \d/10", text)
    assert all(len(set(group)) == len(group) >= 6 for group in SENTENCES.values())


def test_files_hold_the_corpus_and_are_private(corpus, tmp_path):
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / "known.csv").write_text("old")
    (folder / "known.csv").chmod(0o644)
    write_corpus(corpus, folder)
    rows = [json.loads(line) for line in (folder / "notes.jsonl").read_text("utf-8").splitlines()]
    texts = {row["note_id"]: row["text"] for row in rows}
    assert list(rows[0]) == ["note_id", "patient_id", "split", "note_type", "date", "text"]
    assert texts == {note.note_id: note.text for note in corpus.notes}
    gold = [json.loads(line) for line in (folder / "gold.jsonl").read_text("utf-8").splitlines()]
    assert [len(row["spans"]) for row in gold] == [len(note.spans) for note in corpus.notes]
    spans = ((row["note_id"], span) for row in gold for span in row["spans"])
    note_id, ssn = next((note_id, span) for note_id, span in spans if span["category"] == "SSN")
    assert re.fullmatch(r"9\d\d-\d\d-\d{4}", texts[note_id][ssn["start"] : ssn["end"]])
    with (folder / "known.csv").open(newline="") as file:
        known = list(csv.DictReader(file))
    assert [tuple(row.values()) for row in known] == [
        (row.patient_id, row.category, row.value) for row in corpus.known
    ]
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_records_show_no_patient_text(corpus):
    note = corpus.notes[0]
    shown = repr(note)
    assert note.patient_id not in shown
    assert not any(note.text[a:b] in shown for a, b, _ in note.spans if b - a > 4)


def test_a_folder_that_cannot_be_made_is_an_error_without_its_name(corpus, tmp_path):
    (tmp_path / "secretname").write_text("")
    with pytest.raises(StoreError) as caught:
        write_corpus(corpus, tmp_path / "secretname" / "below")
    assert "secretname" not in str(caught.value)


def test_without_faker_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "faker", None)
    with pytest.raises(MissingDependencyError, match=r"pip install 'phiscan\[demo\]' \(in a checkout: "):
        make_corpus()


def test_training_saves_a_model_that_loads_and_repeats_itself(tmp_path):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    corpus = make_corpus(repeated=2, copies=2, unique=2, holdout=0)
    texts = [note.text for note in corpus.notes]
    threads, state, ticks = torch.get_num_threads(), torch.get_rng_state(), []
    trained = train_demo_model(
        texts, tmp_path / "a", steps=30, progress=lambda done, n: ticks.append((done, n))
    )
    again = train_demo_model(texts, tmp_path / "b", steps=30)
    assert (trained.loss, trained.first_loss) == (again.loss, again.first_loss)
    assert trained.loss < trained.first_loss - 1
    assert ticks == [(step, 30) for step in range(1, 31)]
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), state)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "a")
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "a")
    ids = tokenizer(texts[0])["input_ids"]
    assert ids[0] == tokenizer.bos_token_id == model.generation_config.bos_token_id
    assert tokenizer.decode(ids[1:]) == texts[0]
    assert len({tokenizer.bos_token_id, tokenizer.eos_token_id, tokenizer.pad_token_id}) == 3
    assert model.num_parameters() == trained.parameters
    assert {stat.S_IMODE(p.stat().st_mode) for p in (tmp_path / "a").iterdir()} == {0o600}


def test_a_model_cannot_be_trained_on_nothing(tmp_path):
    with pytest.raises(ConfigError):
        train_demo_model([], tmp_path / "a")
    with pytest.raises(ConfigError):
        train_demo_model(["text"], tmp_path / "a", steps=0)
