"""Document search: hits with documents from the database, facets, exact totals, excerpts around matches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.output_fields import add_html_field, parse_hit_fields
from annotarium.db.identifiers import parse_id
from annotarium.domains.documents.loader import load_documents
from annotarium.errors import InvalidInput, NotFound
from annotarium.search.highlight import Highlighter, Span
from annotarium.search.index_and_search_types import SearchHits, SearchSpec
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams, query_to_highlight_words
from annotarium.search.query import Node
from annotarium.search.query_vectors import resolve_search
from annotarium.search.search_rights import require_search, require_search_type
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.serializers import search_result_to_json
from annotarium.search.similar_items import prepare_similarity_search
from annotarium_schemas.messages import message

EXCERPT_LENGTH = 320
"""Length of an excerpt in code points."""


def search_documents(
    call: ProjectCall, params: SearchParams, *, fields: Iterable[str], highlight: bool, html: bool = False
) -> dict[str, Any]:
    """Search documents; returns `DocumentHits` ready for orjson. `html` adds the HTML version of each document."""
    engine, key = open_index(call.project, "documents", reader=call.username)
    require_search(call.access, params)
    require_search_type(call.access, params)
    resolved = resolve_search(call.session, call.project, params)
    names = engine.facet_names(key)
    spec = build_search_spec(resolved.params, "documents", call.access, call.project, names, vector=resolved.vector)
    wanted = add_html_field(parse_hit_fields(fields), html)
    return _hits_json(call, engine.search(key, spec), spec, wanted, spec.query if highlight else None)


def similar_documents(
    call: ProjectCall,
    params: SearchParams,
    *,
    identifier: str,
    text: str,
    compared: str,
    fields: Iterable[str],
    highlight: bool,
    html: bool = False,
) -> dict[str, Any]:
    """Find documents similar to a document (the `_id` of a hit) or to a text. `compared`: `text`, `title` or both.

    Raises:
        InvalidInput: neither a document nor a text was passed, or `compared` names an unknown field.
        NotFound: the document does not exist or the caller may not read it.
    """
    text = text.strip()
    if not identifier and not text:
        raise InvalidInput(message("wrong.nothingToCompare", "Specify a document (segid) or a text to compare with"))
    number = parse_id(identifier)
    own = load_documents(call, [number], {"text"}) if number is not None else {}
    if identifier and not own:
        raise NotFound(message("none.document", "There is no document {name} in this project", name=identifier))
    engine, key, spec = prepare_similarity_search(
        call, "documents", params, text=text, of_item=bool(identifier), compared=compared
    )
    found = engine.similar(key, identifier, spec, text=None if identifier else text)
    shared = query_to_highlight_words(own[number]["text"] if number is not None else text) if highlight else None
    return _hits_json(call, found, spec, add_html_field(parse_hit_fields(fields), html), shared)


def _hits_json(
    call: ProjectCall, found: SearchHits, spec: SearchSpec, wanted: frozenset[str], marked: Node | None
) -> dict[str, Any]:
    read = wanted | {"text", "title"} if marked is not None else wanted
    documents = load_documents(call, [int(hit.id) for hit in found.hits], read)
    words = Highlighter(call.project.lang, marked) if marked is not None else None
    titles = Highlighter(call.project.lang, marked, field="title") if marked is not None else None
    hits = []
    for hit in found.hits:
        document = documents.get(int(hit.id))
        if document is None:
            continue
        item: dict[str, Any] = {"_id": hit.id, "score": hit.score, "document": document}
        if words is not None and titles is not None:
            spans = words.spans(document["text"])
            item["highlights"] = {"title": _spans_json(titles.spans(document["title"])), "text": _spans_json(spans)}
            item["excerpt"] = excerpt_around_match(document["text"], spans)
            for name in {"text", "title"} - wanted:
                document.pop(name, None)
        hits.append(item)
    return search_result_to_json(found, hits, spec, call.project)


def _spans_json(spans: Iterable[Span]) -> list[dict[str, int]]:
    return [{"start": span.start, "end": span.end} for span in spans]


def excerpt_around_match(text: str, spans: list[Span]) -> dict[str, Any]:
    """A part of the text around the first marked span. `start` is its offset; its highlights are relative to it."""
    start = max(0, spans[0].start - EXCERPT_LENGTH // 4) if spans else 0
    if start:
        space = text.find(" ", start, spans[0].start)
        start = space + 1 if space >= 0 else start
    end = min(len(text), start + EXCERPT_LENGTH)
    inside = [Span(span.start - start, span.end - start) for span in spans if span.start >= start and span.end <= end]
    return {"start": start, "text": text[start:end], "highlights": _spans_json(inside), "length": len(text)}
