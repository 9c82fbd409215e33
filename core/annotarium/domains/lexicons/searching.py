"""Search of terms: facets, highlights, hits loaded from the database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.identifiers import parse_id
from annotarium.db.models import LexiconTerm
from annotarium.domains.lexicons import repository
from annotarium.domains.lexicons.terms import build_term_read_model
from annotarium.search.highlight import Highlighter, Span
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.query import Node
from annotarium.search.search_rights import require_search_type
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.serializers import search_result_to_json

PAGE_SIZE = 8
"""Terms of a page in the studio (S-048)."""
_MARKED_FORMS = 200
"""Further forms of a hit that are highlighted."""


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
    ids = [parsed for hit in found.hits if (parsed := parse_id(hit.id)) is not None]
    rows = repository.terms_by_id(call.session, call.project.id, ids)
    lexicons = {row.id: row.name for row in repository.list_lexicons(call.session, call.project.id)}
    marker = _TermMarker(call.project.lang, spec.query) if with_highlights else None
    hits = []
    for hit in found.hits:
        row = rows.get(parse_id(hit.id) or 0)
        if row is None or row.lexicon_id not in lexicons:
            continue
        term = build_term_read_model(row, lexicons[row.lexicon_id])
        item: dict[str, Any] = {"_id": hit.id, "score": hit.score}
        item["term"] = term.model_dump(mode="json", by_alias=True, exclude_none=True)
        if marker is not None:
            item["highlights"] = marker.highlights(row)
        hits.append(item)
    return search_result_to_json(found, hits, spec, call.project)


class _TermMarker:
    """Finds where the forms of a term match a query."""

    def __init__(self, language: str, query: Node) -> None:
        self._title = Highlighter(language, query, "title")
        self._text = Highlighter(language, query, "text")

    def highlights(self, row: LexiconTerm) -> dict[str, Any]:
        forms = json_object_or_empty(row.properties).get("altForms")
        marked = {}
        for number, form in enumerate(forms[:_MARKED_FORMS] if isinstance(forms, list) else ()):
            spans = self._text.spans(form) if isinstance(form, str) else []
            if spans:
                marked[str(number)] = _ranges(spans)
        return {"preferredForm": _ranges(self._title.spans(row.preferred_form)), "altForms": marked}


def _ranges(spans: list[Span]) -> list[dict[str, int]]:
    return [{"start": span.start, "end": span.end} for span in spans]
