"""The index is updated after the database: a request does not wait for it, a search does; a long import uses a helper
process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from support.factories import Corpus, document, found

from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.db.database import get_database
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.imports import importer
from annotarium.search import import_indexing, indexer, indexing_process, repository
from annotarium.search.index_locks import project_index_lock
from annotarium.search.indexer import OutboxRelay, get_outbox_relay


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", f"Sentence {number}. Ann saw Bob.") for number in range(4)))
    corpus.post("/labels", json={"label": "person"})
    return corpus


@pytest.fixture
def following(monkeypatch: pytest.MonkeyPatch, corpus: Corpus) -> Iterator[OutboxRelay]:
    """A relay whose thread applies changes late, so that searches find only what they applied themselves."""
    monkeypatch.setattr(indexer, "_GATHER_SECONDS", 1.0)
    relay = get_outbox_relay()
    relay.follow()
    yield relay
    relay.stop()


def rows_waiting() -> int:
    get_outbox_relay().delete_applied()
    with unit_of_work(actor="", write=False) as unit:
        return repository.count_pending_outbox_rows(unit.session)


def test_a_write_returns_before_indexing_and_the_next_search_finds_it(corpus: Corpus, following: OutboxRelay) -> None:
    for number in range(3):
        corpus.annotate(f"d{number}", "person", 0, 8)
    assert following._waiting[corpus.project.id], "the request waited for the index"
    assert found(corpus, selectedFacets="label:person") == 3
    assert rows_waiting() == 0


def test_a_search_waits_for_changes_of_its_user_but_not_for_labelling_of_others(
    corpus: Corpus, following: OutboxRelay, as_user: Any, client: Any
) -> None:
    """While two users annotated, a search on OpenSearch took 217 ms, and 1.6 s while vectors were written, because it
    applied the changes of others.
    """
    other = Corpus(as_user(client, "paul", *PREDEFINED_BY_NAME), corpus.project, corpus.run_jobs)
    corpus.annotate("d0", "person", 0, 8)
    assert found(other, selectedFacets="label:person") == 0
    assert following._waiting[corpus.project.id], "a search did the work of somebody else"
    with project_index_lock(
        corpus.project.id
    ):  # as a job that writes vectors does; the search must not wait for changes that it does not read
        assert found(other) == 4
        other.post("/segments/_search")
    assert found(corpus, selectedFacets="label:person") == 1
    assert found(other, selectedFacets="label:person") == 1
    other.annotate("d1", "person", 0, 8)
    assert found(other, selectedFacets="label:person") == 2


def test_created_and_deleted_documents_are_visible_to_all_users_immediately(
    corpus: Corpus, following: OutboxRelay, as_user: Any, client: Any
) -> None:
    """The web app of other users reads its list again as soon as it receives the event."""
    other = Corpus(as_user(client, "paul", *PREDEFINED_BY_NAME), corpus.project, corpus.run_jobs)
    corpus.delete("/documents/d3")
    assert found(other) == 3


def test_the_relay_thread_applies_labelling_of_other_users(corpus: Corpus, as_user: Any, client: Any) -> None:
    other = Corpus(as_user(client, "paul", *PREDEFINED_BY_NAME), corpus.project, corpus.run_jobs)
    relay = get_outbox_relay()
    relay.follow()
    try:
        corpus.annotate("d0", "person", 0, 8)
        until = time.monotonic() + 60
        while found(other, selectedFacets="label:person") == 0:
            assert time.monotonic() < until, "what others labelled was not applied"
            time.sleep(0.02)
    finally:
        relay.stop()


def test_another_process_applies_only_rows_that_concern_the_searching_user(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    get_outbox_relay().delete_applied()
    project = corpus.project.id
    with unit_of_work(actor="marie", write=True) as unit:
        unit.relay = False
        unit.touch(project, "facets", document_id=1, start=0, end=3)
    with unit_of_work(actor="paul", write=True) as unit:
        unit.relay = False
        unit.touch(project, "facets", document_id=2)
        unit.touch(project, "document", document_id=3)
    with unit_of_work(actor="", write=False) as unit:
        rows = {
            reader: [
                row.document_id
                for row in repository.list_pending_outbox_rows_of_project(unit.session, project, 10, reader)
            ]
            for reader in ("marie", "paul", "ann", None)
        }
    assert rows == {"marie": [1, 3], "paul": [2, 3], "ann": [3], None: [1, 2, 3]}
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    get_outbox_relay().delete_applied()


def test_waiting_rows_are_applied_without_a_search_and_at_shutdown(corpus: Corpus, following: OutboxRelay) -> None:
    corpus.annotate("d0", "person", 0, 8)
    following.stop()
    assert not following._waiting
    corpus.annotate("d1", "person", 0, 8)  # the thread has stopped: the request applies the change
    assert not following._waiting
    assert found(corpus, selectedFacets="label:person") == 2


def test_a_search_succeeds_when_the_relay_fails(
    corpus: Corpus, following: OutboxRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.annotate("d0", "person", 0, 8)
    with monkeypatch.context() as patch:
        patch.setattr(indexer, "_apply_outbox_rows", lambda *_: 1 / 0)
        assert found(corpus, selectedFacets="label:person") == 0
    assert rows_waiting() == 1
    assert get_outbox_relay().apply_orphaned(older_than_ms=-1_000) == 1
    assert found(corpus, selectedFacets="label:person") == 1


@pytest.mark.parametrize("command", [None, ["-c", "pass"], ["-c", "import sys; sys.stdin.readline()"]])
def test_a_long_import_is_searchable_when_its_job_ends_even_if_the_helper_fails(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, command: list[str] | None
) -> None:
    started = []
    spawn = os.posix_spawn

    def start(program: str, given: list[str], *rest: Any, **options: Any) -> Any:
        started.append(given)
        return spawn(program, [program, *command] if command else given, *rest, **options)

    monkeypatch.setattr(os, "posix_spawn", start)
    monkeypatch.setattr(indexing_process, "can_fork", lambda: False)
    monkeypatch.setattr(import_indexing, "MAX_INLINE_DOCUMENTS", 5)
    monkeypatch.setattr(import_indexing, "MAX_INLINE_WITHOUT_FORK", 5)
    monkeypatch.setattr(importer, "BATCH_DOCUMENTS", 4)
    corpus.add(*(document(f"long{number}", f"Rhubarb number {number}.") for number in range(30)))
    assert started
    assert found(corpus, query="rhubarb") == 30  # a text query with size 0: only the total
    assert rows_waiting() == 0


_FORKED = """
import os, sys
from annotarium.domains.imports import importer
from annotarium.jobs.run import load_job_functions, run_job
from annotarium.search import import_indexing, indexing_process, indexer
from annotarium.server.process_lifecycle import register_commit_listeners

