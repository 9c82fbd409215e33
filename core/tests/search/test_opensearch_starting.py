"""Errors of a search server: "starting" while its indexes are not open yet, and "too much to do" when it refuses
work."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import orjson
import pytest
from support.search_engines import delete_indexes, search_server

from annotarium.errors import ServiceUnavailable
from annotarium.search.engine import IndexIncomplete, IndexStarting
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchSpec
from annotarium.search.opensearch import server_client
from annotarium.search.opensearch.engine import OpenSearchEngine
from annotarium.search.opensearch.index_and_field_names import IndexNames, writing_alias
from annotarium.search.shared_index import publish_index
from annotarium.settings import Settings, get_settings

KEY = IndexKey("project", "segments", "en")
MAPPING = {"index": {"mappings": {"properties": {}}}}
ALL_FAILED = {
    "error": {"root_cause": [], "type": "search_phase_execution_exception", "reason": "all shards failed"},
    "status": 503,
}
"""What OpenSearch 2.19 responds to a search while it replays its log after a crash."""


class FakeServer:
    """A stub of a search server: `answers` by path prefix, `health` for the state of the indexes."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        self.health: dict[str, Any] = {}
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer = fake.answer(self.path)
                body = orjson.dumps(answer)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, path: str) -> tuple[int, Any]:
        if path.startswith("/_cluster/health"):
            return (403, {"error": {"type": "security_exception"}}) if not self.health else (200, self.health)
        if "_mapping" in path:
            return 200, MAPPING
        return next((found for part, found in self.answers.items() if part in path), (404, {}))

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def health(status: str, **more: int) -> dict[str, Any]:
    counts = dict.fromkeys(("initializing_shards", "unassigned_shards", "number_of_in_flight_fetch"), 0)
    return {"status": status, "number_of_pending_tasks": 0, "delayed_unassigned_shards": 0} | counts | more


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    monkeypatch.setattr(server_client, "SEARCH_PATIENCE", 0.2)
    monkeypatch.setattr(server_client, "WRITE_PATIENCE", 0.2)
    fake = FakeServer()
    yield fake
    fake.close()


@pytest.fixture
def engine(fake: FakeServer) -> Iterator[OpenSearchEngine]:
    engine = OpenSearchEngine(Settings(opensearch_url=fake.address))
    yield engine
    engine.close()


@pytest.mark.parametrize(
    "error",
    [
        ALL_FAILED["error"],
        {
            "type": "no_shard_available_action_exception",
            "reason": "No shard available",
        },
        {"type": "cluster_block_exception", "reason": "blocked by: [SERVICE_UNAVAILABLE/1/state not recovered / ...];"},
        {"type": "cluster_manager_not_discovered_exception", "reason": None},
    ],
)
def test_a_search_in_an_unopened_index_reports_starting(fake: FakeServer, engine: OpenSearchEngine, error: Any) -> None:
    """The engine reported an overloaded server instead, for minutes after each crash."""
    fake.answers = {"_search": (503, {"error": error, "status": 503})}
    with pytest.raises(IndexStarting, match="The search index is starting") as starting:
        engine.search(KEY, SearchSpec())
    assert (starting.value.error, starting.value.status, starting.value.retry_after) == ("index_starting", 503, 5)


@pytest.mark.parametrize(
    ("status", "kind"), [(429, "rejected_execution_exception"), (503, "circuit_breaking_exception")]
)
def test_an_overloaded_server_is_not_reported_as_starting(
    fake: FakeServer, engine: OpenSearchEngine, status: int, kind: str
) -> None:
    reason = {"type": kind, "reason": "too much"}
    error = {"type": "search_phase_execution_exception", "reason": "all shards failed", "root_cause": [reason]}
    fake.answers = {"_search": (status, {"error": error | {"failed_shards": [{"reason": reason}]}, "status": status})}
    with pytest.raises(ServiceUnavailable, match="overloaded") as busy:
        engine.search(KEY, SearchSpec())
    assert not isinstance(busy.value, IndexStarting)


def test_a_change_to_an_unopened_index_reports_starting(fake: FakeServer, engine: OpenSearchEngine) -> None:
    error = {"type": "unavailable_shards_exception", "reason": "primary shard is not active"}
    item = {"index": {"status": 503, "error": error}}
    fake.answers = {"_bulk": (200, {"errors": True, "items": [item]}), "_refresh": (200, {})}
    with pytest.raises(IndexStarting):
        engine.bulk(KEY, [IndexDoc("a", "text")])


def test_shard_state_decides_the_error(fake: FakeServer, engine: OpenSearchEngine) -> None:
    for fine in (health("green"), health("yellow", unassigned_shards=4, initializing_shards=1)):
        fake.health = fine
        engine.check()
    for state in ({"initializing_shards": 1}, {"number_of_in_flight_fetch": 2}, {"number_of_pending_tasks": 1}):
        fake.health = health("red", unassigned_shards=3, **state)
        with pytest.raises(IndexStarting):
            engine.check()
    fake.health = health("red", unassigned_shards=1)
    with pytest.raises(IndexIncomplete, match="missing on its server"):
        engine.check()
    fake.health = {}  # the account may not read the health of the cluster
    fake.answers = {"_mapping": (404, {}), "_search": (200, {"hits": {"total": {"value": 0}}}), "_stats": (200, {})}
    with pytest.raises(Exception, match="_all"):
        engine.check()


def test_readiness_and_searches_report_a_starting_index(
    fake: FakeServer, client: Any, as_admin: Any, make_project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = make_project()
    monkeypatch.setenv("OPENSEARCH_URL", fake.address)
    get_settings.cache_clear()
    get_search_engine.cache_clear()
    publish_index()
    fake.health = health("red", initializing_shards=1, unassigned_shards=9)
    fake.answers = {"_search": (503, ALL_FAILED)}
    ready = client.get("/api/health/ready")
    assert (ready.status_code, ready.json()["parts"]["index"]) == (503, {"ok": False, "message": "index starting"})
    answer = as_admin.post(f"/api/projects/{project.name}/documents/_search")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert (answer.json()["error"], answer.json()["message"]) == ("index_starting", "The search index is starting")
    fake.health = health("red", unassigned_shards=1)
    assert client.get("/api/health/ready").json()["parts"]["index"]["message"] == "index has lost a part"
    fake.health = health("yellow", unassigned_shards=1)
    assert client.get("/api/health/ready").json()["parts"]["index"]["ok"]
    monkeypatch.undo()
    get_settings.cache_clear()
    get_search_engine.cache_clear()
    publish_index()


def test_a_real_server_reports_starting() -> None:
    engine = OpenSearchEngine(Settings(opensearch_url=search_server(), opensearch_prefix="test-starting"))
    names = IndexNames("test-starting", KEY.project, KEY.kind)
    nowhere = {"index.routing.allocation.require._name": "nobody", "index.number_of_replicas": 0}
    try:
        body = {"settings": nowhere, "aliases": {names.live: {}, writing_alias(names.generation(1)): {}}}
        engine._server.put(f"/{names.generation(1)}?wait_for_active_shards=0", body)
        with pytest.raises((IndexStarting, IndexIncomplete)):
            engine.check()
        with pytest.raises(IndexStarting):
            engine.search(KEY, SearchSpec())
        with pytest.raises(IndexStarting):
            engine.bulk(KEY, [IndexDoc("b", "text")])
    finally:
        engine.close()
        after = OpenSearchEngine(Settings(opensearch_url=search_server(), opensearch_prefix="test-starting"))
        delete_indexes(
            after
        )  # deletes with a new engine, since this one is marked as unavailable; a red index would break other tests
        after.close()
