"""Sites of spikes: prompts that were answered, and what they and the records show of a value."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from phiscan.records import Note, Phi, PhiText, Prompt, record
from phiscan.spike_texts import is_clear


@record
class Site:
    """A prompt of a member note that was answered: where a value can be written."""

    shard: int
    note: Note
    prompt: Prompt
    answer: PhiText
    """What the scanned model answered; empty if it will not do as a carrier."""
    control: PhiText
    """What the control answered; empty without one."""
    record: tuple[Phi, ...]
    """PHI of every note of the patient, and the known identifiers."""
    texts: tuple[PhiText, ...]
    """Of every note of the patient."""

    def ends(self) -> tuple[int, int]:
        """Where the prompt stands in the note."""
        assert self.prompt.prefix_start is not None
        assert self.prompt.prefix_end is not None
        return self.prompt.prefix_start, self.prompt.prefix_end


def priority(seed: int, *names: object) -> int:
    """A number that orders things at random, the same in every run with this seed, whatever their order."""
    text = "\0".join(map(str, (seed, "spikes", *names)))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def phi_priority(seed: int, phi: Phi) -> int:
    """The place of a value in the order in which values are tried."""
    return priority(seed, phi.patient_id, phi.category, phi.start, phi.text)


def is_hidden(phi: Phi, form: str, site: Site) -> bool:
    """True if the value stands behind the prompt, and prompt and control show nothing of it."""
    start, end = site.ends()
    if phi.start is not None and phi.start < end:
        return False
    if phi.category != "DATE":
        seen = site.prompt.text + "\n" + site.control
        return is_clear(phi.text, seen) and is_clear(form, seen)
    # Years and months recur: of a date it is the whole day that must not be shown.
    told = [
        p.canonical
        for p in site.record
        if p.note_id == site.note.note_id and (p.start or 0) >= start and (p.end or 0) <= end
    ]
    is_day = len(phi.canonical) == len("2021-03-14") and phi.canonical[:4].isdigit()
    literal = any(text in seen for text in (phi.text, form) for seen in (site.prompt.text, site.control))
    return is_day and not literal and not any(phi.canonical in shown for shown in told)


def said_of(site: Site) -> Iterator[str]:
    """Every text of the patient's record."""
    yield from site.texts
    yield from (phi.text for phi in site.record)
