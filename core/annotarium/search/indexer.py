"""Keeps the index up to date with the database: applies outbox rows after each commit, and rebuilds indexes.

Rows are applied by reading the current state of their documents under a lock per project (across processes), so order
and repetition do not matter. Applied rows are deleted a little later, in bulk. If a process dies before that, they are
applied once more; no change is lost.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import structlog

from annotarium.db.database import get_database
from annotarium.db.identifiers import new_id, node_of_id
from annotarium.db.models import Outbox, Project
from annotarium.db.unit_of_work import UnitOfWork, unit_of_work
from annotarium.errors import ServiceUnavailable
from annotarium.search import repository
from annotarium.search.engine import SearchEngine
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.import_tokenizing import TokenizedBatch, TokenizedText
from annotarium.search.index_and_search_types import KINDS, IndexDoc, IndexKey, IndexPatch, Kind
from annotarium.search.index_entries import document_entry, facet_patches, segment_entries
from annotarium.search.index_locks import (
    LOCK_TIMEOUT,
    IndexBusy,
    is_import_indexing,
    node_ids_of_indexing_imports,
    note_applied_outbox_rows,
    project_index_lock,
    recently_applied_outbox_rows,
)
from annotarium.search.repository import IndexableDocument
from annotarium.search.shared_index import require_index_of_installation
from annotarium.search.term_indexing import PendingTerms, apply_pending_terms, rebuild_terms
from annotarium.search.text_analysis import get_analyser
from annotarium.settings import get_settings
from annotarium.system.follower_thread import FollowerThread

log = structlog.get_logger(__name__)
BATCH = 400
_ORPHANED_AFTER_MS = 3_000
_GATHER_SECONDS, _GATHER_MOST_SECONDS = 0.02, 0.5
"""Seconds for which the relay's thread collects changes before it applies them together. A search does not wait for it.
"""
_SETTLE_SECONDS = 2.0
"""Seconds for which a search waits for earlier changes; then it uses the index as it is."""
_FETCH_LIMIT = 300
"""Rows of other processes that a search applies itself; more are left to the relay's thread."""
_APPLY_SECONDS = 30.0
"""Seconds for which the relay's thread waits for one project before it continues with the next."""


def index_key(project: Project, kind: Kind) -> IndexKey:
    """Return the key of a project's index."""
    return IndexKey(str(project.id), kind, project.lang)


def open_index(project: Project, kind: Kind, *, reader: str | None = None) -> tuple[SearchEngine, IndexKey]:
    """Return the engine and the key of a project's index, after applying what was committed to the project before.

    Args:
        reader: the user who searches, when it is enough to find this user's own changes. Changes of labelling by others
            within the last second may then be missing, or longer ago while another process locks the index.
    """
    get_outbox_relay().settle(project.id, reader)
    return get_search_engine(), index_key(project, kind)


@dataclass
class _PendingWork:
    """Pending changes of one project, merged per document."""

    documents: set[int]
    facets: dict[int, list[tuple[int, int]] | None]
    whole: bool = False
    deleted: bool = False
    terms: PendingTerms = field(default_factory=PendingTerms)


