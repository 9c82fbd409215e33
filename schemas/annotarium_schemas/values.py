"""Values that requests, archives and imports have in common: one rule each, wherever they come from."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, StringConstraints

Color = Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]
"""Of a label or of a name of relations: six hexadecimal digits."""
Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]
"""What people call something."""
Tag = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]
Tags = Annotated[list[Tag], Field(max_length=50)]
"""Of plans, experiments and suggesters."""
