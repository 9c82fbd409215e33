"""Schemas of recomputing segments."""

from __future__ import annotations

from pydantic import Field

from annotarium.content.segmenter_choice import SegmenterChoice
from annotarium_schemas.shape import Command, Shape


class Recompute(Command):
    """The segmenter to use, default: that of the project. The project's settings are not changed."""

    segmenter: SegmenterChoice | None = None


class Tied(Shape):
    """What in a project depends on segments."""

    documents: int = 0
    segments: int = 0
    metadata: int = Field(0, description="Segments with metadata")
    categories: int = Field(0, description="Categories of sentences")
    suggestions: int = Field(0, description="Suggestions that wait")


class Tried(Shape):
    """Effect of recomputing segments on the sampled documents and on what depends on their segments."""

    documents: int = 0
    changed: int = Field(0, description="Documents whose segments would change")
    refused: int = Field(0, description="Documents that the segmenter cannot cut")
    segments_before: int = 0
    segments_after: int = 0
    kept: int = Field(0, description="Segments that would stay as they are")
    metadata: int = Field(0, description="Segments whose metadata would be left in the history only")
    categories: int = Field(0, description="Categories that would no longer be those of one segment")
    suggestions: int = Field(0, description="Suggestions that would no longer be those of one segment")
    annotations: int = Field(0, description="Annotations that would reach over the border of a segment")


class Preview(Shape):
    """A preview of recomputing segments: what the project contains, and the effect on a sample of its documents."""

    total: Tied
    sample: Tried
    examples: list[str] = Field(default_factory=list, description="The first new segments of a document that changes")
