"""Builds the engine's `SearchSpec` from the search parameters, within the rights of the caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.errors import InvalidInput
from annotarium.search.exact_forms import rank_exact_forms_first
from annotarium.search.facet_and_sort_specs import facet_specs, histogram_specs, sort_order
from annotarium.search.facet_selections import FacetSelection, parse_selections
from annotarium.search.index_and_search_types import FacetSpec, Kind, SearchSpec, Vector
from annotarium.search.index_entries import CATEGORIES, LABELS, TERM_FORMS, TERM_IDENTIFIERS, TERMS
from annotarium.search.params import MAX_OFFSET, MAX_PAGE_SIZE, TEXT_FIELDS, SearchParams, filter_node
from annotarium.search.query import Boolean, Boost, MatchAll, Node, parse_advanced, parse_simple
from annotarium.search.search_rights import (
    FacetAccess,
    dataset_selections,
    origin_selections,
    permitted_selection,
    require_search_type,
    username_if_restricted,
)
from annotarium_schemas.messages import message

_FIELDS = {"annotations": LABELS, "categories": CATEGORIES}
_TERM_FIELDS = {"preferredForm": "title", "value": "title", "identifier": "termIdentifier"}
_DEFAULT_FIELDS: dict[Kind, tuple[str, ...]] = {"documents": ("text", "title"), "terms": ("title", "text")}


def build_search_spec(
    params: SearchParams,
    kind: Kind,
    access: Access,
    project: Project,
    facet_names: Sequence[str],
    *,
    vector: Vector | None = None,
    like: bool = False,
    counted: Sequence[FacetSpec] = (),
) -> SearchSpec:
    """Build the search for an engine.

    Without a `vector` (no query text, or no vectors) a vector or hybrid search becomes a full-text search.

    Args:
        params: the search; `vectorizer` is the name of vectors in the index, empty = none (see `resolve_search`).
        like: the search compares with an indexed item, which has its own vector.
        counted: further facets that the server needs for itself.

    Raises:
        QuerySyntaxError: a syntax error in a query or filter (only in the advanced language).
        AccessDenied: hybrid search without the right, or a selection on a facet that the caller may not see.
        InvalidInput: paging out of bounds, or a vector search where there are no vectors.
    """
    if not 0 <= params.size <= MAX_PAGE_SIZE or params.from_ < 0:
        raise InvalidInput(
            message("search.size", "size must be from 0 to {most:,} and from not negative", most=MAX_PAGE_SIZE)
        )
    require_search_type(access, params)
    query = parse_simple(params.query) if params.simple else parse_advanced(params.query)
    if kind == "terms":
        query = rank_exact_forms_first(query, params.query)
    filters = [parse_advanced(params.query_filter, "queryFilter")] if params.query_filter.strip() else []
    excluded: list[Node] = []
    for name, value, must, is_query in params.filters:
        node = filter_node(name, value, is_query)
        (filters if must else excluded).append(node)
    by_meaning = vector is not None or (like and bool(params.vectorizer))
    if params.search_type == "vector" and not (by_meaning or like or params.vectorizer):
        raise InvalidInput(
            message("search.noVectors", "There are no vectors to search in"),
            fix="Use the full text search, or vectorise the project first",
        )
    facet_access = FacetAccess(access, username_if_restricted(access, project))
    selections = [
        permitted_selection(selection, kind, facet_names, facet_access)
        for selection in _parse_selected_facets(params, facet_names)
    ] + dataset_selections(params, facet_access)
    return SearchSpec(
        query=_map_to_index_fields(query, kind, facet_access),
        filter=_map_to_index_fields(_combine_filters(filters, excluded), kind, facet_access),
        selections=selections,
        scope=() if kind == "terms" else origin_selections(access),  # terms have no origin
        invert=params.invert,
        facets=[
            *facet_specs(params, facet_names, project, facet_access),
            *histogram_specs(params, facet_names, facet_access),
            *counted,
        ],
        from_=min(params.from_, MAX_OFFSET),  # there are no hits beyond it, and no engine counts further
        size=params.size,
        sort=sort_order(params, facet_names, facet_access),
        search_type=params.search_type if by_meaning else "text",
        vector=vector,
        vectorizer=params.vectorizer,
        vector_weight=params.vector_weight,
        default_fields=_DEFAULT_FIELDS.get(kind, ("text",)),
    )


def _parse_selected_facets(params: SearchParams, names: Sequence[str]) -> list[FacetSelection]:
    return [*parse_selections(list(params.selected_facets), names), *params.extra]


def _combine_filters(filters: list[Node], excluded: list[Node]) -> Node:
    if not filters and not excluded:
        return MatchAll()
    return Boolean(must=tuple(filters), must_not=tuple(excluded))


def _map_to_index_fields(node: Node, kind: Kind, facet_access: FacetAccess) -> Node:
    """Map field names of the query language to fields of the index; a field the caller may not read matches nothing."""
    if isinstance(node, Boolean):
        parts = (
            (_map_to_index_fields(child, kind, facet_access) for child in part)
            for part in (node.must, node.should, node.must_not)
        )
        return Boolean(*(tuple(part) for part in parts))
    if isinstance(node, Boost):
        return replace(node, node=_map_to_index_fields(node.node, kind, facet_access))
    if isinstance(node, MatchAll) or node.field is None or node.field in TEXT_FIELDS:
        return node
    if kind == "terms":
        return replace(node, field=_TERM_FIELDS.get(node.field, node.field))
    name = _FIELDS.get(node.field, node.field)
    if node.field == "identifier" and kind == "documents":
        name = "documentIdentifier"
    field = facet_access.field(name)
    if field is None:
        return Boolean(must_not=(MatchAll(),))
    if field == TERMS:  # by `lexicon:identifier`, by identifier or by preferred form
        return Boolean(should=tuple(replace(node, field=one) for one in (TERMS, TERM_IDENTIFIERS, TERM_FORMS)))
    return replace(node, field=field)
