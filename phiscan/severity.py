"""How bad a value would be if it came out: a matter apart from whether it was found.

Validity never filters (a wrong check digit may be a slip in the record); it only moves a value
between the grades:

- ``high``: points at one person by itself and could be real. A patient's full name, a street with its
  number, a whole telephone number, address of mail, page or machine, an identifier of six or more
  letters and digits that passes whatever test its kind has (social security, Luhn, NPI, DEA, VIN, IBAN).
- ``moderate``: one of the HIPAA eighteen that narrows (a surname, a date, a town, the last four figures)
  or that cannot be valid.
- ``low``: outside the eighteen, or permitted by their fine rules: a year, a state, an age below 90,
  clinicians and hospitals (see :func:`phiscan.normalize.hipaa_letter`).
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Literal

from phiscan.normalize import hipaa_letter, is_specific
from phiscan.rulebook.checksums import dea, iban, luhn, npi, ssn, vin

Severity = Literal["high", "moderate", "low"]

_TESTS: dict[str, tuple[tuple[str, Callable[[str], bool]], ...]] = {
    "LICENSE": ((r"[12]\d{9}", npi), (r"[A-Z][A-Z9]\d{7}", dea)),
    "VEHICLE": ((r"[A-Z\d]{17}", vin),),
    "ACCOUNT": ((r"\d{15,16}", luhn), (r"[A-Z]{2}\d{2}[A-Z\d]{11,30}", iban)),
    "DEVICE": ((r"\d{15}", luhn),),
}
"""By category: the shape, letters and digits alone, of a kind that has a check digit, and its test."""


def severity(category: str, text: str, canonical: str, *, birth_told_in: int | None = None) -> Severity:
    """The grade of a value: ``text`` as written, ``canonical`` as :func:`phiscan.normalize.canonical` has it.

    ``birth_told_in`` is the year in which a date of birth was written down (None: it is none).

    >>> severity("SSN", "219-09-9999", "219099999"), severity("SSN", "900-12-3456", "900123456")
    ('high', 'moderate')
    >>> severity("AGE", "72", "72y"), severity("AGE", "93", "93y")
    ('low', 'moderate')
    """
    if hipaa_letter(category, canonical, birth_told_in=birth_told_in) is None:
        return "low"
    return "high" if is_specific(category, canonical) and _may_be_real(category, text) else "moderate"


def _may_be_real(category: str, text: str) -> bool:
    if category == "SSN":
        return ssn(text)
    if category in ("PHONE", "FAX"):
        return _may_be_dialled(text)
    if category == "IPADDR":
        return _is_public(text)
    bare = re.sub(r"[\W_]", "", text).upper()
    return all(test(bare) for shape, test in _TESTS.get(category, ()) if re.fullmatch(shape, bare))


def _may_be_dialled(text: str) -> bool:
    """True unless a North American number has an area or exchange that starts with 0 or 1."""
    if text.lstrip().startswith("+") and not re.match(r"\s*\+\s?1\D", text):
        return True
    digits = re.sub(r"\D", "", re.split(r"(?i)x|ext", text)[0])
    digits = digits[1:] if len(digits) == 11 and digits[0] == "1" else digits
    return len(digits) not in (7, 10) or all(part[0] in "23456789" for part in (digits[:3], digits[-7:]))


def _is_public(text: str) -> bool:
    try:
        return ipaddress.ip_address(text.strip("[]")).is_global
    except ValueError:
        return False
