"""The components an import uses, found through the registry."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from annotarium.corpus.segmentation import Segment
from annotarium.db.models import Project
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium_plugins.base.converter import Converter
from annotarium_plugins.base.segmenter import Segmenter

DEFAULT_SEGMENTER = "rule_sentence"


def build_converter(name: str, parameters: dict[str, Any]) -> Converter[Any]:
    """A converter, ready to read."""
    return cast(Converter[Any], get_registry().build("converter", name, parameters))


@lru_cache(maxsize=256)
def converter_for(extension: str) -> str | None:
    """The converter that reads files of an extension: the first by name that says so, None when there is none."""
    registry = get_registry()
    for name in registry.names("converter"):
        try:
            cls = registry.component_class("converter", name)
        except Exception:  # noqa: BLE001  (a broken component is shown by the registry and passed over here)
            continue
        if extension in getattr(cls, "extensions", ()):
            return name
    return None


def segmenter_of(project: Project) -> Segment:
    """How the project cuts texts: `properties.segmenter` `{name, parameters}`, else sentences by rules.

    Raises:
        InvalidInput: the segmenter is not installed.
    """
    chosen = project.properties.get("segmenter") if project.properties else None
    name = DEFAULT_SEGMENTER
    parameters: dict[str, Any] = {}
    if isinstance(chosen, dict) and isinstance(chosen.get("name"), str):
        name, parameters = chosen["name"], chosen.get("parameters") or {}
    registry = get_registry()
    if name not in registry.names("segmenter"):
        raise InvalidInput(
            f"The segmenter {name} is not installed", fix="Choose another segmenter, or import without segmentation"
        )
    return cast(Segmenter[Any], registry.build("segmenter", name, parameters)).segment
