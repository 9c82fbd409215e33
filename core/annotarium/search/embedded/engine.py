"""The embedded search engine: implements the `SearchEngine` protocol with index files."""

from __future__ import annotations

import itertools
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, Unpack

from annotarium.errors import ServiceUnavailable
from annotarium.search.embedded.bitmaps import BitmapCache, FacetBitmaps, Numbers, bitmap_to_array
from annotarium.search.embedded.caches import TextCaches, VersionedCache, read_facet_names
from annotarium.search.embedded.contents import read_contents
from annotarium.search.embedded.field_value_ids import KnownFieldValueIds
from annotarium.search.embedded.files import IndexFiles, safe_name
from annotarium.search.embedded.index_database import (
    SYSTEM,
    GenerationReplaced,
    IndexConnections,
    read_meta,
    read_transaction,
    write_meta,
    write_transaction,
    yield_to_waiting_writers,
)
from annotarium.search.embedded.matching import Matcher
from annotarium.search.embedded.searching import Searcher, read_item_ids
from annotarium.search.embedded.similarity import significant_terms
from annotarium.search.embedded.sort_orders import SortOrderCache
from annotarium.search.embedded.value_columns import ColumnCache
from annotarium.search.embedded.vectors import items_with_readable_vector, read_vector_row, vector_file
from annotarium.search.embedded.writer import Writer
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
    Vector,
)
from annotarium.search.query.ast import IDENTIFIER, Boolean, Term
from annotarium.search.text_analysis import get_analyser
from annotarium_schemas.messages import message

BATCH = 4_000
"""Items per transaction of a long write; other writers may write between two transactions."""

_SWITCHES = 10
_SCAN = 500

Result = TypeVar("Result")


