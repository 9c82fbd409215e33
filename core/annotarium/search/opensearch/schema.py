"""Creates indexes on the server, reads and extends their fields. Nothing is mapped dynamically from the content.

An item has its words as tokenized by us, so that both engines find the same items. It has a field for each facet
(`f.`), number (`n.`) and date (`d.`), and for the sort keys of facets (`k.`); vectors have one each (`v.`), in an index
of their own. Where the server allows no more fields, facets are stored as `name<US>value` in the field `more`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from annotarium.errors import ServiceUnavailable
from annotarium.search.index_and_search_types import INDEX_VERSION
from annotarium.search.opensearch.index_and_field_names import field_name, writing_alias
from annotarium.search.opensearch.server_client import IndexNotFound, RequestRejected, SearchServerClient
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)

FIELD_LIMIT = 2_000
"""Maximum number of fields of an index; further facets share one field."""

VECTOR_TYPE = "knn_vector"
"""Field type of vectors; servers without the k-NN plugin do not have it."""

KINDS = "fndk"
"""Kinds of fields: facets, numbers, dates, and sort keys of facets."""

LAYOUT = 2
"""Version of the index layout; 2 = vectors in an index of their own. Indexes of another layout are rebuilt."""

_VECTOR_SETTINGS: tuple[dict[str, Any], ...] = ({"knn": True, "knn.derived_source.enabled": True}, {"knn": True}, {})
"""Settings from the best to what any server accepts. With derived sources (OpenSearch 2.19) vectors are stored only
once, not again as text in the stored item. The last one is without k-NN.
"""
_REPLACED_PERCENT = 10
"""Percentage of replaced items in an index above which the server merges them away."""
_TYPES = {"f": {"type": "keyword"}, "k": {"type": "keyword", "index": False}}
_NUMBER = {"type": "double"}
_BY_NEED = "ndfk"
_WORDS = {"type": "text", "analyzer": "words"}
_SURFACE = {"type": "text", "analyzer": "words", "index_options": "docs", "norms": False}
_UNMAPPED_OBJECT: Mapping[str, Any] = {"dynamic": False, "properties": {}}
_MAPPINGS = {
    "dynamic": False,
    "_meta": {"vectors": {}, "version": INDEX_VERSION, "layout": LAYOUT},
    "properties": {
        "id": {"type": "keyword"},
        "order": {"type": "keyword", "index": False},
        "title": _WORDS,
        "text": _WORDS,
        "words": {"properties": {"title": _SURFACE, "text": _SURFACE}},
        "names": {"type": "keyword"},
        "more": {"type": "keyword"},
    }
    | {kind: _UNMAPPED_OBJECT for kind in KINDS},
}
_TOKENS = {
    "analyzer": {"words": {"type": "custom", "tokenizer": "spaces"}},
    "tokenizer": {"spaces": {"type": "whitespace", "max_token_length": 400}},
}


@dataclass(slots=True)
class OpenedIndex:
    """An index with its current fields by kind (see `KINDS`; `v`: those of its vectors, which are in an index of their
    own), and the `INDEX_VERSION` it was created with.
    """

    index: str
    fields: dict[str, set[str]] = field(default_factory=dict)
    dimensions: dict[str, int] = field(default_factory=dict)
    version: int = INDEX_VERSION
    layout: int = LAYOUT

    def facts(self, dimensions: Mapping[str, int]) -> dict[str, Any]:
        """Return the metadata that the index stores about itself, with these vector lengths."""
        return {"vectors": dict(dimensions), "version": self.version, "layout": self.layout}

    def has(self, kind: str, name: str) -> bool:
        """Return whether the index has a field of this kind for a name."""
        return field_name(name) in self.fields.get(kind, ())

    def vector_field(self, vectorizer: str) -> str | None:
        """Return the field for a vectorizer's vectors, None if it has none. Vectors of another length have another
        field.
        """
        dimension = self.dimensions.get(vectorizer)
        return None if dimension is None else f"v.{vector_field_name(vectorizer, dimension)}"


def vector_field_name(vectorizer: str, dimension: int) -> str:
    """Return the field name below `v` for vectors of one length."""
    return f"{field_name(vectorizer)}@{dimension}"


def open_index(server: SearchServerClient, name: str) -> OpenedIndex | None:
    """Return the index behind a name or alias, None when there is none."""
    try:
        answer: dict[str, Any] = server.get(f"/{name}/_mapping")
    except IndexNotFound:
        return None
    for index, found in answer.items():
        mappings = found["mappings"]
        properties = mappings.get("properties", {})
        fields = {kind: set(properties.get(kind, {}).get("properties", ())) for kind in KINDS}
        facts = mappings.get("_meta", {})
        layout, dimensions = int(facts.get("layout", 1)), dict(facts.get("vectors", {}))
        fields["v"] = {vector_field_name(*one) for one in dimensions.items()}
        return OpenedIndex(index, fields, dimensions, int(facts.get("version", 1)), layout)
    return None


def create_index(server: SearchServerClient, index: str, aliases: Iterable[str] = ()) -> None:
    """Create an index unless it exists."""
    _create_index_with_settings(
        server, index, {"mapping": {"total_fields": {"limit": FIELD_LIMIT}}}, _MAPPINGS, aliases
    )


def create_vectors_index(server: SearchServerClient, index: str, mappings: Mapping[str, Any]) -> None:
    """Create an index for vectors unless it exists, with the best settings that the server supports."""
    for vectors in _VECTOR_SETTINGS:
        try:
            return _create_index_with_settings(server, index, vectors, mappings, ())
        except RequestRejected as refused:
            if not vectors or "index.knn" not in refused.reason:
                raise
            log.warning("search_server_lacks", setting=sorted(vectors)[-1], reason=refused.reason[:200])


def _create_index_with_settings(
    server: SearchServerClient, index: str, own: dict[str, Any], mappings: Mapping[str, Any], aliases: Iterable[str]
) -> None:
    index_settings: dict[str, Any] = {
        "number_of_shards": 1,  # with one shard, counts of facets are exact
        "auto_expand_replicas": "0-1",
        "merge": {"policy": {"deletes_pct_allowed": _REPLACED_PERCENT}},
    }
    body = {
        "settings": {"index": index_settings | own, "analysis": _TOKENS},
        "mappings": mappings,
        "aliases": {alias: {} for alias in (writing_alias(index), *aliases)},
    }
    try:
        server.put(f"/{index}", body)
    except RequestRejected as refused:
        if refused.kind != "resource_already_exists_exception":
            raise


def add_fields(server: SearchServerClient, opened: OpenedIndex, wanted: Mapping[str, Iterable[str]]) -> None:
    """Map fields for names of the kinds `f`, `n`, `d`, `k`, as far as the server allows; other facets need no field.

    Raises:
        ServiceUnavailable: the server allows no field for a number or date.
    """
    missing = [
        (kind, encoded)
        for kind, names in wanted.items()
        for encoded in sorted({field_name(name) for name in names} - opened.fields[kind])
    ]
    if not missing or _map_fields(server, opened, missing):
        return
    for kind, encoded in sorted(missing, key=lambda one: _BY_NEED.index(one[0])):
        if not _map_fields(server, opened, [(kind, encoded)]):
            if kind in "nd":
                raise ServiceUnavailable(
                    "The search index has no room for another number or date",
                    cause=message("search.fields", "Its limit of fields was exceeded at {name}", name=encoded),
                    fix="Raise index.mapping.total_fields.limit of the index",
                )
            return


def _map_fields(server: SearchServerClient, opened: OpenedIndex, fields: Iterable[tuple[str, str]]) -> bool:
    properties: dict[str, dict[str, Any]] = {}
    for kind, encoded in fields:
        body = _TYPES.get(kind, _NUMBER)
        properties.setdefault(kind, {"properties": {}})["properties"][encoded] = body
    try:
        server.put(f"/{opened.index}/_mapping", {"properties": properties})
    except RequestRejected as refused:
        if "total fields" not in refused.reason:
            raise
        return False
    for kind, encoded in fields:
        opened.fields[kind].add(encoded)
    return True
