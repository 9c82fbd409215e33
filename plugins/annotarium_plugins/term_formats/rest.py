"""What a format cannot express of a term: it travels as one JSON text, so that reading a file back loses nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import orjson

from annotarium_plugins.base.term_properties import FORM_TYPES, FormType, TermBuilder
from annotarium_schemas.documents import Term

REST_LENGTH = 4 << 20
"""Maximum characters of the JSON text that is read."""


def rest_of(term: Term, builder: TermBuilder) -> str:
    """Return what is missing or different in `builder` compared with the term as JSON, empty when nothing is."""
    expected, made = term.properties or {}, builder.build().properties or {}
    different = {
        name: expected.get(name) for name in sorted({*expected, *made}) if expected.get(name) != made.get(name)
    }
    return orjson.dumps(different, option=orjson.OPT_SORT_KEYS).decode() if different else ""


def add_rest(builder: TermBuilder, content: str) -> bool:
    """Set the properties that `rest_of` returned; False when the text is not such JSON."""
    if len(content) > REST_LENGTH:
        return False
    try:
        found = orjson.loads(content)
    except orjson.JSONDecodeError:
        return False
    if not isinstance(found, dict):
        return False
    for name, value in found.items():
        builder.set_property(name, value)
    return True


def forms_of(term: Term) -> Iterator[tuple[str, FormType, str]]:
    """Yield form, type and language of the forms of a term; malformed ones are left out."""
    properties = term.properties or {}
    forms = properties.get("forms")
    if isinstance(forms, list):
        for one in forms:
            form, kind, language = _form_parts(one)
            if form and kind in FORM_TYPES:
                yield form, cast(FormType, kind), language
        return
    if term.preferred_form:
        yield term.preferred_form, "preferred", ""
    for text in texts_of(term, "altForms"):
        yield text, "alternative", ""


def _form_parts(value: Any) -> tuple[str, str, str]:
    if not isinstance(value, dict):
        return "", "", ""
    form, kind, language = value.get("form"), value.get("type", ""), value.get("language", "")
    if isinstance(form, str) and isinstance(kind, str) and isinstance(language, str):
        return form, kind, language
    return "", "", ""


def texts_of(term: Term, name: str) -> list[str]:
    """Return the texts of a property that is a list."""
    values = (term.properties or {}).get(name)
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def definitions_of(term: Term) -> list[tuple[str, str]]:
    """Return text and language of the definitions of a term; malformed ones are left out."""
    values = (term.properties or {}).get("definitions")
    made = []
    for value in values if isinstance(values, list) else []:
        if isinstance(value, dict) and isinstance(value.get("text"), str):
            language = value.get("language", "")
            made.append((value["text"], language if isinstance(language, str) else ""))
    return made


def is_obsolete(term: Term) -> bool:
    """Whether the term is marked as no longer in use."""
    return (term.properties or {}).get("obsolete") is True
