"""Our OpenAPI description in the words of the published one: paths, parameters, shapes and operations carry its names.

Clients generated from either description then look the same, and the studio takes its types from ours. What we serve
beyond the published description keeps the same style. Nothing here changes an answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic.json_schema import models_json_schema

from annotarium.http.openapi.published_names import JOB_TYPES, SHAPE_NAMES
from annotarium.http.openapi.published_operations import PUBLISHED_OPERATIONS
from annotarium_schemas.answers import Error
from annotarium_schemas.documents import ImportedDocument
from annotarium_schemas.modelling import Report
from annotarium_schemas.plans import ConvertAnnotationPlan, ConvertFormatAnnotationPlan

Json = dict[str, Any]
PREFIX = "/api"
METHODS = ("get", "put", "post", "delete", "patch")
REFERENCE = "#/components/schemas/"
SECURITY_SCHEMES: Json = {
    "basicAuth": {"type": "http", "scheme": "basic"},
    "bearerAuth": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
    "apikeyAuth": {"type": "apiKey", "in": "header", "name": "X-Kairntech-key"},
}
FAILURE: Json = {
    "description": "What went wrong, and what to do about it",
    "content": {"application/json": {"schema": {"$ref": f"{REFERENCE}Error"}}},
}
HEADERS: dict[str, Json] = {
    "Idempotency-Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "Makes the call safe to repeat: the same call under the same key is made once, and answered with"
        " the first answer. Another call under a used key is refused (400)",
        "schema": {"type": "string", "maxLength": 128},
    },
    "If-Match": {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "The `version` that was read: when it has changed since, nothing is done, and the answer (412)"
        " holds the present state",
        "schema": {"type": "string", "examples": ['"3"']},
    },
}
# Shapes that no signature of an endpoint names: failures, and bodies that are read as a stream.
UNNAMED_SHAPES = (Error, ImportedDocument, Report, ConvertAnnotationPlan, ConvertFormatAnnotationPlan)
# Properties that travel as ready JSON, so that their shape in Python says less.
PROPERTIES: dict[tuple[str, str], Json] = {
    ("DeleteResponse", "removeJob"): {"$ref": f"{REFERENCE}SherpaJobBean"},
    ("Experiment", "report"): {"$ref": f"{REFERENCE}Report"},
    ("ModelMetrics", "report"): {"$ref": f"{REFERENCE}Report"},
    ("PlanOperationResponse", "triggeredJobs"): {
        "type": "array",
        "items": {"$ref": f"{REFERENCE}SherpaJobBean"},
    },
    ("SherpaJobBean", "type"): {"type": "string", "enum": JOB_TYPES},
}
# Lists of answers that are never left out, though Python gives them a default.
ALWAYS_THERE = {
    "AnnotationFacets": ("labels", "texts"),
    "CategoriesFacets": ("labels",),
    "DocumentFacets": ("facets",),
    "ModelsMetrics": ("history",),
}


def to_published(description: Json) -> Json:
    """The description FastAPI made, in published words; the argument is not changed.

    Paths lose the prefix, which is the address of the server; failures are told once per operation.
    """
    shapes, names = _published_shapes(description.get("components", {}).get("schemas", {}))
    paths: Json = {}
    taken = set(_OPERATION_IDS.values())
    for path, operations in description["paths"].items():
        name = published_path(path)
        item = paths.setdefault(name, {})
        for method, operation in operations.items():
            if method in METHODS:
                renamed = _renamed_path_parameters(path, name)
                identifier = _operation_id(method, name, operation, taken)
                item[method] = _operation(method, _with_renamed_references(operation, names), renamed) | {
                    "operationId": identifier
                }
    _apply_shape_overrides(shapes)
    _drop_nulls(shapes, paths)
    used = _reachable(paths, shapes)
    return {key: value for key, value in description.items() if key not in ("paths", "components")} | {
        "servers": [{"url": PREFIX}],
        "security": [{"bearerAuth": []}, {"basicAuth": []}, {"apikeyAuth": []}],
        "paths": paths,
        "components": {
            "schemas": {name: shape for name, shape in sorted(shapes.items()) if name in used},
            "securitySchemes": SECURITY_SCHEMES,
        },
    }


def with_headers(description: Json, headers: Mapping[tuple[str, str], Collection[str]]) -> Json:
    """The description with the headers that operations read, by `(METHOD, /path)`; they are the guard's, which no
    signature names."""
    for (method, path), names in headers.items():
        operation = description["paths"][re.sub(r":\w+}", "}", path)][method.lower()]
        operation["parameters"] = [*operation.get("parameters", []), *(HEADERS[name] for name in names)]
    return description


def published_path(path: str) -> str:
    """One of our paths as it is published: without the prefix, its parameters renamed.

    The parameters of a path of ours are named as those of the longest published path it begins like, the rest in
    camelCase.
    """
    parts = path.removeprefix(PREFIX).split("/")
    for length in range(len(parts), 0, -1):
        begun = _BEGINNINGS.get(_path_pattern("/".join(parts[:length])))
        if begun is not None:
            return "/".join([begun, *map(_camel, parts[length:])])
    return "/".join(map(_camel, parts))


def _path_pattern(path: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", path)


def _camel(text: str) -> str:
    return re.sub(r"_([a-z])", lambda match: match[1].upper(), text) if text.startswith("{") else text


def _read_published_operations() -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Beginnings of published paths by pattern, and operation ids by method and path."""
    beginnings: dict[str, str] = {}
    identifiers: dict[tuple[str, str], str] = {}
    rows = [row.split(" ") for row in PUBLISHED_OPERATIONS.split("\n") if row]
    for method, path, identifier in rows:
        identifiers[method.lower(), path] = identifier
        beginnings[_path_pattern(path)] = path
    for _, path, _ in rows:
        parts = path.split("/")
        for length in range(2, len(parts)):
            beginnings.setdefault(_path_pattern("/".join(parts[:length])), "/".join(parts[:length]))
    return beginnings, identifiers


