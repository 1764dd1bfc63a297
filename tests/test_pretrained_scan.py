"""A real pretrained model over notes it never saw: complete, and nothing leaks."""

import pytest
from pretrained import smollm2

from phiscan.commands.demo_corpus import make_corpus, write_corpus
from phiscan.config import ScanConfig
from phiscan.passes.plan import ScanInputs
from phiscan.pipeline import scan

pytestmark = pytest.mark.slow


def test_smollm2_gives_away_nothing_of_notes_it_never_saw(tmp_path):
    model = smollm2()
    corpus = make_corpus(seed=4242, repeated=0, unique=20, holdout=0)
    write_corpus(corpus, tmp_path / "in")
    config = ScanConfig.model_validate({"model": {"batch_size": 32}, "regenerate": {"max_new_tokens": 200}})
    inputs = ScanInputs(
        notes=tmp_path / "in" / "notes.jsonl",
        known=tmp_path / "in" / "known.csv",
        model=str(model),
        out=tmp_path / "run",
    )
    report = scan(inputs, config)
    assert report.coverage.complete
    assert report.coverage.notes == 20
    assert sum(cell.done for cell in report.coverage.prefixes) >= 50
    headline = next(line for line in report.leaks if (line.arm, line.line) == ("scanned", "headline"))
    assert headline.instances == 0
    assert report.decision.outcome != "leak_found"
    assert report.manifest.models[0].parameters == 134_515_008
