"""All processes of an installation write to one search index: a process that uses another is refused and acknowledges
no changes.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.models import InstanceFact
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs.worker import JobWorker
from annotarium.search import repository, shared_index
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_migration import reindex_after_engine_change, reindex_after_server_change
from annotarium.search.indexer import get_outbox_relay, rebuild
from annotarium.search.shared_index import (
    IndexDiffers,
    describe_local_index,
    publish_index,
    publish_index_store_id,
    require_equal_index_descriptions,
    require_same_index,
    skip_index_check,
)
from annotarium.settings import Settings, get_settings

NOWHERE = "http://127.0.0.1:9"
SERVER = {"engine": "opensearch", "prefix": "annotarium", "place": "one"}


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(document("d0", "Ann saw Bob."), document("d1", "Bob left."))
    corpus.post("/labels", json={"label": "person"})
    return corpus


@pytest.fixture(autouse=True)
def _restore_shared_index(data_folder: Any) -> Iterator[None]:
    """Restores the shared-index state after each test."""
    shared_index._local.publishes = shared_index._local.detached = False
    yield
    shared_index._local.detached = False
    shared_index._local.store_ids.clear()
    get_settings.cache_clear()
    get_search_engine.cache_clear()
    publish_index()
    shared_index._local.publishes = False


def written() -> dict[str, Any]:
    with unit_of_work(actor="tests", write=False) as unit:
        return repository.find_shared_index(unit.session) or {}


def write(**values: Any) -> None:
    """Change the stored index description, as a process with other settings would."""
    with unit_of_work(actor="tests", write=True) as unit:
        fact = unit.session.get(InstanceFact, repository.SHARED_INDEX)
        assert fact is not None
        fact.value = {**fact.value, **values}


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    given = [sys.executable, "-m", "annotarium.cli", *arguments]
    return subprocess.run(given, capture_output=True, text=True, env=os.environ | environment, timeout=90, check=False)


@pytest.mark.parametrize(
    ("studio", "worker", "fix"),
    [
        (SERVER, {}, "Set OPENSEARCH_URL for this process as for annotarium serve"),
        ({}, {"OPENSEARCH_URL": NOWHERE}, "Take OPENSEARCH_URL away"),
        (SERVER, {"OPENSEARCH_URL": NOWHERE, "ANNOTARIUM_OPENSEARCH_PREFIX": "mine"}, "OPENSEARCH_PREFIX=annotarium"),
        ({"software": "0.0.1"}, {}, "start annotarium serve first"),
        ({"indexVersion": 1}, {}, "Install the same version on all machines"),
    ],
)
def test_a_worker_with_another_index_is_refused_at_startup(
    client: Any, studio: dict[str, Any], worker: dict[str, str], fix: str
) -> None:
    """A worker without OPENSEARCH_URL completed imports whose documents no search found, and emptied the outbox."""
    publish_index()
    write(**studio)
    ended = command("worker", REDIS_URL=NOWHERE.replace("http", "redis"), **worker)
    assert ended.returncode == 1
    assert "does not share the search index of the installation" in ended.stderr
    assert fix in ended.stderr
    assert "Traceback" not in ended.stderr


def test_commands_work_on_the_index_in_use_or_on_one_that_is_named(corpus: Corpus) -> None:
    rebuild(corpus.project.name)
    publish_index()
    write(**SERVER)
    for what in ("verify", "rebuild"):
        refused = command("index", what, "--project", corpus.project.name)
        assert (refused.returncode, "Set OPENSEARCH_URL" in refused.stderr) == (1, True), refused.stderr
    named = command("index", "verify", "--project", corpus.project.name, "--engine", "embedded", "--repair")
    assert (named.returncode, "agrees" in named.stdout) == (0, True), named.stderr
    named = command("index", "rebuild", "--project", corpus.project.name, "--engine", "embedded")
    assert named.stdout == f"{corpus.project.name}: 2 documents indexed\n", named.stderr


def test_a_process_whose_index_was_migrated_applies_no_rows(corpus: Corpus) -> None:
    """Its outbox rows wait for a process that writes to the index in use. An import succeeds, and the outbox retains
    what is left to apply.
    """
    publish_index()
    get_outbox_relay().delete_applied()
    write(**SERVER)
    corpus.annotate("d0", "person", 0, 3)
    job = corpus.add(document("d2", "Rhubarb."))
    assert job["status"] == "COMPLETED"
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    get_outbox_relay().delete_applied()
    assert (corpus.count_found(selectedFacets="label:person"), corpus.count_found(query="rhubarb")) == (0, 0)
    with unit_of_work(actor="tests", write=False) as unit:
        assert repository.count_pending_outbox_rows(unit.session) >= 2
    publish_index()
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    get_outbox_relay().delete_applied()
    assert (corpus.count_found(selectedFacets="label:person"), corpus.count_found(query="rhubarb")) == (1, 1)


def test_a_worker_whose_index_was_migrated_releases_its_job_and_exits(client: Any) -> None:
    done: list[tuple[str, ...]] = []
    queue = SimpleNamespace(
        intermediate_queue_key="between", push_job_id=lambda job_id, at_front: done.append(("pushed", job_id))
    )
    connection = SimpleNamespace(lrem=lambda key, count, job_id: done.append((key, job_id)))
    worker: Any = SimpleNamespace(connection=connection)
    job = SimpleNamespace(id="7")
    publish_index()
    JobWorker._require_index(worker, job, queue)
    assert done == []
    write(**SERVER)
    with pytest.raises(SystemExit, match="OPENSEARCH_URL"):
        JobWorker._require_index(worker, job, queue)
    assert done == [("pushed", "7"), ("between", "7")]


def test_readiness_reports_that_the_index_was_migrated(client: Any) -> None:
    publish_index()
    assert client.get("/api/health/ready").json()["parts"]["index"]["ok"]
    write(**SERVER)
    part = client.get("/api/health/ready").json()["parts"]["index"]
    assert (part["ok"], part["message"]) == (False, "index is not the one in use: another studio has moved it")


def test_a_start_with_another_engine_reindexes_all_projects(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    reindex_after_engine_change()
    assert written() == describe_local_index(get_settings())
    monkeypatch.setenv("OPENSEARCH_URL", NOWHERE)
    get_settings.cache_clear()
    assert reindex_after_engine_change() >= 1  # works while the server does not respond
    assert written() | {"software": "", "indexVersion": 0} == {
        **{"engine": "opensearch", "prefix": "annotarium", "place": ""},
        **{"software": "", "indexVersion": 0},
    }
    assert reindex_after_engine_change() == 0
    monkeypatch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", "another")
    get_settings.cache_clear()
    assert reindex_after_engine_change() >= 1
    monkeypatch.undo()
    get_settings.cache_clear()
    assert reindex_after_engine_change() >= 1
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)


class StubEngine:
    """An engine that has nothing but a store id."""

    def __init__(self, store_id: str) -> None:
        self._store_id = store_id

    def store_id(self, *, make: bool = False) -> str:
        return self._store_id


def test_another_search_server_is_another_index(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENSEARCH_URL", NOWHERE)
    get_settings.cache_clear()
    publish_index()
    monkeypatch.setattr("annotarium.search.shared_index.get_search_engine", lambda: StubEngine("first"))
    assert not publish_index_store_id()  # the first store id that is published
    assert written()["place"] == "first"
    require_same_index()
    shared_index._local.store_ids.clear()
    monkeypatch.setattr("annotarium.search.shared_index.get_search_engine", lambda: StubEngine("second"))
    with pytest.raises(IndexDiffers, match="does not share") as refused:
        require_same_index()
    assert "names another OpenSearch" in refused.value.one_line()
    publish_index()
    assert written()["place"] == "first"  # an unknown store id does not overwrite the stored one
    assert reindex_after_server_change() >= 1
    require_same_index()
    monkeypatch.undo()
    get_settings.cache_clear()
    reindex_after_engine_change()
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)


def test_indexing_is_refused_until_the_server_is_published(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_index()
    shared_index._local.publishes = False
    write(**SERVER | {"place": ""})
    monkeypatch.setenv("OPENSEARCH_URL", NOWHERE)
    get_settings.cache_clear()
    require_same_index()
    with unit_of_work(actor="tests", write=False) as unit, pytest.raises(Exception, match="not reached its search"):
        shared_index.require_index_of_installation(unit.session)
    shared_index._local.publishes = True
    with unit_of_work(actor="tests", write=False) as unit:
        shared_index.require_index_of_installation(unit.session)


def test_an_index_that_is_not_in_use_yet_is_not_compared(client: Any) -> None:
    publish_index()
    write(**SERVER)
    with pytest.raises(IndexDiffers):
        require_same_index()
    skip_index_check()
    require_same_index()


def test_no_password_is_stored() -> None:
    own = describe_local_index(Settings(opensearch_url="https://user:secret@search.example:9200"))
    assert "secret" not in str(own) and "user" not in str(own)
    require_equal_index_descriptions(own, own, software=True)
