"""ScanConfig: every stage's own settings, assembled from flags, environment, scan.toml, defaults.

Precedence: flags > ``PHISCAN_<SECTION>_<FIELD>`` > scan.toml > defaults. Unknown keys are refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from phiscan.adapt_settings import AdaptSettings
from phiscan.detect import DetectSettings
from phiscan.errors import ConfigError
from phiscan.expose import ExposeSettings
from phiscan.load import LoadSettings
from phiscan.match import MatchSettings
from phiscan.measures.scan import MeasureSettings
from phiscan.near_duplicates import RepetitionSettings
from phiscan.option_tasks import OptionSettings
from phiscan.printable import shown_name
from phiscan.protocols import BackendSettings, MetricSettings
from phiscan.regenerate import RegenerateSettings
from phiscan.registry import plugin_names
from phiscan.scan_report import Release
from phiscan.screen import ScreenSettings
from phiscan.spikes import SpikeSettings
from phiscan.toml_file import NotTomlError, parse_toml, read_toml
from phiscan.verify import VerifySettings

_ENVIRONMENT = "PHISCAN_"
_PLAIN = {
    "missing": "is missing",
    "extra_forbidden": "unknown setting",
    "tuple_type": 'write a list, such as ["greedy"] or [50, 100]',
    "dict_type": "write a table",
    "model_type": "write a table",
}
"""What is said of a setting where the library's own words speak of Python, by kind of problem."""
_NOT_SETTINGS = {"PHISCAN_DEBUG"}


class RunSettings(BaseModel):
    """How a run is cut and seeded."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    seed: int = Field(0, ge=0, description="seed of everything random")
    shard_notes: int = Field(
        256, ge=1, description="notes at least in a shard of whole patients: what a kill loses at most"
    )


class ScanConfig(BaseModel):
    """All settings of a scan; one section a stage."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    run: RunSettings = RunSettings()
    load: LoadSettings = LoadSettings()
    model: BackendSettings = BackendSettings()
    repetitions: RepetitionSettings = RepetitionSettings()
    regenerate: RegenerateSettings = RegenerateSettings()
    expose: ExposeSettings = ExposeSettings()
    screen: ScreenSettings = ScreenSettings()
    match: MatchSettings = MatchSettings()
    metrics: MetricSettings = MetricSettings()
    detect: DetectSettings = DetectSettings()
    verify: VerifySettings = VerifySettings()
    spikes: SpikeSettings = SpikeSettings()
    measure: MeasureSettings = MeasureSettings()
    options: OptionSettings = OptionSettings()
    adapt: AdaptSettings = AdaptSettings()
    release: Release = Release()


def load_config(
    path: Path | None = None,
    flags: Mapping[str, Mapping[str, Any]] | None = None,
    environment: Mapping[str, str] | None = None,
    preset: Mapping[str, Mapping[str, Any]] | None = None,
) -> ScanConfig:
    """The resolved settings; ConfigError names the source and the key, never the value.

    ``preset`` takes the place of defaults.
    """
    layers: list[tuple[str, Mapping[str, Any]]] = [
        ("--preset", preset or {}),
        ("--config", {} if path is None else read_toml(path, "--config")),
        ("environment", _from_environment(os.environ if environment is None else environment)),
        ("flags", flags or {}),
    ]
    merged: dict[str, dict[str, Any]] = {}
    for source, layer in layers:
        for section, fields in layer.items():
            if not isinstance(fields, Mapping):
                raise ConfigError(f"{source}: [{shown_name(section)}] must be a table of settings")
            merged.setdefault(section, {}).update(fields)
        _validated(merged, source)
    return _validated(merged, "settings")


def assignments(texts: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Read ``section.key=value`` settings (value as in TOML; a bare word is text)."""
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        section, dot, key = name.strip().partition(".")
        if not (equals and dot and section and key):
            raise ConfigError("--set: write section.key=value, such as regenerate.max_new_tokens=200")
        found.setdefault(section, {})[key] = _toml_value(value.strip())
    return found


def config_template() -> str:
    """A commented scan.toml with every setting at its default."""
    lines = [
        "# Settings of a phiscan scan; every line shows a default. Flags and PHISCAN_* win over this file."
    ]
    for section, field in ScanConfig.model_fields.items():
        lines += ["", f"[{section}]"]
        settings = field.default
        for name, described in type(settings).model_fields.items():
            if described.description:
                lines.append(f"# {described.description}")
            value = getattr(settings, name)
            lines.append(f"# {name} is not set" if value is None else f"{name} = {_shown(value)}")
    return "\n".join(lines) + "\n"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_shown(item) for item in value) + "]"
    return str(value) if isinstance(value, int | float) else '"' + str(value) + '"'


def _validated(values: Mapping[str, Any], source: str) -> ScanConfig:
    try:
        config = ScanConfig.model_validate(values)
    except ValidationError as error:
        raise ConfigError(f"{source}: {first_problem(error)}") from None
    backends = plugin_names("backends")
    if config.model.backend not in backends:
        # Said here, as else a command would ask for a model that this backend may not need.
        raise ConfigError(f"{source}: model.backend: none of that name; there are: {', '.join(backends)}")
    return config


def first_problem(error: ValidationError) -> str:
    """Where a validation failed first, and why; never the value."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    # A mistyped key is also a missing one; its own name helps more.
    first = next((p for p in problems if p["type"] == "extra_forbidden"), problems[0])
    where = ".".join(shown_name(str(part)) for part in first["loc"])
    said = re.sub(r"^\w+ should ", "must ", first["msg"].removeprefix("Value error, "))
    what = _PLAIN.get(first["type"], said)
    return f"{where}: {what}" if where else what


def _from_environment(environment: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name, value in environment.items():
        section, _, key = name.removeprefix(_ENVIRONMENT).lower().partition("_")
        if name.startswith(_ENVIRONMENT) and name not in _NOT_SETTINGS:
            found.setdefault(section, {})[key] = _toml_value(value)
    return found


def _toml_value(text: str) -> Any:
    try:
        return parse_toml(f"value = {text}")["value"]
    except NotTomlError:
        return text
