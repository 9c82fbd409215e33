"""The converters that an import uses, found through the registry."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from annotarium.registry import get_registry
from annotarium.registry.entry_points import OWN_DISTRIBUTION
from annotarium_plugins.base.converter import Converter


def build_converter(name: str, parameters: dict[str, Any]) -> Converter[Any]:
    """Instantiate a converter with validated parameters."""
    return cast(Converter[Any], get_registry().build("converter", name, parameters))


@lru_cache(maxsize=256)
def converter_name_for_extension(extension: str) -> str | None:
    """The name of the converter that declares this file extension, or None: the product's own first, then by name.

    The product's own converters have priority, so that an installed package only adds new file types. Users choose
    another converter for an import or in a conversion plan.
    """
    registry = get_registry()
    offered = [row for row in registry.list("converter") if row.state == "available"]
    for name in [row.name for row in sorted(offered, key=lambda row: (row.distribution != OWN_DISTRIBUTION, row.name))]:
        try:
            cls = registry.component_class("converter", name)
        except Exception:  # noqa: BLE001  (a broken component is shown by the registry and passed over here)
            continue
        if extension in getattr(cls, "extensions", ()):
            return name
    return None