_BEGINNINGS, _OPERATION_IDS = _read_published_operations()


def _renamed_path_parameters(path: str, name: str) -> dict[str, str]:
    return dict(zip(re.findall(r"\{([^}]*)\}", path), re.findall(r"\{([^}]*)\}", name), strict=True))


def _operation_id(method: str, path: str, operation: Json, taken: set[str]) -> str:
    known = _OPERATION_IDS.get((method, path))
    if known is not None:
        return known
    words = str(operation.get("summary", method)).split()
    wished = words[0].lower() + "".join(words[1:])
    number = 2
    identifier = wished
    while identifier in taken:
        identifier, number = f"{wished}{number}", number + 1
    taken.add(identifier)
    return identifier


def _operation(method: str, operation: Json, renamed: dict[str, str]) -> Json:
    parameters = [_parameter(parameter, renamed) for parameter in operation.get("parameters", [])]
    responses = {status: _response(answer) for status, answer in operation["responses"].items() if status != "422"}
    done = operation | {"responses": responses | {"default": FAILURE}}
    return done | ({"parameters": parameters} if parameters else {}) | _patch_body(method, operation)


def _patch_body(method: str, operation: Json) -> Json:
    """Changes may be sent as merge patches, which is the published way, or as plain JSON."""
    body = operation.get("requestBody", {})
    media = body.get("content", {}).get("application/json")
    if method != "patch" or media is None:
        return {}
    return {"requestBody": body | {"content": {"application/merge-patch+json": media, "application/json": media}}}


def _parameter(parameter: Json, renamed: dict[str, str]) -> Json:
    """A parameter is there or not: it is never null."""
    done = parameter | {"schema": _without_null(parameter.get("schema", {}))}
    return done | ({"name": renamed[parameter["name"]]} if parameter["in"] == "path" else {})


def _response(answer: Json) -> Json:
    """The documented shape alone, where FastAPI adds it to what the type of the function says."""
    content = {
        kind: {**value, "schema": _reference_or_untitled_schema(value["schema"])} if "schema" in value else value
        for kind, value in answer.get("content", {}).items()
    }
    return {**answer, "content": content} if content else answer


