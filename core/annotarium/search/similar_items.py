"""Search for items like a given one, or like a text: the same steps for documents and segments."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.search.engine import SearchEngine
from annotarium.search.index_and_search_types import IndexKey, Kind, SearchSpec
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams, similarity_fields
from annotarium.search.query_vectors import resolve_search
from annotarium.search.search_rights import require_search_type
from annotarium.search.search_spec_builder import build_search_spec


class SimilaritySearch(NamedTuple):
    """What `SearchEngine.similar` needs."""

    engine: SearchEngine
    key: IndexKey
    spec: SearchSpec


def prepare_similarity_search(
    call: ProjectCall, kind: Kind, params: SearchParams, *, text: str, of_item: bool, compared: str
) -> SimilaritySearch:
    """Open the index and build the search.

    Args:
        kind: `documents` or `segments`.
        text: what is compared, unless `of_item` says that it is an item of the index.
        compared: `text`, `title` or both; empty for those of the kind.

    Raises:
        AccessDenied: the caller may not search by vectors.
        InvalidInput: another field is to be compared.
    """
    engine, key = open_index(call.project, kind, reader=call.username)
    require_search_type(call.access, params)
    resolved = resolve_search(call.session, call.project, params, text=text, of_item=of_item)
    names = engine.facet_names(key)
    spec = build_search_spec(resolved.params, kind, call.access, call.project, names, vector=resolved.vector, like=True)
    return SimilaritySearch(
        engine, key, replace(spec, default_fields=similarity_fields(compared) or spec.default_fields)
    )
