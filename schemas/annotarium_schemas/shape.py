"""The base of every shape that crosses a border: camelCase on the wire, snake_case in Python, no NaN."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

Damaged = Annotated[
    list[str] | None,
    Field(
        exclude_if=lambda value: value is None,
        description="Fields of its row whose stored values cannot be; neutral ones stand for them (ours)",
    ),
]
"""For answers about rows: absent for a sound one."""


_CONFIG = ConfigDict(
    alias_generator=to_camel,
    populate_by_name=True,
    allow_inf_nan=False,
    serialize_by_alias=True,
    defer_build=True,  # made ready at its first use: a process uses few of them
)


class Shape(BaseModel):
    """A shape that is read leniently: unknown keys are ignored, as the published clients expect."""

    model_config = ConfigDict(**_CONFIG, extra="ignore")


class Command(BaseModel):
    """A shape that writes: an unknown key is an error that names it, so that nothing server-owned slips in."""

    model_config = ConfigDict(**_CONFIG, extra="forbid")
