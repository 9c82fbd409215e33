"""How soon an answer begins: `nice python core/bench/answer_latency.py [--segments N] [--questions N] [--askers N]`.

Starts `annotarium serve` in a temporary data folder and imports made documents. Prints p50 and p95 in milliseconds of
questions of one asker at a time, answered by the sentences of the documents, until the response with the hits, until
the first words and until the complete answer (`asyncAnswer`, read again and again without a pause); then of several
askers at once, each a user of its own, with the number of errors. Last the memory of the API process with its helper.
The load of the machine is printed, because other work changes the figures.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
from support.corpus import Corpus
from support.installation import PASSWORD, Installation

PROJECT, SENTENCES, BATCH = "bench", 20, 2_000


class Asker:
    """A signed-in user."""

    def __init__(self, address: str, username: str) -> None:
        answer = httpx.post(f"{address}/api/auth/login", json={"email": username, "password": PASSWORD}, timeout=120)
        headers = {"authorization": f"Bearer {answer.raise_for_status().json()['access_token']}"}
        self.client = httpx.Client(base_url=f"{address}/api/projects/{PROJECT}", headers=headers, timeout=120)

    def ask(self, question: str) -> dict[str, float]:
        """Ask, follow the answer to its end; return the milliseconds of its parts."""
        begin = time.perf_counter()
        parameters = {"query": question, "answerQuestion": True, "asyncAnswer": True}
        found = self.client.post("/segments/_search", params=parameters).raise_for_status().json()
        taken = {"hits": (time.perf_counter() - begin) * 1000}
        path = f"/answers/{found['resultID']}"
        while True:
            answer = self.client.get(path).raise_for_status().json()
            if answer["text"] and "first" not in taken:
                taken["first"] = (time.perf_counter() - begin) * 1000
            if answer["status"] != "running":
                break
            time.sleep(0.005)
        if answer["status"] != "done":
            raise RuntimeError(str(answer["error"]))
        return taken | {"complete": (time.perf_counter() - begin) * 1000}


def questions(corpus: Corpus, count: int) -> list[str]:
    """Return questions about words of different frequencies."""
    words = corpus.words
    return [
        f"What is the {words[40 + 13 * number % 900]} of {words[60 + 29 * number % 1500]} "
        f"and {words[30 + 7 * number % 200]}?"
        for number in range(count)
    ]


def print_times(name: str, taken: list[dict[str, float]], errors: int) -> None:
    """Print p50 and p95 of each part."""
    parts = []
    for part in ("hits", "first", "complete"):
        values = [one[part] for one in taken if part in one]
        if len(values) > 1:
            p95 = statistics.quantiles(values, n=20)[-1]
            parts.append(f"{part} p50 {statistics.median(values):.0f} p95 {p95:.0f}")
    load = os.getloadavg()[0]
    print(f"{name}: {'  '.join(parts)}  ({len(taken)} answers, {errors} errors, load {load:.1f})", flush=True)


def several(address: str, asked: list[str], askers: int) -> None:
    """Let each asker ask all questions, at the same time as the others."""
    people = [Asker(address, f"asker{number}") for number in range(askers)]

    def work(number: int) -> tuple[list[dict[str, float]], int]:
        taken, errors = [], 0
        for place in range(len(asked)):
            try:
                taken.append(people[number].ask(asked[(place + number) % len(asked)]))
            except (httpx.HTTPError, RuntimeError) as error:
                print(f"asker{number}: {error}")
                errors += 1
        return taken, errors

    with ThreadPoolExecutor(askers) as pool:
        found = list(pool.map(work, range(askers)))
    print_times(f"{askers} askers at once", [one for taken, _ in found for one in taken], sum(e for _, e in found))


def memory(server: Installation) -> None:
    """Print the resident memory of the processes that answer."""
    for part in server.processes():
        line = " ".join(part.cmdline())
        if " answers" in line or "api" in line or "serve" in line:
            print(f"memory: {part.memory_info().rss / 1e6:.0f} MB  {line[-60:]}", flush=True)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--segments", type=int, default=200_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--askers", type=int, default=20)
    given = parser.parse_args()
    corpus = Corpus()
    with tempfile.TemporaryDirectory() as folder:
        server = Installation(Path(folder))
        server.start()
        try:
            server.sign_in()
            body = {"label": PROJECT, "name": PROJECT, "lang": "en", "nature": "question_answering"}
            server.call("POST", "/projects", json=body)
            count = given.segments // SENTENCES
            made = [corpus.long_document(f"d{at}", sentences=SENTENCES, spans_each=0) for at in range(count)]
            begin = time.perf_counter()
            for first in range(0, len(made), BATCH):
                content = json.dumps(made[first : first + BATCH]).encode()
                path, headers = f"/projects/{PROJECT}/documents/_import_documents", {"content-type": "application/json"}
                server.call("POST", path, params={"wait": "true"}, content=content, headers=headers)
            total = server.call("POST", f"/projects/{PROJECT}/segments/_search", params={"size": 0})["total"]["value"]
            print(f"{total:,} segments imported in {time.perf_counter() - begin:.0f} s", flush=True)
            roles = [role["rolename"] for role in server.call("GET", "/roles")]
            for number in range(given.askers):
                server.call("POST", "/users", json={"username": f"asker{number}", "password": PASSWORD, "roles": roles})
            one, asked = Asker(server.address, "asker0"), questions(corpus, given.questions)
            one.ask(asked[0])  # starts the helper
            print_times("one asker at a time", [one.ask(question) for question in asked], 0)
            several(server.address, asked[:10], given.askers)
            memory(server)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
