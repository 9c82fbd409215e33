"""Memory of large responses is released: database page caches are bounded, freed memory is returned to the system."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import orjson
import pytest
from support.factories import Corpus, document

from annotarium.db.database import get_database
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.documents import export, repository
from annotarium.domains.documents.service import export_documents
from annotarium.search.embedded.index_database import IndexConnections
from annotarium.server import memory

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="tuned where the C library is that of Linux")

_MANY_READERS = """
import sqlite3, sys
from annotarium.server import memory

if "bounded" in sys.argv:
    memory.DATABASE_PAGES = 4 << 20
    memory.limit_memory_caches()
connections = [sqlite3.connect(sys.argv[1]) for _ in range(12)]
before = memory.private_bytes()
for connection in connections:
    connection.execute("PRAGMA cache_size = -32768")
    connection.execute("SELECT count(*), sum(length(text)) FROM long").fetchall()
print(memory.private_bytes() - before)
"""

_FRAGMENTS = """
import ctypes
from annotarium.server import memory

memory.limit_memory_caches()
returning = memory.MemoryTrimmer()
before = memory.private_bytes()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.free.argtypes = [ctypes.c_void_p]
pieces = [libc.malloc(60_000) for _ in range(2_000)]
for piece in pieces:
    ctypes.memset(piece, 1, 60_000)
for piece in pieces[:-1]:  # the last one holds the heap up
    libc.free(piece)
held = memory.private_bytes() - before
returning()
print(held, memory.private_bytes() - before)
"""


def figures(program: str, *arguments: str) -> list[int]:
    """Run a program in its own process, since the bounds are per process; returns the numbers it prints."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.splitlines()[-1].split()]


def test_page_caches_of_all_connections_are_bounded_together(tmp_path: object) -> None:
    """The API used up to 32 MB per connection: 356 MB after searches, 614 MB after a morning."""
    path = f"{tmp_path}/long.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE long (text TEXT)")
        connection.executemany("INSERT INTO long VALUES (?)", (("x" * 2_000,) for _ in range(4_000)))
    (unbounded,) = figures(_MANY_READERS, path)
    (bounded,) = figures(_MANY_READERS, path, "bounded")
    assert unbounded > 60 << 20
    assert bounded < 20 << 20


def test_freed_memory_is_returned_to_the_system() -> None:
    held, left = figures(_FRAGMENTS)
    assert held > 50 << 20
    assert left < 20 << 20


def test_connections_of_threads_that_ended_are_closed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each held its pages of the index until garbage collection: 40 MB after 200 searches, and growing."""
    store, path = IndexConnections(), tmp_path / "index.sqlite"
    store.connection(path, create=True)

    def search() -> None:
        assert store.connection(path, create=False) is not None

    def connections() -> int:
        return sum(isinstance(one, sqlite3.Connection) for one in gc.get_objects())

    gc.collect()
    before = connections()
    gc.disable()
    try:
        threads = [threading.Thread(target=search) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sizes = iter([100 << 20, 200 << 20, 100 << 20])
        monkeypatch.setattr(memory, "private_bytes", lambda: next(sizes))
        memory.MemoryTrimmer()()
        assert connections() == before
    finally:
        gc.enable()


def test_memory_is_trimmed_while_it_grows_and_once_more_when_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    size = 100
    monkeypatch.setattr(memory, "private_bytes", lambda: size << 20)
    done: list[str] = []
    returning = memory.MemoryTrimmer(lambda: done.append("let go"))
    monkeypatch.setattr(returning, "_trim", lambda _: done.append("trimmed"))
    acts = []
    for size in (101, 120, 121, 121, 122, 90, 97, 98, 98, 98):
        done.clear()
        returning()
        assert done in ([], ["let go", "trimmed"])
        acts.append((size, bool(done)))
    assert acts == [
        *((101, False), (120, True), (121, True), (121, False), (122, False)),
        *((90, False), (97, False), (98, True), (98, True), (98, False)),
    ]


def test_idle_connections_are_closed_with_their_page_caches(data_folder: object) -> None:
    database = get_database()
    with unit_of_work(actor="", write=False) as unit:
        unit.session.connection()
        database.release_idle_connections()
        unit.session.connection()  # a connection in use is not closed
    with unit_of_work(actor="", write=False) as unit:
        unit.session.connection()
    assert database.read_engine.pool.checkedin() >= 1 or not database.is_sqlite  # type: ignore[attr-defined]
    database.release_idle_connections()
    assert database.read_engine.pool.checkedin() == 0 or not database.is_sqlite  # type: ignore[attr-defined]


def test_a_list_of_all_identifiers_is_streamed_in_batches(
    as_admin: Any, make_project: Any, run_jobs: Any, client: Any, open_as: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The corpus is never in memory as a whole: when the first chunk is sent, one batch has been read."""
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", f"Sentence {number}.") for number in range(10)))
    monkeypatch.setattr(export, "BATCH", 3)
    read: list[int] = []
    page = repository.page_of_ids

    def watched(call: Any, after: int, limit: int) -> Any:
        found = page(call, after, limit)
        read.append(len(found))
        return found

    monkeypatch.setattr(repository, "page_of_ids", watched)
    with open_as("root", corpus.project) as call:
        answer = export_documents(call, limit=0, fields=frozenset({"identifier"}))
        pieces = answer.body_iterator.__aiter__()

        async def first() -> Any:
            return await pieces.__anext__()

        sent = asyncio.run(first())
        assert read == [3]
        assert orjson.loads(sent + b"]") == [{"identifier": f"d{number}"} for number in range(3)]
    listed = corpus.get("/documents", params={"outputFields": "identifier"})
    assert [one["identifier"] for one in listed] == [f"d{number}" for number in range(10)]
    assert read[1:] == [3, 3, 3, 1, 0]
