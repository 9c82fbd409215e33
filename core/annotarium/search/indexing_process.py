"""A process that indexes beside a long import (see `feeding`), one for each kind of entries, and how it is started.

It is a fork of the importing process where that is safe: it starts at once, knows the words its parent knows, and
shares its memory. SQLite forbids to take open connections over a fork, and a lock that another thread holds at that
moment would never be free again: so the importing process closes its connections first, and where it has other
threads, or a connection in use, the helper is a new interpreter instead.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from typing import IO, NamedTuple, NoReturn

import orjson
import structlog

from annotarium.db.database import get_database
from annotarium.search import indexer
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.import_tokenizing import TokenizedBatch
from annotarium.search.index_and_search_types import Kind
from annotarium.system.child_processes import die_with_parent

log = structlog.get_logger(__name__)
_DONE, _END = b"done\n", b"\n"
_POLL_SECONDS = 0.005


class TokenFile(NamedTuple):
    """Where the words of a batch are: a file that forks inherit, its bytes, and the language they were cut in."""

    file: int
    size: int
    language: str


class IndexingProcess:
    """A running helper. It may die at any time: then `send` says so, or `answer`."""

    def __init__(self, pid: int, requests: int, answers: int) -> None:
        self.pid = pid
        self._requests = os.fdopen(requests, "wb")
        self._answers = os.fdopen(answers, "rb")

    def send(self, project_id: int, document_ids: list[int], kind: Kind, words: TokenFile | None = None) -> bool:
        """Have entries of documents made; False when the helper is gone.

        Args:
            words: of these documents; only for a fork.
        """
        request = {"project": project_id, "documents": document_ids, "kind": kind, "words": words and list(words)}
        try:
            self._requests.write(orjson.dumps(request) + b"\n")
            self._requests.flush()
        except OSError:
            return False
        return True

    def answer(self) -> bool:
        """Wait until the oldest request is done; False when the helper is gone."""
        return self._answers.readline() == _DONE

    def end(self, seconds: float) -> None:
        """Have it end, and kill it when it takes longer."""
        with suppress(OSError):
            # Said, because a converter or a helper that was forked meanwhile holds this pipe open too.
            self._requests.write(_END)
        for pipe in (self._requests, self._answers):
            with suppress(OSError):
                pipe.close()
        limit = time.monotonic() + seconds
        while os.waitpid(self.pid, os.WNOHANG)[0] == 0:
            if time.monotonic() >= limit:
                os.kill(self.pid, signal.SIGKILL)
                os.waitpid(self.pid, 0)
                return
            time.sleep(_POLL_SECONDS)


def start_indexing_process() -> IndexingProcess:
    """Start one, as a fork where that is safe."""
    request_read, request_write = os.pipe()
    answer_read, answer_write = os.pipe()
    if can_fork():
        _close_connections_before_fork()
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(request_write)
            os.close(answer_read)
            _run_fork(parent, request_read, answer_write)
    else:
        pid = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", "annotarium.server.launch", "index"],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_DUP2, request_read, 0), (os.POSIX_SPAWN_DUP2, answer_write, 1)],
        )
    os.close(request_read)
    os.close(answer_write)
    return IndexingProcess(pid, request_write, answer_read)


def can_fork() -> bool:
    """Whether a forked helper would be sound: no other thread here, no connection of the record in use."""
    return threading.active_count() == 1 and get_database().is_idle()


def _close_connections_before_fork() -> None:
    """Close what must not be open in two processes; it is opened again when it is needed."""
    get_database().dispose()
    if get_search_engine.cache_info().currsize:
        get_search_engine().close()


def _run_fork(parent: int, requests: int, answers: int) -> NoReturn:
    """The life of the fork. Nothing of the parent's is flushed or cleaned up at its end."""
    status = 1
    try:
        die_with_parent(parent)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        get_database().after_fork()
        get_search_engine.cache_clear()  # an engine elsewhere is spoken to through connections
        gc.freeze()
        serve(os.fdopen(requests, "rb"), os.fdopen(answers, "wb"))
        status = 0
    except Exception:
        log.exception("index_helper_failed")
    finally:
        os._exit(status)


def serve_stdio() -> None:
    """The life of a new interpreter: requests come by standard input, answers go to standard output."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not be taken for an answer
    serve(sys.stdin.buffer, answers)


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Index batch after batch, acknowledge each, until the end is said or the other side is gone."""
    words = TokenizedBatch()
    gc.disable()  # a batch leaves next to nothing: looking once after each finds what circles there are
    for line in requests:
        if line == _END:
            return
        request = orjson.loads(line)
        if request["words"]:
            words.read(request["documents"], *request["words"])
        indexer.index_documents(
            request["project"], request["documents"], [request["kind"]], words if request["words"] else None
        )
        answers.write(_DONE)
        answers.flush()
        gc.collect(1)
