"""Telephone numbers and identifiers, as records write them, that stand in no registration row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from heldout.records import Piece
from heldout.world import digits

from heldout2.patients import make_phone

_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"


def phone_text(rng: Random, number: str) -> str:
    """Ten digits as people write them."""
    area, exchange, line = number[:3], number[3:6], number[6:]
    return rng.choice(
        (
            f"({area}) {exchange}-{line}",
            f"{area}-{exchange}-{line}",
            f"{area}-{exchange}-{line}",
            f"{area}.{exchange}.{line}",
            f"{area} {exchange}-{line}",
            f"({area})-{exchange}-{line}",
            f"1 ({area}) {exchange}-{line}",
            f"1-{area}-{exchange}-{line}",
            f"+1-{area}-{exchange}-{line}",
            number,
        )
    )


def ssn_text(rng: Random, number: str) -> str:
    """Nine digits as people write them."""
    grouped = "-".join(parts := (number[:3], number[3:5], number[5:]))
    return rng.choice((grouped, grouped, " ".join(parts), number))


def shaped(rng: Random, shape: str) -> str:
    """``shape`` with each ``#`` replaced by a digit and each ``@`` by a capital letter."""
    made = {"#": lambda: str(rng.randrange(10)), "@": lambda: rng.choice(_LETTERS)}
    return "".join(made[char]() if char in made else char for char in shape)


def _phone(rng: Random) -> str:
    return phone_text(rng, make_phone(rng))


def _extended(rng: Random) -> str:
    joint = rng.choice((" x", " ext ", " ext. ", " extension ", "x", ", x"))
    return f"{_phone(rng)}{joint}{digits(rng, rng.choice((2, 3, 4, 5)))}"


def _toll_free(rng: Random) -> str:
    return f"{rng.choice(('1-800', '800', '1-888', '(866)'))}-555-01{rng.randrange(100):02}"


def _ip(rng: Random) -> str:
    if rng.random() < 0.2:
        return f"2001:db8:0:{rng.randrange(16, 9999):x}::{rng.randrange(2, 9999):x}"
    return f"{rng.choice(('192.0.2', '198.51.100', '203.0.113', '172.16.31', '10.44.7'))}.{rng.randrange(2, 254)}"


_SHAPES = {
    "room": ("ROOM", "### 1### ##-1 ###-@ 4#@ 2#W"),
    "bed": ("ROOM", "# ## #@ ##"),
    "pager": ("PHONE", "##### #-#### ####"),
    "ext": ("PHONE", "#### ##### ###"),
    "local": ("PHONE", "555-01##"),
    "acc": ("IDNUM", "@@##-##### ######## 2##-CA-#### ENDO-###### RAD#########"),
    "enc": ("IDNUM", "3######## 40######### ##########"),
    "claim": ("IDNUM", "WC-####-##### ##-####### 0##-@@-######"),
    "auth": ("IDNUM", "######### AUTH#######  @@##########"),
    "rx": ("IDNUM", "7###### C####### ##-#######"),
    "study": ("IDNUM", "##-### @@@-##-### ####-@@"),
    "case": ("IDNUM", "##-ME-#### ####-###### M##-#####"),
    "group": ("HEALTHPLAN", "#####-### @#### ######## GRP-####"),
    "medicare": ("HEALTHPLAN", "#@@#-@#-@@## ###-##-####@ #@#####@@##"),
    "policy": ("HEALTHPLAN", "@@@#######-01 ###-####-#### ########@"),
    "omrn": ("MEDICALRECORD", "0####### 4####### ##-##-## ######"),
    "oacct": ("ACCOUNT", "5########## HAR-####### ###-#######-#"),
    "dl": ("LICENSE", "@####### @###-####-#### ######### @@-##-####"),
    "dea": ("LICENSE", "B@####### F@#######"),
    "npi": ("LICENSE", "1#########"),
    "lic": ("LICENSE", "MD-###### 0####### RN###### @@######-L"),
    "plate": ("VEHICLE", "@@@-#### ###-@@@ #@@@### @@#####"),
    "vin": ("VEHICLE", "1@@@#@##@@@###### 5@@@@##@#@#######"),
    "serial": ("DEVICE", "@@######@ ##########  @##-###### @@@####-## ##@-#####"),
    "bio": ("BIOID", "@@@-#####-## ######-@ PV####### FP-##-#####"),
}


def by_shape(shapes: Mapping[str, tuple[str, str]]) -> dict[str, Callable[[Random], Piece]]:
    """Makers of values: key -> (category, the shapes to choose from)."""

    def maker(category: str, options: str) -> Callable[[Random], Piece]:
        return lambda rng: Piece(shaped(rng, rng.choice(options.split())), category)

    return {key: maker(category, options) for key, (category, options) in shapes.items()}


NUMBERS: dict[str, Callable[[Random], Piece]] = {
    "phone": lambda rng: Piece(_phone(rng), "PHONE"),
    "phonex": lambda rng: Piece(_extended(rng), "PHONE"),
    "tollfree": lambda rng: Piece(_toll_free(rng), "PHONE"),
    "fax": lambda rng: Piece(_phone(rng), "FAX"),
    "ip": lambda rng: Piece(_ip(rng), "IPADDR"),
    **by_shape(_SHAPES),
}
"""Key of the markup -> a value."""
