"""Every metric plug-in keeps the contract of phiscan.protocols.Metric, new ones included."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from tiny_text_models import make_encoder, make_seq2seq

from phiscan.protocols import Metric, MetricSettings, Pair
from phiscan.records import MissingReason
from phiscan.registry import load_plugin, plugin_names

SAID = "The patient was seen in clinic today and feels well."
OTHER = "Admitted with chest pain; troponin negative twice."
PAIRS = [
    Pair(SAID, SAID),
    Pair(SAID, OTHER),
    Pair(OTHER, SAID),
    Pair("seen", SAID),
    Pair("—", "日本 🙂"),
    Pair("\x00\x0c.", "pain"),
    Pair("well " * 100, "pain " * 100),
]


@pytest.fixture(scope="module", params=plugin_names("metrics"))
def metric(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Metric:
    folder = tmp_path_factory.mktemp("models")
    asked = MetricSettings(
        bertscore_model=str(make_encoder(folder / "encoder")),
        bartscore_model=str(make_seq2seq(folder / "seq2seq")),
        device="cpu",
        batch_size=2,
    )
    return load_plugin("metrics", request.param).build(asked)


def test_every_pair_gets_a_number_or_a_known_reason(metric: Metric) -> None:
    scores = metric.score(PAIRS)
    assert len(scores) == len(PAIRS)
    for score in scores:
        assert score in get_args(MissingReason) if isinstance(score, str) else math.isfinite(score)
    assert isinstance(scores[0], float)
    assert isinstance(scores[1], float)


def test_neighbours_and_order_change_nothing(metric: Metric) -> None:
    together = metric.score(PAIRS)
    assert metric.score(PAIRS[::-1])[::-1] == pytest.approx(together, abs=1e-5)
    alone = [metric.score([pair])[0] for pair in PAIRS]
    for one, other in zip(alone, together, strict=True):
        assert one == (other if isinstance(other, str) else pytest.approx(other, abs=1e-5))


def test_nothing_gives_nothing(metric: Metric) -> None:
    assert metric.score([]) == []


def test_the_description_is_one_line(metric: Metric) -> None:
    assert metric.describe().strip()
    assert "\n" not in metric.describe()
