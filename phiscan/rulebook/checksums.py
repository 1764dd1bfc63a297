"""Check digits of identifiers. One that holds makes a find surer; one that fails proves nothing."""

from __future__ import annotations

from collections.abc import Callable

_VIN_VALUES = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (*range(1, 9), 1, 2, 3, 4, 5, 7, 9, *range(2, 10)), strict=True)
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


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


CHECKSUMS: dict[str, Callable[[str], bool]] = {"luhn": luhn, "npi": npi, "dea": dea, "vin": vin}
"""Tests a rule may name in its ``checksum`` key."""
