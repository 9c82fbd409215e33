"""The segmenter of a project: `properties.segmenter`, else the default of the installation."""

from __future__ import annotations

from typing import Any, cast

from pydantic import Field

from annotarium.content.segmentation import SegmentFunction
from annotarium.db.models import Project
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults, product_defaults
from annotarium_plugins.base.segmenter import Segmenter
from annotarium_schemas.messages import message
from annotarium_schemas.shape import Command

SEGMENTER_PROPERTY = "segmenter"


class SegmenterChoice(Command):
    """A segmenter with its parameters. `annotationsWhole`: its segments never end inside an annotation."""

    name: str = Field(
        default_factory=lambda: component_defaults().segmenter.name,
        min_length=1,
        max_length=255,
        json_schema_extra={"default": product_defaults().segmenter.name},
    )
    parameters: dict[str, Any] = Field(default_factory=dict)
    annotations_whole: bool = True


def segmenter_choice(project: Project) -> SegmenterChoice:
    """Return the choice from the project's settings."""
    chosen = project.properties.get(SEGMENTER_PROPERTY) if project.properties else None
    if not isinstance(chosen, dict) or not isinstance(chosen.get("name"), str):
        return SegmenterChoice()
    return SegmenterChoice(
        name=chosen["name"],
        parameters=chosen.get("parameters") or {},
        annotations_whole=chosen.get("annotationsWhole", True) is not False,
    )


def validated_choice(choice: SegmenterChoice) -> SegmenterChoice:
    """Return the choice with all parameters of its segmenter, defaults included.

    Raises:
        InvalidInput: the segmenter is not installed, or its parameters are wrong; `details` name the fields.
    """
    _require_installed(choice.name)
    parameters = get_registry().validate("segmenter", choice.name, choice.parameters)
    return choice.model_copy(update={"parameters": parameters.model_dump(mode="json")})


def build_segmenter(choice: SegmenterChoice) -> SegmentFunction:
    """Return the segmenter of a choice as a function.

    Raises:
        InvalidInput: the segmenter is not installed, or its parameters are wrong.
    """
    _require_installed(choice.name)
    return cast(Segmenter[Any], get_registry().build("segmenter", choice.name, choice.parameters)).segment


def _require_installed(name: str) -> None:
    if name not in get_registry().names("segmenter"):
        text = f"The segmenter {name} is not installed"
        raise InvalidInput(
            text,
            fix=message("fix.segmentElse", "Choose another segmenter, or import without segmentation"),
            details=[{"field": "segmenter.name", "message": text}],
        )
