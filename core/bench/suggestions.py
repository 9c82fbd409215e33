"""Benchmark of the list of suggestions: `python core/bench/suggestions.py [SUGGESTIONS ...]`.

Documents of 20 segments, a suggestion on every second one, a tenth of them answered. Requests of the suggestions screen
are sent through the test client, so the figures contain the server's work and no network. Each size runs in its own
process. Goal: a page with its facets within 60 ms (p95), whatever the number of suggestions; the ratio of the largest
to the smallest size is printed last.

The requests start when the process has finished what follows the filling (indexing, housekeeping): it would be
measured with the first case only. Elapsed time contains the time for which a thread that could run waited for a
processor because other programs had it, and a few such calls decide a p95. So processor time and this wait are printed
too: where elapsed time exceeds processor time by the wait, the machine was busy and the figure says nothing about the
server. Run it with `nice -n -5` on a machine with other programs.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from support.comparison_table import ComparisonTable, p50, p95, time_calls_cpu_and_wait
from support.corpus import Corpus
from support.installation import PASSWORD

SIZES, SEGMENTS, BATCH, CALLS, GOAL = (1_000, 10_000, 100_000), 20, 1_000, 100, 60
QUIET_SECONDS, QUIET_SHARE, PATIENCE_SECONDS = 1.0, 0.03, 60
PAGE = {"size": 25, "facet": True}
REQUESTS: dict[str, dict[str, Any]] = {
    "first page": PAGE,
    "page in the middle": PAGE,
    "least certain first": PAGE | {"sort": "worst"},
    "shuffled": PAGE | {"sort": "random"},
    "of a label": PAGE | {"filter": "+label:label3"},
    "of two labels and a confidence": PAGE | {"filter": "label:label3,label:label4,confidence:0.7"},
}


def main() -> int:
    """Read the options and measure each size in its own process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suggestions", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--inner", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inner:
        return measure(given.suggestions[0], given.inner)
    figures: list[dict[str, float]] = []
    failed = 0
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        for count in given.suggestions:
            print(f"\n{count:,} suggestions", flush=True)
            data, result = Path(folder) / str(count), Path(folder) / f"{count}.json"
            environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
            environment |= {"ANNOTARIUM_DATA": str(data), "ANNOTARIUM_LOG_LEVEL": "warning"}
            environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD}
            command = [sys.executable, "-W", "ignore", __file__, "--inner", str(result), str(count)]
            failed += subprocess.run(command, env=environment, check=False).returncode
            figures.append(json.loads(result.read_text()))
    print(f"\nratio of {given.suggestions[-1]:,} to {given.suggestions[0]:,} suggestions, p50")
    for name in REQUESTS:
        print(f"{name:52}{figures[-1][name] / figures[0][name]:>9.1f}x")
    print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
    return 1 if failed else 0


def measure(count: int, result: Path) -> int:
    """Fill a project and measure the requests; writes their medians to `result`."""
    from starlette.testclient import TestClient

    from annotarium.app import create_app
    from annotarium.db.migrate import upgrade_database
    from annotarium.domains.auth.operator_accounts import ensure_first_administrator
    from annotarium.server.logs import configure_logging

    configure_logging()
    upgrade_database()
    ensure_first_administrator()
    table, medians = ComparisonTable(), {}
    with TestClient(create_app(), base_url="http://bench.test") as client:
        answer = client.post("/api/auth/login", json={"email": "admin", "password": PASSWORD})
        client.headers["authorization"] = f"Bearer {answer.json()['access_token']}"
        fill(client, count)
        found = client.get("/api/projects/bench/suggestions", params=PAGE).json()
        table.check("every unanswered suggestion counted", found["total"]["value"] == count - count // 10)
        await_end_of_background_work()
        gc.collect()
        gc.freeze()  # as the server does when it starts
        for name, parameters in REQUESTS.items():
            start = count // 2 if name == "page in the middle" else 0

            def ask(_: int, query: dict[str, Any] = parameters | {"from": start}) -> None:
                client.get("/api/projects/bench/suggestions", params=query).raise_for_status()

            taken, used, waited = time_calls_cpu_and_wait(ask, CALLS)
            medians[name] = p50(taken)
            table.figure(f"{name}, p50", p50(taken), "ms")
            table.figure(f"{name}, p95", p95(taken), "ms", goal=GOAL)
            table.figure(f"{name}, processor, p50", p50(used), "ms")
            table.figure(f"{name}, processor, p95", p95(used), "ms")
            table.figure(f"{name}, waiting for a processor, p95", p95(waited), "ms")
    result.write_text(json.dumps(medians))
    return 1 if table.wrong else 0


def await_end_of_background_work() -> None:
    """Wait until the threads of this process hardly use a processor; gives up after `PATIENCE_SECONDS`."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        before = time.process_time()
        time.sleep(QUIET_SECONDS)
        if time.process_time() - before < QUIET_SECONDS * QUIET_SHARE:
            return
    print("the process did not become idle: the first figures contain background work", flush=True)


def fill(client: Any, count: int) -> None:
    """Import documents and store suggestions on every second segment; answer a tenth of them."""
    from annotarium.jobs.run import run_job

    client.post("/api/projects", json={"label": "bench", "name": "bench", "lang": "en"}).raise_for_status()
    corpus, rng = Corpus(), random.Random(3)
    documents = count * 2 // SEGMENTS
    proposals: dict[str, list[dict[str, Any]]] = {}
    for first in range(0, documents, BATCH):
        batch = []
        for number in range(first, min(first + BATCH, documents)):
            one = corpus.long_document(f"document-{number:06d}", sentences=SEGMENTS, spans_each=1)
            # Every second span becomes a suggestion; of those, a tenth has been answered before.
            proposals[one["identifier"]] = one["annotations"][::2]
            one["annotations"] = one["annotations"][1::2] + one["annotations"][:1]
            batch.append(one)
        answer = client.post("/api/projects/bench/documents/_import_documents", json=batch)
        answer.raise_for_status()
        run_job(answer.json()["id"])
    store_suggestions(proposals, rng)


def store_suggestions(proposals: dict[str, list[dict[str, Any]]], rng: random.Random) -> None:
    """Store a suggestion for each of the spans, as a suggester does."""
    from annotarium.db.identifiers import new_id, now_ms
    from annotarium.db.models import Document, Project
    from annotarium.db.unit_of_work import unit_of_work
    from annotarium.domains.suggesters.repository import replace_suggestions

    with unit_of_work(actor="bench", write=True) as unit:
        project = unit.session.query(Project).filter_by(name="bench").one()
        ids = dict(unit.session.query(Document.identifier, Document.id).filter_by(project_id=project.id))
        rows = [
            {
                "id": new_id(),
                "project_id": project.id,
                "document_id": ids[identifier],
                "start": max(0, span["start"] - 40),
                "end": span["end"] + 40,
                "annotations": [
                    {name: span[name] for name in ("start", "end", "text", "labelName")} | {"score": rng.random()}
                ],
                "categories": [],
                "confidence": rng.random(),
                "priority": rng.random(),
                "suggester": f"suggester{number % 3}",
                "created_at": now_ms(),
            }
            for identifier, spans in proposals.items()
            for number, span in enumerate(spans)
        ]
        replace_suggestions(unit.session, project.id, "suggester", rows)


if __name__ == "__main__":
    sys.exit(main())
