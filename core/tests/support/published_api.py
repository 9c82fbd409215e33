"""Compare operations of the server with the published API description."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

Json = dict[str, Any]
ROOT = Path(__file__).resolve().parents[3]
PUBLISHED_FILE = Path(os.environ.get("ANNOTARIUM_CONTRACT", ROOT.parent / "shared" / "contract")) / "openapi.yaml"
METHODS = {"get", "post", "put", "patch", "delete"}
MISSING = f"no {PUBLISHED_FILE}: name the folder of the published openapi.yaml in ANNOTARIUM_CONTRACT"


@cache
def read_published_api() -> Json:
    """Return the published API description."""
    loaded: Json = yaml.load(
        PUBLISHED_FILE.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    )
    return loaded


def operations(description: Json) -> dict[tuple[str, str], Json]:
    """Return operations by method and path."""
    return {
        (method, path): operation
        for path, item in description["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def resolve_reference(schema: Json, description: Json) -> Json:
    """Return the schema that a reference points to."""
    while "$ref" in schema:
        schema = description["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema


def referenced_shapes(value: Any) -> Iterator[str]:
    """Yield the names of the referenced schemas."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].rsplit("/", 1)[-1]
        for item in value.values():
            yield from referenced_shapes(item)
    elif isinstance(value, list):
        for item in value:
            yield from referenced_shapes(item)


def _object_schemas(schema: Json, description: Json) -> list[Json]:
    """Return the alternatives of a schema without `null`."""
    schema = resolve_reference(schema, description)
    options = schema.get("anyOf") or schema.get("oneOf")
    if not options:
        return [schema]
    return [one for option in options if option != {"type": "null"} for one in _object_schemas(option, description)]


class Comparison:
    """Compares a published schema with the served one."""

    def __init__(self, theirs: Json, ours: Json) -> None:
        self.theirs, self.ours = theirs, ours

    def differences(self, published: Json, served: Json) -> list[str]:
        """Return the differences of a served operation from the published one, each once."""
        found = (*self.parameters(published, served), *self.body(published, served), *self.answer(published, served))
        return list(dict.fromkeys(found))

    def parameters(self, published: Json, served: Json) -> Iterator[str]:
        """Each published parameter is accepted; no parameter is required that the description does not require."""
        taken = {(one["in"], one["name"]): one for one in served.get("parameters", [])}
        known = {(one["in"], one["name"]): one for one in published.get("parameters", [])}
        for key in known.keys() - taken.keys():
            yield f"parameter {key[1]} is missing"
        for key, one in taken.items():
            if one.get("required") and not known.get(key, {}).get("required"):
                yield f"parameter {key[1]} is required"

    def body(self, published: Json, served: Json) -> Iterator[str]:
        """Every body allowed by the description is accepted."""
        wanted, got = published.get("requestBody"), served.get("requestBody")
        if wanted is None:
            if got is not None and got.get("required"):
                yield "body is required"
            return
        if got is None:
            yield "body is missing"
            return
        if got.get("required") and not wanted.get("required"):
            yield "body is required"
        for kind, media in wanted["content"].items():
            if kind not in got["content"]:
                yield f"body of type {kind} is missing"
            else:
                yield from self._accepts(media["schema"], got["content"][kind]["schema"], "body", ())

    def _accepts(self, published: Json, served: Json, where: str, seen: tuple[str, ...]) -> Iterator[str]:
        if published.get("$ref") in seen:
            return
        seen = (*seen, published["$ref"]) if "$ref" in published else seen
        wanted = resolve_reference(published, self.theirs)
        options = _object_schemas(served, self.ours)
        for alternative in wanted.get("oneOf", ()):  # one served alternative accepts each published one
            yield from min((list(self._accepts(alternative, one, where, seen)) for one in options), key=len)
        if "oneOf" in wanted:
            return
        if wanted.get("type") == "array":
            for option in options:
                if "items" in option and "items" in wanted:
                    yield from self._accepts(wanted["items"], option["items"], f"{where}[]", seen)
            return
        properties: Json = {}
        for option in options:
            properties |= option.get("properties", {})
            for name in set(option.get("required", ())) - set(wanted.get("required", ())):
                yield f"{where}.{name} is required"
        for name, schema in wanted.get("properties", {}).items():
            if name in properties:
                yield from self._accepts(schema, properties[name], f"{where}.{name}", seen)
            elif properties:
                yield f"{where}.{name} is missing"

    def answer(self, published: Json, served: Json) -> Iterator[str]:
        """The response has the published status and every promised property."""
        for status, response in published["responses"].items():
            if not status.startswith("2"):
                continue
            got = served["responses"].get(status)
            if got is None:
                yield f"answer {status} is missing"
                continue
            for kind, media in response.get("content", {}).items():
                if kind not in got.get("content", {}):
                    yield f"answer of type {kind} is missing"
                else:
                    yield from self._gives(media["schema"], got["content"][kind].get("schema", {}), "answer", ())

    def _gives(self, published: Json, served: Json, where: str, seen: tuple[str, ...]) -> Iterator[str]:
        if published.get("$ref") in seen:
            return
        seen = (*seen, published["$ref"]) if "$ref" in published else seen
        wanted = resolve_reference(published, self.theirs)
        for option in (
            _object_schemas(served, self.ours) if "oneOf" in wanted else ()
        ):  # each served alternative matches a published one
            yield from min((list(self._gives(one, option, where, seen)) for one in wanted["oneOf"]), key=len)
        if "oneOf" in wanted:
            return
        for option in _object_schemas(served, self.ours):
            if option.get("type") not in (wanted.get("type"), None) and not {wanted.get("type"), option["type"]} <= {
                "number",
                "integer",
                None,
            }:
                yield f"{where} is {option['type']} instead of {wanted.get('type')}"
                continue
            if wanted.get("type") == "array" and "items" in wanted:
                yield from self._gives(wanted["items"], option.get("items", {}), f"{where}[]", seen)
            yield from self._properties(wanted, option, where, seen)

    def _properties(self, wanted: Json, option: Json, where: str, seen: tuple[str, ...]) -> Iterator[str]:
        properties = option.get("properties", {})
        for name, schema in wanted.get("properties", {}).items():
            if name in properties:
                if (
                    name in wanted.get("required", ())
                    and name not in option.get("required", ())
                    and ("default" not in properties[name])
                ):
                    yield f"{where}.{name} may be absent"
                yield from self._gives(schema, properties[name], f"{where}.{name}", seen)
            elif name in wanted.get("required", ()):
                yield f"{where}.{name} is missing"
