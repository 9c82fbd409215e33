"""The components an import uses, found through the registry."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import orjson

from annotarium.access.rights import Access
from annotarium.domains.components.service import require_component
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.entry_points import OWN_DISTRIBUTION
from annotarium_plugins.base.converter import Converter
from annotarium_schemas.messages import message


def build_converter(name: str, parameters: dict[str, Any]) -> Converter[Any]:
    """A converter, ready to read."""
    return cast(Converter[Any], get_registry().build("converter", name, parameters))


@lru_cache(maxsize=256)
def converter_for(extension: str) -> str | None:
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


def validated_parameters(access: Access, given: str) -> dict[str, dict[str, Any]]:
    """Parameters of converters that came with an import, each by the converter's name.

    Raises:
        InvalidInput: it is no JSON of this shape, or a value is wrong: `details` name converter and field.
        NotFound, AccessDenied: there is no such converter, or the caller may not use it.
    """
    if not given.strip():
        return {}
    try:
        named = orjson.loads(given)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(
            message("wrong.converterJson", "The parameters of converters are not JSON"), cause=str(error)
        ) from error
    if not isinstance(named, dict) or not all(isinstance(one, dict) for one in named.values()):
        raise InvalidInput(
            message("wrong.converterObject", "The parameters of converters are no object of objects"),
            fix='Write {"csv": {...}}',
        )
    for name, parameters in named.items():
        require_component(access, "converter", name)
        try:
            get_registry().validate("converter", name, parameters)
        except InvalidInput as error:
            details = [{**one, "field": f"{name}.{one['field']}"} for one in error.details]
            raise InvalidInput(error.message, details=details) from error
    return named
