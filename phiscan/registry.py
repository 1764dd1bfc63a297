"""Finds plug-ins: modules of a family's folder, and third parties' entry points."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from phiscan.errors import UnknownPluginError

FAMILIES: tuple[str, ...] = ("formats", "backends", "detectors", "metrics", "renderers")


def plugin_names(family: str) -> list[str]:
    """Names of every plug-in of ``family``, sorted, without importing any."""
    if family not in FAMILIES:
        raise UnknownPluginError(f"unknown plug-in family; there are: {', '.join(FAMILIES)}")
    package = importlib.import_module(f"phiscan.{family}")
    own = {module.name for module in pkgutil.iter_modules(package.__path__)}
    return sorted(own | set(_entry_points(family)))


def load_plugin(family: str, name: str) -> Any:
    """Import the plug-in ``name`` of ``family`` (a module, or what an entry point names)."""
    known = plugin_names(family)
    if name not in known:
        raise UnknownPluginError(f"no {family} plug-in of that name; there are: {', '.join(known)}")
    third_party = _entry_points(family)
    if name in third_party:
        return third_party[name].load()
    return importlib.import_module(f"phiscan.{family}.{name}")


@cache
def _entry_points(family: str) -> dict[str, EntryPoint]:
    # What is installed does not change while a process runs, and looking takes milliseconds.
    return {point.name: point for point in entry_points(group=f"phiscan.{family}")}
