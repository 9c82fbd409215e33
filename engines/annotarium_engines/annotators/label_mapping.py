"""Mapping of the labels of pipelines and servers to labels of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from annotarium_plugins.parameters import Parameters, hint


class LabelMapping(Parameters):
    """What one of the labels of a pipeline or a server is called in the project."""

    found: str = Field(
        min_length=1, max_length=100, title="Original label", description="The label given by the annotator."
    )
    label: str = Field(
        "", title="Label", description="Leave empty to ignore it.", json_schema_extra=hint(widget="label")
    )


def label_mappings_field(names: Mapping[str, Sequence[str]], description: str) -> Any:
    """The labels that are taken over, by default those of `names`."""
    return Field(
        default_factory=lambda: default_label_mappings(names), max_length=200, title="Labels", description=description
    )


def other_label_field() -> Any:
    """The label of what no mapping names; by default empty, which leaves it out."""
    return Field(
        "",
        max_length=255,
        title="Label of all others",
        description="Leave empty to ignore what is not listed.",
        json_schema_extra=hint(widget="label"),
    )


def default_label_mappings(names: Mapping[str, Sequence[str]]) -> list[LabelMapping]:
    """Return the predefined labels (C-075), each with the names a pipeline or server uses for it."""
    return [LabelMapping(found=found, label=label) for label, several in names.items() for found in several]
