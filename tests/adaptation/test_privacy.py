"""Who is drawn, and what that and the noise are worth."""

import math

import pytest
import torch

from phiscan.adaptation.privacy import PoissonDraws, Privacy, noise_for
from phiscan.errors import ConfigError, MissingDependencyError

accountants = pytest.importorskip("opacus.accountants")


def test_every_unit_is_drawn_alone_and_with_the_same_chance():
    units = [[0], [1, 2, 3], [4, 5]] * 10
    plan = Privacy(units=units, units_a_step=6, noise_multiplier=1.0, at_once=2)
    draws = PoissonDraws(plan, generator=torch.Generator().manual_seed(0))
    assert (plan.sample_rate, len(draws)) == (0.2, 5)
    steps = [step for _ in range(800) for step in draws]
    counts = torch.zeros(30)
    sizes = []
    for step in steps:
        drawn = {unit for unit, _ in step}
        counts[list(drawn)] += 1
        sizes.append(len(drawn))
        for unit in drawn:
            rows = [row for one, row in step if one == unit]
            assert len(rows) == min(2, len(units[unit]))
            assert set(rows) <= set(units[unit])
        assert [unit for unit, _ in step] == sorted(unit for unit, _ in step)
    chance = counts / len(steps)
    assert float((chance - 0.2).abs().max()) < 4.5 * math.sqrt(0.2 * 0.8 / len(steps))
    # Binomial sizes, not a fixed one: independent draws.
    assert torch.tensor(sizes, dtype=torch.float).var() == pytest.approx(30 * 0.2 * 0.8, rel=0.1)
    assert {row for step in steps for unit, row in step if unit == 1} == {1, 2, 3}


def test_epsilon_is_that_of_opacus_step_by_step():
    plan = Privacy(units=[[at] for at in range(200)], units_a_step=10, noise_multiplier=0.9)
    accountant = accountants.RDPAccountant()
    for _ in range(60):
        accountant.step(noise_multiplier=0.9, sample_rate=0.05)
    assert plan.epsilon(60, 1e-4) == pytest.approx(accountant.get_epsilon(1e-4), rel=1e-9)
    assert plan.epsilon(0, 1e-4) == 0
    assert plan.epsilon(60, 1e-4) < plan.epsilon(120, 1e-4)


@pytest.mark.parametrize("epsilon", [1.0, 8.0])
def test_the_noise_for_an_epsilon_spends_it(epsilon):
    noise = noise_for(epsilon, delta=1e-4, sample_rate=0.05, steps=100)
    plan = Privacy(units=[[at] for at in range(200)], units_a_step=10, noise_multiplier=noise)
    assert epsilon - 0.011 <= plan.epsilon(100, 1e-4) <= epsilon


def test_no_noise_is_enough_for_every_epsilon():
    with pytest.raises(ConfigError, match="too small"):
        noise_for(1e-9, delta=1e-12, sample_rate=1.0, steps=10**6)


def test_without_opacus_the_way_to_install_it_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "opacus.accountants", None)
    with pytest.raises(MissingDependencyError, match=r"phiscan\[dp\]"):
        Privacy(units=[[0]], units_a_step=1, noise_multiplier=1.0).epsilon(1, 1e-3)
