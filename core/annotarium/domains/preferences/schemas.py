"""Schemas of a user's preferences in a project (not part of the published API)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from annotarium_schemas.shape import Command

LabelName = Annotated[str, StringConstraints(min_length=1, max_length=255)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=16)]
MOST_KEYS = 2_000


class Preferences(Command):
    """The caller's preferences in a project; absent = never set.

    `hotkeys`: the key of each label, by the name of the label. `text_look`: whether documents are drawn with their
    original layout (`formatted`) or as plain text.
    """

    hotkeys: dict[LabelName, Key] | None = Field(default=None, max_length=MOST_KEYS)
    text_look: Literal["formatted", "plain"] | None = None
