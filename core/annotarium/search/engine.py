"""The interface of search engines and the errors they share. Only `engine_factory` creates implementations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, Unpack

from annotarium.errors import ServiceUnavailable
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
from annotarium_schemas.messages import message


class IndexStarting(ServiceUnavailable):
    """The index exists, but the search server is still opening it, after its start or a crash."""

    error = "index_starting"
    default_fix = "Try again in a minute. Changes are kept meanwhile, and found once the search index is back"
    retry_after = 5

    def __init__(self, cause: str) -> None:
        super().__init__(message("search.starting", "The search index is starting"), cause=cause)


class IndexIncomplete(ServiceUnavailable):
    """A part of the index is lost on the search server and cannot be recovered."""

    error = "index_incomplete"
    default_fix = "Look after the disks and nodes of the search server, or run: annotarium index rebuild"

    def __init__(self) -> None:
        super().__init__("A part of the search index is missing on its server")


class SearchEngine(Protocol):
    """Indexes of items by id. When a write returns, it is visible to the next search of every process.

    An index that was never written is empty, not an error. Engines may be used by several threads and processes.
    """

    name: str
    """`embedded` or `opensearch`."""

    def bulk(self, key: IndexKey, upserts: Iterable[IndexDoc] = (), **changes: Unpack[IndexChanges]) -> None:
        """Apply, in this order: deletes (by id, and of all items with a facet value), upserts, patches.

        Many upserts are written in several transactions, the last one with the patches and `applied_seq`, which is
        never lowered. A call that was interrupted can simply be repeated.
        """
        ...

    def patch(self, key: IndexKey, patches: Iterable[IndexPatch], *, applied_seq: int | None = None) -> None:
        """Change facets, numbers, dates or vectors of items in one transaction; their texts stay."""
        ...

    def search(self, key: IndexKey, spec: SearchSpec) -> SearchHits:
        """Return a page of hits with facets.

        Raises:
            InvalidInput: a range does not match the type of its field, or a vector has another length than the
                indexed ones.
        """
        ...

    def scan_ids(self, key: IndexKey, spec: SearchSpec) -> Iterator[str]:
        """Yield the ids of all current hits, without ranking and paging.

        Items that are deleted meanwhile are left out.
        """
        ...

    def similar(self, key: IndexKey, like: str, spec: SearchSpec, *, text: str | None = None) -> SearchHits:
        """Return items similar to the item `like` (which is left out) or to `text`.

        A `text` search uses its most significant words, `vector` its own vector (or `spec.vector`), `hybrid` both.
        """
        ...

    def contents(self, key: IndexKey, ids: Sequence[str]) -> Mapping[str, IndexedContent]:
        """Return what the index contains of these items (some thousands at most); unknown ids are absent."""
        ...

    # Vectors are added to existing items by `patch`: an item that is indexed again has none until then.

    def vector_gaps(self, key: IndexKey, vectorizer: str, *, thorough: bool = False) -> Iterator[str]:
        """Yield the ids of items that have no vector now; with `thorough` also of those whose vector cannot be read."""
        ...

    def keep_vectors(self, key: IndexKey, vectorizers: Collection[str]) -> None:
        """Remove the vectors of all other vectorizers."""
        ...

    def terms(self, key: IndexKey, facet: str, prefix: str = "", limit: int = 10) -> Sequence[Bucket]:
        """Return the values of a facet that start with `prefix`, case-insensitively, most frequent first."""
        ...

    def facet_names(self, key: IndexKey) -> Sequence[str]:
        """Return the facets that have a value in alphabetical order.

        Only the index knows metadata and per-user facets.
        """
        ...

    def stats(self, key: IndexKey) -> IndexStats:
        """Return the size of the index."""
        ...

    def applied_seq(self, key: IndexKey) -> int:
        """Return the highest `applied_seq` that was written; 0 for a new index."""
        ...

    def version(self, key: IndexKey) -> int:
        """Return the `INDEX_VERSION` with which the index was created; 0 when there is none."""
        ...

    def begin_generation(self, key: IndexKey) -> IndexKey:
        """Create an empty generation next to the one in use, and return its key. Its content is not searched until
        `switch`.
        """
        ...

    def switch(self, key: IndexKey) -> None:
        """Put the generation of the key into use and delete all others."""
        ...

    def drop(self, project: str, kind: str | None = None) -> None:
        """Delete an index, or all indexes of a project."""
        ...

    def store_id(self, *, make: bool = False) -> str:
        """Return an id of the place where the engine stores its indexes, empty when nothing was stored there yet.

        It differs between e.g. two search servers.

        Args:
            make: create the place when it is new.
        """
        ...

    def check(self) -> None:
        """Return when searches can be answered.

        Raises:
            ServiceUnavailable: they cannot, with the reason: the server is unreachable, is starting, or has lost a
                part.
        """
        ...

    def tidy(self) -> None:
        """Start releasing the space of replaced items, where that is much, in the background."""
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...
