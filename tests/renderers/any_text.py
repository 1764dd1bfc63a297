"""Reports in which every text is one that a person or a file may have chosen."""

from pydantic import BaseModel


def with_text(part, text):
    """``part`` of a report with ``text`` for every text of its own choice; the day it was made stays."""
    if isinstance(part, BaseModel):
        fields = type(part).model_fields
        return part.model_copy(
            update={
                name: text
                if fields[name].annotation in (str, str | None) and name != "created"
                else with_text(getattr(part, name), text)
                for name in fields
            }
        )
    if isinstance(part, tuple):
        return tuple(text if isinstance(one, str) else with_text(one, text) for one in part)
    if isinstance(part, dict):
        return {name: text if isinstance(one, str) else with_text(one, text) for name, one in part.items()}
    return part
