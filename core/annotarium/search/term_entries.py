"""Index entries of terms: forms and definitions, facets, dates.

The title is the preferred form, the text the other forms and the definitions. Facets: `lexicon`, `properties` (names of
the properties a term has), `language` (of its forms), `obsolete` (true, false); for queries, sorting and ranking, not
counted: `termIdentifier`, `documentTitle`, `otherForm` (the last two without case and accents), `lexiconId`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from annotarium.db.corruption import json_object_or_empty
from annotarium.search.exact_forms import OTHER_FORMS, comparable_form
from annotarium.search.index_and_search_types import TITLE_ORDER, IndexDoc

LEXICON, PROPERTIES, LANGUAGE, OBSOLETE, IDENTIFIER = "lexicon", "properties", "language", "obsolete", "termIdentifier"
LEXICON_ID = "lexiconId"
_MAX_CHARACTERS = 20_000
"""Characters of further forms and definitions that are searched; a term may have more."""
_MAX_NAMES = 100
"""Names of properties and languages of one term that are counted."""
_MAX_OTHER_FORMS = 1_000
"""Other forms of one term that are found exactly; further ones are found by their words."""
_LONGEST_NAME = 100


@dataclass(slots=True)
class IndexableTerm:
    """A live term with everything its index entry needs."""

    id: int
    lexicon_id: int
    lexicon: str
    identifier: str
    preferred_form: str
    properties: dict[str, Any]
    obsolete: bool
    created_at: int
    modified_at: int


def term_entry(state: IndexableTerm) -> IndexDoc:
    """Return the index entry of a term."""
    properties = json_object_or_empty(state.properties)
    names = [name for name, value in properties.items() if value not in (None, "", [], {}, False)]
    return IndexDoc(
        id=str(state.id),
        title=state.preferred_form,
        text=_searched_text(properties),
        facets={
            LEXICON: [state.lexicon],
            LEXICON_ID: [str(state.lexicon_id)],
            IDENTIFIER: [state.identifier],
            TITLE_ORDER: [comparable_form(state.preferred_form)],
            OTHER_FORMS: _other_forms(properties),
            PROPERTIES: _short_names(names),
            LANGUAGE: _short_names(_languages(properties)),
            OBSOLETE: ["true" if state.obsolete else "false"],
        },
        dates={"createdDate": state.created_at, "modifiedDate": state.modified_at},
    )


def _short_names(names: Iterable[str]) -> list[str]:
    return sorted({name[:_LONGEST_NAME] for name in names})[:_MAX_NAMES]


def _other_forms(properties: dict[str, Any]) -> list[str]:
    forms = (form for form in _items(properties, "altForms")[:_MAX_OTHER_FORMS] if isinstance(form, str))
    return sorted({comparable_form(form) for form in forms} - {""})


def _items(properties: dict[str, Any], name: str) -> Sequence[Any]:
    value = properties.get(name)
    return value if isinstance(value, list) else ()


def _languages(properties: dict[str, Any]) -> set[str]:
    forms = (form for form in _items(properties, "forms") if isinstance(form, dict))
    found = (form.get("language") for form in forms)
    return {language for language in found if isinstance(language, str) and language}


def _searched_text(properties: dict[str, Any]) -> str:
    """The further forms, a line each, then the definitions."""
    parts: list[str] = []
    left = _MAX_CHARACTERS
    definitions = (one.get("text") if isinstance(one, dict) else one for one in _items(properties, "definitions"))
    for text in (*_items(properties, "altForms"), *definitions):
        if left <= 0:
            break
        if isinstance(text, str) and text:
            parts.append(text[:left])
            left -= len(text) + 1
    return "\n".join(parts)
