"""Every error a user is expected to meet: one line, no patient text, exit code 2.

A message names the file *argument* (``--notes``), the row, the field and, where a record
must be told apart, its keyed id. It never holds a value that came from a record.
"""

from __future__ import annotations


class PhiscanError(Exception):
    """Base of all expected errors; its text is safe to print and is a single line."""


class ConfigError(PhiscanError):
    """A setting, flag or settings file that cannot be used."""


class NoteFormatError(PhiscanError):
    """A notes, identifiers or continuations file that cannot be read as one."""


class RuleError(PhiscanError):
    """A rule file that is malformed or fails its own examples."""


class UnknownPluginError(PhiscanError):
    """A plug-in name that no module or entry point answers to."""


class MissingDependencyError(PhiscanError):
    """An optional package that is not installed; the text says how to install it."""

    @classmethod
    def of(cls, needed: str, extra: str = "") -> MissingDependencyError:
        """Says what is ``needed``, and how to install it: with the ``extra`` of the package."""
        extras = f"[{extra}]" if extra else ""
        return cls(f"{needed}: pip install 'phiscan{extras}' (in a checkout: pip install -e '.{extras}')")


class BackendError(PhiscanError):
    """A model that cannot be loaded or asked."""


class StoreError(PhiscanError):
    """A run directory that cannot be written, read or resumed."""


class PrivacyError(PhiscanError):
    """Something that would have put patient text where it does not belong."""
