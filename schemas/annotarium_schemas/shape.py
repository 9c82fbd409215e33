"""Base classes of the models of requests, responses and files: camelCase in JSON, snake_case in Python, no NaN."""

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
"""In responses about rows; absent when the row is intact."""


class Shape(BaseModel):
    """A model that ignores unknown keys, as the published clients expect."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        allow_inf_nan=False,
        extra="ignore",
        serialize_by_alias=True,
        defer_build=True,  # built at its first use, because a process uses few of the models
    )


class Command(BaseModel):
    """A model of a write request: an unknown key is an error that names it, so that clients cannot set fields of the
    server.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        allow_inf_nan=False,
        extra="forbid",
        serialize_by_alias=True,
        defer_build=True,  # built at its first use, because a process uses few of the models
    )
