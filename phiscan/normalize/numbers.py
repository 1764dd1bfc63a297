"""Telephone and record numbers, and addresses on the net."""

from __future__ import annotations

import ipaddress
import re

from phiscan.normalize.number_words import said_figures
from phiscan.normalize.text import Keys, fold

_EXTENSION = re.compile(r"(?:\bext(?:ension|n)?|(?<![a-z])x|#)[.:]?\s*(\d{1,6})\s*$")
_TWO_FIGURE_CODES = frozenset(
    "20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 "
    "81 82 84 86 90 91 92 93 94 95 98".split()
)
"""Country codes of two figures (ITU-T E.164); 1 and 7 have one, all others three."""
_LABEL = re.compile(
    r"^(?:(?:mrn|mr|med(?:ical)?\s?rec(?:ord)?|ssn?|acc(?:oun)?t|acc|id|member|policy|lic(?:ense)?|dl|npi|dea|"
    r"vin|csn|fin|number|num|no|nr)\b[\s.:#]*|(?:last\s(?:four|4)|ending(?:\s(?:in|with))?)[\s:]*|"
    r"(?:mrn|ssn|acct)(?=\d)|#+\s*)+(?=.*\d)"
)
"""Words before a number that say what it is, not which."""
_MASK = re.compile(r"^[x*#•]+(?=\d{2,6}$)")


def phone_keys(text: str) -> Keys:
    """Keys of a telephone or fax number: with and without extension, the local seven and last four
    figures as parts."""
    folded = fold(text)
    folded = said_figures(folded) or folded
    extension = _EXTENSION.search(folded) if len(re.findall(r"\d", folded)) > 7 else None
    base = folded[: extension.start()] if extension else folded
    digits = re.sub(r"\D", "", base.replace("(0)", ""))
    if not digits:
        return Keys((folded,))
    abroad = base.lstrip(" (").startswith("+") or (digits.startswith("00") and len(digits) > 11)
    digits = digits.removeprefix("00") if abroad else digits
    if len(digits) == 11 and digits[0] == "1":
        digits, abroad = digits[1:], False
    numbers = [digits]
    if abroad and len(digits) > 10:
        code = 1 if digits[0] in "17" else 2 if digits[:2] in _TWO_FIGURE_CODES else 3
        numbers.append("0" + digits[code:])  # as it is dialled at home
    # The number without its extension is the same number.
    full = [f"{digits}x{extension[1]}", *numbers] if extension else numbers
    part = _tails(digits, 7 if len(digits) == 10 else 0, 4 if len(digits) >= 7 else 0)
    return Keys(tuple(full), part | ({extension[1]} if extension else set()))


def identifier_keys(text: str) -> Keys:
    """Keys of a record, account, plan, licence or device number: letters and digits alone, with and
    without leading zeros; the last four figures, and the figures behind letters, as parts."""
    folded = fold(text)
    folded = said_figures(folded) or folded
    folded = _LABEL.sub("", folded)
    masked = _MASK.sub("", re.sub(r"[\s.\-/]", "", folded))
    plain = re.sub(r"[\W_]", "", masked).upper()
    full = [plain]
    if plain.isdigit() and plain.lstrip("0") not in ("", plain):
        # Registration systems pad record numbers with zeros; notes leave them out.
        full.append(plain.lstrip("0"))
    part = set(_tails(plain, 4 if len(plain) >= 6 and plain[-4:].isdigit() else 0))
    if behind := re.fullmatch(r"[A-Z]+(\d{6,})", plain):
        part |= {behind[1], behind[1].lstrip("0")}
    return Keys(tuple(full), frozenset(part))


def _tails(digits: str, *lengths: int) -> frozenset[str]:
    return frozenset(digits[-length:] for length in lengths if length and len(digits) > length)


def email_keys(text: str) -> Keys:
    """Keys of an e-mail address, ``at`` and ``dot`` written out or not."""
    folded = fold(text).removeprefix("mailto:").strip("<>.,; ")
    if "@" not in folded:
        folded = re.sub(r"\s*[\[(]\s*at\s*[\])]\s*|\s+at\s+", "@", folded)
    folded = re.sub(r"\s*[\[(]\s*dot\s*[\])]\s*|\s+dot\s+", ".", folded)
    return Keys((folded.replace(" ", ""),))


def url_keys(text: str) -> Keys:
    """Keys of a web address without scheme, ``www.`` and closing slash."""
    return Keys((re.sub(r"^(?:[a-z]+://)?(?:www\.)?", "", fold(text)).rstrip("/.,;"),))


def ip_keys(text: str) -> Keys:
    """Keys of an IP address in its shortest form."""
    folded = fold(text).strip("[].,; ")
    try:
        return Keys((str(ipaddress.ip_address(folded)),))
    except ValueError:
        return Keys((folded,))
