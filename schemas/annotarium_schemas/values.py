"""Value types shared by requests, archives and imports, so that all of them apply the same rules."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

Color = Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]
"""Colour of a label or relation name: six hexadecimal digits."""
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]
"""A name that users give to something."""
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Tags = Annotated[list[Tag], Field(max_length=50)]
"""Tags of plans, experiments and suggesters."""
