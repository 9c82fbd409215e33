"""Converts items and patches to what the server stores, and sends them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from annotarium.search.facet_values import facet_sort_key, stored_facet_value
from annotarium.search.index_and_search_types import ORDERED_FACETS, TITLE_ORDER, IndexDoc, IndexPatch
from annotarium.search.opensearch.index_and_field_names import (
    default_sort_key,
    field_name,
    overflow_field_value,
    server_item_id,
    stored_facet_name,
)
from annotarium.search.opensearch.schema import OpenedIndex, add_fields
from annotarium.search.opensearch.server_client import RequestRejected, SearchServerClient
from annotarium.search.opensearch.vectors import VectorIndex
from annotarium.search.query.limits import replace_lone_surrogates
from annotarium.search.text_analysis import Analyser, Tokens
from annotarium.search.vectors import unit_vector

BATCH = 1_000
"""Maximum number of items in one request."""

BATCH_BYTES = 4_000_000
_RETRIES = 8

_PATCH = """
Map item = ctx._source;
for (kind in ['f', 'n', 'd', 'k', 'names', 'more']) {
  if (item[kind] == null) { item[kind] = kind.length() > 1 ? new ArrayList() : new HashMap(); }
}
if (params.complete) { item.f.clear(); item.k.clear(); item.names.clear(); item.more.clear(); }
item.names.removeAll(params.facets);
for (start in params.starts) { item.more.removeIf(value -> value.startsWith(start)); }
for (kind in ['f', 'n', 'd', 'k']) {
  for (name in params.gone[kind]) { item[kind].remove(name); }
  item[kind].putAll(params.set[kind]);
}
item.names.addAll(params.set.names);
item.more.addAll(params.set.more);
"""

_Numbers = Mapping[str, float | Sequence[float]]


class Writer:
    """Writes to one opened index through its alias, and to its vectors.

    Writes become visible by a refresh of the index, and if `wrote_vectors` is set, of the index of vectors too.
    """

    def __init__(self, server: SearchServerClient, opened: OpenedIndex, alias: str, analyser: Analyser) -> None:
        self._server = server
        self._opened = opened
        self._path = f"/{alias}"
        self._vectors = VectorIndex(server, opened)
        self.wrote_vectors = False
        self._analyser = analyser

    def delete(self, keys: Iterable[str]) -> None:
        """Delete items by the server's ids."""
        gone = list(dict.fromkeys(keys))
        self._send([orjson.dumps({"delete": {"_id": key}})] for key in gone)
        if self._vectors.is_there:
            self._send_vectors(map(self._vectors.deleted, gone))

    def upsert(self, docs: Iterable[IndexDoc]) -> None:
        """Store items; they replace those of the same ids."""
        iterator = iter(docs)
        while batch := list(itertools.islice(iterator, BATCH)):
            latest = {replace_lone_surrogates(doc.id): doc for doc in batch}
            self._prepare(latest.values())
            self._send(
                [orjson.dumps({"index": {"_id": server_item_id(key)}}), orjson.dumps(self._body(key, doc))]
                for key, doc in latest.items()
            )
            if self._vectors.is_there:
                self._send_vectors(map(self._vectors.stored, latest.values()))

    def patch(self, patches: Iterable[IndexPatch]) -> None:
        """Change fields of items; the server ignores unknown ids."""
        iterator = iter(patches)
        while batch := list(itertools.islice(iterator, BATCH)):
            self._prepare(batch)
            self._send(
                [
                    orjson.dumps({"update": {"_id": server_item_id(patch.id), "retry_on_conflict": _RETRIES}}),
                    orjson.dumps({"script": {"source": _PATCH, "lang": "painless", "params": self._change(patch)}}),
                ]
                for patch in batch
                if patch.facets or patch.numbers or patch.dates or patch.complete
            )
            self._patch_vectors([patch for patch in batch if patch.vectors])

    def _prepare(self, items: Iterable[IndexDoc | IndexPatch]) -> None:
        wanted: dict[str, set[str]] = {"f": set(), "n": set(), "d": set(), "k": set()}
        dimensions: dict[str, int] = {}
        for item in items:
            wanted["f"].update(name for name, values in item.facets.items() if any(values))
            wanted["n"].update(item.numbers)
            wanted["d"].update(item.dates)
            for name, vector in item.vectors.items():
                floats = None if vector is None else unit_vector(vector)
                if floats is not None:
                    dimensions[name] = len(floats)
        wanted["k"] = {name for name in wanted["f"] if name.startswith(ORDERED_FACETS)}
        add_fields(self._server, self._opened, wanted)
        for name, dimension in dimensions.items():
            self._vectors.add(name, dimension)

    def _patch_vectors(self, patches: Sequence[IndexPatch]) -> None:
        """Change the vectors of those items that exist."""
        if patches and self._vectors.is_there:
            body = {"docs": [{"_id": server_item_id(patch.id), "_source": False} for patch in patches]}
            items = self._server.post(f"{self._path}/_mget", body)["docs"]
            there = {item["_id"] for item in items if item.get("found")}
            self._send_vectors(self._vectors.changed(patch) for patch in patches if server_item_id(patch.id) in there)

    def _send_vectors(self, actions: Iterable[list[bytes]]) -> None:
        self.wrote_vectors = True
        self._send(actions, self._vectors.path)

    def _send(self, actions: Iterable[list[bytes]], path: str = "") -> None:
        lines: list[bytes] = []
        size = 0
        for action in actions:
            lines += action
            size += sum(map(len, action))
            if size >= BATCH_BYTES:
                self._flush(lines, path)
                lines, size = [], 0
        self._flush(lines, path)

    def _flush(self, lines: list[bytes], path: str) -> None:
        failed = self._server.bulk(path or self._path, lines, require_alias=True) if lines else []
        if failed:
            error = failed[0]["error"]
            raise RequestRejected(error.get("type", "unknown"), error.get("reason", ""))

    def _body(self, key: str, doc: IndexDoc) -> dict[str, Any]:
        body: dict[str, Any] = {"id": key, "order": default_sort_key(key)}
        surface: dict[str, str] = {}
        for name, text, tokens in (("title", doc.title, None), ("text", doc.text, doc.tokens)):
            if text or tokens:
                body[name], surface[name] = self._words(text, tokens)
        body["words"] = surface
        body |= self._facets(doc.facets)
        body |= {"n": _finite_numbers_by_field(doc.numbers), "d": _finite_numbers_by_field(doc.dates)}
        return body

    def _words(self, text: str, tokens: Tokens | None) -> tuple[str, str]:
        tokens = tokens or self._analyser.tokens(text)
        return tokens.line(), " ".join(self._analyser.inflected(tokens).values())

    def _facets(self, facets: Mapping[str, Sequence[str]]) -> dict[str, Any]:
        found: dict[str, Any] = {"f": {}, "k": {}, "names": [], "more": []}
        for name, texts in facets.items():
            values = list(dict.fromkeys(stored_facet_value(text) for text in texts if text))
            if not values:
                continue
            found["names"].append(stored_facet_name(name))
            if self._opened.has("f", name):
                found["f"][field_name(name)] = values
            else:
                found["more"] += [overflow_field_value(name, value) for value in values]
            if self._opened.has("k", name):
                found["k"][field_name(name)] = [facet_sort_key(one, words_only=name == TITLE_ORDER) for one in values]
        return found

    def _change(self, patch: IndexPatch) -> dict[str, Any]:
        new = self._facets(patch.facets)
        new |= {"n": _finite_numbers_by_field(patch.numbers), "d": _finite_numbers_by_field(patch.dates)}
        return {
            "complete": patch.complete,
            "facets": [stored_facet_name(name) for name in patch.facets],
            "starts": [overflow_field_value(name) for name in patch.facets],
            "gone": {
                kind: [field_name(name) for name in names]
                for kind, names in (("f", patch.facets), ("n", patch.numbers), ("d", patch.dates), ("k", patch.facets))
            },
            "set": new,
        }


def _finite_numbers_by_field(given: _Numbers) -> dict[str, list[float]]:
    found = {}
    for name, numbers in given.items():
        several = (numbers,) if isinstance(numbers, (int, float)) else numbers
        finite = [float(number) for number in several if math.isfinite(number)]
        if finite:
            found[field_name(name)] = finite
    return found


def batches(keys: Iterable[str], size: int) -> Iterator[list[str]]:
    """Yield the keys in lists of at most `size`."""
    iterator = iter(keys)
    while batch := list(itertools.islice(iterator, size)):
        yield batch
