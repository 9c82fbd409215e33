"""Translations of a component's texts: `locales/<language>.json` next to its module.

{"<component name>": {"title": "...", "description": "...", "missing": "...", "parameters":
    {"<field>": {"title": "...", "description": "...", "enum": {"<value>": "..."}}}}}

`missing` is the reason of `ExtraMissing`.
"""

from __future__ import annotations

import importlib.resources
import re
import sys
from typing import Any

import structlog
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

log = structlog.get_logger(__name__)
LANGUAGE = re.compile(r"[a-z]{2}(-[A-Za-z]{2,4})?")


def language_of_header(header: str) -> str:
    """The language of forms and messages for an `Accept-Language` header: `fr` or `en`."""
    return "fr" if header.lower().startswith("fr") else "en"


class FieldTexts(BaseModel):
    """Texts of one parameter."""

    model_config = ConfigDict(extra="forbid")
    title: str | None = None
    description: str | None = None
    enum: dict[str, str] = {}


class ComponentTexts(BaseModel):
    """Texts of one component."""

    model_config = ConfigDict(extra="forbid")
    title: str | None = None
    description: str | None = None
    missing: str | None = None
    parameters: dict[str, FieldTexts] = {}


_FILE = TypeAdapter(dict[str, ComponentTexts])


class BadLocale(Exception):
    """An invalid locale file; the text states why."""


def read_component_texts(cls: type, name: str, language: str) -> ComponentTexts | None:
    """Texts of the component `name` in a language, None if its package has none.

    Raises:
        BadLocale: the file exists and is invalid.
    """
    return _read_package_texts(getattr(sys.modules.get(cls.__module__), "__package__", None), name, language)


def _read_package_texts(package: str | None, name: str, language: str) -> ComponentTexts | None:
    if not package or not LANGUAGE.fullmatch(language):
        return None
    resource = importlib.resources.files(package).joinpath("locales", f"{language}.json")
    try:
        content = resource.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        return _FILE.validate_json(content).get(name)
    except ValidationError as error:
        raise BadLocale(f"locales/{language}.json of {package} is wrong: {error.errors()[0]['msg']}") from error


def component_texts_or_empty(cls: type, name: str, language: str) -> ComponentTexts:
    """Texts of a component, empty if missing or invalid: a wrong translation must not hide a component."""
    return package_texts_or_empty(getattr(sys.modules.get(cls.__module__), "__package__", None), name, language)


def package_texts_or_empty(package: str | None, name: str, language: str) -> ComponentTexts:
    """Like `component_texts_or_empty`, for a component whose module cannot be imported."""
    try:
        return _read_package_texts(package, name, language) or ComponentTexts()
    except BadLocale as error:
        log.warning("registry.locale_refused", component=name, reason=str(error))
        return ComponentTexts()


def translate_schema(schema: dict[str, Any], texts: dict[str, FieldTexts]) -> dict[str, Any]:
    """A copy of the schema with translated titles, descriptions and choices."""
    properties = {
        name: _translate_field(field, texts[name]) if name in texts else field
        for name, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties}


def _translate_field(field: dict[str, Any], texts: FieldTexts) -> dict[str, Any]:
    translated = dict(field)
    if texts.title:
        translated["title"] = texts.title
    if texts.description:
        translated["description"] = texts.description
    if texts.enum and isinstance(field.get("enum"), list):
        values = translated.pop("enum")
        translated["oneOf"] = [{"const": value, "title": texts.enum.get(str(value), str(value))} for value in values]
    return translated
