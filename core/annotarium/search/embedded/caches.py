"""Caches of data read from index files, updated with what changed since they were read."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from annotarium.search.embedded.index_database import SYSTEM, read_meta
from annotarium.search.embedded.lengths import read_lengths
from annotarium.search.embedded.vocabulary import read_vocabulary

CACHED_INDEXES = 12


class Versioned(Protocol):
    """Data read from an index at one version. Immutable, because threads share it."""

    @property
    def ver(self) -> int:
        """The version of the index."""
        ...


State = TypeVar("State", bound=Versioned)


class VersionedCache(Generic[State]):
    """Caches one state per open index of this process; the least recently used is dropped first."""

    def __init__(self, read: Callable[[sqlite3.Connection, int, State | None], State]) -> None:
        """`read` reads the state of a version, from an earlier one if there is one."""
        self._read = read
        self._lock = threading.Lock()
        self._cached: OrderedDict[int, State] = OrderedDict()

    def of(self, connection: sqlite3.Connection, index: int) -> State:
        """Return the state for the connection's snapshot; `index` identifies the file."""
        ver = read_meta(connection, "ver")
        with self._lock:
            known = self._cached.get(index)
        if known is not None and known.ver == ver:
            return known
        state = self._read(connection, ver, known if known is not None and known.ver < ver else None)
        with self._lock:
            kept = self._cached.pop(index, None)
            self._cached[index] = kept if kept is not None and kept.ver > ver else state
            while len(self._cached) > CACHED_INDEXES:
                self._cached.popitem(last=False)
        return state

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._cached.clear()


@dataclass(frozen=True, slots=True)
class FacetNames:
    """The facets of an index that have a value, in alphabetical order."""

    ver: int
    facets: tuple[str, ...]


def read_facet_names(connection: sqlite3.Connection, ver: int, _known: FacetNames | None) -> FacetNames:
    """Read the facets from the connection's snapshot."""
    query = (
        "SELECT name FROM field WHERE kind = 'f' AND name <> ? AND"
        " EXISTS (SELECT 1 FROM value WHERE field = field.id AND card > 0) ORDER BY name"
    )
    return FacetNames(ver, tuple(name for (name,) in connection.execute(query, (SYSTEM,))))


class TextCaches:
    """Caches about texts: their lengths and the vocabulary."""

    def __init__(self) -> None:
        self.lengths = VersionedCache(read_lengths)
        self.vocabularies = VersionedCache(read_vocabulary)

    def forget(self) -> None:
        """Clear the caches."""
        self.lengths.forget()
        self.vocabularies.forget()
