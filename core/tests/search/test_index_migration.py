"""Migration from the embedded index to a search server, and back, without losing a change."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.factories import Corpus, document
from support.search_engines import delete_indexes, search_server

from annotarium.access.call import Call
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.imports.upload_receiving import upload_path
from annotarium.domains.imports.uploads import purge_expired
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import INDEX_VERSION, SearchSpec
from annotarium.search.index_migration import reindex_after_engine_change, reindex_missing, reindex_outdated
from annotarium.search.index_verification import verify
from annotarium.search.indexer import get_outbox_relay, index_key, rebuild
from annotarium.search.opensearch.index_and_field_names import project_index_pattern
from annotarium.search.shared_index import publish_index
from annotarium.settings import get_settings


@pytest.fixture(autouse=True)
def _restore_engine_of_settings(data_folder: Path) -> Iterator[None]:
    """Restores the engine of the settings after each test. Runs after the test's monkeypatches are undone."""
    yield
    _reload_settings_and_engine()
    publish_index()


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", f"Sentence {number}. Ann saw Bob.") for number in range(4)))
    corpus.post("/labels", json={"label": "person"})
    corpus.annotate("d0", "person", 0, 8)
    return corpus


@pytest.fixture
def prefix(corpus: Corpus) -> Iterator[str]:
    name = f"test-{uuid.uuid4().hex}"
    patch = pytest.MonkeyPatch()
    yield name
    patch.setenv("OPENSEARCH_URL", search_server())
    patch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", name)
    _reload_settings_and_engine()
    delete_indexes(get_search_engine())
    patch.undo()
    _reload_settings_and_engine()
    reindex_after_engine_change()


def _reload_settings_and_engine() -> None:
    get_settings.cache_clear()
    get_search_engine.cache_clear()


def command(prefix: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"OPENSEARCH_URL": search_server(), "ANNOTARIUM_OPENSEARCH_PREFIX": prefix}
    given = [sys.executable, "-m", "annotarium.cli", "index", *arguments]
    return subprocess.run(given, capture_output=True, text=True, env=environment, timeout=90, check=False)


