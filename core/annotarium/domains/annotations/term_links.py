"""Terms that annotations link to, as a request gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.repository import find_terms
from annotarium.content.validation import InvalidContent, check_json_value
from annotarium.db.models.lexicon import MAX_IDENTIFIER
from annotarium.errors import InvalidInput
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_WHAT = message("what.termsOfAnnotation", "The terms of the annotation")


def terms_to_store(call: ProjectCall, terms: Sequence[Term] | None) -> list[dict[str, Any]] | None:
    """The stored form of terms, each once. An empty list stays a list, so that events show that all were removed.

    Terms of the project's lexicons get their preferred form if the request has none; terms of others, such as those of
    a knowledge base, are stored as given.

    Raises:
        InvalidInput: a term has no identifier, or a text that cannot be stored.
    """
    if not terms:
        return None if terms is None else []
    distinct = list({(term.lexicon, term.identifier): term for term in terms}.values())
    for term in distinct:
        _check_term(term)
    unnamed = [(term.lexicon, term.identifier) for term in distinct if not term.preferred_form and term.lexicon]
    known = find_terms(call.session, call.project.id, unnamed) if unnamed else {}
    stored = []
    for term in distinct:
        found = known.get((term.lexicon, term.identifier))
        named = term if found is None else term.model_copy(update={"preferred_form": found.preferred_form})
        stored.append(named.model_dump(by_alias=True, exclude_none=True))
    return stored


def _check_term(term: Term) -> None:
    if not 0 < len(term.identifier.strip()) <= MAX_IDENTIFIER:
        text = "a term needs an identifier of up to {most} characters"
        problem = message("field.linkedTerm", text, most=MAX_IDENTIFIER)
        raise InvalidInput(
            message("wrong.termOfAnnotation", "A term of the annotation has no valid identifier"),
            details=[{"field": "terms", "message": problem}],
        )
    try:
        check_json_value(term.model_dump(), _WHAT)
    except InvalidContent as error:
        raise InvalidInput(error.message, details=[{"field": "terms", "message": error.message}]) from error