class OutboxRelay(FollowerThread):
    """Applies outbox rows; one per process. Threads that wait for the lock find their rows done by the one before.

    In the API, `follow` starts a thread that applies the rows of commits, so that no request waits for the index and
    simultaneous changes are applied together. Searches call `open_index`, which applies pending rows first: a client
    that received the response to a change finds it in its next search. Labelling by other users is left to the thread,
    which is about half a second behind at most (`_GATHER_MOST_SECONDS`) while no other process locks the index, so that
    a search does not apply the work of many annotators. With several API processes, a search also reads from the outbox
    the rows it has to see, and applies those that are not applied yet.
    """

    def __init__(self) -> None:
        super().__init__("index relay")
        self._processes = get_settings().api_processes
        self._guard = threading.Lock()
        self._locks: dict[int, threading.Lock] = defaultdict(threading.Lock)
        self._waiting: dict[int, list[Outbox]] = defaultdict(list)
        self._being_applied: dict[int, list[Outbox]] = {}
        self._applied: list[int] = []

    def on_commit(self, unit: UnitOfWork) -> None:
        """Apply the rows a unit wrote (called after `db.unit_of_work.committed`), or leave them to the thread."""
        if not unit.touched or not unit.relay:
            return
        if self._thread is None:
            for project_id in self._add(unit.touched):
                self._drain_safely(project_id, LOCK_TIMEOUT)
        else:
            self._add(unit.touched)
            self._wake.set()

    def apply(self, rows: Iterable[Outbox]) -> None:
        """Apply rows and return when they are visible to searches.

        Raises:
            ServiceUnavailable: the index cannot be written at the moment; the rows stay pending.
        """
        for project_id in self._add(rows):
            self._drain(project_id, LOCK_TIMEOUT)

    def settle(self, project_id: int, reader: str | None = None) -> None:
        """Wait until everything committed to a project is visible to searches, for a limited time. Never raises.

        While the index is rebuilt or locked by another process, searches use its current content: if they waited, they
        would block all threads of the process.

        Args:
            reader: wait only for what this user must find (see `repository.is_change_awaited_by_reader`).
        """
        thread = self._thread
        if thread is None:  # without the thread, nobody else applies the remaining rows
            reader = None
        if (self._processes > 1 or thread is None) and self._fetch(project_id, reader) and thread is not None:
            self._wake.set()
            self._await(project_id, reader)
        elif self._is_behind(project_id, reader):
            self._drain_safely(project_id, _SETTLE_SECONDS)

    def _is_behind(self, project_id: int, reader: str | None) -> bool:
        with self._guard:
            rows = (*self._waiting.get(project_id, ()), *self._being_applied.get(project_id, ()))
            return any(repository.is_change_awaited_by_reader(row, reader) for row in rows)

    def _fetch(self, project_id: int, reader: str | None) -> bool:
        """Add the pending rows of other processes. Returns whether they are too much work for a search."""
        with get_database().session(write=False) as session:
            rows = repository.list_pending_outbox_rows_of_project(session, project_id, _FETCH_LIMIT, reader)
        if rows:
            with self._guard:
                here = (*self._waiting.get(project_id, ()), *self._being_applied.get(project_id, ()))
                known = {*self._applied, *(row.id for row in here)}
            rows = [row for row in rows if row.id not in known]
        if rows:
            done, indexing = recently_applied_outbox_rows(project_id), node_ids_of_indexing_imports(project_id)
            rows = [row for row in rows if row.id not in done and node_of_id(row.id) not in indexing]
        self._add(rows)
        return len(rows) >= _FETCH_LIMIT or any(row.operation == "project" for row in rows)

    def _await(self, project_id: int, reader: str | None) -> None:
        limit = time.monotonic() + _SETTLE_SECONDS
        while self._is_behind(project_id, reader) and time.monotonic() < limit:
            time.sleep(_GATHER_SECONDS)

    def _follow(self) -> None:
        pause = _GATHER_SECONDS
        stopping = False
        while not stopping:
            self._wake.wait(5)
            self._wake.clear()
            time.sleep(pause)
            stopping = self._thread is None  # rows of later commits are applied by the committing threads
            with self._guard:
                projects = sorted(self._waiting)
            begin = time.monotonic()
            for project_id in projects:
                self._drain_safely(project_id, _APPLY_SECONDS)
            # The pause grows with the work, so that at most a ninth of the time goes to the index and more rows are
            # applied together.
            longest = _GATHER_MOST_SECONDS * self._processes
            pause = min(max(8 * self._processes * (time.monotonic() - begin), _GATHER_SECONDS), longest)

    def _drain_safely(self, project_id: int, seconds: float) -> None:
        try:
            self._drain(project_id, seconds)
        except IndexBusy as busy:
            log.info("index_busy", project=project_id, waited=seconds, cause=busy.cause)
        except ServiceUnavailable as away:
            log.warning("index_away", project=project_id, cause=away.cause)
        except Exception:
            log.exception("index_behind", project=project_id)  # the rows stay in the outbox

    def _add(self, rows: Iterable[Outbox]) -> list[int]:
        with self._guard:
            projects = set()
            for row in rows:
                self._waiting[row.project_id].append(row)
                projects.add(row.project_id)
            return sorted(projects)

    def _drain(self, project_id: int, seconds: float) -> None:
        """Apply the pending rows of a project.

        Raises:
            IndexBusy: another process or thread locked the index for `seconds`.
            ServiceUnavailable: the index cannot be written. In both cases the rows stay pending.
        """
        limit = time.monotonic() + seconds
        with self._guard:
            lock = self._locks[project_id]
        if not lock.acquire(timeout=seconds):
            raise IndexBusy(project_id, "another thread")
        try:
            with self._guard:  # for `settle`, rows must always be in one of the two
                waiting = self._waiting.pop(project_id, [])
                self._being_applied[project_id] = waiting
            if waiting:
                self._apply_waiting(project_id, waiting, limit - time.monotonic())
        finally:
            with self._guard:
                self._being_applied.pop(project_id, None)
            lock.release()

    def _apply_waiting(self, project_id: int, waiting: list[Outbox], seconds: float) -> None:
        try:
            with project_index_lock(project_id, seconds):
                done = recently_applied_outbox_rows(project_id)
                left = [row for row in waiting if row.id not in done]
                if left:
                    _apply_outbox_rows(project_id, left)
                    note_applied_outbox_rows(project_id, [row.id for row in left])
        except ServiceUnavailable:
            with self._guard:
                self._waiting[project_id] += waiting
            raise
        with self._guard:
            self._applied += [row.id for row in waiting]

    def delete_applied(self) -> None:
        """Delete the applied rows from the outbox."""
        with self._guard:
            applied, self._applied = self._applied, []
        if applied:
            with unit_of_work(actor="", write=True) as unit:
                repository.delete_outbox_rows(unit.session, applied)

    def apply_orphaned(self, *, limit: int = 1_000, older_than_ms: int = _ORPHANED_AFTER_MS) -> int:
        """Apply rows that a process could not apply or left behind when it died. Returns their number."""
        before = new_id() - (older_than_ms << 22)
        with unit_of_work(actor="", write=False) as unit:
            rows = list(repository.list_pending_outbox_rows(unit.session, before=before, limit=limit))
        with self._guard:
            known = {*self._applied, *(row.id for waiting in self._waiting.values() for row in waiting)}
        indexing = {project_id for project_id in {row.project_id for row in rows} if is_import_indexing(project_id)}
        rows = [row for row in rows if row.id not in known and row.project_id not in indexing]
        for project_id in self._add(rows):
            self._drain_safely(project_id, _APPLY_SECONDS)  # a project that cannot be applied must not block the others
        return len(rows)


