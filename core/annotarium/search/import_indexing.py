"""Indexes documents of a long import while it runs, in two helper processes: one for documents, one for segments.

The import commits a batch, passes its outbox rows on and writes the next batch. The helpers read documents from the
database, as every indexer does; only the tokens of their texts come from the import (see `import_tokenizing`). So they
may die at any time: what they did not both acknowledge is applied by the importing process, or later by any process
that finds the rows.
"""

from __future__ import annotations

import fcntl
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

import structlog

from annotarium.db.identifiers import own_node
from annotarium.db.models import Outbox
from annotarium.errors import ServiceUnavailable
from annotarium.search import indexer
from annotarium.search.import_tokenizing import TokenFiles
from annotarium.search.index_and_search_types import KINDS, Kind
from annotarium.search.index_locks import import_lock_path
from annotarium.search.indexing_process import IndexingProcess, TokenFile, can_fork, start_indexing_process

log = structlog.get_logger(__name__)

MAX_INLINE_DOCUMENTS = 100
"""Number of documents that the importing process indexes itself, because forking helpers would take longer."""
MAX_INLINE_WITHOUT_FORK = 500
"""The same where a helper has to be a new interpreter."""
_MAX_BATCHES_AHEAD = 2
"""Batches that the import may be ahead of the index. Limits how much is not searchable yet and how much is in the pipe.
"""


def uses_indexing_processes(documents: int) -> bool:
    """Return whether an import of so many documents may use helper processes."""
    return documents > MAX_INLINE_DOCUMENTS


class ImportIndexer:
    """Indexes committed outbox rows of one project.

    `finish` returns when all of it is visible to searches, or when the index cannot be written at the moment.

    Args:
        language: language in which the tokens passed to `take` were made.
    """

    def __init__(self, language: str = "") -> None:
        self._language = language
        self._tokens: dict[int, bytes] = {}
        self._inflected: list[bytes] = []
        self._files: TokenFiles | None = None
        self._processes: dict[Kind, IndexingProcess] = {}
        self._inline = False
        self._waiting: list[Outbox] = []
        self._sent: deque[list[Outbox]] = deque()
        self._applied: list[int] = []
        self._lock: IO[bytes] | None = None

    def take(
        self, rows: Sequence[Outbox], words: Mapping[int, bytes] | None = None, inflected: Sequence[bytes] = ()
    ) -> None:
        """Index committed rows. Blocks while the index is too far behind.

        Args:
            rows: committed outbox rows of the project.
            words: tokens of documents among them by id, from `Tokenizer.tokenize`.
            inflected: output of `Tokenizer.new_inflected` since the last call, also for documents that were not
                imported.
        """
        if not self._inline:
            self._tokens |= words or {}
            self._inflected += inflected
        if not rows:
            return
        if self._lock is None:
            self._lock_project(rows[0].project_id)
        self._waiting += rows
        if not self._processes and self._is_worth_processes():
            self._start_processes(rows[0].project_id)
        if self._processes:
            self._send()
            while len(self._sent) > _MAX_BATCHES_AHEAD:
                self._await_batch()
        elif self._inline and len(self._waiting) > MAX_INLINE_WITHOUT_FORK:
            self._apply_waiting()

    def _start_processes(self, project_id: int) -> None:
        if can_fork():  # a new interpreter does not inherit the files
            self._files = TokenFiles(import_lock_path(project_id).parent, _MAX_BATCHES_AHEAD + 1)
        self._processes = {kind: start_indexing_process() for kind in KINDS}

    def _is_worth_processes(self) -> bool:
        waiting = len(self._waiting)
        return not self._inline and waiting > MAX_INLINE_DOCUMENTS and (waiting > MAX_INLINE_WITHOUT_FORK or can_fork())

    def applied(self) -> list[int]:
        """Return the rows that were indexed since the last call; the caller deletes them."""
        done, self._applied = self._applied, []
        return done

    def finish(self) -> None:
        """Wait until everything taken is visible to searches, and end the helpers.

        The import lock is held until `close`: other processes still leave rows alone that are applied and not deleted
        yet.
        """
        while self._sent:
            self._await_batch()
        self._apply_waiting()
        self._end_processes(10)

    def _apply_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if waiting:
            _apply_rows_in_this_process(waiting)

    def close(self) -> None:
        """End the helpers and release the import lock; rows that are not applied yet stay in the outbox."""
        self._end_processes(10)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _end_processes(self, seconds: float) -> None:
        processes, self._processes = self._processes, {}
        for helper in processes.values():
            helper.end(seconds)
        if self._files is not None:
            self._files.close()
            self._files = None

    def _lock_project(self, project_id: int) -> None:
        path = import_lock_path(project_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = path.open("ab")
        with suppress(BlockingIOError):  # two imports into one project: each indexes its own rows
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._lock.truncate(0)
        self._lock.write(b"%d\n" % own_node())
        self._lock.flush()

    def _send(self) -> None:
        rows, self._waiting = self._waiting, []
        self._sent.append(rows)
        project_id = rows[0].project_id
        documents = [row.document_id for row in rows if row.document_id is not None]
        words = self._write_tokens(documents)
        if not all(helper.send(project_id, documents, kind, words) for kind, helper in self._processes.items()):
            self._continue_inline()

    def _write_tokens(self, documents: Sequence[int]) -> TokenFile | None:
        words, self._tokens = self._tokens, {}
        if self._files is None or not words:
            return None
        inflected, self._inflected = self._inflected, []
        written = self._files.put(documents, words, inflected)
        if written is None:  # tokens of later batches rely on these inflected words
            self._files.close()
            self._files = None
            return None
        return TokenFile(*written, self._language)

    def _await_batch(self) -> None:
        if self._processes and all(helper.answer() for helper in self._processes.values()):
            self._applied += [row.id for row in self._sent.popleft()]
        else:
            self._continue_inline()

    def _continue_inline(self) -> None:
        """A helper has ended: index everything in this process from now on."""
        log.warning("index_helper_ended")
        self._inline = True
        self._tokens, self._inflected = {}, []
        rows = [row for batch in self._sent for row in batch]
        self._sent.clear()
        self._end_processes(0)
        _apply_rows_in_this_process(rows)


def _apply_rows_in_this_process(rows: Sequence[Outbox]) -> None:
    """Apply rows in this process. When the index cannot be written, they stay in the outbox and the import goes on."""
    try:
        indexer.get_outbox_relay().apply(rows)
    except ServiceUnavailable as away:
        log.warning("index_away", project=rows[0].project_id, rows=len(rows), cause=away.cause)
