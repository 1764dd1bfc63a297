"""Check digits of identifiers. One that holds makes a find surer; one that fails proves nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

_VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), 1, 2, 3, 4, 5, 7, 9, *range(2, 10)), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_SSN = re.compile(r"(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}")
_MBI_LETTER = "[AC-HJKMNP-RT-Y]"  # no S, L, O, I, B, Z
_MBI_PLACE = "[0-9AC-HJKMNP-RT-Y]"
_MBI = re.compile(
    f"[1-9]{_MBI_LETTER}{_MBI_PLACE}[0-9]{_MBI_LETTER}{_MBI_PLACE}[0-9]{_MBI_LETTER}{{2}}[0-9]{{2}}"
)
_IBAN = re.compile(r"[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}")


def luhn(value: str) -> bool:
    """True if the digits of ``value`` pass the Luhn test (ISO/IEC 7812-1); fewer than two never do.

    >>> luhn("4111 1111 1111 1111"), luhn("4111 1111 1111 1112")
    (True, False)
    """
    digits = [int(char) for char in value if char in "0123456789"]
    doubled = [
        digit if n % 2 == 0 else sum(divmod(2 * digit, 10)) for n, digit in enumerate(reversed(digits))
    ]
    return len(digits) > 1 and sum(doubled) % 10 == 0


def npi(value: str) -> bool:
    """True if ``value`` passes the test of a US National Provider Identifier: Luhn after ``80840``.

    >>> npi("1234567893"), npi("1234567890")
    (True, False)
    """
    return luhn("80840" + value)


def dea(value: str) -> bool:
    """True if the seven digits of a US DEA registration pass: odd places plus twice the even ones.

    >>> dea("AB1234563"), dea("AB1234560")
    (True, False)
    """
    digits = [int(char) for char in value if char in "0123456789"]
    if len(digits) != 7:
        return False
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def vin(value: str) -> bool:
    """True if the ninth place of a 17-place vehicle number is its check digit (49 CFR 565.15).

    >>> vin("1M8GDM9AXKP042788"), vin("1M8GDM9A1KP042788")
    (True, False)
    """
    signs = value.upper()
    if len(signs) != 17 or any(s not in _VIN_VALUES and s not in "0123456789" for s in signs):
        return False
    total = sum(
        weight * (_VIN_VALUES[s] if s in _VIN_VALUES else int(s))
        for s, weight in zip(signs, _VIN_WEIGHTS, strict=True)
    )
    return "0123456789X"[total % 11] == signs[8]


def ssn(value: str) -> bool:
    """True if area, group and serial of a US social security number may have been issued.

    >>> ssn("219-09-9999"), ssn("900-12-3456"), ssn("219-00-9999")
    (True, False, False)
    """
    return _SSN.fullmatch(_bare(value)) is not None


def mbi(value: str) -> bool:
    """True if ``value`` has the form of a Medicare beneficiary identifier (CMS, no check digit).

    >>> mbi("1EG4-TE5-MK73"), mbi("1EB4-TE5-MK73")
    (True, False)
    """
    return _MBI.fullmatch(_bare(value)) is not None


def iban(value: str) -> bool:
    """True if an international bank account number passes the test modulo 97 (ISO 13616).

    >>> iban("DE89 3704 0044 0532 0130 00"), iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    bare = _bare(value)
    if not _IBAN.fullmatch(bare):
        return False
    return int("".join(str(int(sign, 36)) for sign in bare[4:] + bare[:4])) % 97 == 1


def _bare(value: str) -> str:
    return re.sub(r"[\W_]", "", value).upper()


CHECKSUMS: dict[str, Callable[[str], bool]] = {
    "luhn": luhn, "npi": npi, "dea": dea, "vin": vin, "ssn": ssn, "mbi": mbi, "iban": iban,
}  # fmt: skip
"""Tests a rule may name in its ``checksum`` key."""
