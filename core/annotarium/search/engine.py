"""The interface of search engines, and the errors they share. Implementations are opened by `engine_factory` only."""

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
    """The index is there, and the server that holds it is still opening it: after its start, or after a crash."""

    error = "index_starting"
    default_fix = "Try again in a minute. Changes are kept meanwhile, and found once the search index is back"
    retry_after = 5

    def __init__(self, cause: str) -> None:
        super().__init__(message("search.starting", "The search index is starting"), cause=cause)


class IndexIncomplete(ServiceUnavailable):
    """A part of the index is lost on the server that holds it, and nothing brings it back."""

    error = "index_incomplete"
    default_fix = "Look after the disks and nodes of the search server, or run: annotarium index rebuild"

    def __init__(self) -> None:
        super().__init__("A part of the search index is missing on its server")


class SearchEngine(Protocol):
    """Indexes of items by id. Every write is visible to the next search of every process when the call returns.

    An index that nobody wrote to is empty, not an error. Engines are safe to use from several threads and processes.
    """

    name: str
    """`embedded` or `opensearch`."""

    def bulk(self, key: IndexKey, upserts: Iterable[IndexDoc] = (), **changes: Unpack[IndexChanges]) -> None:
        """Apply, in this order: deletes (by id, and of all items with a facet value), upserts, patches.

        Many upserts are written in several transactions, the last one with the patches and `applied_seq`
        (never lowered), so a call that died half-way is simply repeated.
        """
        ...

    def patch(self, key: IndexKey, patches: Iterable[IndexPatch], *, applied_seq: int | None = None) -> None:
        """Change facets, numbers, dates or vectors of items; their text is untouched. One transaction."""
        ...

    def search(self, key: IndexKey, spec: SearchSpec) -> SearchHits:
        """A page of hits with facets.

        Raises:
            InvalidInput: a range that is not of the field's kind, or a vector of another length.
        """
        ...

    def scan_ids(self, key: IndexKey, spec: SearchSpec) -> Iterator[str]:
        """The ids of all hits as of now, unranked and unpaged; items deleted meanwhile are left out."""
        ...

    def similar(self, key: IndexKey, like: str, spec: SearchSpec, *, text: str | None = None) -> SearchHits:
        """Items like the one of id `like` (itself left out) or like `text`.

        `text` search: its most telling words; `vector`: its own vector (or `spec.vector`); `hybrid`: both.
        """
        ...

    def contents(self, key: IndexKey, ids: Sequence[str]) -> Mapping[str, IndexedContent]:
        """What the index holds of these items (some thousands at most); of unknown ones nothing."""
        ...

    # Vectors come after their items, by `patch`: an item that is written anew has none until then.

    def vector_gaps(self, key: IndexKey, vectorizer: str, *, thorough: bool = False) -> Iterator[str]:
        """Ids, as of now, of items without a vector; with `thorough` also of those whose vector cannot be read."""
        ...

    def keep_vectors(self, key: IndexKey, vectorizers: Collection[str]) -> None:
        """Forget the vectors of all other vectorizers."""
        ...

    def terms(self, key: IndexKey, facet: str, prefix: str = "", limit: int = 10) -> Sequence[Bucket]:
        """Values of a facet that start with `prefix` in any case, most frequent first."""
        ...

    def facet_names(self, key: IndexKey) -> Sequence[str]:
        """Facets that have a value, in alphabetical order (metadata and per-user facets are only known here)."""
        ...

    def stats(self, key: IndexKey) -> IndexStats:
        """Size of the index."""
        ...

    def applied_seq(self, key: IndexKey) -> int:
        """The highest `applied_seq` written with a change; 0 for a new index."""
        ...

    def version(self, key: IndexKey) -> int:
        """The `INDEX_VERSION` an index was made with; 0 when there is none."""
        ...

    def begin_generation(self, key: IndexKey) -> IndexKey:
        """A key of a new, empty generation beside the one in use; writes through it stay unseen until the switch."""
        ...

    def switch(self, key: IndexKey) -> None:
        """Put the generation of the key into use, drop all others."""
        ...

    def drop(self, project: str, kind: str | None = None) -> None:
        """Forget an index, or all those of a project."""
        ...

    def store_id(self, *, make: bool = False) -> str:
        """Tells this place of indexes from others of the same engine; empty when nothing was ever put there.

        Args:
            make: have the place, if it is new.
        """
        ...

    def check(self) -> None:
        """Return when searches can be answered.

        Raises:
            ServiceUnavailable: they cannot, with words about why: the server is away, starts, or has lost a part.
        """
        ...

    def tidy(self) -> None:
        """Have room given back that replaced items take, where that is much; in the background."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
