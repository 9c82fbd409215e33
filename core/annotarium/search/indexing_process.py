"""Helper processes that index during a long import (see `import_indexing`), one for each kind of index.

A helper is a fork of the importing process where that is safe: it starts immediately, shares the cached terms of its
parent, and shares its memory. SQLite forbids using open connections after a fork, and a lock that another thread holds
at that time would never be released. So the importing process closes its connections first; and where it has other
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
    """Tokens of a batch: an inherited file descriptor, the number of bytes, and the language they were made in."""

    file: int
    size: int
    language: str


class IndexingProcess:
    """A running helper. It may die at any time: `send` or `answer` then return False."""

    def __init__(self, pid: int, requests: int, answers: int) -> None:
        self.pid = pid
        self._requests = os.fdopen(requests, "wb")
        self._answers = os.fdopen(answers, "rb")

    def send(self, project_id: int, document_ids: list[int], kind: Kind, words: TokenFile | None = None) -> bool:
        """Request the indexing of documents. Returns False when the helper has ended.

        Args:
            words: tokens of these documents; only for a forked helper.
        """
        request = {"project": project_id, "documents": document_ids, "kind": kind, "words": words and list(words)}
        try:
            self._requests.write(orjson.dumps(request) + b"\n")
            self._requests.flush()
        except OSError:
            return False
        return True

    def answer(self) -> bool:
        """Wait until the oldest request is done. Returns False when the helper has ended."""
        return self._answers.readline() == _DONE

    def end(self, seconds: float) -> None:
        """Ask the helper to end, and kill it after `seconds`."""
        with suppress(OSError):
            # Closing the pipe is not enough, because a process that was forked meanwhile may have it open too.
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
    """Start a helper, as a fork where that is safe."""
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
    """Return whether forking is safe: no other thread in this process, and no database connection in use."""
    return threading.active_count() == 1 and get_database().is_idle()


def _close_connections_before_fork() -> None:
    """Close connections that two processes must not share; they are reopened when needed."""
    get_database().dispose()
    if get_search_engine.cache_info().currsize:
        get_search_engine().close()


def _run_fork(parent: int, requests: int, answers: int) -> NoReturn:
    """Run the forked helper. It ends with `os._exit`, so that nothing of the parent's is flushed or cleaned up."""
    status = 1
    try:
        die_with_parent(parent)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        get_database().after_fork()
        get_search_engine.cache_clear()  # an engine on a server has connections
        gc.freeze()
        serve(os.fdopen(requests, "rb"), os.fdopen(answers, "wb"))
        status = 0
    except Exception:
        log.exception("index_helper_failed")
    finally:
        os._exit(status)


def serve_stdio() -> None:
    """Run the helper in a new interpreter: requests from standard input, answers to standard output."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # printed text must not be taken for an answer
    serve(sys.stdin.buffer, answers)


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Index and acknowledge batch after batch, until the end message or the end of the input."""
    words = TokenizedBatch()
    gc.disable()  # one collection after each batch is enough to find the few cycles
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
