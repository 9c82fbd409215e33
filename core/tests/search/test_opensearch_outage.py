"""The search server unavailable, silent, busy or disconnected during a request: writes succeed, no change is lost, and
errors state the cause.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.factories import Corpus, document
from support.faulty_proxy import FaultyProxy
from support.search_engines import search_server

from annotarium.errors import ServiceUnavailable
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchSpec
from annotarium.search.index_verification import verify
from annotarium.search.indexer import get_outbox_relay, index_key, rebuild
from annotarium.search.opensearch import server_client
from annotarium.search.opensearch.engine import OpenSearchEngine
from annotarium.settings import Settings, get_settings

KEY = IndexKey("project", "segments", "en")


@pytest.fixture(scope="module", autouse=True)
def gateway(data_folder: Path) -> Iterator[FaultyProxy]:
    """Connects the installation of this module to a search server through a proxy that can fail."""
    gateway = FaultyProxy(search_server())
    patch = pytest.MonkeyPatch()
    patch.setenv("OPENSEARCH_URL", gateway.address)
    patch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", f"test-{uuid.uuid4().hex}")
    get_settings.cache_clear()
    get_search_engine.cache_clear()
    yield gateway
    gateway.reopen()
    time.sleep(server_client._LONGEST_PAUSE if _is_shut() else 0)
    engine = get_search_engine()
    assert isinstance(engine, OpenSearchEngine)
    engine.drop_all()
    engine.close()
    patch.undo()
    gateway.close()


def _is_shut() -> bool:
    try:
        get_search_engine().stats(KEY)
    except ServiceUnavailable:
        return True
    return False


@pytest.fixture(autouse=True)
def _impatient(gateway: FaultyProxy, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(server_client, "_LONGEST_PAUSE", 0.3)
    monkeypatch.setattr(server_client, "WRITE_PATIENCE", 1.0)
    monkeypatch.setattr(server_client, "SEARCH_PATIENCE", 0.5)
    get_search_engine.cache_clear()
    yield
    gateway.reopen()
    gateway.cut_after = None


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", f"Sentence {number}. Ann saw Bob.") for number in range(4)))
    corpus.post("/labels", json={"label": "person"})
    return corpus


def agrees(corpus: Corpus) -> bool:
    facts = verify(corpus.project.name)[corpus.project.name]
    assert facts["differing"] == 0
    return (facts["documents"], facts["segments"]) == (facts["indexed"], facts["indexed_segments"])


def catch_up(corpus: Corpus) -> None:
    until = time.monotonic() + 60
    while True:
        get_outbox_relay().settle(corpus.project.id)
        get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
        get_outbox_relay().delete_applied()
        if not _is_shut() and verify(corpus.project.name)[corpus.project.name]["waiting"] == 0:
            return
        assert time.monotonic() < until, "what waited was not applied"
        time.sleep(0.1)


def test_writes_succeed_and_searches_fail_clearly_while_the_server_is_unavailable(
    corpus: Corpus, gateway: FaultyProxy
) -> None:
    assert corpus.count_found() == 4
    gateway.close()
    corpus.annotate("d0", "person", 0, 8)
    corpus.delete("/documents/d3")
    corpus.add(document("late", "Rhubarb in the outage."))
    assert corpus.get("/labels")
    answer = corpus.post("/documents/_search", 503, params={"query": "ann"})
    assert answer["error"] == "search_unavailable"
    assert answer["message"] == "The search server does not respond"
    assert answer["cause"] in ("There is no connection to it", "It did not respond a moment ago")
    assert "Changes are kept" in answer["fix"]
    assert "127.0.0.1" not in str(answer), "addresses of the inside are nobody's business"
    gateway.reopen()
    catch_up(corpus)
    assert corpus.count_found(selectedFacets="label:person") == 1
    assert corpus.count_found(query="rhubarb") == 1
    assert corpus.count_found() == 4
    assert agrees(corpus)


def test_the_relay_thread_applies_waiting_rows_after_an_outage(corpus: Corpus, gateway: FaultyProxy) -> None:
    relay = get_outbox_relay()
    relay.follow()
    try:
        gateway.close()
        for number in range(4):
            corpus.annotate(f"d{number}", "person", 0, 8)
        gateway.reopen()
        until = time.monotonic() + 60
        while relay._waiting:
            assert time.monotonic() < until, "what waited was not applied"
            time.sleep(0.1)
        assert corpus.count_found(selectedFacets="label:person") == 4
    finally:
        relay.stop()


def test_waiting_rows_are_not_applied_twice(corpus: Corpus, gateway: FaultyProxy) -> None:
    gateway.close()
    corpus.annotate("d0", "person", 0, 8)
    assert len(get_outbox_relay()._waiting[corpus.project.id]) == 1
    for _ in range(3):
        get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
    assert len(get_outbox_relay()._waiting[corpus.project.id]) == 1
    gateway.reopen()
    catch_up(corpus)
    assert corpus.count_found(selectedFacets="label:person") == 1


@pytest.mark.parametrize("part", [b"_bulk", b"_refresh", b'"update"', b"_search/point_in_time"])
def test_a_connection_lost_during_a_change_loses_nothing(corpus: Corpus, gateway: FaultyProxy, part: bytes) -> None:
    """The response is lost. Whether or not the server applied the change, a repeated request gives the same result."""
    gateway.cut_after = part
    corpus.annotate("d1", "person", 0, 8)
    corpus.add(document("d2", "Other text. More of it."), document("new", "One more."))
    gateway.cut_after = None
    catch_up(corpus)
    assert corpus.count_found(selectedFacets="label:person") == 1
    assert agrees(corpus)


def test_an_interrupted_rebuild_leaves_the_old_index_in_use(corpus: Corpus, gateway: FaultyProxy) -> None:
    engine, key = get_search_engine(), index_key(corpus.project, "documents")
    building = engine.begin_generation(key)
    gateway.close()
    with pytest.raises(ServiceUnavailable):
        rebuild(corpus.project.name)
    gateway.reopen()
    time.sleep(0.4)
    assert corpus.count_found(query="ann") == 4
    assert rebuild(corpus.project.name) == {corpus.project.name: 4}
    assert agrees(corpus)
    with pytest.raises(ServiceUnavailable, match="replaced"):
        engine.bulk(building, [IndexDoc("x", "text")])


def test_readiness_reports_an_unavailable_index(corpus: Corpus, gateway: FaultyProxy, client: Any) -> None:
    assert client.get("/api/health/ready").json()["parts"]["index"]["ok"]
    gateway.close()
    answer = client.get("/api/health/ready")
    assert not answer.json()["parts"]["index"]["ok"]
    assert "127.0.0.1" not in answer.text


def engine_behind(gateway: FaultyProxy) -> OpenSearchEngine:
    return OpenSearchEngine(
        Settings(opensearch_url=gateway.address, opensearch_prefix=get_settings().opensearch_prefix)
    )


def test_a_request_to_a_busy_server_is_retried(gateway: FaultyProxy) -> None:
    engine = engine_behind(gateway)
    engine.bulk(KEY, [IndexDoc("a", "text")])
    for status in ("429", "503"):
        gateway.mode = status
        before = gateway.requests
        with pytest.raises(ServiceUnavailable, match="overloaded"):
            engine.search(KEY, SearchSpec())
        assert gateway.requests - before >= 2
    gateway.mode = "open"
    assert engine.search(KEY, SearchSpec()).total == 1
    engine.close()


def test_a_silent_server_times_out_and_is_not_retried_immediately(
    gateway: FaultyProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_client, "ANSWER_SECONDS", 0.5)
    for pause in (60.0, 0.05):
        monkeypatch.setattr(server_client, "_FIRST_PAUSE", pause)
        monkeypatch.setattr(server_client, "_LONGEST_PAUSE", pause)
        engine = engine_behind(gateway)
        gateway.mode = "silent"
        with pytest.raises(ServiceUnavailable) as away:
            engine.search(KEY, SearchSpec())
        assert away.value.cause == "It did not respond in time"
        gateway.mode = "open"
        if pause > 1:
            asked = gateway.requests
            with pytest.raises(ServiceUnavailable, match="does not respond"):
                engine.search(KEY, SearchSpec())
            assert gateway.requests == asked
        else:
            time.sleep(2 * pause)
            monkeypatch.setattr(server_client, "ANSWER_SECONDS", 30.0)
            engine.close()  # forces a new connection with the longer timeout
            assert engine.search(IndexKey("nothing", "documents"), SearchSpec()).total == 0
        engine.close()


def test_rejected_credentials_have_their_own_error(gateway: FaultyProxy) -> None:
    engine = engine_behind(gateway)
    gateway.mode = "401"
    with pytest.raises(ServiceUnavailable) as refused:
        engine.search(KEY, SearchSpec())
    assert "does not let us in" in refused.value.message
    assert "OPENSEARCH_URL" in (refused.value.fix or "")
    engine.close()


def test_a_stale_connection_is_reopened(gateway: FaultyProxy) -> None:
    """For example after a restart of the server."""
    engine = engine_behind(gateway)
    engine.bulk(KEY, [IndexDoc("b", "text")])
    gateway.close()
    gateway.reopen()
    assert engine.search(KEY, SearchSpec()).total >= 1
    engine.close()
