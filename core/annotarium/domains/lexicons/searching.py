"""Search of terms: facets, highlights, hits loaded from the database."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.identifiers import parse_id
from annotarium.db.models import LexiconTerm
from annotarium.domains.lexicons import repository
from annotarium.domains.lexicons.term_values import SHOWN_ITEMS, shorten_value
from annotarium.domains.lexicons.terms import build_term_read_model
from annotarium.search.highlight import Highlighter, Span
from annotarium.search.index_and_search_types import Hit
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.query import Node
from annotarium.search.search_rights import require_search_type
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.serializers import search_result_to_json

_LOADED_AT_ONCE = 200


def search_terms(call: ProjectCall, params: SearchParams, *, with_highlights: bool) -> dict[str, Any]:
    """`TermHits`: terms of all lexicons of the project, with facets if requested and an exact total.

    Terms have no vectors: a search for them is always a full-text search, which the answer states.

    Raises:
        QuerySyntaxError, AccessDenied, InvalidInput: see `build_search_spec`.
    """
    engine, key = open_index(call.project, "terms", reader=call.username)
    require_search_type(call.access, params)
    names = engine.facet_names(key)
    text_only = replace(params, search_type="text", vectorizer="", vector_query="", dataset="")
    spec = build_search_spec(text_only, "terms", call.access, call.project, names)
    found = engine.search(key, spec)
    lexicons = {row.id: row.name for row in repository.list_lexicons(call.session, call.project.id)}
    marker = _TermMarker(call.project.lang, spec.query) if with_highlights else None
    hits: list[dict[str, Any]] = []
    for begin in range(0, len(found.hits), _LOADED_AT_ONCE):
        hits += _load_hits(call, found.hits[begin : begin + _LOADED_AT_ONCE], lexicons, marker)
    return search_result_to_json(found, hits, spec, call.project)


def _load_hits(
    call: ProjectCall, found: Sequence[Hit], lexicons: Mapping[int, str], marker: _TermMarker | None
) -> Iterator[dict[str, Any]]:
    ids = [parsed for hit in found if (parsed := parse_id(hit.id)) is not None]
    rows = repository.terms_by_id(call.session, call.project.id, ids)
    for hit in found:
        row = rows.get(parse_id(hit.id) or 0)
        if row is None or row.lexicon_id not in lexicons:
            continue
        term = build_term_read_model(row, lexicons[row.lexicon_id])
        term.properties = shorten_value(term.properties)
        item: dict[str, Any] = {"_id": hit.id, "score": hit.score}
        item["term"] = term.model_dump(mode="json", by_alias=True, exclude_none=True)
        yield item | ({"highlights": marker.highlights(row)} if marker is not None else {})


class _TermMarker:
    """Finds where the forms of a term match a query."""

    def __init__(self, language: str, query: Node) -> None:
        self._title = Highlighter(language, query, "title")
        self._text = Highlighter(language, query, "text")

    def highlights(self, row: LexiconTerm) -> dict[str, Any]:
        forms = json_object_or_empty(row.properties).get("altForms")
        marked = {}
        for number, form in enumerate(forms[:SHOWN_ITEMS] if isinstance(forms, list) else ()):
            spans = self._text.spans(form) if isinstance(form, str) else []
            if spans:
                marked[str(number)] = _ranges(spans)
        return {"preferredForm": _ranges(self._title.spans(row.preferred_form)), "altForms": marked}


def _ranges(spans: list[Span]) -> list[dict[str, int]]:
    return [{"start": span.start, "end": span.end} for span in spans]
