"""What others' labels are called in a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from annotarium_plugins.parameters import Parameters, hint


class LabelMapping(Parameters):
    """What one of the labels of a pipeline or a server is called in the project."""

    found: str = Field(min_length=1, max_length=100, title="Found as", description="The label it has there.")
    label: str = Field("", title="Label", description="Empty = left out.", json_schema_extra=hint(widget="label"))


def default_label_mappings(names: Mapping[str, Sequence[str]]) -> list[LabelMapping]:
    """The predefined labels (C-075), each with what it is found as there."""
    return [LabelMapping(found=found, label=label) for label, several in names.items() for found in several]


def other_label_field() -> Any:
    """A parameter: the label of what no mapping names."""
    return Field(
        "",
        max_length=255,
        title="Label of everything else",
        description="Empty = what is not listed is left out.",
        json_schema_extra=hint(widget="label"),
    )