def _reference_or_untitled_schema(schema: Json) -> Json:
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    done = {key: value for key, value in schema.items() if key != "title"}
    return done | (
        {"items": _reference_or_untitled_schema(schema["items"])} if isinstance(schema.get("items"), dict) else {}
    )


def _published_shapes(found: Json) -> tuple[Json, dict[str, str]]:
    """The shapes under their published names, and the new name of each."""
    _, extra = models_json_schema(
        [(shape, "validation") for shape in UNNAMED_SHAPES], ref_template=REFERENCE + "{model}"
    )
    shapes: Json = {}
    names: dict[str, str] = {}
    everything = extra["$defs"] | found
    for name in sorted(everything):
        short = name.rsplit("__", 1)[-1]
        wished = SHAPE_NAMES.get(short, short)
        same = shapes.get(wished)
        if (
            same is not None
            and not _includes_properties(same, everything[name])
            and not _includes_properties(everything[name], same)
        ):
            wished = name
        elif same is not None and _includes_properties(same, everything[name]):
            names[name] = wished
            continue
        names[name] = wished
        shapes[wished] = everything[name]
    return {name: _with_renamed_references(shape, names) for name, shape in shapes.items()}, names


def _includes_properties(wide: Json, narrow: Json) -> bool:
    """Whether the first has at least the properties of the second, and asks for the same ones."""
    if "properties" not in narrow or set(narrow.get("required", ())) != set(wide.get("required", ())):
        return False
    return set(narrow["properties"]) <= set(wide.get("properties", {}))


def _with_renamed_references(value: Any, names: dict[str, str]) -> Any:
    """A copy whose references carry the new names."""
    if isinstance(value, list):
        return [_with_renamed_references(item, names) for item in value]
    if not isinstance(value, dict):
        return value
    done = {key: _with_renamed_references(item, names) for key, item in value.items()}
    reference = done.get("$ref")
    if isinstance(reference, str) and reference.startswith(REFERENCE):
        name = reference.removeprefix(REFERENCE)
        done["$ref"] = REFERENCE + names.get(name, name)
    return done


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"].removeprefix(REFERENCE)
        for item in value.values():
            yield from _references(item)
    elif isinstance(value, list):
        for item in value:
            yield from _references(item)


def _reachable(start: Any, shapes: Json) -> set[str]:
    reached: set[str] = set()
    open_ = set(_references(start))
    while open_:
        name = open_.pop()
        if name not in reached and name in shapes:
            reached.add(name)
            open_ |= set(_references(shapes[name]))
    return reached


def _apply_shape_overrides(shapes: Json) -> None:
    """Tell what Python does not: the shape of ready JSON, and lists that are always there."""
    for (shape, key), schema in PROPERTIES.items():
        if key in shapes.get(shape, {}).get("properties", {}):
            shapes[shape]["properties"][key] = schema
    for shape, keys in ALWAYS_THERE.items():
        if shape in shapes:
            shapes[shape]["required"] = sorted({*shapes[shape].get("required", []), *keys})


def _drop_nulls(shapes: Json, paths: Json) -> None:
    """Answers leave out what has no value, so their optional properties are never null; bodies may send null."""
    answers = [operation["responses"] for item in paths.values() for operation in item.values()]
    bodies = [operation.get("requestBody", {}) for item in paths.values() for operation in item.values()]
    for name in _reachable(answers, shapes) - _reachable(bodies, shapes):
        required = shapes[name].get("required", [])
        for key, value in shapes[name].get("properties", {}).items():
            if key not in required:
                shapes[name]["properties"][key] = _without_null(value)


def _without_null(schema: Json) -> Json:
    options = [option for option in schema.get("anyOf", []) if option != {"type": "null"}]
    if len(options) == len(schema.get("anyOf", [])):
        return schema
    rest = {key: value for key, value in schema.items() if key != "anyOf" and not (key == "default" and value is None)}
    return rest | options[0] if len(options) == 1 else rest | {"anyOf": options}
