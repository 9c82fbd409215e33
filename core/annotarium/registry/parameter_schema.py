"""Converts a parameter model to what a form needs: a flat JSON Schema, RJSF hints, default values."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from annotarium_plugins.parameters import Parameters

Json = dict[str, Any]

WIDGETS = {"slider": "range"}
"""Hints with a different name in RJSF; all others keep their names."""


def parameters_schema(model: type[BaseModel], *, title: str) -> Json:
    """JSON Schema of a model: references inlined, optional fields without `null`, hints (`x-...`) included.

    Docstrings and class names are not for users: the title is the component's, and those of models in it are empty
    unless their field has one.
    """
    raw = model.model_json_schema(mode="validation")
    definitions = raw.pop("$defs", {})
    schema: Json = _simplify_schema(raw, definitions, ())
    schema.pop("description", None)
    schema["title"] = title
    schema.setdefault("properties", {})
    return schema


def ui_schema(schema: Json) -> Json:
    """RJSF hints for a schema created by `parameters_schema`."""
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
    """Default values of the fields, as JSON; fields without a default or with None are left out."""
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
    if name in seen:  # a recursive model: a form can only show an object of any content
        return {"type": "object"}
    target = _simplify_schema(definitions.get(name, {}), definitions, (*seen, name))
    target.pop("description", None)  # the docstring of the class
    if target.get("title") == name:
        target["title"] = ""
    beside = {key: value for key, value in node.items() if key != "$ref"}
    return {**target, **_simplify_schema(beside, definitions, seen)}


def _without_null(node: Json) -> Json:
    """Replace `anyOf: [X, null]` by X: a form leaves the field empty instead of offering a choice of types."""
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
