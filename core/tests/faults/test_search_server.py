"""The search server is killed during imports and annotations, and started again on the same folder."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_verification import verify
from annotarium.search.indexer import get_outbox_relay
from annotarium.search.opensearch import server_client
from annotarium.settings import get_settings

pytestmark = pytest.mark.faults
TOOL = Path(__file__).parents[2] / "tools" / "opensearch_server" / "run.py"
ROUNDS = int(os.environ.get("ANNOTARIUM_FAULT_ROUNDS", "3"))


class SearchServer:
    """A private search server that can be killed."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, str(TOOL), "--port", str(self.port), "--folder", str(self._folder)]
        with (self._folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        until = time.monotonic() + 120
        while True:
            assert self._process.poll() is None, "it did not start"
            assert time.monotonic() < until
            try:
                with urllib.request.urlopen(f"{self.address}/_cluster/health?wait_for_status=yellow", timeout=10):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.3)

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()


@pytest.fixture(scope="module")
def searched(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchServer]:
    if subprocess.run([sys.executable, str(TOOL), "--check"], check=False).returncode:
        pytest.skip("no Java or Maven here")
    made = SearchServer(tmp_path_factory.mktemp("opensearch"))
    made.start()
    patch = pytest.MonkeyPatch()
    patch.setenv("OPENSEARCH_URL", made.address)
    patch.setenv("ANNOTARIUM_OPENSEARCH_PREFIX", f"faults-{uuid.uuid4().hex}")
    patch.setattr(server_client, "_LONGEST_PAUSE", 0.5)
    get_settings.cache_clear()
    get_search_engine.cache_clear()
    yield made
    made.kill()
    patch.undo()


@pytest.fixture
def corpus(
    searched: SearchServer, as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any
) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", "Ann saw Bob. Bob left.") for number in range(40)))
    corpus.post("/labels", json={"label": "person"})
    return corpus


def test_nothing_is_lost_when_the_search_server_is_killed(corpus: Corpus, searched: SearchServer) -> None:
    relay = get_outbox_relay()
    relay.follow()
    annotated = 0
    try:
        for round_ in range(ROUNDS):
            hit = threading.Timer(0.2 + 0.3 * round_, searched.kill)
            hit.start()
            for number in range(12):
                corpus.annotate(f"d{round_ * 12 + number}", "person", 0, 3)
                annotated += 1
            corpus.add(*(document(f"new{round_}-{number}", "Rhubarb. More.") for number in range(30)))
            hit.join()
            answer = corpus.caller.post(f"{corpus.path}/documents/_search", params={"query": "ann"})
            assert answer.status_code == 503, answer.text
            searched.start()
            _catch_up(corpus)
            facts = verify(corpus.project.name)[corpus.project.name]
            assert facts["documents"] == facts["indexed"] == 40 + 30 * (round_ + 1)
            assert facts["segments"] == facts["indexed_segments"]
            assert facts["differing"] == 0
            assert corpus.facet("label") == {"person": annotated}
    finally:
        relay.stop()


def _catch_up(corpus: Corpus) -> None:
    until = time.monotonic() + 60
    while True:
        get_outbox_relay().apply_orphaned(older_than_ms=-1_000)
        get_outbox_relay().delete_applied()
        try:
            if verify(corpus.project.name)[corpus.project.name]["waiting"] == 0:
                return
        except server_client.SearchServerUnavailable:
            pass
        assert time.monotonic() < until, "what waited was not applied"
        time.sleep(0.3)
