"""Benchmark of vocabularies over HTTP: `python core/bench/lexicons.py [--terms N] [--format nt|tsv]`.

Starts `annotarium serve` in a temporary data folder, imports a file of made-up terms into a lexicon as the studio does
(upload, then a job), searches it, opens its tree, and makes a gazetteer of it. One term in ten is at the top of the
tree, every second one has another form. Memory is that of each process by itself, private pages only, at its peak until
so many terms were written: it must not grow with them. The full run is `--terms 1000000`.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from gazetteers import made_up_terms, made_up_vocabulary
from support.comparison_table import p50, p95, time_calls
from support.installation import MEGABYTE, Installation

CALLS = 60
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_TERM = "http://bench.test/term/"
_SHARES = (0.1, 0.3, 1.0)
_LEXICON = "/projects/bench/lexicons/vocabulary"


def forms(words: list[str], count: int) -> Iterator[tuple[int, str]]:
    """Yield the number and preferred form of each term."""
    for number, term in enumerate(made_up_terms(words, count)):
        yield number, term.preferred_form or ""


def broader(number: int) -> int | None:
    """Return the number of the term above a term, None for one at the top."""
    return number // 20 if number % 10 else None


def write_n_triples(path: Path, words: list[str], count: int) -> None:
    """Write the vocabulary as SKOS in N-Triples."""
    with path.open("w") as file:
        for number, form in forms(words, count):
            subject = f"<{_TERM}{number}>"
            file.write(f'{subject} {_TYPE} <{_SKOS}Concept> .\n{subject} <{_SKOS}prefLabel> "{form}"@en .\n')
            if number % 2:
                file.write(f'{subject} <{_SKOS}altLabel> "{form} {number}"@en .\n')
            above = broader(number)
            if above is not None:
                file.write(f"{subject} <{_SKOS}broader> <{_TERM}{above}> .\n")


def write_table(path: Path, words: list[str], count: int) -> None:
    """Write the vocabulary as a table."""
    with path.open("w") as file:
        file.write("id\tlabel\tsynonyms\tbroader\n")
        for number, form in forms(words, count):
            above = broader(number)
            other = f"{form} {number}" if number % 2 else ""
            file.write(f"{_TERM}{number}\t{form}\t{other}\t{'' if above is None else f'{_TERM}{above}'}\n")


class MemoryByProcess:
    """Samples the private memory of each process of a server, twice a second, by its role."""

    def __init__(self, server: Installation) -> None:
        self._server = server
        self._over = threading.Event()
        self.written = 0
        """Terms written so far, set by the caller."""
        self.samples: list[tuple[int, dict[str, float]]] = []

    @contextlib.contextmanager
    def watched(self) -> Iterator[None]:
        """Take samples until the end of the context."""
        thread = threading.Thread(target=self._watch)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.5):
            found: dict[str, float] = {}
            for process in self._server.processes():
                with contextlib.suppress(psutil.Error, OSError, KeyError):
                    role = _role(process)
                    found[role] = found.get(role, 0.0) + _private_memory(process.pid)
            self.samples.append((self.written, found))

    def peaks(self, most: int) -> dict[str, float]:
        """Return the peak of each role until so many terms were written."""
        peaks: dict[str, float] = {}
        for written, found in self.samples:
            if written <= most:
                peaks = {role: max(peaks.get(role, 0), found.get(role, 0)) for role in peaks | found}
        return peaks


def _role(process: psutil.Process) -> str:
    """Name a process: what the supervisor started it as; a process that one of those forked is its child."""
    words, above = process.cmdline(), process.parent()
    if "serve" in words or above is None:
        return "supervisor"
    if above.cmdline() == words:
        return f"{_role(above)}'s child"
    return words[words.index("annotarium.server.launch") + 1] if "annotarium.server.launch" in words else "other"


def _private_memory(pid: int) -> float:
    rolled = dict(re.findall(r"(\w+): +(\d+) kB", Path(f"/proc/{pid}/smaps_rollup").read_text()))
    return int(rolled["Pss_Anon"]) * 1024 / MEGABYTE


class Bench:
    """The measurements, in the order in which they are made."""

    def __init__(self, folder: Path, terms: int, format: str) -> None:
        self.server = Installation(folder)
        self.folder, self.terms, self.format = folder, terms, format
        self.words = made_up_vocabulary(min(200_000, max(2_000, terms)))
        self.wrong: list[str] = []
        self.slow: list[str] = []

    def run(self) -> int:
        """Run everything; returns 1 when something is not found."""
        try:
            self.server.start()
            self.server.sign_in()
            self.server.call("POST", "/projects", json={"label": "bench", "name": "bench", "lang": "en"})
            self.server.call("POST", "/projects/bench/lexicons", json={"label": "vocabulary", "name": "vocabulary"})
            self.imports()
            self.searches()
            self.tree()
            self.synchronizes()
        finally:
            self.server.stop()
        print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
        print(f"goals missed: {', '.join(self.slow) or 'none'}")
        print(f"wrong: {', '.join(self.wrong) or 'nothing'}")
        return 1 if self.wrong else 0

    def wait(self, job: dict[str, Any], memory: MemoryByProcess | None = None) -> dict[str, Any]:
        """Wait for the end of a job; returns it."""
        while True:
            found: dict[str, Any] = self.server.call("GET", f"/jobs/{job['id']}")
            if memory is not None:
                memory.written = found["currentStepCount"]
            if found["status"] in ("COMPLETED", "CANCELLED", "FAILED"):
                break
            time.sleep(0.5)
        if found["status"] != "COMPLETED":
            raise RuntimeError(f"The job ended as {found['status']}: {found.get('statusMessage')}")
        return found

    def imports(self) -> None:
        """Import the vocabulary; print terms a second and the memory of each process."""
        file = self.folder / f"vocabulary.{self.format}"
        (write_n_triples if self.format == "nt" else write_table)(file, self.words, self.terms)
        with file.open("rb") as content:
            (upload,) = self.server.call("POST", "/uploads", files={"file": (file.name, content)})
        print(f"file         {file.stat().st_size / MEGABYTE:8.1f} MB  {self.terms:,} terms", flush=True)
        file.unlink()
        memory = MemoryByProcess(self.server)
        with memory.watched():
            begin, used = time.perf_counter(), self._processor_seconds()
            body = {"files": [{"id": upload["id"]}], "importer": {"format": "", "parameters": {}}}
            job = self.wait(self.server.call("POST", f"{_LEXICON}/_load", json=body), memory)
            seconds, spent = time.perf_counter() - begin, self._processor_seconds() - used
        rate = f"{self.terms / seconds:,.0f} terms/s  {self.terms / spent:,.0f} terms per processor second"
        print(f"import       {seconds:8.1f} s  {rate}  {job['statusMessage']}", flush=True)
        for share in _SHARES:
            most = int(share * self.terms)
            peaks = memory.peaks(most if share < 1 else sys.maxsize)
            said = "  ".join(f"{role} {peak:.0f}" for role, peak in sorted(peaks.items()))
            print(f"MB until {most:>9,} terms: {said}", flush=True)

    def _processor_seconds(self) -> float:
        """Processor time of all processes, those that ended included."""
        total = 0.0
        for process in self.server.processes():
            with contextlib.suppress(psutil.Error):
                times = process.cpu_times()
                total += times.user + times.system + times.children_user + times.children_system
        return total

    def timed(self, name: str, call: Any, goal: float) -> None:
        """Print p50 and p95 of a call in milliseconds."""
        found = time_calls(call, CALLS)
        print(f"{name:40} p50 {p50(found):7.1f} ms  p95 {p95(found):7.1f} ms  (goal {goal:.0f})", flush=True)
        if p95(found) > goal:
            self.slow.append(name)

    def searches(self) -> None:
        """Searches of one word, of two, of a beginning, with facets, of everything."""
        draw = random.Random(7)
        words = [draw.choice(self.words) for _ in range(CALLS + 3)]
        pairs = [f"{draw.choice(self.words)} {draw.choice(self.words)}" for _ in words]

        def search(query: str, **more: Any) -> Any:
            given = {"query": query, "size": 8, **more}
            return self.server.call("POST", "/projects/bench/lexicons/_search", params=given)

        found = search("", facet=True)["total"]
        total = found["value"] if isinstance(found, dict) else found
        if total != self.terms:
            self.wrong.append(f"{total:,} of {self.terms:,} terms are found")
        self.timed("search of a word", lambda number: search(words[number]), 50)
        self.timed("search of two words", lambda number: search(pairs[number]), 50)
        self.timed("search of a beginning", lambda number: search(f"{words[number][:4]}*"), 50)
        self.timed("search of a word with facets", lambda number: search(words[number], facet=True), 50)
        self.timed("all terms, first page", lambda _number: search(""), 50)
        self.timed("all terms, first page with facets", lambda _number: search("", facet=True), 50)

    def tree(self) -> None:
        """First page of the tree, a later one, a page of children, a card of a term."""

        def roots(first: int) -> Any:
            return self.server.call("GET", f"{_LEXICON}/_roots", params={"from": first, "size": 50})

        def named(action: str, number: int) -> Any:
            return self.server.call("POST", f"{_LEXICON}/{action}", json={"identifier": f"{_TERM}{number}"})

        if len(roots(0)["terms"]) != 50 or not named("_children", 1)["terms"]:
            self.wrong.append("the tree is not there")
        self.timed("first page of the tree", lambda _number: roots(0), 100)
        self.timed("page in the middle of the tree", lambda _number: roots(self.terms // 20), 100)
        self.timed("children of a term", lambda number: named("_children", number + 1), 100)
        self.timed("card of a term", lambda number: named("_get_term", number * 37 % self.terms), 100)

    def synchronizes(self) -> None:
        """Make a gazetteer of the lexicon; print seconds and memory."""
        body = {"engine": "dictionary", "label": "finder", "name": "finder", "parameters": {"lexicons": ["vocabulary"]}}
        made = self.server.call("POST", "/projects/bench/gazetteers", json=body)
        memory = MemoryByProcess(self.server)
        with memory.watched():
            begin = time.perf_counter()
            self.wait(self.server.call("POST", f"/projects/bench/gazetteers/{made['name']}/_synchronize"))
            seconds = time.perf_counter() - begin
        said = "  ".join(f"{role} {peak:.0f}" for role, peak in sorted(memory.peaks(sys.maxsize).items()))
        print(f"synchronise  {seconds:8.1f} s  MB: {said}", flush=True)


def main() -> int:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--terms", type=int, default=50_000)
    parser.add_argument("--format", choices=("nt", "tsv"), default="nt")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        return Bench(Path(folder), options.terms, options.format).run()


if __name__ == "__main__":
    sys.exit(main())
