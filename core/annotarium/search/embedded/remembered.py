"""What a process remembers of index files: read once, refreshed with what changed since."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from annotarium.search.embedded.lengths import read_lengths
from annotarium.search.embedded.store import SYSTEM, meta
from annotarium.search.embedded.vocabulary import read_vocabulary

KEPT_INDEXES = 12


class Versioned(Protocol):
    """What was read of an index at one version; never changed once made: threads share it."""

    @property
    def ver(self) -> int:
        """The version of the index."""
        ...


State = TypeVar("State", bound=Versioned)


class Remembered(Generic[State]):
    """One state for each open index of this process, the least recently used dropped first."""

    def __init__(self, read: Callable[[sqlite3.Connection, int, State | None], State]) -> None:
        """`read` makes the state of a version, from an earlier one where there is one."""
        self._read = read
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, State] = OrderedDict()

    def of(self, connection: sqlite3.Connection, index: int) -> State:
        """The state in the connection's snapshot; `index` identifies the file."""
        ver = meta(connection, "ver")
        with self._lock:
            known = self._kept.get(index)
        if known is not None and known.ver == ver:
            return known
        state = self._read(connection, ver, known if known is not None and known.ver < ver else None)
        with self._lock:
            kept = self._kept.pop(index, None)
            self._kept[index] = kept if kept is not None and kept.ver > ver else state
            while len(self._kept) > KEPT_INDEXES:
                self._kept.popitem(last=False)
        return state

    def forget(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()


@dataclass(frozen=True, slots=True)
class Names:
    """The facets of an index that have a value, in alphabetical order."""

    ver: int
    facets: tuple[str, ...]


def read_names(connection: sqlite3.Connection, ver: int, _known: Names | None) -> Names:
    """The facets in the connection's snapshot."""
    query = (
        "SELECT name FROM field WHERE kind = 'f' AND name <> ? AND"
        " EXISTS (SELECT 1 FROM value WHERE field = field.id AND card > 0) ORDER BY name"
    )
    return Names(ver, tuple(name for (name,) in connection.execute(query, (SYSTEM,))))


class TextMemory:
    """What is remembered of texts: how long they are, and which words are in them."""

    def __init__(self) -> None:
        self.lengths = Remembered(read_lengths)
        self.vocabularies = Remembered(read_vocabulary)

    def forget(self) -> None:
        """Drop everything."""
        self.lengths.forget()
        self.vocabularies.forget()