register_commit_listeners()
load_job_functions()
import_indexing.MAX_INLINE_DOCUMENTS, importer.BATCH_DOCUMENTS = 5, 4
parent, index, batches = os.getpid(), indexer.index_documents, []

def index_until(project, documents, kinds, words=None):
    batches.append(documents)
    if sys.argv[2:] == [*kinds, str(len(batches))]:
        os.kill(os.getpid(), 9)
    index(project, documents, kinds, words)

indexer.index_documents = index_until
fork, forks = os.fork, []

def counted():
    forks.append(fork())
    return forks[-1]

os.fork = counted
run_job(sys.argv[1])
print("forks", len(forks))
"""


@pytest.mark.parametrize("killed", [["", "never"], ["documents", "1"], ["segments", "1"], ["segments", "3"]])
def test_a_worker_forks_helpers_and_continues_without_a_killed_one(corpus: Corpus, killed: list[str]) -> None:
    """Three forks: the converter and the helpers. They share no database connection with their parent.

    The converter reports an inflected word once, here with a document that is refused.
    """
    given = [document(f"fork{number}", f"Celery number {number}{' growing' * (number > 9)}.") for number in range(40)]
    given.insert(9, document("fork8", "Growing celery, growing."))
    job = corpus.post("/documents/_import_documents", json=given)
    command = [sys.executable, "-c", _FORKED, job["id"], *killed]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "forks 3" in done.stdout
    assert ("index_helper_ended" in done.stdout + done.stderr) == (killed[1] != "never")
    assert corpus.get(f"/job/{job['id']}")["statusMessage"] == "40 imported, 1 refused of 41 received"
    assert found(corpus, query="celery") == 40
    assert found(corpus, query="growin*") == 30
    assert rows_waiting() == 0


def test_forking_is_refused_with_a_second_thread_or_an_open_connection(data_folder: Any) -> None:
    waits = threading.Event()
    thread = threading.Thread(target=waits.wait)
    thread.start()
    assert not indexing_process.can_fork()
    waits.set()
    thread.join()
    get_database().dispose()
    assert get_database().is_idle()
    with unit_of_work(actor="", write=False) as unit:
        repository.count_pending_outbox_rows(unit.session)
        assert not get_database().is_idle()
    assert get_database().is_idle()


def test_outbox_rows_of_a_running_import_are_left_to_it(corpus: Corpus) -> None:
    feed = import_indexing.ImportIndexer()
    with unit_of_work(actor="tests", write=True) as unit:
        unit.relay = False
        unit.touch(corpus.project.id, "project")
    feed.take(unit.touched)
    assert get_outbox_relay().apply_orphaned(older_than_ms=-1_000) == 0
    feed.close()  # as if the process had been killed
    assert get_outbox_relay().apply_orphaned(older_than_ms=-1_000) == 1
    assert rows_waiting() == 0