@lru_cache(maxsize=1)
def get_outbox_relay() -> OutboxRelay:
    """Return the relay of this process."""
    return OutboxRelay()


def _merge_outbox_rows(rows: Iterable[Outbox]) -> _PendingWork:
    work = _PendingWork(set(), {})
    for row in rows:
        if row.operation in ("project", "rebuild"):
            work.whole = True
        elif row.document_id is None or work.terms.take(row):
            continue
        elif row.operation in ("document", "delete"):
            work.documents.add(row.document_id)
        elif row.start is None or row.end is None or work.facets.get(row.document_id, ()) is None:
            work.facets[row.document_id] = None
        else:
            ranges = work.facets.setdefault(row.document_id, [])
            assert ranges is not None
            ranges.append((row.start, row.end))
    for document_id in work.documents:
        work.facets.pop(document_id, None)
    return work


def _apply_outbox_rows(project_id: int, rows: list[Outbox]) -> None:
    project = _find_project_or_drop_index(project_id)
    if project is None:
        return
    work = _merge_outbox_rows(rows)
    if work.whole:
        _rebuild_locked(project)
        return
    _index_batches(project, sorted(work.documents))
    facets = sorted(work.facets)
    for begin in range(0, len(facets), BATCH):
        _patch_documents(project, {key: work.facets[key] for key in facets[begin : begin + BATCH]})
    apply_pending_terms(project, work.terms)


def index_documents(
    project_id: int, ids: list[int], kinds: Collection[Kind] = KINDS, words: TokenizedBatch | None = None
) -> None:
    """Update the index entries of documents, of these kinds, from the database.

    Args:
        words: tokens of their texts, as far as they were made before.
    """
    with project_index_lock(project_id, kinds=kinds):
        project = _find_project(project_id)
        if project is not None:
            if words is not None and words.language != project.lang:
                words = None
            _index_batches(project, sorted(set(ids)), kinds, words)


def _find_project_or_drop_index(project_id: int) -> Project | None:
    """Return the project. When it was deleted, drop its index and return None."""
    project = _find_project(project_id)
    if project is None:
        get_search_engine().drop(str(project_id))
    return project


