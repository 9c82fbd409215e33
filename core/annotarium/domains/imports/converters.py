"""The components an import uses, found through the registry."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

from annotarium.registry import get_registry
from annotarium.registry.entry_points import OWN_DISTRIBUTION
from annotarium_plugins.base.converter import Converter


def build_converter(name: str, parameters: dict[str, Any]) -> Converter[Any]:
    """A converter, ready to read."""
    return cast(Converter[Any], get_registry().build("converter", name, parameters))


@lru_cache(maxsize=256)
def converter_name_for_extension(extension: str) -> str | None:
    """The converter that reads files of an extension: the first by name that says so, None when there is none.

    Those of the product come first: a package is added for the files that nothing read so far. Who wants another one to
    read a file chooses it for an import or in a conversion plan.
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
