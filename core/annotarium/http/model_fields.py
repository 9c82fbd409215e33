"""FastAPI's fields of bodies, parameters and responses. The only module that uses their private parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fastapi._compat import ModelField
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

__all__ = ["ModelField", "build_validators", "validate_value", "whole_body_field"]


def build_validators(route: APIRoute) -> None:
    """Build the validators of a route's parameters, body and response, which FastAPI defers to their first use."""
    for field in (*_parameter_fields(route.dependant), route.body_field, route.response_field):
        if field is not None:
            field._type_adapter.rebuild()


def _parameter_fields(dependant: Dependant) -> Iterator[Any]:
    for part in ("path", "query", "header", "cookie", "body"):
        yield from getattr(dependant, f"{part}_params")
    for inner in dependant.dependencies:
        yield from _parameter_fields(inner)


def whole_body_field(route: APIRoute) -> ModelField | None:
    """The field that FastAPI validates the whole JSON body with; None without a body or when it embeds parts of it."""
    field = route.body_field
    return None if field is None or route._embed_body_fields else field


def validate_value(field: ModelField, value: Any) -> Any:
    """The value as the field's type.

    Raises:
        ValidationError: it does not fit.
    """
    return field._type_adapter.validate_python(value, from_attributes=True)
