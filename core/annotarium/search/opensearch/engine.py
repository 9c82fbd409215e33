"""Implements the `SearchEngine` protocol with an OpenSearch server."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Unpack

from annotarium.errors import ServiceUnavailable
from annotarium.search.engine import IndexIncomplete, IndexStarting
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.facet_values import stored_facet_value
from annotarium.search.index_and_search_types import (
    Bucket,
    IndexChanges,
    IndexDoc,
    IndexedContent,
    IndexKey,
    IndexPatch,
    IndexStats,
    SearchHits,
    SearchSpec,
)
from annotarium.search.opensearch.compiling import ALL, Compiler, Query, any_of
from annotarium.search.opensearch.contents import read_contents
from annotarium.search.opensearch.index_and_field_names import (
    IndexNames,
    field_name,
    generation_of,
    items_index,
    overflow_field_value,
    project_index_pattern,
    server_item_id,
    state_index,
    vectors_index,
    writing_alias,
)
from annotarium.search.opensearch.pages import HitPages
from annotarium.search.opensearch.schema import LAYOUT, OpenedIndex, create_index, open_index
from annotarium.search.opensearch.searching import (
    MAX_COUNTED_VALUES,
    Searcher,
    facet_values_aggregation,
    list_facet_values,
    parse_facet_buckets,
)
from annotarium.search.opensearch.server_client import (
    IndexNotFound,
    RequestRejected,
    SearchServerAccessDenied,
    SearchServerClient,
)
from annotarium.search.opensearch.similarity import similarity_query
from annotarium.search.opensearch.vectors import VectorIndex
from annotarium.search.opensearch.writing import Writer, batches
from annotarium.search.query.ast import IDENTIFIER, Boolean, Term
from annotarium.search.query.limits import replace_lone_surrogates
from annotarium.search.text_analysis import get_analyser
from annotarium.settings import Settings
from annotarium_schemas.messages import message

_TRIES = 5
_STARTING_SIGNS = (
    "initializing_shards",
    "number_of_in_flight_fetch",
    "number_of_pending_tasks",
    "delayed_unassigned_shards",
)
"""Fields of the cluster health that are greater than 0 while indexes are being opened."""
_SCAN = 1_000
_MIN_REPLACED, _REPLACED_SHARE = 1_000, 0.3
"""Replaced items up to which a merge is not worth it, and their share of the live items above which it is."""
_HIGHEST = "if (params.seq > ctx._source.seq) { ctx._source.seq = params.seq } else { ctx.op = 'none' }"


class OpenSearchEngine:
    """Indexes of one installation on a server; the prefix of their names separates installations."""

    name = "opensearch"

    def __init__(self, settings: Settings) -> None:
        self._prefix = settings.opensearch_prefix
        self._server = SearchServerClient(settings)

    # --- writing ------------------------------------------------------------------------------------------------------

    def bulk(self, key: IndexKey, upserts: Iterable[IndexDoc] = (), **changes: Unpack[IndexChanges]) -> None:
        """See `SearchEngine.bulk`."""
        gone, matching = list(changes.get("deletes", ())), list(changes.get("delete_matching", ()))
        changed, applied_seq = list(changes.get("patches", ())), changes.get("applied_seq")
        opened, alias = self._open_to_write(key)
        writer = Writer(self._server, opened, alias, get_analyser(key.language))
        seen_at_once = key.generation is None
        try:
            writer.delete([*map(server_item_id, gone), *self._keys_of(opened, matching)])
            writer.upsert(upserts)
            writer.patch(changed)
        except IndexNotFound as missing:
            raise ServiceUnavailable(
                message("busy.indexReplaced", "The search index was replaced while it was being written")
            ) from missing
        except IndexStarting:
            seen_at_once = False  # nothing was written, and a refresh would block for a minute
            raise
        finally:
            if seen_at_once:
                self._refresh(opened.index)
                if writer.wrote_vectors:
                    self._refresh(vectors_index(opened.index))
        if applied_seq is not None:
            self._set_applied(opened.index, applied_seq)

    def patch(self, key: IndexKey, patches: Iterable[IndexPatch], *, applied_seq: int | None = None) -> None:
        """See `SearchEngine.patch`."""
        self.bulk(key, patches=patches, applied_seq=applied_seq)

    def _open_to_write(self, key: IndexKey) -> tuple[OpenedIndex, str]:
        names = self._names(key)
        for _ in range(_TRIES):
            alias = names.live if key.generation is None else writing_alias(names.generation(key.generation))
            opened = open_index(self._server, alias)
            if opened is not None:
                return opened, alias
            if key.generation is not None:
                break
            create_index(self._server, names.generation(1), [names.live])
        raise ServiceUnavailable(
            message("busy.indexReplaced", "The search index was replaced while it was being written")
        )

    def _keys_of(self, opened: OpenedIndex, selections: Sequence[FacetSelection]) -> Iterator[str]:
        """Yield the server's ids of all items with one of the facet values."""
        values: dict[str, list[str]] = {}
        for one in selections:
            if opened.has("f", one.facet):
                values.setdefault(f"f.{field_name(one.facet)}", []).append(stored_facet_value(one.value))
            else:
                values.setdefault("more", []).append(overflow_field_value(one.facet, stored_facet_value(one.value)))
        if values:
            query = any_of({"terms": {field: texts}} for field, texts in values.items())
            for ids in HitPages(self._server, opened.index).walk(query, 10_000):
                yield from map(server_item_id, ids)

    def _refresh(self, index: str) -> None:
        try:
            self._server.post(f"/{index}/_refresh", ignore_unavailable=True)
        except IndexNotFound:
            return

    def store_id(self, *, make: bool = False) -> str:
        """See `SearchEngine.store_id`. It is the UUID of the state index (`state_index`)."""
        path = f"/{state_index(self._prefix)}"
        try:
            found = self._server.get(f"{path}/_settings/index.uuid")
        except IndexNotFound:
            if not make:
                return ""
            self._make_state(path)
            found = self._server.get(f"{path}/_settings/index.uuid")
        return str(next(iter(found.values()))["settings"]["index"]["uuid"])

    def check(self) -> None:
        """See `SearchEngine.check`."""
        try:
            health = self._server.get(f"/_cluster/health/{self._prefix}.*?timeout=1s")
        except SearchServerAccessDenied:  # the account is limited to our indexes: a request to one of them must do
            self.stats(IndexKey("0", "documents", "en"))
            return
        if health["status"] != "red":
            return
        if any(health.get(name) for name in _STARTING_SIGNS):
            closed = health["unassigned_shards"] + health["initializing_shards"]
            raise IndexStarting(f"{closed} shards are not open yet")
        raise IndexIncomplete

    def tidy(self) -> None:
        """See `SearchEngine.tidy`. The server merges asynchronously; a server that rejects such a merge is left as it
        is.
        """
        stats = self._server.get(f"/{self._prefix}.*/_stats/docs")["indices"]
        for index, facts in stats.items():
            docs = facts["primaries"].get("docs", {"count": 0, "deleted": 0})
            if docs["deleted"] > max(_MIN_REPLACED, docs["count"] * _REPLACED_SHARE):
                with suppress(IndexNotFound, RequestRejected):
                    self._server.post(f"/{index}/_forcemerge", only_expunge_deletes=True, wait_for_completion=False)

    def _make_state(self, path: str) -> None:
        fields = {"seq": {"type": "long"}, "index": {"type": "keyword"}}
        body = {"settings": {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-1"}}}
        try:
            self._server.put(path, body | {"mappings": {"dynamic": False, "properties": fields}})
        except RequestRejected as refused:
            if refused.kind != "resource_already_exists_exception":
                raise

    def _set_applied(self, index: str, seq: int) -> None:
        body = {
            "script": {"source": _HIGHEST, "lang": "painless", "params": {"seq": seq}},
            "upsert": {"seq": seq, "index": index},
        }
        path = f"/{state_index(self._prefix)}"
        try:
            self._server.post(f"{path}/_update/{index}", body, retry_on_conflict=5)
        except IndexNotFound:
            self._make_state(path)
            self._server.post(f"{path}/_update/{index}", body, retry_on_conflict=5)

    # --- reading ------------------------------------------------------------------------------------------------------

    def search(self, key: IndexKey, spec: SearchSpec) -> SearchHits:
        """See `SearchEngine.search`."""
        opened = self._open(key)
        try:
            return SearchHits((), 0) if opened is None else self._searcher(key, spec, opened).run()
        except IndexNotFound:
            return SearchHits((), 0)

    def scan_ids(self, key: IndexKey, spec: SearchSpec) -> Iterator[str]:
        """See `SearchEngine.scan_ids`."""
        opened = self._open(key)
        if opened is None:
            return
        yield from self._ids(opened, self._searcher(key, spec, opened).matched())

    def _ids(self, opened: OpenedIndex, query: Query) -> Iterator[str]:
        pages = HitPages(self._server, opened.index)
        try:
            for ids in pages.walk(query, _SCAN):
                existing = pages.existing(ids)
                yield from (one for one in ids if one in existing)
        except IndexNotFound:
            return

    def similar(self, key: IndexKey, like: str, spec: SearchSpec, *, text: str | None = None) -> SearchHits:
        """See `SearchEngine.similar`."""
        opened = self._open(key)
        if opened is None:
            return SearchHits((), 0)
        itself = (Term(like, IDENTIFIER),) if like else ()
        spec = replace(spec, filter=Boolean(must=(spec.filter,), must_not=itself))
        source = self._source(opened.index, like)
        fields = [field for field in ("title", "text") if field in spec.default_fields] or ["text"]
        if text is None:
            counts = Counter(" ".join(source.get(field, "") for field in fields).split())
        else:
            counts = Counter(filter(None, get_analyser(key.language).tokens(text).terms))
        if spec.search_type != "text" and spec.vector is None:
            spec = replace(spec, vector=VectorIndex(self._server, opened).of(spec.vectorizer, like))
        return self._searcher(key, spec, opened, similarity_query(self._server, opened.index, fields, counts)).run()

    def contents(self, key: IndexKey, ids: Sequence[str]) -> Mapping[str, IndexedContent]:
        """See `SearchEngine.contents`."""
        opened = self._open(key)
        try:
            return {} if opened is None else read_contents(self._server, opened.index, ids)
        except IndexNotFound:
            return {}

    def vector_gaps(self, key: IndexKey, vectorizer: str, *, thorough: bool = False) -> Iterator[str]:
        """See `SearchEngine.vector_gaps`.

        `thorough` makes no difference: the server can read all vectors it accepted.
        """
        opened = self._open(key)
        if opened is None:
            return
        vectors = VectorIndex(self._server, opened)
        ids = self._ids(opened, ALL)
        while part := list(islice(ids, _SCAN)):
            having = vectors.having(vectorizer, part)
            yield from (one for one in part if one not in having)

    def keep_vectors(self, key: IndexKey, vectorizers: Collection[str]) -> None:
        """See `SearchEngine.keep_vectors`. The server removes them from the items asynchronously."""
        opened = self._open(key)
        if opened is not None:
            VectorIndex(self._server, opened).keep(vectorizers)

    def terms(self, key: IndexKey, facet: str, prefix: str = "", limit: int = 10) -> Sequence[Bucket]:
        """See `SearchEngine.terms`."""
        opened = self._open(key)
        if opened is None:
            return []
        size = MAX_COUNTED_VALUES if prefix else max(1, min(limit, MAX_COUNTED_VALUES))
        asked = {"values": facet_values_aggregation(opened, facet, size)}
        _, counted = HitPages(self._server, opened.index).counted(ALL, asked)
        start = prefix.casefold()
        return parse_facet_buckets(facet, counted["values"], lambda text: text.casefold().startswith(start))[:limit]

    def facet_names(self, key: IndexKey) -> Sequence[str]:
        """See `SearchEngine.facet_names`."""
        opened = self._open(key)
        return [] if opened is None else self._names_in(opened)

    def _names_in(self, opened: OpenedIndex) -> list[str]:
        asked = {"names": {"terms": {"field": "names", "size": MAX_COUNTED_VALUES}}}
        _, counted = HitPages(self._server, opened.index).counted(ALL, asked)
        return sorted(bucket["key"] for bucket in counted["names"]["buckets"])

    def stats(self, key: IndexKey) -> IndexStats:
        """See `SearchEngine.stats`."""
        opened = self._open(key)
        if opened is None:
            return IndexStats(0, 0, 0, {}, 0, key.generation or 1, 0)
        fields = {f"f{n}": f"f.{one}" for n, one in enumerate(sorted(opened.fields["f"]))} | {"more": "more"}
        asked: Query = {name: {"cardinality": {"field": field}} for name, field in fields.items()}
        total, counted = HitPages(self._server, opened.index).counted(ALL, asked)
        vectors = VectorIndex(self._server, opened)
        both = f"{opened.index},{vectors.name}" if vectors.is_there else opened.index
        store = self._server.get(f"/{both}/_stats/store")["_all"]["primaries"]["store"]
        return IndexStats(
            items=total,
            facets=len(self._names_in(opened)),
            values=sum(counted[name]["value"] for name in fields),
            vectors=vectors.counts(),
            bytes=store["size_in_bytes"],
            generation=generation_of(opened.index),
            applied_seq=self._applied(opened.index),
        )

    def applied_seq(self, key: IndexKey) -> int:
        """See `SearchEngine.applied_seq`."""
        opened = self._open(key)
        return 0 if opened is None else self._applied(opened.index)

    def version(self, key: IndexKey) -> int:
        """See `SearchEngine.version`."""
        opened = self._open(key)
        if opened is None:
            return 0
        return opened.version if opened.layout == LAYOUT else 1

    def _applied(self, index: str) -> int:
        try:
            return int(self._server.get(f"/{state_index(self._prefix)}/_doc/{index}")["_source"]["seq"])
        except IndexNotFound:
            return 0

    def _open(self, key: IndexKey) -> OpenedIndex | None:
        names = self._names(key)
        if key.generation is None:
            return open_index(self._server, names.live)
        opened = open_index(self._server, names.generation(key.generation))
        if opened is not None:
            self._refresh(opened.index)  # writes to a generation that is being built are not refreshed
            if opened.dimensions:
                self._refresh(vectors_index(opened.index))
        return opened

    def _searcher(
        self, key: IndexKey, spec: SearchSpec, opened: OpenedIndex, likeness: Query | None = None
    ) -> Searcher:
        now_ms = time.time() * 1000 if spec.now_ms is None else spec.now_ms
        pages = HitPages(self._server, opened.index)
        values = partial(list_facet_values, pages, opened)
        compiler = Compiler(opened, get_analyser(key.language), spec.default_fields, now_ms, values)
        vectors = VectorIndex(self._server, opened).pages
        return Searcher(pages, opened, compiler, spec, now_ms, likeness, vectors=vectors)

    def _source(self, index: str, like: str) -> dict[str, Any]:
        if not like:
            return {}
        body = {"query": {"term": {"id": replace_lone_surrogates(like)}}, "size": 1, "_source": ["title", "text"]}
        hits = self._server.post(f"/{index}/_search", body)["hits"]["hits"]
        return hits[0]["_source"] if hits else {}

    def _names(self, key: IndexKey) -> IndexNames:
        return IndexNames(self._prefix, key.project, key.kind)

    # --- generations --------------------------------------------------------------------------------------------------

    def begin_generation(self, key: IndexKey) -> IndexKey:
        """See `SearchEngine.begin_generation`."""
        names = self._names(key)
        number = max([1, *map(generation_of, self._indexes(names.all))]) + 1
        create_index(self._server, names.generation(number))
        return replace(key, generation=number)

    def switch(self, key: IndexKey) -> None:
        """See `SearchEngine.switch`."""
        if key.generation is None:
            raise ValueError("switch needs the key of a generation")
        names = self._names(key)
        mine = names.generation(key.generation)
        self._refresh(f"{mine},{vectors_index(mine)}")
        old = [index for index in self._indexes(names.all) if items_index(index) != mine]
        actions: list[Query] = [{"add": {"index": mine, "alias": names.live}}]
        actions += [{"remove_index": {"index": index}} for index in old]
        try:
            self._server.post("/_aliases", {"actions": actions})
        except IndexNotFound as missing:
            raise ServiceUnavailable(
                message("busy.indexDropped", "The search index was dropped while it was being built")
            ) from missing
        self._forget_state(old)

    def drop(self, project: str, kind: str | None = None) -> None:
        """See `SearchEngine.drop`."""
        pattern = (
            project_index_pattern(self._prefix, project)
            if kind is None
            else IndexNames(self._prefix, project, kind).all
        )
        gone = self._indexes(pattern)
        for names in batches(gone, 20):
            self._server.delete(f"/{','.join(names)}", ignore_unavailable=True)
        self._forget_state(gone)

    def drop_all(self) -> None:
        """Delete all indexes of the installation."""
        for names in batches(self._indexes(f"{self._prefix}.*"), 20):
            self._server.delete(f"/{','.join(names)}", ignore_unavailable=True)
        self._server.delete(f"/{state_index(self._prefix)}", ignore_unavailable=True)

    def _indexes(self, pattern: str) -> list[str]:
        found = self._server.get(f"/{pattern}/_alias", expand_wildcards="all", ignore_unavailable=True)
        return sorted(index for index in found if re.fullmatch(r".*\.\d+", items_index(index)))

    def _forget_state(self, indexes: Sequence[str]) -> None:
        for index in {items_index(index): None for index in indexes}:
            self._server.delete(f"/{state_index(self._prefix)}/_doc/{index}")

    def close(self) -> None:
        """See `SearchEngine.close`."""
        self._server.close()
