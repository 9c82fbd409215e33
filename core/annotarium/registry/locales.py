"""Translations of a component's words: `locales/<language>.json` beside its module.

{"<component name>": {"title": "...", "description": "...", "parameters":
    {"<field>": {"title": "...", "description": "...", "enum": {"<value>": "..."}}}}}
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


def language_of(header: str) -> str:
    """The language of forms and messages for an `Accept-Language` header: `fr` or `en`."""
    return "fr" if header.lower().startswith("fr") else "en"


class FieldWords(BaseModel):
    """Words of one parameter."""

    model_config = ConfigDict(extra="forbid")
    title: str | None = None
    description: str | None = None
    enum: dict[str, str] = {}


class ComponentWords(BaseModel):
    """Words of one component."""

    model_config = ConfigDict(extra="forbid")
    title: str | None = None
    description: str | None = None
    parameters: dict[str, FieldWords] = {}


_FILE = TypeAdapter(dict[str, ComponentWords])


class BadLocale(Exception):
    """A locale file that cannot be used; the text says why."""


def read_words(cls: type, name: str, language: str) -> ComponentWords | None:
    """Words of component `name` in a language, None when its package has none.

    Raises:
        BadLocale: the file is there and wrong.
    """
    package = getattr(sys.modules.get(cls.__module__), "__package__", None)
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


def words_for(cls: type, name: str, language: str) -> ComponentWords:
    """Words of a component, empty when missing: a wrong translation never hides a component."""
    try:
        return read_words(cls, name, language) or ComponentWords()
    except BadLocale as error:
        log.warning("registry.locale_refused", component=name, reason=str(error))
        return ComponentWords()


def translate_schema(schema: dict[str, Any], words: dict[str, FieldWords]) -> dict[str, Any]:
    """The schema with titles, help and choices in the words given; the input is left as it is."""
    properties = {
        name: _translate_field(field, words[name]) if name in words else field
        for name, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties}


def _translate_field(field: dict[str, Any], words: FieldWords) -> dict[str, Any]:
    translated = dict(field)
    if words.title:
        translated["title"] = words.title
    if words.description:
        translated["description"] = words.description
    if words.enum and isinstance(field.get("enum"), list):
        values = translated.pop("enum")
        translated["oneOf"] = [{"const": value, "title": words.enum.get(str(value), str(value))} for value in values]
    return translated
