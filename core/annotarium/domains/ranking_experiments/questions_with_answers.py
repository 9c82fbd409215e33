"""Which saved questions answers are measured on: those with known answers, and those that nothing answers."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.questions import QUESTION_FILTER, UNANSWERABLE_FIELD
from annotarium.domains.ranking_experiments import repository
from annotarium.search.indexer import open_index
from annotarium.search.params import MAX_PAGE_SIZE, SearchParams
from annotarium.search.search_spec_builder import build_search_spec

_UNANSWERABLE = f"{QUESTION_FILTER} +metadata.{UNANSWERABLE_FIELD}:true"


def answered_question_ids(call: ProjectCall) -> list[int]:
    """Return the ids of the readable questions, in creation order."""
    engine, key = open_index(call.project, "documents", reader=call.username)
    params = SearchParams(query_filter=_UNANSWERABLE, size=MAX_PAGE_SIZE)
    spec = build_search_spec(params, "documents", call.access, call.project, engine.facet_names(key))
    unanswerable = {int(hit.id) for hit in engine.search(key, spec).hits}
    return sorted(unanswerable | set(repository.question_ids_with_answers(call)))
