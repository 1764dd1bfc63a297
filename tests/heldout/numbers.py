"""Telephone numbers and identifiers that belong to no registration row, and their formats."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from heldout.records import Piece
from heldout.world import digits, make_phone

_PLATE_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ0123456789"


def phone_text(rng: Random, number: str) -> str:
    """Ten digits as people write them."""
    area, exchange, line = number[:3], number[3:6], number[6:]
    return rng.choice(
        (
            f"({area}) {exchange}-{line}",
            f"({area}) {exchange}-{line}",
            f"{area}-{exchange}-{line}",
            f"{area}-{exchange}-{line}",
            f"{area}.{exchange}.{line}",
            f"{area} {exchange} {line}",
            f"({area}){exchange}-{line}",
            f"1-{area}-{exchange}-{line}",
            f"+1 {area} {exchange} {line}",
            f"{area}/{exchange}-{line}",
            number,
        )
    )


def ssn_text(rng: Random, number: str) -> str:
    """Nine digits as people write them."""
    grouped = (number[:3], number[3:5], number[5:])
    return rng.choice(("-".join(grouped), "-".join(grouped), " ".join(grouped), number))


def _letters(rng: Random, count: int, letters: str = _PLATE_LETTERS) -> str:
    return "".join(rng.choice(letters) for _ in range(count))


def _phone(rng: Random) -> str:
    return phone_text(rng, make_phone(rng))


def _extended(rng: Random) -> str:
    joint = rng.choice((" x", " ext. ", " ext ", ", ext. ", " x "))
    return f"{_phone(rng)}{joint}{digits(rng, rng.choice((3, 4)))}"


def _local(rng: Random) -> str:
    return f"555-01{rng.randrange(100):02}"


def _pager(rng: Random) -> str:
    return rng.choice((digits(rng, 5), digits(rng, 4), f"{rng.randrange(2, 9)}-{digits(rng, 4)}"))


def _accession(rng: Random) -> str:
    year = rng.randrange(11, 25)
    return rng.choice(
        (
            f"S{year}-{digits(rng, 5)}",
            f"SP-{year}-{digits(rng, 6)}",
            f"{year}-{rng.randrange(1, 366):03}-{digits(rng, 5)}",
            f"CT{digits(rng, 7)}",
            f"E{digits(rng, 8)}",
        )
    )


def _specimen(rng: Random) -> str:
    return rng.choice(
        (
            f"{_letters(rng, 1)}{digits(rng, 7)}",
            f"{digits(rng, 4)}:{_letters(rng, 2)}{digits(rng, 5)}",
            f"BX-{digits(rng, 6)}",
        )
    )


def _study(rng: Random) -> str:
    return rng.choice(
        (
            f"{digits(rng, 3)}-{digits(rng, 4)}",
            f"{_letters(rng, 3)}-{rng.randrange(1, 400):03}",
            f"SUBJ{digits(rng, 5)}",
        )
    )


def _serial(rng: Random) -> str:
    return rng.choice(
        (
            f"{_letters(rng, 3)}{digits(rng, 6)}{rng.choice('HSR')}",
            f"{_letters(rng, 2)}-{digits(rng, 5)}-{_letters(rng, 1)}",
            digits(rng, 8),
            f"{digits(rng, 2)}{_letters(rng, 2)}{digits(rng, 6)}",
        )
    )


def _plate(rng: Random) -> str:
    return rng.choice(
        (
            f"{_letters(rng, 3)} {digits(rng, 4)}",
            f"{digits(rng, 3)}-{_letters(rng, 3)}",
            f"{digits(rng, 1)}{_letters(rng, 3)}{digits(rng, 2)}",
        )
    )


def _ip(rng: Random) -> str:
    if rng.random() < 0.2:
        return f"2001:db8:{rng.randrange(16, 65535):x}::{rng.randrange(16, 65535):x}"
    return rng.choice(("192.0.2.", "198.51.100.", "203.0.113.", f"10.{rng.randrange(1, 99)}.4.")) + str(
        rng.randrange(1, 255)
    )


def _driver_licence(rng: Random) -> str:
    return rng.choice(
        (
            f"S{digits(rng, 8)}",
            f"{_letters(rng, 1)}{digits(rng, 3)}-{digits(rng, 4)}-{digits(rng, 4)}",
            digits(rng, 9),
        )
    )


def _make(category: str, text: Callable[[Random], str]) -> Callable[[Random], Piece]:
    return lambda rng: Piece(text(rng), category)


NUMBERS: dict[str, Callable[[Random], Piece]] = {
    "phone": _make("PHONE", _phone),
    "phonex": _make("PHONE", _extended),
    "local": _make("PHONE", _local),
    "pager": _make("PHONE", _pager),
    "ext": _make("PHONE", lambda rng: digits(rng, rng.choice((4, 5)))),
    "fax": _make("FAX", _phone),
    "ip": _make("IPADDR", _ip),
    "room": _make(
        "ROOM",
        lambda rng: rng.choice(
            (
                digits(rng, 3),
                digits(rng, 4),
                f"{digits(rng, 3)}-{rng.choice('AB12')}",
                f"{digits(rng, 3)}{rng.choice('AB')}",
            )
        ),
    ),
    "bed": _make("ROOM", lambda rng: str(rng.randrange(1, 32))),
    "acc": _make("IDNUM", _accession),
    "spec": _make("IDNUM", _specimen),
    "study": _make("IDNUM", _study),
    "enc": _make("IDNUM", lambda rng: rng.choice((digits(rng, 9), digits(rng, 11), f"V{digits(rng, 8)}"))),
    "claim": _make(
        "IDNUM",
        lambda rng: rng.choice(
            (
                f"{digits(rng, 4)}-{digits(rng, 7)}",
                f"CLM{digits(rng, 8)}",
                f"{digits(rng, 2)}WC{digits(rng, 6)}",
            )
        ),
    ),
    "auth": _make(
        "IDNUM",
        lambda rng: rng.choice(
            (f"A{digits(rng, 8)}", digits(rng, 10), f"PA-{digits(rng, 6)}-{_letters(rng, 2)}")
        ),
    ),
    "rx": _make("IDNUM", lambda rng: rng.choice((digits(rng, 7), f"{digits(rng, 6)}-{digits(rng, 5)}"))),
    "group": _make(
        "HEALTHPLAN",
        lambda rng: rng.choice(
            (digits(rng, 6), f"{_letters(rng, 2)}{digits(rng, 4)}", f"{digits(rng, 5)}-{digits(rng, 2)}")
        ),
    ),
    "medicare": _make(
        "HEALTHPLAN",
        lambda rng: (
            f"{digits(rng, 1)}{_letters(rng, 1)}{digits(rng, 2)}-{_letters(rng, 1)}{digits(rng, 2)}-{_letters(rng, 2)}{digits(rng, 2)}"
        ),
    ),
    "dl": _make("LICENSE", _driver_licence),
    "dea": _make("LICENSE", lambda rng: f"{rng.choice('ABFM')}{_letters(rng, 1)}{digits(rng, 7)}"),
    "npi": _make("LICENSE", lambda rng: f"1{digits(rng, 9)}"),
    "lic": _make(
        "LICENSE",
        lambda rng: rng.choice(
            (
                digits(rng, 6),
                f"{_letters(rng, 2)}{digits(rng, 6)}",
                f"{digits(rng, 2)}-{digits(rng, 4)}",
                f"{_letters(rng, 1)}{digits(rng, 5)}",
            )
        ),
    ),
    "plate": _make("VEHICLE", _plate),
    "vin": _make(
        "VEHICLE", lambda rng: f"{rng.choice('12345JKW')}{_letters(rng, 10, _VIN_LETTERS)}{digits(rng, 6)}"
    ),
    "serial": _make("DEVICE", _serial),
    "bio": _make(
        "BIOID",
        lambda rng: rng.choice(
            (
                f"{_letters(rng, 2)}-{digits(rng, 6)}",
                digits(rng, 8),
                f"{digits(rng, 4)}-{_letters(rng, 4)}-{digits(rng, 2)}",
                f"{_letters(rng, 1)}{digits(rng, 5)}",
            )
        ),
    ),
}
"""Key of the markup -> a value that stands in no registration row."""
