"""Shapes of what a person chose for a project (ours)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Command

LabelName = Annotated[str, StringConstraints(min_length=1, max_length=255)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=16)]
MOST_KEYS = 2_000


class Preferences(Command):
    """What the caller chose for a project; absent: never chosen.

    `hotkeys`: the key of each label, by its name. `text_look`: how documents are drawn, as they looked (`formatted`)
    or as their plain text.
    """

    hotkeys: dict[LabelName, Key] | None = Field(default=None, max_length=MOST_KEYS)
    text_look: Literal["formatted", "plain"] | None = None
