"""How long a search experiment takes and what it blocks: `nice python core/bench/ranking_job.py [--questions N]`.

Starts `annotarium serve` in a temporary data folder and imports made documents and judged questions. Measures text,
vector and hybrid search and a reranker on all questions through the job, and learns a reranking. Prints the seconds
of the run, the highest memory of a process of the worker, and how long a writer waits who creates a label every 20 ms
during the run, p95 and the longest; then the milliseconds of pages of saved questions and of results.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
from support.corpus import Corpus
from support.installation import Installation

PROJECT, SENTENCES, BATCH, PAGES = "bench", 10, 2_000, 20
GRID = {"searchTypes": ["text", "hybrid"], "rerankers": ["", "feature_reranker"], "learned": True}


def questions(documents: list[dict[str, Any]], count: int) -> list[dict[str, Any]]:
    """Return questions of words of one sentence each, which is judged as relevant."""
    found = []
    for number in range(count):
        text = documents[number % len(documents)]["text"]
        sentences = [one for one in text.split(". ") if one]
        sentence = sentences[(number // len(documents)) % len(sentences)]
        start = text.index(sentence)
        identifier = f"question-{number:06d}"
        judgement = {
            "documentIdentifier": documents[number % len(documents)]["identifier"],
            "start": start,
            "end": start + len(sentence),
            "grade": 1 + number % 3,
        }
        words = " ".join(sentence.split()[3:9])
        found.append({"identifier": identifier, "text": f"What about {words}?", "judgements": [judgement]})
    return found


class Writer:
    """Creates labels until it is stopped, and knows how long each one took (ms)."""

    def __init__(self, server: Installation) -> None:
        self.times: list[float] = []
        self._client = httpx.Client(base_url=f"{server.address}/api", headers=server.client.headers, timeout=120)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        number = 0
        while not self._over.wait(0.02):
            body = {"name": f"label{number}", "label": f"label{number}"}
            begin = time.perf_counter()
            self._client.post(f"/projects/{PROJECT}/labels", json=body).raise_for_status()
            self._client.delete(f"/projects/{PROJECT}/labels/label{number}").raise_for_status()
            self.times.append((time.perf_counter() - begin) * 500)
            number += 1

    def __enter__(self) -> Writer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def report(self, name: str) -> None:
        """Print p95 and the longest time of a write."""
        p95 = statistics.quantiles(self.times, n=20)[-1]
        print(f"writes {name}: p95 {p95:.0f} ms, longest {max(self.times):.0f} ms ({len(self.times)})", flush=True)


def fill(server: Installation, count: int) -> None:
    """Import documents and judged questions and compute vectors."""
    server.call("POST", "/projects", json={"label": PROJECT, "name": PROJECT, "lang": "en"})
    corpus, project = Corpus(), f"/projects/{PROJECT}"
    made = [corpus.long_document(f"d{at}", sentences=SENTENCES, spans_each=0) for at in range(max(100, count // 5))]
    for first in range(0, len(made), BATCH):
        content, headers = json.dumps(made[first : first + BATCH]).encode(), {"content-type": "application/json"}
        path = f"{project}/documents/_import_documents"
        server.call("POST", path, params={"wait": "true"}, content=content, headers=headers)
    begin = time.perf_counter()
    file = ("questions.json", json.dumps(questions(made, count)).encode())
    uploads = server.call("POST", "/uploads", files=[("file", file)])
    job = server.call("POST", f"{project}/questions/_import", json=[{"id": one["id"]} for one in uploads])
    wait(server, job["id"])
    print(f"{count:,} judged questions imported in {time.perf_counter() - begin:.0f} s", flush=True)
    wait(server, server.call("POST", f"{project}/segments/_vectorize", json={"vectorizer": "lsa"})["id"])


def wait(server: Installation, job_id: str) -> int:
    """Wait for the end of a job; return the highest memory (bytes) of a process of a worker meanwhile."""
    highest = 0
    while (job := server.call("GET", f"/projects/{PROJECT}/job/{job_id}"))["status"] == "STARTED":
        time.sleep(0.5)
        for part in server.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                if "work" in " ".join(part.cmdline()):
                    highest = max(highest, part.memory_info().rss)
    if job["status"] != "COMPLETED":
        raise RuntimeError(str(job))
    return highest


def pages(server: Installation, name: str, path: str, total: int) -> None:
    """Print how long pages of a list take (ms), from its beginning to its end."""
    taken = []
    for number in range(PAGES):
        begin = time.perf_counter()
        server.call("GET", path, params={"from": number * (total - 50) // PAGES, "size": 50})
        taken.append((time.perf_counter() - begin) * 1000)
    print(f"pages of {name}: p50 {statistics.median(taken):.0f} ms, longest {max(taken):.0f} ms", flush=True)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=10_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Installation(Path(folder))
        server.start()
        try:
            server.sign_in()
            fill(server, given.questions)
            experiments = f"/projects/{PROJECT}/ranking_experiments"
            with Writer(server) as before:
                time.sleep(10)
            before.report("before")

            body = {"kind": "ranking", "label": "Ways", "parameters": {"ranking": GRID}}
            name = server.call("POST", experiments, json=body)["name"]
            begin = time.perf_counter()
            with Writer(server) as during:
                highest = wait(server, server.call("POST", f"{experiments}/{name}/_launch")["id"])
            seconds = time.perf_counter() - begin
            print(f"run: {seconds:.0f} s, worker {highest / 1e6:.0f} MB", flush=True)
            during.report("during the run")
            found = server.call("GET", f"{experiments}/{name}")["report"]
            print([(one["key"], one["ndcg"], one["seconds"]) for one in found["configurations"]], flush=True)
            pages(server, "saved questions", f"/projects/{PROJECT}/questions", given.questions)
            pages(server, "results", f"{experiments}/{name}/questions", given.questions)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
