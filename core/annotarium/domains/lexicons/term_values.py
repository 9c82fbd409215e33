"""What a term may contain, the same for requests, imports and archives; and the rows that are made of it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import islice
from typing import Any

import orjson

from annotarium.content.validation import InvalidContent, check_json_value, check_text
from annotarium.db.models.lexicon import MAX_FORM, MAX_IDENTIFIER, SORT_KEY
from annotarium.domains.lexicons.repository import BROADER, RELATED
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

MAX_FORMS = 10_000
"""Further forms of one term."""
MAX_RELATIONS = 40_000
"""Broader and related terms of one term."""
MAX_PROPERTIES = 500
MAX_BYTES = 4 << 20
"""Bytes of the properties of one term, as JSON."""
MAX_NAME = 255
_DEEPEST = 20
SHOWN_ITEMS, SHOWN_CHARACTERS = 50, 2_000
"""Items of a list (or properties) and characters of a text that a hit contains; `_get_term` returns all."""
WHAT_IDENTIFIER = message("what.termIdentifier", "The identifier of the term")
WHAT_FORM = message("what.termForm", "The preferred form of the term")
WHAT_PROPERTIES = message("what.termProperties", "The properties of the term")
_FORMS = message("what.forms", "forms")
_RELATIONS = message("what.relationsOfTerm", "broader and related terms")
_NAMES = message("what.propertiesOfTerm", "properties")
_LISTS = ("altForms", "forms", "definitions", "notation", BROADER, RELATED, "crossReferences")
_TEXT_LISTS = ("altForms", "notation", BROADER, RELATED, "crossReferences")


def sort_key(form: str) -> str:
    """The beginning of a form as the tree orders it: case folded, accents after the letters."""
    return unicodedata.normalize("NFKD", form[:SORT_KEY]).casefold()[:SORT_KEY]


def checked_term(term: Term) -> tuple[str, str, dict[str, Any]]:
    """Identifier, preferred form and properties of a term that may be stored.

    Raises:
        InvalidContent: a text is missing, too long or cannot be stored, or the term has too much of something.
    """
    identifier = (term.identifier or "").strip()
    form = (term.preferred_form or "").strip() or identifier
    _check_length(identifier, WHAT_IDENTIFIER, MAX_IDENTIFIER)
    _check_length(form, WHAT_FORM, MAX_FORM)
    return identifier, form, checked_properties(identifier, term.properties or {})


def _check_length(value: str, what: str, longest: int) -> None:
    if not value:
        raise InvalidContent(
            message("gate.empty", "{what} is empty", what=what),
            message("fix.termIdentifier", "Give every term an identifier or a form"),
        )
    if len(value) > longest:
        words = "{what} is longer than {count:,} characters: {sample}..."
        raise InvalidContent(
            message("gate.long", words, what=what, count=longest, sample=value[:80]),
            message("fix.shorten", "Shorten it"),
        )
    check_text(value, what)


def checked_properties(identifier: str, given: dict[str, Any]) -> dict[str, Any]:
    """The properties of a term without empty ones; see `checked_term`."""
    found = {name: value for name, value in given.items() if value is not None and value != "" and value != []}
    _check_count(found, MAX_PROPERTIES, _NAMES)
    for name in found:
        if len(name) > MAX_NAME:
            words = "The name of a property is longer than {count:,} characters"
            raise _invalid(message("term.longName", words, count=MAX_NAME))
    for name in _LISTS:
        if name in found and not isinstance(found[name], list):
            raise _invalid(message("term.noList", "The property {name} of the term is not a list", name=name))
    _check_count([*found.get("altForms", ()), *found.get("forms", ())], 2 * MAX_FORMS, _FORMS)
    _check_count([*found.get(BROADER, ()), *found.get(RELATED, ())], MAX_RELATIONS, _RELATIONS)
    for name in _TEXT_LISTS:
        if name in found:
            found[name] = _distinct_texts(name, found[name])
    _check_targets(identifier, found)
    _check_size(found)
    return found


def _invalid(words: str) -> InvalidContent:
    return InvalidContent(words, message("fix.correctTerm", "Correct the term in the file"))


def _check_count(items: Any, most: int, what: str) -> None:
    if len(items) > most:
        words = "The term has {number:,} {what}, {count:,} at most"
        raise InvalidContent(
            message("term.tooMany", words, number=len(items), what=what, count=most),
            message("fix.smallerTerm", "Split it into several terms, or leave some of them out"),
        )


def _distinct_texts(name: str, values: list[Any]) -> list[str]:
    if not all(isinstance(value, str) for value in values):
        words = "The property {name} of the term holds something else than texts"
        raise _invalid(message("term.noTexts", words, name=name))
    return list(dict.fromkeys(text for value in values if (text := value.strip())))


def _check_targets(identifier: str, properties: dict[str, Any]) -> None:
    for name in (BROADER, RELATED):
        if any(len(target) > MAX_IDENTIFIER for target in properties.get(name, ())):
            raise _invalid(
                message(
                    "term.longTarget",
                    "An identifier in {name} is longer than {count:,} characters",
                    name=name,
                    count=MAX_IDENTIFIER,
                )
            )
        if identifier in properties.get(name, ()):
            raise _invalid(message("term.own", "The term names itself in {name}", name=name))


def _check_size(properties: dict[str, Any]) -> None:
    if _depth(properties, _DEEPEST) <= 0:
        raise _invalid(message("gate.deep", "{what} are nested too deeply", what=WHAT_PROPERTIES))
    check_json_value(properties, WHAT_PROPERTIES)
    try:
        size = len(orjson.dumps(properties))
    except TypeError as error:  # a whole number beyond 64 bits, for instance
        raise _invalid(message("term.noJson", "{what} cannot be stored as JSON", what=WHAT_PROPERTIES)) from error
    if size > MAX_BYTES:
        raise InvalidContent(
            message("term.tooLarge", "The term has {number:,} bytes, {count:,} at most", number=size, count=MAX_BYTES),
            message("fix.smallerTerm", "Split it into several terms, or leave some of them out"),
        )


def _depth(value: Any, left: int) -> int:
    """How many more levels a value may have; not above 0 when it has too many."""
    if left <= 0:
        return 0
    children: Iterable[Any] = ()
    if isinstance(value, dict):
        children = value.values()
    elif isinstance(value, list):
        children = value
    return min((_depth(child, left - 1) for child in children if isinstance(child, dict | list)), default=left)


def relation_rows(
    lexicon_id: int, term_id: int, key: str, properties: dict[str, Any]
) -> list[tuple[int, int, str, str, str]]:
    """The relations that properties state, as `repository.insert_relations` takes them."""
    return [
        (lexicon_id, term_id, kind, target, key)
        for kind in (BROADER, RELATED)
        for target in properties.get(kind, ())
        if isinstance(target, str)
    ]


def is_obsolete(properties: dict[str, Any]) -> bool:
    return properties.get("obsolete") is True


def shorten_value(value: Any) -> Any:
    """The beginning of a property, for lists of terms: one term may have thousands of forms."""
    if isinstance(value, str):
        return value[:SHOWN_CHARACTERS]
    if isinstance(value, list):
        return [shorten_value(one) for one in value[:SHOWN_ITEMS]]
    if isinstance(value, dict):
        return {name: shorten_value(one) for name, one in islice(value.items(), SHOWN_ITEMS)}
    return value
