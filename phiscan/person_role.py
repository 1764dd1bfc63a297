"""Whose name it is: the patient's, a relative's or a clinician's, by the words beside it.

Titles, credentials and labels tell clinicians; kinship words and the labels of contacts tell
relatives, friends, household members and employers; all others are taken for the patient.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import regex

from phiscan.resources import resource_dir

Role = Literal["patient", "relative", "clinician"]

_SIGNING = (
    r"(?:co-?)?signed|(?:signed|dictated|performed|reviewed|transcribed|ordered|referred|ref|seen|read"
    r"|interpreted"
    r"|verified|approved|prepared|entered|edited|cosigned|evaluated|examined|placed|administered|drawn"
    r"|collected"
    r"|(?:called|phoned|faxed) in|accepted|authored|cc) by|addendum by|addended by"
    r"|(?:reviewed|staffed|discussed|rounded|precepted) (?:with|w/)|d/w|s/b|s/w"
    r"|follow(?:s|ed)?(?: up)? (?:with|w/)"
    r"|(?:appt|appointment|visit|session|counsel(?:l)?ing|therapy|consult|eval|pre-?op|post-?op|prophy"
    r"|cleaning|seat|exam)[^.;\n]{0,16} (?:with|w/)"
    r"|report given to|(?:report|hand-?off|routed|forwarded|critical called|called) to"
    r"|signed: \w{2,20} for|cc|copy to"
)
_CREDENTIAL = (
    r"M\.?D|D\.?O|R\.?N|N\.?P|P\.?A(?:-C)?|Ph\.?D|Pharm\.?D|LPN|CNA|CRNA|LCSW|LICSW|RPh|DPM|D\.?D\.?S"
    r"|D\.?M\.?D"
    r"|FACP|FACS|MBBS|BSN|MSN|APRN|ARNP|CRNP|FNP|DNP|CNM|DPT|RRT|PGY-?\d|MS[34]|PMHNP|Psy\.?D|AuD|RDH"
    r"|EMT(?:-[ABP])?"
    r"|AEMT|NRP|CGC|RDMS|RDCS|CCRN|BCPS|LMFT|LMHC|LPC|LMSW|BCBA|IBCLC|SRNA|CPhT|FACOG|FACEP|FAAP|RCIS|RPSGT"
    r"|C?PNP|CWOCN|CWS|OCN|RVT|CNOR|CNIM|CMA|CCMA|RDN|LDN|CTRS|CCLS|CCRC|CHPN|LMT|PHN|CNMT|PCT|PCA|HHA"
    r"|CST|R\. ?EEG ?T"
    r"|ACNP|AGNP|WHNP|COTA|PTA|CDCES|RCP|LVN|BSW|QMHP|LADC|CHW|CCP|SA-C|CRT"
)
_KIN = (
    r"(?:(?:great-?)?(?:step|grand|god)?(?:daughter|son|mother|father|sister|brother|child)(?:ren)?"
    r"(?:[ -]in[ -]law)?|(?:ex-)?(?:wife|husband|spouse|partner|girlfriend|boyfriend)|mom|mum|dad|dtr|dau|sis"
    r"|bro|niece"
    r"|[mp]g[mf]|fob|mob|nephew|aunt|uncle|grandma|grandpa|fianc[eé]e?|cousin|friend|neighbou?r"
    r"|roommate|guardian|caregiver|twin|sibling|landlord|boss"
    r"|employer|supervisor|co-?worker|teacher|coach|next of kin|nok|hcp|h(?:ealth ?)?care proxy|proxy"
    r"|emergency contact|contact person|poa|guarantor|relative|informant)"
)
_RELATIVE_BEFORE = regex.compile(
    rf"\b(?:{_KIN}(?:['’]?s)?(?:,? (?:is|are|named|called|name|name is|at bedside)|[:,])?"
    r"|accompanied by|lives? with|c/o)[ ,:(]{1,3}(?:(?:mr|mrs|ms|miss)\.? )?$",
    regex.IGNORECASE,
)
_RELATIVE_AFTER = regex.compile(
    rf"(?:,? ?\(?(?:his|her|their|the patient['’]s|pt['’]?s|patient['’]s) |,? ?[(-] ?|, ){_KIN}\b",
    regex.IGNORECASE,
)
_CONSENT_BEFORE = regex.compile(
    r"\b(?:consent|waiver|release|permission|forms?)\s(?:was )?signed by\s$", regex.IGNORECASE
)
_CONTACT_BEFORE = regex.compile(r"\bcontact(?: person)?:? $", regex.IGNORECASE)
_DESK_AFTER = regex.compile(
    r",?\s{1,2}(?:[\w.+-]{1,40}@|[(\d][\d()./ -]{6,16},?[ ]?(?:x|ext\.?|extension) ?\d)", regex.IGNORECASE
)


_PLACED_STAFF = regex.compile(
    r"(?:\b(?:days?|nights?|weekends?|overnight|on[ -]record|covering|coverage|cover|present|attendees"
    r"|attending"
    r"|regrets|absent|faculty|panel|moderator|presenters?|minutes|chair|student|ref(?:d|erral|erring)?"
    r"|cop(?:y|ies)"
    r"|cc|scored|read(?:er|s)?|endoscopist|scrub(?:bed)?|circulat(?:ing|or)|circ|recorder|witness"
    r"|monitor|anes(?:th)?"
    r"|asst|assist|surgeon|hospice md|rph|hha|clearance|liaison|ordering|ordered|performing|activated"
    r"|confirmed"
    r"|signed|sign|co-?sign|verified|tech|photos?|report|note|results?|labs|sent|faxed|message)"
    r"(?: (?:to|by|with|from))?(?:[:.]? {1,12}|:\n|\t)"
    r"|(?<!accompanied |brought |brought in |driven |drove |raised |found |cared for |picked up |dropped off"
    r"|transported |owned |made |booked |followed |surrounded |reported |stated |told |helped "
    r"|assisted |provided "
    r"|obtained |given |supplied |completed |signed )\bby\s|\bper |\bresults? to |[;,] ?(?:to|and) )$",
    regex.IGNORECASE,
)
_STAFF_BEHIND = regex.compile(
    r",? {1,2}(?:\(|\[)?(?:p|pgr|pager|pg|beeper|bpr|x|ext\.?|spectralink|vocera) ?#?[\d-]{3,}|,? {1,4}NPI\b"
    r"|,? {1,5}lic(?:ense)?\b| \((?:chair|path|rads?|rad onc|surg|onc|med onc|cards|phone|covering"
    r"|moonlighter)\b"
    r"| to (?:do|see|call \(?\d|follow|staff|sign|review|cover|place|schedule|evaluate|round|assume"
    r"|arrange)\b"
    r"|, (?:\w+ )?(?:nurse|coordinator|navigator|pharmacist|therapist|liaison|fellow|resident|intern)\b"
    r"| has (?:openings|availability|a slot)|/\p{Ll}{2,3}\b"
)


def staff_by_place(text: str, span: tuple[int, int]) -> bool:
    """True where the name, which nothing else tells, stands where notes name their staff.

    >>> staff_by_place("Nights: V. Quillon, x917", (8, 18)), staff_by_place("Escort: V. Quillon", (8, 18))
    (True, False)
    """
    before, after = text[max(0, span[0] - 32) : span[0]], text[span[1] : span[1] + 30]
    if _RELATIVE_BEFORE.search(text[max(0, span[0] - 40) : span[0]]) or _RELATIVE_AFTER.match(after):
        return False
    return bool(
        _PLACED_STAFF.search(before) or _STAFF_BEHIND.match(after) or _service_before().search(before)
    )


@lru_cache(maxsize=1)
def _service_before() -> regex.Pattern[str]:
    """A service and a blank right before a name: "Consultants: cards Quillon; GI Alder"."""
    return regex.compile(rf"(?:^|[\s;,:(])(?x:{_fragment('specialty')})[ :]{{1,2}}$")


def person_role(text: str, span: tuple[int, int]) -> Role:
    """The role of the person whose name stands at ``span``.

    >>> person_role("Dr. Quillon and her daughter Solveig", (4, 11))
    'clinician'
    >>> person_role("Dr. Quillon and her daughter Solveig", (29, 36))
    'relative'
    """
    if clinician_context(text, span):
        return "clinician"
    before, after = text[max(0, span[0] - 40) : span[0]], text[span[1] : span[1] + 30]
    return "relative" if _RELATIVE_BEFORE.search(before) or _RELATIVE_AFTER.match(after) else "patient"


def clinician_context(text: str, span: tuple[int, int]) -> bool:
    """True if a title, role, degree or signature label stands beside the name.

    >>> clinician_context("PCP: Abernathy saw Ms. Quillon", (5, 14))
    True
    >>> clinician_context("PCP: Abernathy saw Ms. Quillon", (23, 30))
    False
    """
    before, after = text[max(0, span[0] - 50) : span[0]], text[span[1] : span[1] + 30]
    if _CONSENT_BEFORE.search(before):
        return False
    return bool(
        _staff_before().search(before)
        or _staff_after().match(after)
        or (_CONTACT_BEFORE.search(before) and _DESK_AFTER.match(after))
    )


@lru_cache(maxsize=1)
def _staff_before() -> regex.Pattern[str]:
    """A title, role, service or signature label, and perhaps a colleague's name, right before a name."""
    role, service = _fragment("staff_role"), _fragment("specialty")
    return regex.compile(
        rf"\b(?:(?:(?i:drs?|doctors?|prof(?:essor)?|nurse|rn|np|md|pcp|pmd|anesthesia|author"
        rf"|{_SIGNING})|(?x:{role}))s?"
        r"(?:(?:(?<!\bRN|\bNP|\bMD|\bPA)\.|[:,#])?\s{0,3}|\(s\)[.:]?\s{0,3})"
        r"(?:\p{Lu}[\w'’-]+(?: \p{Lu}[\w'’-]+)? ?(?:[/;&,]|and) ?)?"
        r"\(?(?i:drs?\.?\s)?"
        rf"|(?x:{service})(?:,[ ]|[ ]\(|[ ]-[ ]))$"
    )


@lru_cache(maxsize=1)
def _staff_after() -> regex.Pattern[str]:
    """A credential, or a role or service in brackets, right behind a name."""
    role, service = _fragment("staff_role"), _fragment("specialty")
    return regex.compile(
        rf"\.?, {{0,2}}(?:{_CREDENTIAL})\b| {{0,2}}\(?(?:{_CREDENTIAL})\b(?![ ]?:)"
        r"|, ?(?:OD|MS|PA|OT|PT|RD|SW|MSW|CM|NP|DC)\b(?! \d{5})"
        rf"| \((?:(?x:{service})|(?x:{role}))[ ,);]"
    )


def _fragment(name: str) -> str:
    return (resource_dir("rules") / "lexicons" / f"{name}.regex").read_text(encoding="utf-8") + "\n"


def with_role(entity: str, category: str, text: str, span: tuple[int, int]) -> str:
    """``entity``, with the person's role behind it where ``category`` is a person's.

    >>> with_role("PERSON", "PATIENT", "her daughter Solveig", (13, 20))
    'PERSON/relative'
    """
    return f"{entity}/{person_role(text, span)}" if category in ("PATIENT", "DOCTOR") else entity
