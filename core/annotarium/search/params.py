"""Search parameters, read from query parameters or from a JSON request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic.alias_generators import to_camel

from annotarium.errors import InvalidInput
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import SearchType
from annotarium.search.query import Boolean, Node, Term, parse_advanced
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchQuery, SearchRequest, SegmentSearchQuery

MAX_PAGE_SIZE = 10_000
MAX_OFFSET = 2**31 - MAX_PAGE_SIZE
TEXT_FIELDS = ("text", "title")
_MAX_MARKED, _SHORT_WORD = 20_000, 4


@dataclass
class SearchParams:
    """The parameters of one search, independent of the form of the request."""

    query: str = ""
    simple: bool = False
    query_filter: str = ""
    selected_facets: Sequence[str] = ()
    filters: Sequence[tuple[str, str, bool, bool]] = ()
    """(field, value, must, is_query)"""
    dataset: str = ""
    invert: bool = False
    from_: int = 0
    size: int = 10
    facets: bool = False
    search_type: SearchType = "text"
    vectorizer: str = ""
    vector_query: str = ""
    vector_weight: float = 1.0
    """See `SearchSpec`. Not set by requests but by `query_vectors.resolve_search`."""
    sort: str = ""
    """One of `SORTS`, `title` or a metadata name, with `-` before it for descending order; empty = by score."""
    reranker: str = ""
    """Name of the component that reorders the first segments found; empty = none."""
    reranker_parameters: dict[str, Any] = field(default_factory=dict)
    weight: float | None = None
    """Weight of vectors in a hybrid search instead of the measured one. Both are not set by requests."""
    by_default: bool = False
    """The request names neither a search type nor vectors nor a reranker: see `search_defaults`."""
    facet_names: Sequence[str] = ()
    """Only these facets; empty = all."""
    facet_find: str = ""
    facet_size: int = 0
    """Number of values of a facet; 0 = `FACET_VALUES`."""
    histograms: Sequence[str] = ()
    extra: list[FacetSelection] = field(default_factory=list)


_SAME_IN_QUERY = (
    *("query", "query_filter", "selected_facets", "from_", "search_type", "vectorizer", "vector_query", "sort"),
    *("facet_names", "facet_find", "facet_size", "histograms"),
)
"""Fields that have one name in query parameters and in `SearchParams`."""


def params_from_query(query: SearchQuery, *, answering: bool = False) -> SearchParams:
    """Read a search from query parameters, without what they state about an answer.

    Raises:
        InvalidInput: they request an answer, but the search does not answer questions (`answering`).
    """
    if isinstance(query, SegmentSearchQuery) and not answering:
        for name in ("answer_question", "answerer", "async_answer"):
            _refuse_answer(to_camel(name), requested=bool(getattr(query, name)))
    return SearchParams(
        reranker=query.reranker if isinstance(query, SegmentSearchQuery) else "",
        by_default=isinstance(query, SegmentSearchQuery)
        and "search_type" not in query.model_fields_set
        and not (query.vectorizer or query.vector_query or query.reranker),
        **{name: getattr(query, name) for name in _SAME_IN_QUERY},
        simple=query.simple_query,
        invert=query.invert_search,
        size=query.size if query.return_hits else 0,
        facets=query.facet,
    )


def _refuse_answer(parameter: str, *, requested: bool) -> None:
    """Raise `InvalidInput` for a parameter that requests an answer: to ignore it would look like no answer."""
    if requested:
        text = message(
            "none.answers", "This search does not answer questions, but {parameter} requests an answer",
            parameter=parameter,
        )  # fmt: skip
        fix = message("fix.noAnswer", "Omit {parameter}, or ask in a search of segments", parameter=parameter)
        raise InvalidInput(text, fix=fix, details=[{"field": parameter, "message": text}])


def params_from_request(request: SearchRequest, *, answering: bool = False) -> SearchParams:
    """Read a search from JSON, without what it states about an answer. Raises as `params_from_query`."""
    search, filtering, answers = request.search, request.search.filtering, request.question_answering
    if answers is not None and not answering:
        for name in ("enabled", "context", "context_only", "generator"):
            _refuse_answer(f"questionAnswering.{to_camel(name)}", requested=bool(getattr(answers, name)))
    return SearchParams(
        query=search.query,
        simple=not search.advanced,
        query_filter=filtering.query_filter,
        selected_facets=filtering.selected_facets,
        filters=[
            (item.field, item.value, item.filter_selector == "must", item.filter_type == "query")
            for item in filtering.filters
            if item.value.strip()
        ],
        dataset=filtering.dataset_selector,
        invert=search.invert,
        from_=search.from_,
        size=search.size if request.output.return_hits else 0,
        facets=request.output.facets,
        search_type=search.type,
        vectorizer=search.vector.vectorizer,
        vector_query=search.vector.query,
        sort=search.sort,
        reranker=search.reranker,
        by_default="type" not in search.model_fields_set
        and not (search.vector.vectorizer or search.vector.query or search.reranker),
        facet_names=request.output.facet_names,
        facet_find=request.output.facet_find,
        facet_size=request.output.facet_size,
        histograms=request.output.histograms,
    )


def check_query(params: SearchParams) -> None:
    """Raise `QuerySyntaxError` when a query or filter has a syntax error."""
    if not params.simple:
        parse_advanced(params.query)
    parse_advanced(params.query_filter, "queryFilter")
    for name, value, _, is_query in params.filters:
        filter_node(name, value, is_query)


def filter_node(name: str, value: str, is_query: bool) -> Node:
    text = value if is_query else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return parse_advanced(text if name == "text" else f"{escaped_field(name)}:({text})", "filters")


def escaped_field(name: str) -> str:
    """Return the name of a field with the escapes that the query language needs."""
    return re.sub(r"[^\w.]", r"\\\g<0>", name)


def similarity_fields(fields: str) -> tuple[str, ...]:
    """Parse the comma-separated text fields that a search for similar items compares; empty = the default of the kind.

    Raises:
        InvalidInput: a field is neither `text` nor `title`.
    """
    names = tuple(dict.fromkeys(name.strip() for name in fields.split(",") if name.strip()))
    unknown = [name for name in names if name not in TEXT_FIELDS]
    if unknown:
        raise InvalidInput(
            message("search.like", "Similar items are found by text or title, not by {name}", name=unknown[0]),
            fix="Use fields=text",
        )
    return names


def query_to_highlight_words(text: str) -> Node:
    """Return a query that highlights the longer words of a text."""
    words = dict.fromkeys(re.findall(r"\w+", text[:_MAX_MARKED]))
    return Boolean(should=tuple(Term(word) for word in words if len(word) >= _SHORT_WORD))
