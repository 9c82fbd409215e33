"""An index locked by another process, alive or killed: searches and jobs continue, and no change is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.factories import Corpus, document, found

from annotarium.search import index_locks, indexer
from annotarium.search.index_locks import IndexBusy, project_index_lock
from annotarium.search.indexer import OutboxRelay, get_outbox_relay
from annotarium.settings import get_settings

HOLD = """
import fcntl, sys
handle = open(sys.argv[1], "a+")
fcntl.flock(handle, fcntl.LOCK_EX)
handle.truncate(0); handle.write("4711"); handle.flush()
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", "Ann saw Bob.") for number in range(4)))
    corpus.post("/labels", json={"label": "person"})
    return corpus


@pytest.fixture
def holder(corpus: Corpus) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of the project's index."""
    found(corpus)
    path = get_settings().index_folder / f"{corpus.project.id}.documents.lock"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def relay(monkeypatch: pytest.MonkeyPatch) -> Iterator[OutboxRelay]:
    monkeypatch.setattr(indexer, "_SETTLE_SECONDS", 0.3)
    monkeypatch.setattr(indexer, "_APPLY_SECONDS", 0.5)
    relay = get_outbox_relay()
    relay.follow()
    yield relay
    relay.stop()


def test_changes_and_searches_are_answered_while_somebody_holds_the_index(
    corpus: Corpus, relay: OutboxRelay, holder: subprocess.Popen[str]
) -> None:
    """Sends more requests at a time than the server has threads, and one that does not need the index."""
    corpus.annotate("d0", "person", 0, 3)
    begin = time.monotonic()
    with ThreadPoolExecutor(60) as callers:
        answers = list(callers.map(lambda _: found(corpus), range(60)))
    assert answers == [4] * 60
    corpus.get("/labels")
    assert time.monotonic() - begin < 20
    assert found(corpus, selectedFacets="label:person") == 0, "the lock did not hold"
    holder.kill()
    holder.wait()
    until = time.monotonic() + 60
    while found(corpus, selectedFacets="label:person") != 1:
        assert time.monotonic() < until, "what waited was not applied when the holder had died"


def test_waiting_for_the_lock_times_out_and_names_the_holder(corpus: Corpus, holder: subprocess.Popen[str]) -> None:
    with pytest.raises(IndexBusy) as refused, project_index_lock(corpus.project.id, 0.1):
        raise AssertionError("two at a time")
    assert "process 4711" in refused.value.cause
    assert refused.value.status == 503


def test_rows_stay_queued_while_the_index_is_locked(
    corpus: Corpus, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexer, "LOCK_TIMEOUT", 0.1)
    corpus.annotate("d0", "person", 0, 3)
    relay = get_outbox_relay()
    assert relay._waiting[corpus.project.id]
    holder.kill()
    holder.wait()
    relay.settle(corpus.project.id)
    assert not relay._waiting
    assert found(corpus, selectedFacets="label:person") == 1


def test_a_long_wait_for_the_lock_is_logged(
    corpus: Corpus, holder: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[dict[str, Any]] = []
    monkeypatch.setattr(index_locks, "_WARN_AFTER_SECONDS", 0.05)
    monkeypatch.setattr(index_locks.log, "warning", lambda event, **facts: told.append({"event": event} | facts))
    with pytest.raises(IndexBusy), project_index_lock(corpus.project.id, 0.3):
        raise AssertionError("two at a time")
    assert told == [{"event": "index_lock_waits", "project": corpus.project.id, "holder": "process 4711"}]
