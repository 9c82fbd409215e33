"""Search engines for the contract tests: `from support.search_engines import ENGINES`.

OpenSearch is included if ANNOTARIUM_TEST_OPENSEARCH_URL names a server (CI starts one).
"""

from __future__ import annotations

import os
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import pytest

from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.engine import SearchEngine
from annotarium.settings import Settings

_STARTING_SECONDS = 120


def _embedded(folder: Path) -> SearchEngine:
    return EmbeddedEngine(folder)


def _opensearch(folder: Path) -> SearchEngine:
    from annotarium.search.opensearch.engine import OpenSearchEngine

    address = search_server()
    return OpenSearchEngine(Settings(data=folder, opensearch_url=address, opensearch_prefix=f"test-{uuid.uuid4().hex}"))


ENGINES: dict[str, Callable[[Path], SearchEngine]] = {"embedded": _embedded, "opensearch": _opensearch}


def search_server() -> str:
    """Return the address of the test server, once it responds; skips the test without one."""
    address = os.environ.get("ANNOTARIUM_TEST_OPENSEARCH_URL")
    if not address:
        pytest.skip("ANNOTARIUM_TEST_OPENSEARCH_URL names no OpenSearch server (core/tools/opensearch_server runs one)")
    state = _search_server_state(address)
    if state == "not fetched":
        pytest.skip("Maven could not fetch an OpenSearch")
    assert state == "ready", f"no OpenSearch answers at {address}"
    return address


@lru_cache(maxsize=1)
def _search_server_state(address: str) -> str:
    """Return `ready`, `silent`, or `not fetched` (CI creates the file that ANNOTARIUM_TEST_OPENSEARCH_MISSING
    names).
    """
    missing = os.environ.get("ANNOTARIUM_TEST_OPENSEARCH_MISSING")
    until = time.monotonic() + _STARTING_SECONDS
    while time.monotonic() < until:
        if missing and Path(missing).exists():
            return "not fetched"
        try:
            with urllib.request.urlopen(f"{address}/_cluster/health?wait_for_status=yellow", timeout=10):
                return "ready"
        except (urllib.error.URLError, OSError):
            time.sleep(0.5)
    return "silent"


def delete_indexes(engine: SearchEngine) -> None:
    """Delete the indexes that a test left on the server."""
    from annotarium.search.opensearch.engine import OpenSearchEngine

    if isinstance(engine, OpenSearchEngine):
        engine.drop_all()
