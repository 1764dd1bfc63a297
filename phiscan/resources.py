"""Finds rules/ and annotation/: inside an installed wheel, else at the repository root."""

from __future__ import annotations

import os
from pathlib import Path

from phiscan.errors import PhiscanError

_PACKAGE = Path(__file__).parent


def is_folder(name: str) -> bool:
    """True if there is a folder of that name; False too for one that no file system could have."""
    return os.path.isdir(name)  # noqa: PTH112 - Path raises OSError for a name that is too long


def resource_dir(name: str) -> Path:
    """The folder ``name`` (``rules`` or ``annotation``) this installation uses."""
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise PhiscanError(f"this installation has no {name}/ folder: reinstall phiscan")