class EmbeddedEngine:
    """Index files in one folder. One instance per process is enough; threads and forked processes may share it."""

    name = "embedded"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._store = IndexConnections()
        self._lock = threading.Lock()
        self._bitmaps = BitmapCache()
        self._columns = ColumnCache()
        self._orders = SortOrderCache()
        self._texts = TextCaches()
        self._names = VersionedCache(read_facet_names)
        self._known: dict[int, KnownFieldValueIds] = {}

    # --- writing ------------------------------------------------------------------------------------------------------

    def bulk(self, key: IndexKey, upserts: Iterable[IndexDoc] = (), **changes: Unpack[IndexChanges]) -> None:
        """See `SearchEngine.bulk`."""
        gone, gone_matching = list(changes.get("deletes", ())), list(changes.get("delete_matching", ()))
        changed, applied_seq = list(changes.get("patches", ())), changes.get("applied_seq")
        batches = itertools.chain(_batches(upserts), [None])
        batch = next(batches)
        first = True
        while True:
            following = next(batches, None) if batch is not None else None
            last = following is None

            def work(
                writer: Writer, docs: list[IndexDoc] | None = batch, first: bool = first, last: bool = last
            ) -> None:
                if first:
                    writer.delete(gone)
                    for selection in gone_matching:
                        writer.delete_matching(selection)
                if docs:
                    writer.upsert(docs)
                if last:
                    writer.patch(changed)
                writer.finish(applied_seq if last else None)

            path = self._write(key, work)
            if last:
                return
            yield_to_waiting_writers(path)
            batch, first = following, False

    def patch(self, key: IndexKey, patches: Iterable[IndexPatch], *, applied_seq: int | None = None) -> None:
        """See `SearchEngine.patch`."""
        self.bulk(key, patches=patches, applied_seq=applied_seq)

    def _write(self, key: IndexKey, work: Callable[[Writer], None]) -> Path:
        files = IndexFiles(self._folder, key.project, key.kind)
        for _ in range(_SWITCHES):
            generation = key.generation or files.live()
            path = files.database(generation)
            connection = self._store.connection(path, create=True)
            assert connection is not None
            try:
                with write_transaction(connection, path):
                    if not key.generation and files.live() != generation:
                        raise GenerationReplaced
                    known = self._known_of(read_meta(connection, "uid"))
                    writer = Writer(connection, known, files.vectors(generation), key.language)
                    work(writer)
                writer.done()
                return path
            except GenerationReplaced:
                if key.generation:
                    break
        raise ServiceUnavailable(
            message("busy.indexReplaced", "The search index was replaced while it was being written")
        )

    def _known_of(self, index: int) -> KnownFieldValueIds:
        with self._lock:
            known = self._known.pop(index, None) or KnownFieldValueIds()
            self._known[index] = known
            while len(self._known) > 32:
                self._known.pop(next(iter(self._known)))
            return known

    # --- reading ------------------------------------------------------------------------------------------------------

    def search(self, key: IndexKey, spec: SearchSpec) -> SearchHits:
        """See `SearchEngine.search`."""
        with self._snapshot(key) as snapshot:
            return SearchHits((), 0) if snapshot is None else self._searcher(key, spec, *snapshot).run()

    def scan_ids(self, key: IndexKey, spec: SearchSpec) -> Iterator[str]:
        """See `SearchEngine.scan_ids`."""
        with self._snapshot(key) as snapshot:
            if snapshot is None:
                return iter(())
            items = bitmap_to_array(self._searcher(key, spec, *snapshot).items())
        return self._ids(key, items)

    def _ids(self, key: IndexKey, items: Numbers) -> Iterator[str]:
        for start in range(0, len(items), _SCAN):
            with self._snapshot(key) as snapshot:
                found = {} if snapshot is None else read_item_ids(snapshot[0], items[start : start + _SCAN].tolist())
            yield from found.values()

    def contents(self, key: IndexKey, ids: Sequence[str]) -> Mapping[str, IndexedContent]:
        """See `SearchEngine.contents`."""
        with self._snapshot(key) as snapshot:
            return {} if snapshot is None else read_contents(snapshot[0], self._columns, ids)

    def vector_gaps(self, key: IndexKey, vectorizer: str, *, thorough: bool = False) -> Iterator[str]:
        """See `SearchEngine.vector_gaps`."""
        with self._snapshot(key) as snapshot:
            if snapshot is None:
                return iter(())
            bitmaps, folder = snapshot
            have = bitmaps.system(f"vector:{vectorizer}")
            if thorough and have:
                query = "SELECT dimension, epoch FROM vector WHERE name = ?"
                dimension, epoch = bitmaps.connection.execute(query, (vectorizer,)).fetchone()
                have = items_with_readable_vector(vector_file(folder, vectorizer, epoch), dimension, have)
            items = bitmap_to_array(bitmaps.everything() - have)
        return self._ids(key, items)

    def keep_vectors(self, key: IndexKey, vectorizers: Collection[str]) -> None:
        """See `SearchEngine.keep_vectors`."""
        if set(self.stats(key).vectors) <= set(vectorizers):
            return
        gone: list[Path] = []
        self._write(key, lambda writer: gone.extend(writer.keep_vectors(vectorizers)))
        for path in gone:
            path.unlink(missing_ok=True)

    def similar(self, key: IndexKey, like: str, spec: SearchSpec, *, text: str | None = None) -> SearchHits:
        """See `SearchEngine.similar`."""
        with self._snapshot(key) as snapshot:
            if snapshot is None:
                return SearchHits((), 0)
            bitmaps, vectors = snapshot
            itself = (Term(like, IDENTIFIER),) if like else ()
            spec = replace(spec, filter=Boolean(must=(spec.filter,), must_not=itself))
            words = significant_terms(
                bitmaps.connection,
                get_analyser(key.language),
                like,
                text,
                spec.default_fields,
                index=bitmaps.index,
                total=len(bitmaps.everything()),
            )
            if spec.search_type != "text" and spec.vector is None:
                spec = replace(spec, vector=self._vector_of(bitmaps, vectors, spec.vectorizer, like))
            return self._searcher(key, spec, bitmaps, vectors, words).run()

    def terms(self, key: IndexKey, facet: str, prefix: str = "", limit: int = 10) -> Sequence[Bucket]:
        """See `SearchEngine.terms`."""
        with self._snapshot(key) as snapshot:
            values = {} if snapshot is None else snapshot[0].values(facet)
        start = prefix.casefold()
        found = [Bucket(text, len(items)) for text, items in values.items() if text.casefold().startswith(start)]
        return sorted(found, key=lambda bucket: (-bucket.doc_count, bucket.key))[:limit]

    def facet_names(self, key: IndexKey) -> Sequence[str]:
        """See `SearchEngine.facet_names`."""
        with self._snapshot(key) as snapshot:
            if snapshot is None:
                return []
            return list(self._names.of(snapshot[0].connection, snapshot[0].index).facets)

    def stats(self, key: IndexKey) -> IndexStats:
        """See `SearchEngine.stats`."""
        files = IndexFiles(self._folder, key.project, key.kind)
        generation = key.generation or files.live()
        with self._snapshot(key) as snapshot:
            if snapshot is None:
                return IndexStats(0, 0, 0, {}, 0, generation, 0)
            bitmaps, folder = snapshot
            names_ = [name for (name,) in bitmaps.connection.execute("SELECT name FROM vector")]
            facets = [size for (name, kind), (_, _, size) in bitmaps.fields.items() if kind == "f" and name != SYSTEM]
            held = [files.database(generation), *(folder.glob("*.f32") if folder.exists() else ())]
            return IndexStats(
                items=len(bitmaps.everything()),
                facets=len(facets),
                values=sum(facets),
                vectors={name: len(bitmaps.system(f"vector:{name}")) for name in names_},
                bytes=sum(path.stat().st_size for path in held),
                generation=generation,
                applied_seq=read_meta(bitmaps.connection, "applied_seq"),
            )

    def applied_seq(self, key: IndexKey) -> int:
        """See `SearchEngine.applied_seq`."""
        with self._snapshot(key) as snapshot:
            return 0 if snapshot is None else read_meta(snapshot[0].connection, "applied_seq")

    def version(self, key: IndexKey) -> int:
        """See `SearchEngine.version`."""
        with self._snapshot(key) as snapshot:
            return 0 if snapshot is None else read_meta(snapshot[0].connection, "schema")

    def _searcher(
        self,
        key: IndexKey,
        spec: SearchSpec,
        bitmaps: FacetBitmaps,
        vectors: Path,
        likeness: Sequence[str] | None = None,
    ) -> Searcher:
        now_ms = time.time() * 1000 if spec.now_ms is None else spec.now_ms
        cutter = get_analyser(key.language)
        matcher = Matcher(bitmaps, self._columns, self._texts, cutter, spec.default_fields, now_ms)
        return Searcher(bitmaps, matcher, self._orders, vectors, spec, now_ms, likeness)

    @contextmanager
    def _snapshot(self, key: IndexKey) -> Iterator[tuple[FacetBitmaps, Path] | None]:
        files = IndexFiles(self._folder, key.project, key.kind)
        for _ in range(_SWITCHES):
            generation = key.generation or files.live()
            connection = self._store.connection(files.database(generation), create=False)
            if connection or key.generation or files.live() == generation:
                break
        if connection is None:
            yield None
            return
        with read_transaction(connection):
            yield FacetBitmaps(connection, self._bitmaps), files.vectors(generation)

    def _vector_of(self, bitmaps: FacetBitmaps, folder: Path, vectorizer: str, like: str) -> Vector | None:
        row = bitmaps.connection.execute(
            "SELECT n, dimension, epoch FROM doc, vector WHERE id = ? AND name = ?", (like, vectorizer)
        ).fetchone()
        if not row or row[0] not in bitmaps.system(f"vector:{vectorizer}"):
            return None
        return read_vector_row(vector_file(folder, vectorizer, row[2]), row[0], row[1])

    # --- generations --------------------------------------------------------------------------------------------------

    def begin_generation(self, key: IndexKey) -> IndexKey:
        """See `SearchEngine.begin_generation`."""
        files = IndexFiles(self._folder, key.project, key.kind)
        with self._lock:
            generation = max([files.live(), *files.generations()]) + 1
            self._store.connection(files.database(generation), create=True)
        return replace(key, generation=generation)

    def switch(self, key: IndexKey) -> None:
        """See `SearchEngine.switch`."""
        if key.generation is None:
            raise ValueError("switch needs the key of a generation")
        files = IndexFiles(self._folder, key.project, key.kind)
        self._store.connection(files.database(key.generation), create=True)
        live = files.live()
        old = self._store.connection(files.database(live), create=False) if live != key.generation else None
        if old is None:
            files.point_to(key.generation)
        else:
            with write_transaction(old, files.database(live)):
                write_meta(old, "retired", 1)
                files.point_to(key.generation)
        for generation in files.generations():
            if generation != key.generation:
                files.remove(generation)

    def drop(self, project: str, kind: str | None = None) -> None:
        """See `SearchEngine.drop`."""
        if kind is None:
            shutil.rmtree(self._folder / safe_name(project), ignore_errors=True)
            return
        files = IndexFiles(self._folder, project, kind)
        for generation in files.generations():
            files.remove(generation)
        (files.folder / f"{files.kind}.generation").unlink(missing_ok=True)

    def store_id(self, *, make: bool = False) -> str:
        """See `SearchEngine.store_id`. Constant, because there is only the data folder."""
        return "data folder"

    def check(self) -> None:
        """See `SearchEngine.check`."""
        self.stats(IndexKey("0", "documents", "en"))  # no such project: this checks only that index files can be read

    def tidy(self) -> None:
        """See `SearchEngine.tidy`. Does nothing: SQLite reuses free pages."""

    def close(self) -> None:
        """See `SearchEngine.close`. Closes the connections of the calling thread and clears the caches."""
        self._store.close()
        self._bitmaps.forget()
        self._columns.forget()
        self._orders.forget()
        self._texts.forget()
        self._names.forget()


def _batches(docs: Iterable[IndexDoc]) -> Iterator[list[IndexDoc]]:
    iterator = iter(docs)
    while batch := list(itertools.islice(iterator, BATCH)):
        yield batch