def test_a_running_installation_moves_to_a_search_server(
    corpus: Corpus, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reindex_after_engine_change()
    name = corpus.project.name
    empty = command(prefix, "verify", "--project", name, "--engine", "opensearch")
    assert (empty.returncode, "0 indexed" in empty.stdout) == (1, True), empty.stderr
    moved = command(prefix, "rebuild", "--project", name, "--engine", "opensearch")
    assert moved.stdout == f"{name}: 4 documents indexed\n", moved.stderr
    agreed = command(prefix, "verify", "--project", name, "--engine", "opensearch")
    assert (agreed.returncode, "agrees" in agreed.stdout) == (0, True), agreed.stdout + agreed.stderr
    assert get_search_engine().name == "embedded"
    corpus.annotate("d1", "person", 0, 8)  # after the index was copied: the restart must apply it

    monkeypatch.setenv("OPENSEARCH_URL", search_server())
    monkeypatch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", prefix)
    _reload_settings_and_engine()
    assert get_search_engine().name == "opensearch"
    assert corpus.count_found(selectedFacets="label:person") == 1
    assert reindex_after_engine_change() >= 1
    assert reindex_after_engine_change() == 0
    while get_outbox_relay().apply_orphaned(older_than_ms=-1_000):
        get_outbox_relay().delete_applied()
    assert corpus.count_found(selectedFacets="label:person") == 2
    corpus.annotate("d2", "person", 0, 8)
    corpus.delete("/documents/d3")
    assert corpus.count_found(selectedFacets="label:person") == 3
    assert corpus.count_found(query="sentence") == 3
    facts = verify(name)[name]
    assert (facts["documents"], facts["differing"]) == (facts["indexed"], 0)

    monkeypatch.delenv("OPENSEARCH_URL")
    monkeypatch.delenv("ANNOTARIUM_OPENSEARCH_PREFIX")
    _reload_settings_and_engine()
    assert reindex_after_engine_change() >= 1
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    get_outbox_relay().delete_applied()
    assert corpus.count_found(selectedFacets="label:person") == corpus.count_found(query="ann") == 3


def test_a_deleted_project_leaves_nothing_on_the_server(
    corpus: Corpus, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENSEARCH_URL", search_server())
    monkeypatch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", prefix)
    _reload_settings_and_engine()
    publish_index()
    rebuild(corpus.project.name)
    engine: Any = get_search_engine()
    assert len(engine._indexes(f"{prefix}.*")) == 2
    answer = corpus.caller.delete(corpus.path)
    assert answer.status_code == 200, answer.text
    get_outbox_relay().settle(corpus.project.id)
    assert engine._indexes(f"{prefix}.*") == []


def test_a_deleted_project_leaves_no_index_and_no_uploads(
    corpus: Corpus, as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]
) -> None:
    other = Corpus(as_admin, make_project(lang="en"), run_jobs)
    other.add(document("o", "Kept."))

    def sent(name: str) -> dict[str, Any]:
        answer = as_admin.post("/api/uploads", files={"file": (name, b"Words of a file.", "text/plain")})
        (file,) = answer.json()
        return dict(file)

    gone, kept, unused = sent("a.txt"), sent("b.txt"), sent("c.txt")
    corpus.post("/documents/_load", json=[gone])
    other.post("/documents/_load", json=[kept])
    folder = get_settings().index_folder
    assert (folder / str(corpus.project.id)).is_dir()
    assert corpus.caller.delete(corpus.path).status_code == 200
    get_outbox_relay().settle(corpus.project.id)
    assert not (folder / str(corpus.project.id)).exists()
    assert (folder / str(other.project.id)).is_dir()
    with unit_of_work(actor="tests", write=True) as unit:
        purge_expired(Call(unit=unit, access=None))  # type: ignore[arg-type]
    assert not upload_path(gone["id"]).exists()
    assert upload_path(kept["id"]).exists() and upload_path(unused["id"]).exists()


def _mark_index_as_outdated(project: int, engine: Any) -> None:
    """Mark the index as written by the previous index version."""
    if engine.name == "opensearch":
        for name in engine._indexes(project_index_pattern(engine._prefix, str(project))):
            engine._server.put(f"/{name}/_mapping", {"_meta": {"dimensions": {}}})
        return
    for path in (get_settings().index_folder / str(project)).glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("UPDATE meta SET value = 1 WHERE key = 'schema'")


@pytest.mark.parametrize("engine", ["embedded", "opensearch"])
def test_an_index_of_an_earlier_version_is_rebuilt_automatically(
    corpus: Corpus, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    if engine == "opensearch":
        monkeypatch.setenv("OPENSEARCH_URL", search_server())
        monkeypatch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", request.getfixturevalue("prefix"))
        _reload_settings_and_engine()
        publish_index()
    rebuild(corpus.project.name)
    key = index_key(corpus.project, "documents")
    while reindex_outdated():
        get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
        get_outbox_relay().delete_applied()
    assert get_search_engine().version(key) == INDEX_VERSION
    get_search_engine().bulk(key, deletes=[hit.id for hit in get_search_engine().search(key, SearchSpec()).hits])
    _mark_index_as_outdated(corpus.project.id, get_search_engine())
    assert reindex_outdated() == 1
    assert reindex_outdated() == 0  # it waits already
    assert corpus.count_found() == 0
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    get_outbox_relay().delete_applied()
    assert get_search_engine().version(key) == INDEX_VERSION
    assert corpus.count_found() == 4
    assert reindex_outdated() == 0


def test_a_missing_index_is_rebuilt_automatically(corpus: Corpus) -> None:
    """For example after a backup was restored without the index files."""
    rebuild(corpus.project.name)
    get_search_engine().close()
    shutil.rmtree(get_settings().index_folder / str(corpus.project.id))
    get_search_engine.cache_clear()
    assert corpus.count_found() == 0
    assert reindex_missing() == 1
    assert (reindex_missing(), reindex_outdated()) == (0, 0)  # it is queued already
    get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    get_outbox_relay().delete_applied()
    assert corpus.count_found() == 4
    assert (reindex_missing(), reindex_outdated()) == (0, 0)


def test_the_first_start_of_an_installation_reindexes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANNOTARIUM_DATA", str(tmp_path))
    get_settings.cache_clear()
    try:
        assert reindex_after_engine_change() == 0
        assert (tmp_path / "index" / "engine").read_text() == "embedded"
    finally:
        monkeypatch.undo()
        get_settings.cache_clear()


def test_a_command_reports_an_unavailable_server(corpus: Corpus) -> None:
    environment = os.environ | {"OPENSEARCH_URL": "http://127.0.0.1:9"}
    given = [sys.executable, "-m", "annotarium.cli", "index", "rebuild", "--engine", "opensearch"]
    ended = subprocess.run(given, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert ended.returncode == 1
    assert "The search server does not respond. There is no connection to it. Try again" in ended.stderr
    assert "Traceback" not in ended.stderr
