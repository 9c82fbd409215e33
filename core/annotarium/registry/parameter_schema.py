"""From a parameter model to what a form needs: a flat JSON Schema, RJSF hints, default values."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from annotarium_plugins.parameters import Parameters

Json = dict[str, Any]

WIDGETS = {"slider": "range"}
"""Hints whose word in RJSF differs; the others go by their own name."""


def parameters_schema(model: type[BaseModel], *, title: str) -> Json:
    """JSON Schema of a model: references inlined, optional fields without `null`, hints (`x-...`) kept.

    The model's docstring and class name are Python matters: the title is the component's.
    """
    raw = model.model_json_schema(mode="validation")
    definitions = raw.pop("$defs", {})
    schema: Json = _simplify_schema(raw, definitions, ())
    schema.pop("description", None)
    schema["title"] = title
    schema.setdefault("properties", {})
    return schema


def ui_schema(schema: Json) -> Json:
    """RJSF hints of a schema made by `parameters_schema`."""
    properties: Json = schema.get("properties", {})
    hints: Json = {"ui:order": list(properties)} if properties else {}
    for name, field in properties.items():
        hint = _field_hints(field)
        if hint:
            hints[name] = hint
    return hints


def _field_hints(field: Json) -> Json:
    hints: Json = {}
    if "x-widget" in field:
        hints["ui:widget"] = WIDGETS.get(field["x-widget"], field["x-widget"])
    options = {key: field[f"x-{key}"] for key in ("advanced", "unit") if f"x-{key}" in field}
    if options:
        hints["ui:options"] = options
    if field.get("type") == "object" and "properties" in field:
        hints.update(ui_schema(field))
    items = field.get("items")
    if isinstance(items, dict):
        inner = _field_hints(items)
        if inner:
            hints["items"] = inner
    return hints


def default_values(model: type[Parameters]) -> Json:
    """Values of the fields that have a default, as they travel; a field without one is left out, and so is None."""
    values: Json = {}
    for name, field in model.model_fields.items():
        if field.is_required():
            continue
        values[name] = field.get_default(call_default_factory=True, validated_data={})
    dumped = model.model_construct(**values).model_dump(mode="json", include=set(values), exclude_none=True)
    return dumped


def _simplify_schema(node: Any, definitions: Json, seen: tuple[str, ...]) -> Any:
    if isinstance(node, list):
        return [_simplify_schema(item, definitions, seen) for item in node]
    if not isinstance(node, dict):
        return node
    reference = node.get("$ref")
    if isinstance(reference, str):
        return _inline_reference(reference, node, definitions, seen)
    simple = _without_null(node)
    if simple is not node:
        return _simplify_schema(simple, definitions, seen)
    return {key: _simplify_schema(value, definitions, seen) for key, value in node.items()}


def _inline_reference(reference: str, node: Json, definitions: Json, seen: tuple[str, ...]) -> Any:
    name = reference.rpartition("/")[2]
    if name in seen:  # a model that holds itself: an open object is the best a form can do
        return {"type": "object"}
    target = _simplify_schema(definitions.get(name, {}), definitions, (*seen, name))
    beside = {key: value for key, value in node.items() if key != "$ref"}
    return {**target, **_simplify_schema(beside, definitions, seen)}


def _without_null(node: Json) -> Json:
    """`anyOf: [X, null]` becomes X: a form leaves the field empty instead of choosing a type."""
    variants = node.get("anyOf")
    if not isinstance(variants, list) or {"type": "null"} not in variants:
        return node
    rest = [variant for variant in variants if variant != {"type": "null"}]
    beside = {key: value for key, value in node.items() if key != "anyOf"}
    if beside.get("default", 0) is None:
        del beside["default"]
    if len(rest) == 1:
        return {**rest[0], **beside}
    return {"anyOf": rest, **beside}
