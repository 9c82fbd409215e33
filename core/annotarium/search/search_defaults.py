"""The project's default of searching: what a search of segments uses when its request does not say (decision 134)."""

from __future__ import annotations

from dataclasses import replace

from pydantic import ValidationError
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.errors import AnnotariumError, InvalidInput, NotFound
from annotarium.registry import get_registry
from annotarium.search import repository
from annotarium.search.params import SearchParams
from annotarium_schemas.messages import Message, message
from annotarium_schemas.search import SearchDefaults

SEARCH_DEFAULTS_PROPERTY = "searchDefaults"


def search_defaults(project: Project) -> SearchDefaults | None:
    """Return the default from the project's properties, None for full text."""
    stored = (project.properties or {}).get(SEARCH_DEFAULTS_PROPERTY)
    if not isinstance(stored, dict):
        return None
    try:
        return SearchDefaults.model_validate(stored)
    except ValidationError:
        return None


def validated_search_defaults(session: Session, project: Project, given: SearchDefaults) -> SearchDefaults:
    """Return a default with all parameters of its reranker.

    Raises:
        InvalidInput: its vectors, reranker or parameters of the reranker do not exist; `details` name the field.
    """
    if given.search_type != "text" and not _has_vectors(session, project, given.vectorizer):
        problem = message("none.vectorsOfDefault", "This project has no such vectors to search with")
        raise _invalid(problem, "vectorizer")
    if not given.reranker:
        return given.model_copy(update={"reranker_parameters": {}})
    try:
        parameters = get_registry().validate("reranker", given.reranker, given.reranker_parameters)
    except NotFound as error:
        raise _invalid(error.message, "reranker") from error
    except InvalidInput as error:
        details = [one | {"field": f"searchDefaults.rerankerParameters.{one['field']}"} for one in error.details]
        raise InvalidInput(error.message, details=details) from error
    return given.model_copy(update={"reranker_parameters": parameters.model_dump(mode="json")})


def _invalid(problem: str | Message, field: str) -> InvalidInput:
    return InvalidInput(problem, details=[{"field": f"searchDefaults.{field}", "message": problem}])


def _has_vectors(session: Session, project: Project, name: str) -> bool:
    rows = repository.list_vectorizations(session, project.id)
    return any(row.model and (not name or row.name == name) for row in rows)


def default_of_request(
    session: Session, access: Access, project: Project, params: SearchParams
) -> SearchDefaults | None:
    """Return the default that applies to a request, None if it has a search of its own.

    It has one when it names a type, vectors or a reranker, and when its result has no order of relevance: it is sorted,
    inverted, or has no query. What has become impossible since is left out: vectors or rerankers that were removed,
    hybrid search for a caller who may not use it.
    """
    if not params.by_default or params.sort or params.invert or not params.query.strip():
        return None
    found = search_defaults(project)
    if found is None:
        return None
    forbidden = found.search_type == "hybrid" and not access.can("useHybridSearch")
    if forbidden or (found.search_type != "text" and not _has_vectors(session, project, found.vectorizer)):
        found = found.model_copy(update={"search_type": "text", "vectorizer": ""})
    return found if _is_usable(found) else found.model_copy(update={"reranker": "", "reranker_parameters": {}})


def _is_usable(found: SearchDefaults) -> bool:
    if not found.reranker:
        return True
    try:
        get_registry().validate("reranker", found.reranker, found.reranker_parameters)
    except AnnotariumError:
        return False
    return True


def with_defaults(params: SearchParams, found: SearchDefaults) -> SearchParams:
    """Return the search of a request with the default that applies to it."""
    return replace(
        params,
        search_type=found.search_type,
        vectorizer=found.vectorizer,
        weight=found.vector_weight,
        reranker=found.reranker,
        reranker_parameters=found.reranker_parameters,
    )
