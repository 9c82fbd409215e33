"""Searches while two users annotate and while vectors are computed: `python core/bench/search_under_load.py
[--documents N] [--seconds S] [--vectors]`.

Starts `annotarium serve` in a temporary data folder (OPENSEARCH_URL names a search server, otherwise the embedded
index is used). Two users annotate two spans a second each, a third one searches. Prints p50 and p95 in milliseconds:
alone, while the others annotate, of an annotator who searches for what was just annotated, and while vectors are
computed; with a search server also the growth of its indexes. Then the memory of the API process: at the start,
after 200 large lists and searches, and after some idle seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import tempfile
import threading
import time
import urllib.request
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import psutil
from support.corpus import Corpus
from support.installation import PASSWORD, Installation

PROJECT, WRITERS, A_SECOND = "bench", ("writer1", "writer2"), 2.0
TOGETHER, QUIET_SECONDS = 12, 45
Call = Callable[..., Any]


class Bench:
    """One installation with a project and its users."""

    def __init__(self, folder: Path, documents: int, seconds: float) -> None:
        self.server = Installation(folder)
        self.documents, self.seconds = documents, seconds
        self.corpus = Corpus()
        self.made = [self.corpus.document(number) for number in range(documents)]
        self.annotated = 0

    def run(self, *, vectors: bool) -> None:
        """Run everything, in this order."""
        try:
            self.prepare()
            searcher = self.caller("searcher")
            self.print_memory("API after the import")
            self.searches("alone", searcher)
            if vectors:
                with BackgroundAnnotators(self):
                    self.vectorize(searcher)
                self.sizes("with vectors")
            with BackgroundAnnotators(self):
                self.searches("beside two annotators", searcher)
                self.own_changes()
            self.sizes(f"after {self.annotated} annotations")
            self.large_lists(searcher)
        finally:
            self.server.stop()

    def prepare(self) -> None:
        """Start the server, create the project and the users."""
        self.server.start()
        self.server.sign_in()
        self.print_memory("API at the start")
        self.server.call("POST", "/projects", json={"label": PROJECT, "name": PROJECT, "lang": "en"})
        job = self.server.call(
            "POST",
            f"/projects/{PROJECT}/documents/_import_documents",
            params={"wait": "true"},
            content=json.dumps(self.made).encode(),
            headers={"content-type": "application/json"},
        )
        print(f"imported: {job['statusMessage']}")
        for name in ("searcher", *WRITERS):
            roles = [role["rolename"] for role in self.server.call("GET", "/roles")]
            self.server.call("POST", "/users", json={"username": name, "password": PASSWORD, "roles": roles})
        self.sizes("imported")

    def caller(self, username: str) -> Call:
        """Return a function that calls as this user, on its own connection."""
        address = self.server.address
        answer = httpx.post(f"{address}/api/auth/login", json={"email": username, "password": PASSWORD}, timeout=60)
        headers = {"authorization": f"Bearer {answer.raise_for_status().json()['access_token']}"}
        client = httpx.Client(base_url=f"{address}/api/projects/{PROJECT}", headers=headers, timeout=600)

        def call(method: str, path: str, **given: Any) -> Any:
            return client.request(method, path, **given).raise_for_status().json()

        return call

    def searches(self, name: str, call: Call, until: Callable[[], bool] | None = None) -> None:
        """Run word searches with facets for some seconds, or until `until` returns true."""
        taken = []
        end = time.perf_counter() + self.seconds
        while time.perf_counter() < end if until is None else not until():
            word = self.corpus.words[30 + 17 * (len(taken) % 200)]
            begin = time.perf_counter()
            call("POST", "/segments/_search", params={"query": word, "size": 25, "facet": True})
            taken.append((time.perf_counter() - begin) * 1000)
            time.sleep(0.05)
        print_percentiles(f"search {name}", taken)

    def own_changes(self) -> None:
        """An annotator searches for the label that was just assigned: it must be found."""
        call = self.caller(WRITERS[0])
        call("POST", "/labels", json={"name": "own", "label": "own"})
        taken, late = [], 0
        for number, made in enumerate(self.made[:40]):
            self.annotate(call, made, "own", 0, 3)
            begin = time.perf_counter()
            found = call("POST", "/documents/_search", params={"selectedFacets": "label:own", "size": 0})
            taken.append((time.perf_counter() - begin) * 1000)
            late += found["total"]["value"] != number + 1
        print_percentiles("search after an own change", taken)
        print(f"own changes that were not found at once: {late}")

    def annotate(self, call: Call, made: dict[str, Any], label: str, start: int, end: int) -> None:
        """Create an annotation."""
        span = {"documentIdentifier": made["identifier"], "labelName": label, "start": start, "end": end}
        call("POST", "/annotations", json=span)
        self.annotated += 1

    def vectorize(self, call: Call) -> None:
        """Search while vectors are computed."""
        job = call("POST", "/segments/_vectorize", json={})
        state: dict[str, Any] = {}

        def ended() -> bool:
            state.update(call("GET", f"/job/{job['id']}"))
            return state["status"] in ("COMPLETED", "FAILED", "CANCELLED")

        self.searches("while vectors are made", call, ended)
        print(f"vectors: {state['status']} {state.get('statusMessage')}")

    def large_lists(self, call: Call) -> None:
        """Measure the memory of the API process after large responses."""
        calls = [call, *(self.caller("searcher") for _ in range(TOGETHER - 1))]

        def search(number: int) -> None:
            asked = {"query": self.corpus.words[20 + number], "size": 1000, "facet": True, "highlight": True}
            calls[number % TOGETHER]("POST", "/documents/_search", params=asked)

        with ThreadPoolExecutor(TOGETHER) as people:
            list(people.map(search, range(200)))
            self.print_memory(f"API after 200 large searches, {TOGETHER} at once")
            list(people.map(lambda number: calls[number]("GET", "/documents"), range(TOGETHER)))
            self.print_memory(f"API after {TOGETHER} lists of everything")
        time.sleep(QUIET_SECONDS)
        self.print_memory(f"API after {QUIET_SECONDS} quiet seconds")

    def print_memory(self, name: str) -> None:
        """Print the resident memory of the API process."""
        (api,) = (one for one in self.server.processes() if "annotarium.server.launch api" in " ".join(one.cmdline()))
        resident = psutil.Process(api.pid).memory_info().rss / 1e6
        lines = Path(f"/proc/{api.pid}/status").read_text().splitlines()
        own = next(int(line.split()[1]) / 1e3 for line in lines if line.startswith("RssAnon:"))
        print(f"{name:45s} {resident:8.0f} MB resident, {own:8.0f} MB its own", flush=True)

    def sizes(self, name: str) -> None:
        """Print the size of the indexes on the search server, and the number of replaced items."""
        server = os.environ.get("OPENSEARCH_URL")
        if not server:
            return
        prefix = os.environ["ANNOTARIUM_OPENSEARCH_PREFIX"]
        with urllib.request.urlopen(f"{server}/{prefix}.*/_stats/docs,store,indexing") as answer:
            facts = json.load(answer)["_all"]["primaries"]
        docs = facts["docs"]
        print(
            f"indexes {name:37s} {facts['store']['size_in_bytes'] / 1e6:8.1f} MB, {docs['count']:,} items, "
            f"{docs['deleted']:,} replaced, {facts['indexing']['index_total']:,} written, "
            f"{facts['indexing']['noop_update_total']:,} left as they were",
            flush=True,
        )


class BackgroundAnnotators:
    """Two users who annotate in the background."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=(name,)) for name in WRITERS]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _write(self, name: str) -> None:
        call, source = self._bench.caller(name), random.Random(name)
        while not self._over.wait(1 / A_SECOND):
            made = source.choice(self._bench.made)
            start = source.randrange(len(made["text"]) - 10)
            self._bench.annotate(call, made, f"label{source.randrange(12)}", start, start + source.randint(2, 9))


def print_percentiles(name: str, taken: list[float]) -> None:
    """Print p50 and p95."""
    p95 = statistics.quantiles(taken, n=20)[-1] if len(taken) > 1 else taken[0]
    print(f"{name:45s} p50 {statistics.median(taken):8.1f} ms   p95 {p95:8.1f} ms   {len(taken)} calls", flush=True)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=2_000)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--vectors", action="store_true", help="also make vectors")
    options = parser.parse_args()
    if os.environ.get("OPENSEARCH_URL"):
        os.environ["ANNOTARIUM_OPENSEARCH_PREFIX"] = f"bench-{uuid.uuid4().hex[:12]}"
    with tempfile.TemporaryDirectory(prefix="an-bench-") as folder:
        Bench(Path(folder), options.documents, options.seconds).run(vectors=options.vectors)
    print(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())}")


if __name__ == "__main__":
    main()
