"""Schemas of components."""

from __future__ import annotations

from pydantic import Field

from annotarium_schemas.shape import Shape


class UnavailableEngine(Shape):
    """An engine that this server is not set up for."""

    name: str
    title: str
    description: str
    setting: str | None = Field(
        default=None, description="What has to be set; only administrators of the platform read it"
    )
