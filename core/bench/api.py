"""Benchmark of the whole product over HTTP: `python core/bench/api.py [--quick] [--documents N] [--seconds S]
[--api-processes N]`.

Starts `annotarium serve` in a temporary data folder and calls it as a browser or a script would. The peers were
measured with 10,000 documents of 1 kB with 8 spans each, SQLite, two shared cores. Absolute times depend on the
machine.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution
from itertools import chain
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from support.annotators import AnnotatorResult, AnnotatorTask, annotate_together
from support.comparison_table import NOBODY, ComparisonTable, PeerFigures, p50, p95, time_calls
from support.corpus import Corpus, unicode_edge_case_documents
from support.installation import PASSWORD, Installation

HIGHER = PeerFigures(None, None, higher_is_better=True)
ANNOTATORS = 8


class Bench:
    """The measurements, in the order in which they are made."""

    def __init__(self, folder: Path, documents: int, seconds: float, api_processes: int = 1) -> None:
        self.server = Installation(folder, api_processes)
        self.table = ComparisonTable()
        self.documents, self.seconds = documents, seconds
        self.calls = 60
        self.corpus = Corpus()

    def run(self) -> int:
        """Run everything; returns 1 when a check fails."""
        try:
            self.starts()
            self.imports()
            self.searches()
            self.reading()
            self.writing()
            self.annotators()
            self.exports()
            self.hard_texts()
        finally:
            self.server.stop()
        print(f"a loop of 300,000 additions took {reference_loop_ms():.0f} ms")
        print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
        print(f"behind the better peer: {', '.join(self.table.behind) or 'nothing'}")
        return 1 if self.table.wrong else 0

    def timed(
        self, name: str, call: Callable[[int], object], peers: tuple[PeerFigures, PeerFigures], *, count: int = 0
    ) -> None:
        """Print p50 and p95 of a call."""
        found = time_calls(call, count or self.calls)
        self.table.figure(f"{name}, p50", p50(found), "ms", peers[0])
        self.table.figure(f"{name}, p95", p95(found), "ms", peers[1])

    def path(self, rest: str, project: str = "bench") -> str:
        """Return the path of a resource of a project."""
        return f"/projects/{project}/{rest}"

    def make_project(self, name: str) -> None:
        """Create an empty project."""
        self.server.call("POST", "/projects", json={"label": name, "name": name, "lang": "en"})

    def load(self, documents: list[dict[str, Any]], project: str = "bench") -> None:
        """Import documents and wait; all of them must be imported."""
        self.load_file(json.dumps(documents).encode(), len(documents), project)

    def load_file(self, content: bytes, count: int, project: str = "bench") -> None:
        """Import the content of a file and wait; `count` documents must be imported."""
        job = self.server.call(
            "POST",
            self.path("documents/_import_documents", project),
            params={"wait": "true"},
            content=content,
            headers={"content-type": "application/json"},
        )
        if job["status"] != "COMPLETED" or not job["statusMessage"].startswith(f"{count:,} imported"):
            raise RuntimeError(f"The import ended as {job['status']}: {job['statusMessage']}")

    def search(self, **asked: Any) -> dict[str, Any]:
        """Search documents as the web app does."""
        found: dict[str, Any] = self.server.call("POST", self.path("documents/_search"), params=asked)
        return found

    # -- measurements ------------------------------------------------------------------------------------------------

    def starts(self) -> None:
        """Start, stop and start again; memory of an idle server."""
        self.table.figure("installed packages", installed_bytes() / 1e6, "MB", PeerFigures(1008, 718))
        self.table.figure("first start to first answer", self.server.start(), "s", PeerFigures(28, 9), goal=5)
        self.server.stop()
        self.table.figure("second start", self.server.start(), "s", PeerFigures(2.6, 2.6), goal=5)
        self.server.sign_in()
        time.sleep(3)
        self.table.figure("idle memory", self.server.memory(), "MB", PeerFigures(265, 611), goal=250)

    def imports(self) -> None:
        """Time until imported documents are visible and can be found."""
        self.make_project("bench")
        self.load([self.corpus.document(number) for number in range(10_000_000, 10_000_050)])  # warms up the worker
        file = json.dumps([self.corpus.document(number) for number in range(self.documents)]).encode()
        with self.server.watched() as samples:
            begin = time.perf_counter()
            self.load_file(file, self.documents)
            seconds = time.perf_counter() - begin
        found = self.search(size=0)["total"]["value"]
        self.table.figure(
            "import to visible and searchable",
            self.documents / seconds,
            "documents/s",
            PeerFigures(1295, 725, True),
            goal=1500,
        )
        self.table.figure("most memory, all processes, while importing", max(samples), "MB", PeerFigures(603, 1404))
        third = samples[: max(1, len(samples) // 3)]
        self.table.check("memory flat", max(samples) < 1.3 * max(third), f"{max(third):.0f} MB in the first third")
        self.table.check("every document found", found == self.documents + 50, f"{found:,}")

    def searches(self) -> None:
        """Lists, word searches, facets."""
        words, last = self.corpus.words, self.documents - 25
        self.timed("list, first page of 25", lambda _: self.search(size=25), (PeerFigures(41, 56), PeerFigures(48, 81)))
        self.timed(
            "list, last page of 25", lambda _: self.search(**{"from": last}, size=25), (PeerFigures(43, 116), NOBODY)
        )
        self.timed(
            "word search",
            lambda n: self.search(query=words[30 + 17 * n], size=25, highlight=True),
            (PeerFigures(73, 47), PeerFigures(90, 53)),
        )
        facets = {"facet": True, "selectedFacets": "-metadata.source:source3", "size": 25}
        self.timed(
            "search, facets, one excluded", lambda n: self.search(query=words[n + 20], **facets), (NOBODY, NOBODY)
        )
        self.timed("all documents, facets, one excluded", lambda _: self.search(**facets), (NOBODY, NOBODY))
        self.timed(
            "filter by label",
            lambda n: self.search(selectedFacets=f"label:label{n % 12}", size=25),
            (PeerFigures(60_000, 71), NOBODY),
        )

    def reading(self) -> None:
        """Open documents."""
        self.load(
            [
                self.corpus.long_document("middle", sentences=40, spans_each=1),
                self.corpus.long_document("large", sentences=1600, spans_each=1),
            ]
        )
        large = self.server.call("GET", self.path("documents/large"))
        extra = [self._extra(large["text"], place) for place in range(2000 - len(large["annotations"]))]
        for body in extra[:50]:
            self.server.call("POST", self.path("annotations"), json=body)
        for name, peers in (("middle", PeerFigures(47, 8.9)), ("large", PeerFigures(64, 75))):
            words = "open a document of 5 kB" if name == "middle" else "open 200 kB with some 2,000 spans"
            self.timed(
                words, lambda _, name=name: self.server.call("GET", self.path(f"documents/{name}")), (peers, NOBODY)
            )

    def _extra(self, text: str, place: int) -> dict[str, Any]:
        start = place * 37 + 5
        return self._span("large", text, start, start + 9)

    def _span(self, document: str, text: str, start: int, end: int, label: str = "label1") -> dict[str, Any]:
        span = {"documentIdentifier": document, "labelName": label, "start": start, "end": end, "status": "OK"}
        return span | {"text": text[start:end]}

    def writing(self) -> None:
        """Create and delete spans."""
        create = (PeerFigures(33, 7.7), PeerFigures(38, 10))
        for document, words, peers in (
            ("document-000001", "create a span", create),
            ("large", "create a span beside 2,000 others", (PeerFigures(100, 8.3), NOBODY)),
        ):
            text = self.server.call("GET", self.path(f"documents/{document}"))["text"]
            made: list[str] = []

            def one(number: int, document: str = document, text: str = text, made: list[str] = made) -> None:
                body = self._span(document, text, 11 + number * 7, 18 + number * 7)
                made.append(self.server.call("POST", self.path("annotations"), json=body)["identifier"])

            def gone(number: int, made: list[str] = made) -> None:
                self.server.call("DELETE", self.path(f"annotations/{made[number]}"))

            self.timed(words, one, peers)
            self.timed(
                words.replace("create", "delete"), gone, (PeerFigures(24, 5.4) if peers is create else NOBODY, NOBODY)
            )
        self.table.figure("annotation until its facet is found, p50", p50(self._until_found()), "ms", goal=20)

    def _until_found(self) -> list[float]:
        """Create an annotation with a label that is new to the document and search until it is found; returns the times
        in ms.
        """
        self.server.call("POST", self.path("labels"), json={"label": "fresh", "name": "fresh"})

        def one(number: int) -> None:
            document = f"document-{100 + number:06d}"
            body = {"documentIdentifier": document, "labelName": "fresh", "start": 0, "end": 3, "status": "OK"}
            self.server.call("POST", self.path("annotations"), json=body)
            wanted = number + 1
            while self.search(selectedFacets="label:fresh", size=0)["total"]["value"] < wanted:
                pass

        return time_calls(one, self.calls)

    def annotators(self) -> None:
        """Eight users at the same time; all acknowledged changes are read back and compared."""
        names = [f"document-{number:06d}" for number in range(500, 540)]
        before = {name: self.server.call("GET", self.path(f"documents/{name}")) for name in names}
        texts = {name: document["text"] for name, document in before.items()}
        known = {one["identifier"] for document in before.values() for one in document["annotations"]}
        tokens = self._people()
        start_at = time.time() + 2.5
        works = [
            AnnotatorTask(self.server.address, token, "bench", texts, self.seconds, start_at, number)
            for number, token in enumerate(tokens)
        ]
        time.sleep(0.1)
        cpu = self.server.processor_seconds()
        done = annotate_together(works)
        cpu = self.server.processor_seconds() - cpu
        spent = [one for person in done for one in person.times]
        share = cpu / self.seconds
        self.table.figure(
            "eight annotators", len(spent) / self.seconds, "operations/s", PeerFigures(20, 207, True), goal=400
        )
        self.table.figure("eight annotators, p95", p95(spent), "ms", PeerFigures(1184, 71))
        self.table.figure("  server's processor time per operation", cpu * 1000 / len(spent), "ms")
        failures = list(chain.from_iterable(person.failures for person in done))
        self.table.check("no failures", not failures, f"server at {share:.1f} cores {' '.join(failures[:2])}")
        self.table.check("nothing lost, nothing changed", *self._compare(names, known, done))

    def _people(self) -> list[str]:
        tokens = []
        for number in range(ANNOTATORS):
            person = {"username": f"annotator{number}", "password": PASSWORD, "roles": ["Annotator"]}
            self.server.call("POST", "/users", json=person)
            mode = {"params": {"username": person["username"]}, "json": {"read": True, "write": True}}
            self.server.call("POST", self.path("shares/users"), **mode)
        for number in range(ANNOTATORS):
            tokens.append(self.server.sign_in(f"annotator{number}"))
        self.server.sign_in()
        return tokens

    def _compare(self, names: list[str], known: set[str], done: list[AnnotatorResult]) -> tuple[bool, str]:
        wanted = {key: state for person in done for key, state in person.saved.items()}
        found = {}
        for name in names:
            for one in self.server.call("GET", self.path(f"documents/{name}"))["annotations"]:
                if one["identifier"] not in known:
                    state = (name, one["start"], one["end"], one["labelName"], one.get("status"))
                    found[one["identifier"]] = state
        # The same span created twice by one user is one span: its later state is valid, and both responses name it.
        return found == wanted, f"{len(found):,} spans read back, {len(wanted):,} acknowledged"

    def exports(self) -> None:
        """Export everything with labels as one JSON file."""
        begin = time.perf_counter()
        count = len(self.server.call("GET", self.path("documents")))
        seconds = (time.perf_counter() - begin) * 10_000 / count
        self.table.figure("export of 10,000 documents with labels", seconds, "s", PeerFigures(12.3, 7.9))

    def hard_texts(self) -> None:
        """Export and import texts with unusual characters; they must be equal to the last code point."""
        given = unicode_edge_case_documents()
        for project in ("hard", "again"):
            self.make_project(project)
        self.load(given, "hard")
        out = self.server.call("GET", self.path("documents", "hard"))
        self.load(out, "again")
        again = self.server.call("GET", self.path("documents", "again"))
        wanted = [_comparable_document(one) for one in given]
        right = wanted == [_comparable_document(one) for one in out] == [_comparable_document(one) for one in again]
        self.table.check(f"json round trip of {len(given)} hard texts exact", right)


def _comparable_document(document: dict[str, Any]) -> Any:
    spans = [(one["start"], one["end"], one["text"], one["labelName"]) for one in document["annotations"]]
    return document["identifier"], document["title"], document["text"], sorted(spans)


def reference_loop_ms() -> float:
    """Return the wall-clock milliseconds of a fixed Python loop, median of 15, which shows how busy the machine is."""

    def loop(_: int) -> None:
        total = 0
        for number in range(300_000):
            total += number * number % 7

    return p50(time_calls(loop, 15))


def installed_bytes(name: str = "annotarium") -> int:
    """Return the size on disk of a distribution and its requirements without extras."""
    waiting, seen, total = [name], set(), 0
    while waiting:
        current = waiting.pop().lower().replace("_", "-").replace(".", "-")
        if current in seen:
            continue
        seen.add(current)
        try:
            found = distribution(current)
        except PackageNotFoundError:
            continue
        for text in found.requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
                waiting.append(requirement.name)
        for file in found.files or ():
            path = Path(str(found.locate_file(file)))
            total += path.stat().st_size if path.is_file() else 0
    root = Path(__file__).parents[1] / "annotarium"  # an editable installation lists no files of the package
    return total + sum(path.stat().st_size for path in root.rglob("*") if path.is_file())


def main() -> int:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="1,000 documents, 3 seconds of annotators")
    parser.add_argument("--documents", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--api-processes", type=int, default=1)
    given = parser.parse_args()
    documents = given.documents or (1_000 if given.quick else 10_000)
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        seconds = given.seconds or (3 if given.quick else 10)
        return Bench(Path(folder), documents, seconds, given.api_processes).run()


if __name__ == "__main__":
    sys.exit(main())
