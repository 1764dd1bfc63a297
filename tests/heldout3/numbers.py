"""Telephone numbers, identifiers and dates in the shapes of this corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import ClassVar

from heldout.dates import ordinal
from heldout.records import Piece
from heldout2.days import OwnDays
from heldout2.numbers import by_shape, shaped

_AREAS = (
    "617 508 978 203 914 973 267 440 312 314 713 415 786 919 770 612 402 801 541 207 208 843 316 563".split()
)


def make_phone(rng: Random) -> str:
    """Ten digits, 555-0100 to 555-0199 in any area."""
    return f"{rng.choice(_AREAS)}55501{rng.randrange(100):02}"


def phone_text(rng: Random, number: str) -> str:
    """Ten digits as people write them."""
    area, exchange, line = number[:3], number[3:6], number[6:]
    common = (f"{area}-{exchange}-{line}", f"({area}) {exchange}-{line}", f"{area}-{exchange}-{line}")
    rare = (
        f"{area}.{exchange}.{line}",
        f"({area}){exchange}-{line}",
        f"1-{area}-{exchange}-{line}",
        f"{area} {exchange} {line}",
        f"{area}-{exchange} {line}",
        f"+1 ({area}) {exchange}-{line}",
        number,
    )
    return rng.choice((*common, *common, *rare))


def ssn_text(rng: Random, number: str) -> str:
    """Nine digits as people write them."""
    return rng.choice((f"{number[:3]}-{number[3:5]}-{number[5:]}",) * 4 + (number,))


def _phone(rng: Random) -> str:
    return phone_text(rng, make_phone(rng))


def _extended(rng: Random) -> str:
    return (
        _phone(rng)
        + rng.choice((" x", " ext ", " ext. ", " x "))
        + shaped(rng, rng.choice(("####", "###", "#####")))
    )


def _toll_free(rng: Random) -> str:
    return f"{rng.choice(('1-800', '800', '1-877', '(888)', '1-855'))}-555-01{rng.randrange(100):02}"


def _ip(rng: Random) -> str:
    return f"{rng.choice(('10.12.8', '10.201.33', '172.20.4', '192.168.71', '203.0.113'))}.{rng.randrange(1, 255)}"


_SHAPES = {
    "room": ("ROOM", "### #### W### N-### ####-A ####-B 5##-1 ##"),
    "bed": ("ROOM", "# 1# 2# A B 0#"),
    "pager": ("PHONE", "##### 3#### #### ##-###"),
    "ext": ("PHONE", "4-#### ##### ####"),
    "local": ("PHONE", "555-01##"),
    "acc": ("IDNUM", "E######## ##-####### MR######## 2#######-01"),
    "spec": ("IDNUM", "S##-##### ##-SP-##### CY-##-#### M####### @##:####"),
    "enc": ("IDNUM", "1######## 30######## ####### V##########"),
    "claim": ("IDNUM", "0##-####-##### @@########## C###-###-##"),
    "auth": ("IDNUM", "#######-## A########## ######## UM#######"),
    "rx": ("IDNUM", "####### 6######-#### RX########"),
    "study": ("IDNUM", "###-#### @@@#-##-### 10##-@@@"),
    "case": ("IDNUM", "##-##### ##CR##### ####-@@-###"),
    "group": ("HEALTHPLAN", "####### ######-## @@@#### ####@"),
    "medicare": ("HEALTHPLAN", "#@@#-@@#-@@## #@@#@@#@@##"),
    "policy": ("HEALTHPLAN", "@@@########## ######### @######## ####-######-##"),
    "omrn": ("MEDICALRECORD", "00###### ####### ###-##-## @########"),
    "oacct": ("ACCOUNT", "6######### ####-#### 20########## @########"),
    "dl": ("LICENSE", "S######## @##-##-#### ######## @@######@"),
    "dea": ("LICENSE", "A@####### B@####### F@#######"),
    "npi": ("LICENSE", "1#########"),
    "lic": ("LICENSE", "###### #####  @##### RN####### ##.######"),
    "clia": ("LICENSE", "##D#######"),
    "plate": ("VEHICLE", "#@@### @@@-#### ####@@ ###-@@#"),
    "vin": ("VEHICLE", "1@#@@##@#@@###### 2@@@@#@@##@###### 4#@@@####@@######"),
    "serial": ("DEVICE", "@@@######@ ######## @######### ###-@@#### ##-######-##"),
    "bio": ("BIOID", "BIO-###### @#-####### ########-@@ VP####-####"),
}

NUMBERS: dict[str, Callable[[Random], Piece]] = {
    "phone": lambda rng: Piece(_phone(rng), "PHONE"),
    "phonex": lambda rng: Piece(_extended(rng), "PHONE"),
    "tollfree": lambda rng: Piece(_toll_free(rng), "PHONE"),
    "fax": lambda rng: Piece(_phone(rng), "FAX"),
    "ip": lambda rng: Piece(_ip(rng), "IPADDR"),
    **by_shape(_SHAPES),
}
"""Key of the markup -> a value that stands in no registration row."""


class OtherDays(OwnDays):
    """Answers the keys of dates."""

    styles: ClassVar[Mapping[str, Callable[[date], str]]] = {
        "full": lambda day: f"{day:%m/%d/%Y}",
        "slim": lambda day: f"{day.month}/{day.day}/{day:%y}",
        "wide": lambda day: f"{day.month}/{day.day}/{day.year}",
        "two": lambda day: f"{day:%m/%d/%y}",
        "dashes": lambda day: f"{day:%m-%d-%Y}",
        "iso": lambda day: f"{day:%Y-%m-%d}",
        "dots": lambda day: f"{day:%m.%d.%y}",
        "long": lambda day: f"{day:%B} {day.day}, {day.year}",
        "bare": lambda day: f"{day:%B} {day.day} {day.year}",
        "mon": lambda day: f"{day:%b} {day.day}, {day.year}",
        "lab": lambda day: f"{day:%d-%b-%Y}",
        "va": lambda day: f"{day:%b %d,%Y}".upper(),
        "code": lambda day: f"{day:%d%b%y}".upper(),
    }
    parts: ClassVar[Mapping[str, Callable[[date], str]]] = {
        "md": lambda day: f"{day.month}/{day.day}",
        "md0": lambda day: f"{day:%m/%d}",
        "month": lambda day: f"{day:%B} {day.day}",
        "mon": lambda day: f"{day:%b} {day.day}",
        "th": lambda day: f"{day:%B} {ordinal(day.day)}",
        "rev": lambda day: f"{day.day}-{day:%b}",
    }
    common: ClassVar[tuple[str, ...]] = ("full", "full", "slim", "slim", "wide", "wide", "two", "long", "iso")
    range_styles = ("md", "md", "md0", "mon")
    range_joints = ("-", "-", " - ", " to ", "–")
