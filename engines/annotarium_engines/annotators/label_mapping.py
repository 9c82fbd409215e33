"""Mapping of the labels of pipelines and servers to labels of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from annotarium_plugins.parameters import Parameters, hint


class LabelMapping(Parameters):
    """What one of the labels of a pipeline or a server is called in the project."""

    found: str = Field(min_length=1, max_length=100, title="Found as", description="The label it has there.")
    label: str = Field("", title="Label", description="Empty = left out.", json_schema_extra=hint(widget="label"))


def default_label_mappings(names: Mapping[str, Sequence[str]]) -> list[LabelMapping]:
    """Return the predefined labels (C-075), each with the names a pipeline or server uses for it."""
    return [LabelMapping(found=found, label=label) for label, several in names.items() for found in several]
