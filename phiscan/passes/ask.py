"""One shard of whole patients asked: prompts, what screening spares, every model's continuations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from phiscan.errors import ConfigError
from phiscan.passes.plan import Plan, part_name
from phiscan.protocols import Backend, ChatBackend, KnownIdentifier, Tokens
from phiscan.records import Continuation, Note, Phi, Prompt, Screened, arm_of
from phiscan.regenerate import Asked, Opening, RegenerateSettings, continue_prompts, instruction, make_prompts
from phiscan.screen import not_screened, screen_notes


def openings_of(
    settings: RegenerateSettings,
    models: Mapping[str, Backend],
    tokenize: Callable[[list[str]], list[Tokens]] | None,
) -> dict[str, Opening]:
    """What each scheme asked for puts before a prompt; ConfigError if the model has no chat template."""
    made: dict[str, Opening] = {}
    if "instruct" in settings.schemes and tokenize is not None:
        text = instruction(settings.max_new_tokens)
        made["instruct"] = Opening(text, tuple(tokenize([text])[0].ids))
    if "chat" in settings.schemes and models:
        scanned = models["scanned"]
        opening = scanned.opening(settings.chat_request) if isinstance(scanned, ChatBackend) else None
        if opening is None:
            raise ConfigError("[regenerate] schemes: the model has no chat template")
        made["chat"] = Opening(*opening)
    return made


class ShardQuestions:
    """Asks the models of a run, shard by shard."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        loaded = plan.loaded
        self._openings = openings_of(loaded.config.regenerate, loaded.models, loaded.tokenize)
        self._known: dict[str, list[KnownIdentifier]] = defaultdict(list)
        if "metadata" in plan.loaded.config.regenerate.tiers and plan.loaded.known is not None:
            for identifier in plan.loaded.known.identifiers:
                self._known[identifier.patient_id].append(identifier)

    def prompts(self, number: int) -> list[Asked]:
        """Every prompt of the shard with the tokens that a model is given."""
        notes = self._plan.shard_notes(number)
        return make_prompts(
            notes,
            {note.note_id: self._plan.note_tokens(note) for note in notes},
            self._plan.loaded.config.regenerate,
            openings=self._openings,
            metadata=self._metadata(number),
        )

    def ask(self, number: int) -> tuple[list[Prompt], list[Screened], list[Continuation]]:
        """Prompts of the shard, notes that screening cleared, and what every model made of the rest."""
        plan, notes = self._plan, self._plan.shard_notes(number)
        asked = self.prompts(number)
        prompts = [one.prompt for one in asked]
        screened = self._screened(number, notes, prompts)
        kept = {prompt.prompt_id for prompt in not_screened(prompts, screened)}
        asked = [one for one in asked if one.prompt.prompt_id in kept]
        made: list[Continuation] = []
        for role in plan.loaded.models:
            made += self._continued(role, asked, notes)
        return prompts, screened, made

    def _continued(self, role: str, asked: Sequence[Asked], notes: Sequence[Note]) -> list[Continuation]:
        split = {note.note_id: note.split for note in notes}
        return continue_prompts(
            asked,
            lambda prompt: arm_of(split[prompt.note_id], control=role == "control"),
            self._plan.loaded.models[role],
            self._plan.loaded.config.regenerate,
            self._plan.vocabulary,
            seed=self._plan.loaded.config.run.seed,
        )

    def _screened(self, number: int, notes: Sequence[Note], prompts: Sequence[Prompt]) -> list[Screened]:
        config = self._plan.loaded.config
        # Plants and twins are few, and are there to be asked about.
        if not config.screen.enabled or self._plan.patients is not None:
            return []
        audits = self._plan.run.read_part("audits", part_name(number))
        shortest = config.regenerate.prefix_lengths[0]
        return screen_notes(notes, prompts, audits, config.screen, shortest=shortest, seed=config.run.seed)

    def _metadata(self, number: int) -> Callable[[Note], tuple[str, Sequence[int]] | None]:
        """What an attacker has who only knows the patient: name, date of birth, number, day of the visit."""
        tokenize = self._plan.loaded.tokenize
        phi: dict[str, list[Phi]] = defaultdict(list)
        if "metadata" in self._plan.loaded.config.regenerate.tiers:
            for row in self._plan.run.read_part("phi", part_name(number)):
                phi[row.note_id].append(row)

        def of_note(note: Note) -> tuple[str, Sequence[int]] | None:
            text = known_text(note, self._known.get(note.patient_id, ()), phi.get(note.note_id, ()))
            if not text or tokenize is None:
                return None
            return text, tokenize([text])[0].ids

        return of_note


def known_text(note: Note, known: Sequence[KnownIdentifier], phi: Sequence[Phi]) -> str:
    """The lines of a metadata prompt; empty where neither a name nor a number is known.

    The registration table goes before what the note says; its dates are dates of birth.
    """

    def first(category: str) -> str | None:
        registered = (one.value for one in known if one.category == category)
        written = (one.text for one in phi if one.category == category)
        return next(registered, None) or next(written, None)

    name, number = first("PATIENT"), first("MEDICALRECORD")
    born = next((one.value for one in known if one.category == "DATE"), None)
    if name is None and number is None:
        return ""
    lines = {"Name": name, "Date of birth": born, "MRN": number, "Date of visit": note.date}
    return "".join(f"{label}: {value}\n" for label, value in lines.items() if value)
