"""Concepts made from terms of a project's lexicons."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import open_project
from annotarium.content.repository import find_terms, lexicon_names
from annotarium.domains.knowledge.schemas import ConceptRead, Definition, NameInLanguage, Statement
from annotarium_schemas.documents import Term

_DESCRIBED = frozenset({"altForms", "forms", "definitions", "broader", "related", "matching", "obsolete"})
"""Properties that a concept shows in another way, or that are about matching."""
_RELATIONS = ("broader", "related")
_MAX_VALUES = 100
"""Statements per property."""


def find_concept_of_term(call: Call, project: str, reference: str, language: str) -> ConceptRead | None:
    """The concept of the term with that identifier, `identifier` or `lexicon:identifier`; None if there is none.

    Raises:
        NotFound: the project does not exist, or the caller may not read it.
    """
    own = _call_in_project(call, project)
    lexicon, colon, identifier = reference.partition(":")
    names = lexicon_names(own.session, own.project.id)
    wanted = [(name, reference) for name in names]
    if colon and lexicon in names:
        wanted.insert(0, (lexicon, identifier))
    found = find_terms(own.session, own.project.id, wanted)
    term = next((found[pair] for pair in wanted if pair in found), None)
    return None if term is None else _concept_of_term(own, term, language)


def _call_in_project(call: Call, project: str) -> ProjectCall:
    origin: dict[str, Any] = {"request_id": call.request_id, "address": call.address, "secure": call.secure}
    found = open_project(call.session, call.access, project, write=False)
    return ProjectCall(call.unit, call.access, job_id=call.job_id, project=found, **origin)


def _concept_of_term(call: ProjectCall, term: Term, language: str) -> ConceptRead:
    properties = term.properties or {}
    names = _names_by_language(properties)
    base = language.partition("-")[0]
    preferred = names.get(language) or names.get(base) or term.preferred_form or term.identifier
    return ConceptRead(
        identifier=term.identifier,
        preferred_term=preferred,
        definitions=[Definition(definition=text) for text in _definitions(properties, (language, base))],
        statements=[*_related_terms(call, term, properties), *_plain_statements(properties)],
        multilingual=[NameInLanguage(lang=lang, term=name) for lang, name in sorted(names.items())],
    )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _names_by_language(properties: dict[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in _objects(properties.get("forms")):
        form, language = one.get("form"), one.get("language")
        if one.get("type") == "preferred" and isinstance(form, str) and isinstance(language, str):
            found.setdefault(language, form)
    return found


def _definitions(properties: dict[str, Any], languages: tuple[str, ...]) -> list[str]:
    """Definitions in one of the languages; else those without a language; else all."""
    given = [one for one in _objects(properties.get("definitions")) if isinstance(one.get("text"), str)]
    for wanted in (set(languages), {None, ""}):
        texts = [str(one["text"]) for one in given if one.get("language") in wanted]
        if texts:
            return texts
    return [str(one["text"]) for one in given]


def _related_terms(call: ProjectCall, term: Term, properties: dict[str, Any]) -> list[Statement]:
    found = []
    for name in _RELATIONS:
        given = properties.get(name)
        identifiers = [one for one in given[:_MAX_VALUES] if isinstance(one, str)] if isinstance(given, list) else []
        wanted = [(term.lexicon, identifier) for identifier in identifiers]
        terms = find_terms(call.session, call.project.id, wanted)
        forms = {identifier: one.preferred_form for (_, identifier), one in terms.items()}
        found += [Statement(property_name=name, value=forms.get(one) or one) for one in identifiers]
    return found


def _plain_statements(properties: dict[str, Any]) -> list[Statement]:
    found = []
    for name, value in properties.items():
        values = value if isinstance(value, list) else [value]
        if name not in _DESCRIBED:
            plain = (one for one in values[:_MAX_VALUES] if isinstance(one, str | int | float | bool))
            found += [Statement(property_name=name, value=one, is_wikidata_id=name == "wikidataId") for one in plain]
    return found