def _find_project(project_id: int) -> Project | None:
    with get_database().session(write=False) as session:
        require_index_of_installation(session)
        project = repository.find_project(session, project_id)
    return project if project is not None and project.deleted_at is None else None


def _index_batches(
    project: Project, ids: Sequence[int], kinds: Collection[Kind] = KINDS, words: TokenizedBatch | None = None
) -> None:
    for begin in range(0, len(ids), BATCH):
        _index_documents(project, list(ids[begin : begin + BATCH]), kinds=kinds, words=words)


def _index_documents(
    project: Project,
    ids: list[int],
    generations: dict[Kind, IndexKey] | None = None,
    kinds: Collection[Kind] = KINDS,
    words: TokenizedBatch | None = None,
) -> None:
    states, cut = _load_documents_and_tokens(project, ids, words)
    cutter = get_analyser(project.lang)
    entries: list[IndexDoc] = []
    segments: list[IndexDoc] = []
    for state in states.values():
        known = cut.get(state.id)
        whole = known.whole() if known else cutter.tokens(state.text or "")
        if "documents" in kinds:
            entries.append(document_entry(state, whole))
        if "segments" in kinds:
            segments += segment_entries(state, whole, known.parts(whole) if known else None)
    if words is not None:
        words.attach_inflected(entries, cutter)
        words.attach_inflected(segments, cutter)
    keys = generations or {kind: index_key(project, kind) for kind in KINDS}
    engine = get_search_engine()
    if "segments" in kinds:
        # Old segments of a document are found by a facet and deleted before the new ones are written.
        old = [FacetSelection("document", str(document_id)) for document_id in ids] if generations is None else []
        engine.bulk(keys["segments"], segments, delete_matching=old)
    if "documents" in kinds:
        deleted = [str(document_id) for document_id in ids if document_id not in states]
        engine.bulk(keys["documents"], entries, deletes=deleted)


def _load_documents_and_tokens(
    project: Project, ids: list[int], words: TokenizedBatch | None
) -> tuple[dict[int, IndexableDocument], dict[int, TokenizedText]]:
    """Return the current documents, and the tokens of those whose texts were not loaded."""
    with get_database().session(write=False) as session:
        labels = repository.label_names(session, project.id)
        states = repository.load_indexable_documents(session, project.id, ids, with_text=words is None, labels=labels)
        if words is None:
            return states, {}
        tokens_of = {state.id: words.tokens_of(state.id, state.segments) for state in states.values()}
        cut = {document_id: found for document_id, found in tokens_of.items() if found is not None}
        for document_id, text in repository.load_texts(session, [one for one in states if one not in cut]):
            states[document_id].text = text
    return states, cut


def _patch_documents(project: Project, wanted: dict[int, list[tuple[int, int]] | None]) -> None:
    with get_database().session(write=False) as session:
        labels = repository.label_names(session, project.id)
        states = repository.load_indexable_documents(session, project.id, list(wanted), with_text=False, labels=labels)
    documents: list[IndexPatch] = []
    segments: list[IndexPatch] = []
    for document_id, state in states.items():
        patch, parts = facet_patches(state, wanted[document_id])
        documents.append(patch)
        segments += parts
    engine = get_search_engine()
    engine.patch(index_key(project, "segments"), segments)
    engine.patch(index_key(project, "documents"), documents)


def _rebuild_locked(project: Project) -> int:
    engine = get_search_engine()
    generations = {kind: engine.begin_generation(index_key(project, kind)) for kind in KINDS}
    count = 0
    with get_database().session(write=False) as session:
        for ids in repository.iterate_document_ids(session, project.id, BATCH):
            _index_documents(project, ids, generations)
            count += len(ids)
    for key in generations.values():
        engine.switch(key)
    rebuild_terms(project)
    return count


def rebuild(project_name: str | None = None) -> dict[str, int]:
    """Rebuild the index of one project, or of all, from the database.

    Returns the number of documents by project name.
    """
    done = {}
    for project in list_projects(project_name):
        with project_index_lock(project.id):
            done[project.name] = _rebuild_locked(project)
    return done


def list_projects(name: str | None) -> list[Project]:
    """Return the live project of that name, or all live projects."""
    with get_database().session(write=False) as session:
        projects = repository.list_projects(session)
    return [project for project in projects if name is None or project.name == name]
