"""Searches whose first segments a reranker reorders by how well they answer the query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.domains.segments import repository
from annotarium.errors import InvalidInput, NotFound
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults
from annotarium.search.answer_client import get_answer_client
from annotarium.search.engine import SearchEngine
from annotarium.search.index_and_search_types import Hit, IndexKey, SearchHits, SearchSpec
from annotarium.search.index_entries import parse_segment_id
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.query_vectors import question_text, resolve_search
from annotarium.search.search_spec_builder import build_search_spec
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_schemas.messages import message

RERANKED = 50
"""Number of first hits that a reranker reorders; later ones stay in the engine's order."""


def search_reranked(
    call: ProjectCall,
    engine: SearchEngine,
    key: IndexKey,
    spec: SearchSpec,
    params: SearchParams,
    *,
    configured: bool = False,
) -> SearchHits:
    """Search segments; with `params.reranker`, the first `RERANKED` hits are in the order of its scores (0..1).

    Total and facets are those of the search. A sorted search is not reranked: its order is not one of relevance.

    Args:
        configured: the reranker is that of a plan, which everyone who may search may use.

    Raises:
        InvalidInput: there is no such reranker.
        AccessDenied: it is neither the default one nor configured, and the caller may not use it.
        ServiceUnavailable: it fails.
    """
    if not params.reranker:
        return engine.search(key, spec)
    require_reranker(call, params.reranker, configured=configured)
    question = params.vector_query.strip() or question_text(params)
    if spec.from_ >= RERANKED or spec.size == 0 or spec.sort is not None or not question:
        return engine.search(key, spec)
    end = spec.from_ + spec.size
    found = engine.search(key, replace(spec, from_=0, size=max(RERANKED, end)))
    hits = _rerank(call, found.hits[:RERANKED], question, params.reranker, params.reranker_parameters)
    return replace(found, hits=[*hits, *found.hits[RERANKED:]][spec.from_ : end])


def search_passages(call: ProjectCall, params: SearchParams) -> list[Passage]:
    """Return the segments that a configured search finds, best first, as far as the caller may read them."""
    engine, key = open_index(call.project, "segments", reader=call.username)
    resolved = resolve_search(call.session, call.project, params)
    names = engine.facet_names(key)
    spec = build_search_spec(resolved.params, "segments", call.access, call.project, names, vector=resolved.vector)
    found = search_reranked(call, engine, key, spec, params, configured=True)
    return [passage for _, passage in _readable_passages(call, found.hits)]


def require_reranker(call: ProjectCall, name: str, *, configured: bool = False, field: str = "reranker") -> None:
    """Raise `InvalidInput` for an unknown reranker, `AccessDenied` for one that the caller may not use."""
    try:
        get_registry().info("reranker", name)
    except NotFound as error:
        text = message("none.reranker", "There is no reranker {name}", name=name)
        fix = message("fix.noReranker", "Choose another one, or none: then the search engine orders the result")
        raise InvalidInput(text, fix=fix, details=[{"field": field, "message": text}]) from error
    if name != component_defaults().question_component("reranker") and not configured:
        call.access.require(get_registry().permission("reranker", name))


def _readable_passages(call: ProjectCall, hits: Sequence[Hit]) -> list[tuple[Hit, Passage]]:
    """Return the hits that the caller may read, each with its text."""
    keys = {hit.id: parsed for hit in hits if (parsed := parse_segment_id(hit.id))}
    states = repository.load_segments(call, list(keys.values()), labelling=False)
    known = [(hit, states[keys[hit.id]]) for hit in hits if hit.id in keys and keys[hit.id] in states]
    return [
        (
            hit,
            Passage(
                segment_id=hit.id,
                document_id=state.document_identifier,
                title=state.document_title,
                text=state.text,
                start=state.start,
                end=state.end,
                score=hit.score,
                text_rank=hit.text_rank,
                vector_rank=hit.vector_rank,
            ),
        )
        for hit, state in known
    ]


def _rerank(call: ProjectCall, hits: Sequence[Hit], question: str, name: str, parameters: dict[str, Any]) -> list[Hit]:
    """Reorder hits. Segments that the caller may not read are not passed to the reranker and come last."""
    known = _readable_passages(call, hits)
    if not known:
        return list(hits)
    request: dict[str, Any] = {"kind": "reranker", "name": name, "operation": "rerank", "question": question}
    request["parameters"] = parameters
    request |= {"language": call.project.lang, "passages": [asdict(passage) for _, passage in known]}
    scores = get_answer_client().first(request)
    best = sorted(zip(known, scores, strict=True), key=lambda pair: -pair[1])
    shown = {hit.id for hit, _ in known}
    return [replace(hit, score=score) for (hit, _), score in best] + [hit for hit in hits if hit.id not in shown]
