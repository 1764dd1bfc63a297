"""The one reader of TOML: settings, suites, tables and rules are all read here.

Whatever the text holds, the outcome is a table or an error that quotes none of it.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from phiscan.errors import ConfigError, PhiscanError


class NotTomlError(ValueError):
    """A text that is no TOML; its own text says why and quotes nothing."""


def parse_toml(text: str) -> dict[str, Any]:
    """The table that ``text`` is; NotTomlError names the line, where the parser does."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        # Only the place is taken from the message: the rest may quote the text.
        place = re.search(r"line \d+", str(error))
        raise NotTomlError(place[0] if place else "it ends too early") from None
    except RecursionError:
        raise NotTomlError("brackets nested too deep") from None
    except ValueError:  # Python reads no integer of more than 4,300 digits
        raise NotTomlError("a number of too many digits") from None


def read_toml(path: Path, where: str, error: type[PhiscanError] = ConfigError) -> dict[str, Any]:
    """The content of a TOML file; ``error`` names ``where``, and the line where it is damaged."""
    try:
        content = path.read_bytes().decode("utf-8-sig")  # Windows editors put a byte order mark first
    except UnicodeDecodeError:
        raise error(f"{where}: not a TOML file (not UTF-8)") from None
    except (OSError, ValueError) as problem:  # ValueError: a path with a null character
        raise error(f"{where}: cannot be read ({type(problem).__name__})") from None
    try:
        return parse_toml(content)
    except NotTomlError as problem:
        raise error(f"{where}: not a TOML file ({problem})") from None
