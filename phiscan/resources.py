"""Finds rules/ and annotation/: inside an installed wheel, else at the repository root."""

from __future__ import annotations

from pathlib import Path

from phiscan.errors import PhiscanError

_PACKAGE = Path(__file__).parent


def resource_dir(name: str) -> Path:
    """The folder ``name`` (``rules`` or ``annotation``) this installation uses."""
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise PhiscanError(f"this installation has no {name}/ folder: reinstall phiscan")
