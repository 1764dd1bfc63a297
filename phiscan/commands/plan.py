"""`phiscan plan`: what a scan must ask so that finding nothing means something, and what that costs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from phiscan.config import ScanConfig, first_problem
from phiscan.decodings import GREEDY
from phiscan.errors import ConfigError
from phiscan.greedy_runs import K
from phiscan.planning import Cost, Machine, Tokens, Workload, costs, patients_needed, tokens_of
from phiscan.printable import PrintableName, PrintableText
from phiscan.resources import resource_dir
from phiscan.stats import zero_bound
from phiscan.toml_file import read_toml

RATES = (0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
"""Rates shown beside the one asked for."""
TABLE = "hardware.toml"
_MOST = 10**12
"""Bound of every figure given: far above any real one, and products of them are still finite."""


class PlanSettings(BaseModel):
    """What is planned for."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    rate: float = Field(0.01, ge=1e-9, lt=1, allow_inf_nan=False)
    level: float = Field(0.95, gt=0, lt=1, allow_inf_nan=False)
    patients: int | None = Field(None, ge=1, le=_MOST)
    notes_per_patient: float = Field(3.0, gt=0, le=_MOST, allow_inf_nan=False)
    note_tokens: int = Field(600, ge=2, le=_MOST)
    note_words: int = Field(400, ge=1, le=_MOST)
    billions: float = Field(8.0, gt=0, le=_MOST, allow_inf_nan=False)
    control: bool = True


_Speed = Annotated[float, Field(ge=1 / _MOST, le=_MOST, allow_inf_nan=False)]


class _Machine(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    name: PrintableName
    generated: _Speed
    read: _Speed
    words: int = Field(ge=0, le=_MOST)
    memory: _Speed
    price: float = Field(ge=0, le=_MOST, allow_inf_nan=False)
    source: PrintableText


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    machine: tuple[_Machine, ...] = Field(min_length=1)


def plan_settings(**given: Any) -> PlanSettings:
    """The settings; ConfigError names the option that cannot be."""
    try:
        return PlanSettings(**given)
    except ValidationError as error:
        field, _, said = first_problem(error).partition(": ")
        raise ConfigError(f"--{field.replace('_', '-')}: {said}") from None


class Plan(NamedTuple):
    """Patients and notes needed, and the work of asking for them."""

    settings: PlanSettings
    needed: dict[float, int]
    """Patients needed by rate."""
    patients: int
    """Those planned for: as many as were given, else as many as the rate needs."""
    bound: float
    """Largest rate that no leak among them leaves possible."""
    work: Workload
    tokens: Tokens
    costs: list[Cost]
    sources: dict[str, str]
    """Where each machine's figures come from."""


def plan_scan(settings: PlanSettings, config: ScanConfig, hardware: Path | None = None) -> Plan:
    """Reckon with the prefix lengths and limits of ``config``; ConfigError for a bad table."""
    rates = sorted({*RATES, settings.rate}, reverse=True)
    needed = {rate: patients_needed(rate, settings.level) for rate in rates}
    patients = settings.patients or needed[settings.rate]
    asked = config.regenerate
    work = Workload(
        notes=round(patients * settings.notes_per_patient),
        note_tokens=settings.note_tokens,
        note_words=settings.note_words,
        prefix_lengths=asked.prefix_lengths,
        max_new_tokens=asked.max_new_tokens,
        models=2 if settings.control else 1,
        tiers=tuple(tier for _, tier in asked.designs),
        answers=sum(1 if name == GREEDY else asked.draws for name in asked.decodings),
        scored=K if config.expose.free_running else 0,
    )
    if min(asked.prefix_lengths) >= settings.note_tokens:
        raise ConfigError("--note-tokens: such notes are shorter than every prefix length")
    machines = _machines(hardware)
    tokens = tokens_of(work)
    return Plan(
        settings=settings,
        needed=needed,
        patients=patients,
        bound=zero_bound(patients, settings.level),
        work=work,
        tokens=tokens,
        costs=costs(tokens, settings.billions, machines),
        sources={machine.name: machine.source for machine in machines},
    )


def _machines(path: Path | None) -> list[Machine]:
    found = read_toml(path or resource_dir("rules") / "plan" / TABLE, "--hardware")
    try:
        table = _Table.model_validate(found)
    except ValidationError as error:
        raise ConfigError(f"--hardware: {first_problem(error)}") from None
    return [Machine(**machine.model_dump()) for machine in table.machine]


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan for machines."""
    return {
        "settings": plan.settings.model_dump(),
        "patients_needed": [{"rate": rate, "patients": count} for rate, count in plan.needed.items()],
        "patients": plan.patients,
        "bound": plan.bound,
        "work": plan.work._asdict(),
        "tokens": plan.tokens._asdict(),
        "costs": [cost._asdict() for cost in plan.costs],
        "sources": plan.sources,
    }


class Shown(NamedTuple):
    """One table of the plan."""

    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def plan_tables(plan: Plan) -> list[Shown]:
    """The plan for people."""
    per, level = plan.settings.notes_per_patient, plan.settings.level
    needed = [(f"{rate:.3g}", f"{count:,}", f"{round(count * per):,}") for rate, count in plan.needed.items()]
    tokens = plan.tokens
    work = [
        ("patients", f"{plan.patients:,}"),
        ("notes", f"{plan.work.notes:,}"),
        ("no leak among them bounds the share of patients who leak at", f"{plan.bound:.3g}"),
        ("prompts, all models", f"{tokens.prompts:,}"),
        ("tokens written, at most", f"{tokens.generated:,}"),
        ("tokens read", f"{tokens.read:,}"),
        ("words for the detectors, at most", f"{tokens.words:,}"),
    ]
    cost = [
        (one.machine, f"{one.cards:,}", f"{one.hours:,.1f}", f"{one.detecting:,.1f}", f"{one.money:,.2f}")
        for one in plan.costs
    ]
    return [
        Shown(
            f"Patients of whom none may leak, at {100 * level:g}%",
            ("share of patients who leak", "patients", "notes"),
            needed,
        ),
        Shown("Work", ("", ""), work),
        Shown(
            f"Cost with {plan.settings.billions:g} billion parameters",
            ("machine", "machines", "hours", "of them detectors", "money"),
            cost,
        ),
    ]
