"""Vectors of an index, in an index of their own, so that frequent changes of labels do not rewrite them.

Lucene always rewrites whole items. If vectors were stored with the labels, each annotation would rewrite the vector and
insert it into the graph again, then and at each merge. A vector item has the id of the item it belongs to.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson
import structlog

from annotarium.search.index_and_search_types import IndexDoc, IndexPatch, Vector
from annotarium.search.opensearch import schema
from annotarium.search.opensearch.index_and_field_names import (
    default_sort_key,
    field_name,
    server_item_id,
    vectors_index,
    writing_alias,
)
from annotarium.search.opensearch.pages import HitPages
from annotarium.search.opensearch.schema import OpenedIndex, vector_field_name
from annotarium.search.opensearch.server_client import IndexNotFound, RequestRejected, SearchServerClient
from annotarium.search.query.limits import replace_lone_surrogates
from annotarium.search.vectors import unit_vector

log = structlog.get_logger(__name__)

_RETRIES = 8
_CHANGE = """
if (ctx._source.v == null) { ctx._source.v = new HashMap(); }
for (start in params.gone) { ctx._source.v.keySet().removeIf(name -> name.startsWith(start)); }
ctx._source.v.putAll(params.set);
if (ctx._source.v.isEmpty()) { ctx.op = ctx.op == 'create' ? 'none' : 'delete'; }
"""
_REMOVE = "for (name in params.names) { ctx._source.v.remove(name) } if (ctx._source.v.isEmpty()) { ctx.op = 'delete' }"
_MAPPINGS: Mapping[str, Any] = {
    "dynamic": False,
    "properties": {
        "id": {"type": "keyword"},
        "order": {"type": "keyword", "index": False},
        "v": {"dynamic": False, "properties": {}},
    },
}
Action = list[bytes]


class VectorIndex:
    """The vectors of one opened index; their index is created with the first vector."""

    def __init__(self, server: SearchServerClient, opened: OpenedIndex) -> None:
        self._server = server
        self._opened = opened
        self.name = vectors_index(opened.index)
        self.path = f"/{writing_alias(self.name)}"

    @property
    def is_there(self) -> bool:
        """Whether there are any vectors."""
        return bool(self._opened.dimensions)

    @property
    def pages(self) -> HitPages:
        """Searches in the index of vectors."""
        return HitPages(self._server, self.name)

    def add(self, vectorizer: str, dimension: int) -> bool:
        """Add a field for vectors of this length. Returns False when the server does not support vectors."""
        opened = self._opened
        if opened.dimensions.get(vectorizer) == dimension:
            return True
        name = vector_field_name(vectorizer, dimension)
        method = {"name": "hnsw", "engine": "lucene", "space_type": "l2"}
        field = {"type": schema.VECTOR_TYPE, "dimension": dimension, "method": method}
        schema.create_vectors_index(self._server, self.name, _MAPPINGS)
        try:
            self._server.put(f"/{self.name}/_mapping", {"properties": {"v": {"properties": {name: field}}}})
        except RequestRejected as refused:
            if schema.VECTOR_TYPE not in refused.reason:
                raise
            log.warning("search_without_vectors", reason="the search server has no k-NN plugin")
            return False
        self._store_dimensions(opened.dimensions | {vectorizer: dimension})
        opened.fields["v"].add(name)
        return True

    def keep(self, vectorizers: Collection[str]) -> None:
        """Remove the vectors of all other vectorizers. The server removes them from the items asynchronously."""
        known = self._opened.dimensions
        gone = [vector_field_name(name, size) for name, size in known.items() if name not in vectorizers]
        if not gone:
            return
        kept = {name: size for name, size in known.items() if name in vectorizers}
        self._store_dimensions(kept)
        if not kept:
            self._server.delete(f"/{self.name}", ignore_unavailable=True)
            return
        script = {"source": _REMOVE, "lang": "painless", "params": {"names": gone}}
        any_of_them = [{"exists": {"field": f"v.{name}"}} for name in gone]
        body = {"query": {"bool": {"should": any_of_them, "minimum_should_match": 1}}, "script": script}
        self._server.post(f"/{self.name}/_update_by_query", body, conflicts="proceed", wait_for_completion=False)

    def _store_dimensions(self, dimensions: Mapping[str, int]) -> None:
        self._server.put(f"/{self._opened.index}/_mapping", {"_meta": self._opened.facts(dimensions)})
        self._opened.dimensions = dict(dimensions)

    # --- writing ------------------------------------------------------------------------------------------------------

    def stored(self, doc: IndexDoc) -> Action:
        """Return the action that replaces all vectors of an item."""
        key, found = replace_lone_surrogates(doc.id), self._fields(doc.vectors)
        if not found:
            return _delete_action(server_item_id(key))
        return [orjson.dumps({"index": {"_id": server_item_id(key)}}), orjson.dumps(_body(key) | {"v": found})]

    def changed(self, patch: IndexPatch) -> Action:
        """Return the action that changes some vectors of an item; the others stay."""
        key = replace_lone_surrogates(patch.id)
        gone = [f"{field_name(name)}@" for name in patch.vectors]
        script = {"source": _CHANGE, "lang": "painless", "params": {"gone": gone, "set": self._fields(patch.vectors)}}
        body = {"script": script, "scripted_upsert": True, "upsert": _body(key)}
        action = {"update": {"_id": server_item_id(key), "retry_on_conflict": _RETRIES}}
        return [orjson.dumps(action), orjson.dumps(body)]

    def deleted(self, key: str) -> Action:
        """Return the action that deletes the vectors of an item, by the server's id."""
        return _delete_action(key)

    def _fields(self, vectors: Mapping[str, Vector | None]) -> dict[str, list[float]]:
        found = {}
        for name, vector in vectors.items():
            floats = None if vector is None else unit_vector(vector)
            if floats is not None and vector_field_name(name, len(floats)) in self._opened.fields["v"]:
                found[vector_field_name(name, len(floats))] = floats.tolist()
        return found

    # --- reading ------------------------------------------------------------------------------------------------------

    def having(self, vectorizer: str, ids: Sequence[str]) -> set[str]:
        """Return those of the items that have a vector."""
        field = self._opened.vector_field(vectorizer)
        if field is None:
            return set()
        try:
            return self.pages.among({"exists": {"field": field}}, ids)
        except IndexNotFound:
            return set()

    def counts(self) -> dict[str, int]:
        """Return the number of vectors by vectorizer."""
        fields = {name: str(self._opened.vector_field(name)) for name in self._opened.dimensions}
        return {name: self.pages.count({"exists": {"field": field}}) for name, field in fields.items()}

    def of(self, vectorizer: str, item: str) -> Vector | None:
        """Return the vector of an item, None when it has none."""
        field = self._opened.vector_field(vectorizer)
        if field is None or not item:
            return None
        body = {"query": {"term": {"id": replace_lone_surrogates(item)}}, "size": 1, "_source": ["v"]}
        hits = self._server.post(f"/{self.name}/_search", body)["hits"]["hits"]
        vector: Vector | None = hits[0]["_source"].get("v", {}).get(field.removeprefix("v.")) if hits else None
        return vector


def _body(key: str) -> dict[str, Any]:
    return {"id": key, "order": default_sort_key(key)}


def _delete_action(key: str) -> Action:
    return [orjson.dumps({"delete": {"_id": key}})]
