"""What `phiscan forecast --json` printed, read back from a file."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from phiscan.errors import ConfigError
from phiscan.forecast import Forecast
from phiscan.printable import is_printable

MOST_BYTES = 16 * 1024 * 1024
"""A suite of a thousand models makes a hundredth of it."""
_NOT_FIGURES = ("wanted_recall", "too_short", "words")


def read_forecast(path: Path, argument: str) -> Forecast:
    """The figures of the file; ConfigError names ``argument`` if it is none that this version can read."""
    try:
        if not path.is_file():
            raise ConfigError(f"{argument}: is no file")
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise ConfigError(f"{argument}: cannot be read ({type(error).__name__})") from None
    try:
        if len(content) <= MOST_BYTES:
            found = json.loads(content)
            plain = {name: value for name, value in found.items() if name not in _NOT_FIGURES}
            forecast = TypeAdapter(Forecast).validate_python(plain)
            if all(map(is_printable, [forecast.full, *(one.name for one in forecast.candidates)])):
                return forecast
    except (ValidationError, ValueError, AttributeError, RecursionError):
        pass
    raise ConfigError(f"{argument}: is not what phiscan forecast --json prints")
