"""What differential privacy costs and promises: units, draws, noise, and the epsilon that steps spend.

At every step of DP-SGD each unit (a row, a note or a patient) is drawn by itself with one probability; the
gradient of each drawn unit is clipped, the clipped ones are added up, and Gaussian noise is added to the
sum (Abadi et al. 2016, "Deep Learning with Differential Privacy"). What that is worth after some steps,
epsilon at a given delta, is computed by Renyi accounting of the subsampled Gaussian mechanism (Mironov et
al. 2019), an upper bound, in opacus.

Draws and noise come from the machine's entropy unless a generator is given, never from a run's seed:
whoever knew it could take the noise away.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from phiscan.errors import ConfigError, MissingDependencyError

if TYPE_CHECKING:
    import torch


class Privacy(NamedTuple):
    """What is private, and by how much noise."""

    units: Sequence[Sequence[int]]
    """The rows of each unit, a note or a patient: what is promised is promised for these."""
    units_a_step: int
    """Units in a step on average."""
    noise_multiplier: float
    """Standard deviation of the noise on the summed gradient, in units of ``max_grad_norm``."""
    max_grad_norm: float = 1.0
    """The gradient of a unit is scaled down to this norm."""
    at_once: int = 16
    """Rows in memory at once; so many rows of a unit count at a step at most, drawn anew each time."""

    @property
    def sample_rate(self) -> float:
        """Probability with which a unit is in a step."""
        return min(1.0, self.units_a_step / len(self.units))

    @property
    def steps_an_epoch(self) -> int:
        """Steps in which each unit is drawn once on average."""
        return max(1, round(1 / self.sample_rate))

    def epsilon(self, steps: int, delta: float) -> float:
        """Epsilon after ``steps`` steps: one unit more or less changes the probability of any outcome by a
        factor of at most e^epsilon, but for a probability of ``delta``."""
        if steps == 0:
            return 0.0
        accountant = opacus("accountants").RDPAccountant()
        accountant.history = [(self.noise_multiplier, self.sample_rate, steps)]
        with quietly():  # that the bound is loose where epsilon is tiny
            return max(0.0, float(accountant.get_epsilon(delta=delta)))


def noise_for(epsilon: float, *, delta: float, sample_rate: float, steps: int) -> float:
    """The noise multiplier with which ``steps`` steps spend ``epsilon`` at most, and 0.01 less at least.

    Raises:
        ConfigError: No noise is enough.

    """
    find = opacus("accountants.utils").get_noise_multiplier
    wanted = {"target_epsilon": epsilon, "target_delta": delta, "sample_rate": sample_rate, "steps": steps}
    try:
        with quietly():
            return float(find(**wanted, accountant="rdp"))
    except ValueError:
        raise ConfigError(
            "dp_epsilon: is too small for any noise; take a larger one or fewer steps"
        ) from None


class PoissonDraws:
    """Steps of an epoch, each a list of (unit, row); usable as a loader's ``batch_sampler``."""

    def __init__(self, privacy: Privacy, *, generator: torch.Generator | None = None) -> None:
        import torch

        self._privacy = privacy
        self._generator = torch.Generator() if generator is None else generator
        if generator is None:
            self._generator.seed()

    def __len__(self) -> int:
        return self._privacy.steps_an_epoch

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        for _ in range(len(self)):
            yield self._step()

    def _step(self) -> list[tuple[int, int]]:
        import torch

        units, most = self._privacy.units, self._privacy.at_once
        drawn = torch.rand(len(units), generator=self._generator) < self._privacy.sample_rate
        step: list[tuple[int, int]] = []
        for unit in drawn.nonzero().flatten().tolist():
            rows = units[unit]
            if len(rows) > most:
                kept = torch.randperm(len(rows), generator=self._generator)[:most].tolist()
                rows = [rows[at] for at in sorted(kept)]
            step += [(unit, row) for row in rows]
        return step


@contextmanager
def quietly() -> Iterator[None]:
    """Without warnings that say nothing to a user."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def opacus(name: str) -> Any:
    """A module of opacus."""
    try:
        return import_module(f"opacus.{name}")
    except ImportError:
        raise MissingDependencyError.of("private training needs opacus", extra="dp") from None
