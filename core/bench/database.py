"""Benchmark of the database layer at scale: `python core/bench/database.py [DOCUMENTS ...] [--database URL]
[--statements]`.

Imports, lists, dashboards, archives, operations on many documents and on single ones. The documents have 10
annotations, 2 relations and a category each, by five creators. Runs on SQLite, and on PostgreSQL when a database is
named (an empty one: all of its tables are dropped). Each size runs in its own process. Prints for each operation its
statements, its processor time per document or per operation (of this process, and of the PostgreSQL server when it runs
on this machine), the growth of memory, and the number of rows that PostgreSQL read without an index. Also checks that
an archive is restored equal. With `--statements`, prints the slowest statements of each operation.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import Any

from support.corpus import Corpus, Document
from support.installation import PASSWORD
from support.meter import Cost, Meter

SIZES = (2_000, 10_000)
KEPT, CREATORS, OPERATIONS = 500, 5, 20
PARTS = ("reads", "single_operations", "archives", "many", "clearing")
STATUSES = ("OK", "OK", "KO", None)


def main() -> int:
    """Read the options and measure each size in its own process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--database", help="URL of an empty PostgreSQL database")
    parser.add_argument("--only", default="", help="pieces of work whose names hold this")
    parser.add_argument("--parts", nargs="*", default=list(PARTS), choices=PARTS, help="all after the import")
    parser.add_argument("--statements", action="store_true")
    parser.add_argument("--inner", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.inner:
        return Bench(given.documents[0], given.only, given.statements).run(given.parts)
    wrong = 0
    for url in filter(None, ("sqlite", given.database)):
        for count in given.documents:
            wrong += _run_in_own_process(count, url, given)
    print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
    return 1 if wrong else 0


def _run_in_own_process(count: int, url: str, given: argparse.Namespace) -> int:
    print(f"\n{url.split(':')[0]}, {count:,} documents", flush=True)
    command = [sys.executable, "-W", "ignore", __file__, "--inner", str(count), "--only", given.only]
    command += ["--parts", *given.parts, *["--statements"] * given.statements]
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        environment |= {"ANNOTARIUM_DATA": folder, "ANNOTARIUM_LOG_LEVEL": "warning"}
        environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "ANNOTARIUM_BODY_LIMIT": str(1 << 30)}
        if url != "sqlite":
            environment["ANNOTARIUM_DATABASE_URL"] = url
        return subprocess.run(command, env=environment, check=False).returncode


def document(corpus: Corpus, number: int) -> Document:
    """Return a document with all kinds of labelling, by several users, reviewed and not reviewed."""
    made = corpus.document(number) | corpus.long_document(f"document-{number:06d}", sentences=5, spans_each=2)
    for place, span in enumerate(made["annotations"]):
        span |= {"identifier": f"a{place}", "createdBy": f"person{(number + place) % CREATORS}"}
        span["status"] = STATUSES[place % len(STATUSES)]
    links = [{"name": f"relation{place}", "source": f"a{place}", "target": f"a{place + 1}"} for place in range(2)]
    return made | {"relations": links}


class Bench:
    """The operations, in the order in which they are measured."""

    def __init__(self, documents: int, only: str, statements: bool) -> None:
        from starlette.testclient import TestClient

        from annotarium.app import create_app
        from annotarium.db.database import get_database
        from annotarium.db.migrate import upgrade_database
        from annotarium.domains.auth.operator_accounts import ensure_first_administrator
        from annotarium.server.logs import configure_logging
        from annotarium.server.periodic_tasks import PeriodicTasks

        configure_logging()
        self.documents, self.only, self.statements = documents, only, statements
        database = get_database()
        if not database.is_sqlite:
            with database.write_engine.begin() as connection:
                connection.exec_driver_sql("DROP SCHEMA public CASCADE")
                connection.exec_driver_sql("CREATE SCHEMA public")
        upgrade_database()
        ensure_first_administrator()
        PeriodicTasks.start = lambda _keeper: None  # type: ignore[method-assign]  # what it does is no part of the work
        self.app = create_app()
        self.client = TestClient(self.app, base_url="http://bench.test")
        self.meter = Meter(database.write_engine, database.read_engine)
        self.wrong: list[str] = []

    def run(self, parts: Sequence[str]) -> int:
        """Run everything; returns 1 when a check fails."""
        print(f"{'':44}{'statements':>11}{'own ms':>9}{'record ms':>10}{'memory MB':>10}{'scanned':>11}")
        with self.client:
            answer = self.client.post("/api/auth/login", json={"email": "admin", "password": PASSWORD})
            self.client.headers["authorization"] = f"Bearer {answer.json()['access_token']}"
            self.call("POST", "/projects", json={"label": "bench", "name": "bench", "lang": "en"})
            self.imports()
            for part in parts:
                getattr(self, part)()
        return 1 if self.wrong else 0

    def call(self, method: str, path: str, **given: Any) -> Any:
        """Return the JSON response of one call; raises for any status other than success."""
        answer = self.client.request(method, f"/api{path}", **given)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer.json() if answer.content else None

    def job(self, path: str, method: str = "POST", **given: Any) -> dict[str, Any]:
        """Start a job with a call, run it in this process and return the finished job."""
        from annotarium.jobs.run import run_job

        answer = self.call(method, path, **given)
        job = answer.get("removeJob") or answer.get("job") or answer
        run_job(job["id"])
        ended: dict[str, Any] = self.call("GET", f"/jobs/{job['id']}")
        if ended["status"] != "COMPLETED":
            raise RuntimeError(f"{path}: {ended}")
        return ended

    def cleared(self, path: str, **given: Any) -> None:
        """Make a call that starts a job only for large amounts of data; the job runs in this process."""
        from annotarium.jobs.run import run_job

        job = self.call("POST", path, **given).get("job")
        if job is not None:
            run_job(job["id"])

    def work(self, name: str, operation: Callable[[], Any], per: int) -> Any:
        """Measure an operation; its figures are divided by `per` (documents or operations)."""
        from annotarium.search.indexer import get_outbox_relay

        with self.meter.measured() as cost:
            found = operation()
        get_outbox_relay().delete_applied()
        if self.only in name:
            self._print(name, cost, per)
        return found

    def _print(self, name: str, cost: Cost, per: int) -> None:
        each = f"{cost.statements / per:11.2f}{cost.seconds / per * 1000:9.2f}{cost.record / per * 1000:10.2f}"
        print(f"{name:44}{each}{cost.grown:10.0f}{cost.scanned:11,}", flush=True)
        for words, seconds in cost.slowest.most_common(6) if self.statements else ():
            print(f"      {seconds:8.2f} s {cost.times[words]:7,} x  {' '.join(words.split())[:700]}")

    def check(self, name: str, right: bool, words: str = "") -> None:
        """Check a condition that must hold."""
        print(f"{name:44}{'yes' if right else 'NO':>11}  {words}", flush=True)
        if not right:
            self.wrong.append(name)

    # --- the operations -----------------------------------------------------------------------------------------------

    def imports(self) -> None:
        """Import a JSON file."""
        corpus = Corpus()
        kept = [document(corpus, number) for number in range(min(self.documents, KEPT))]
        with tempfile.NamedTemporaryFile("w+", suffix=".json") as file:
            for number in range(self.documents):
                one = kept[number % KEPT] | {"identifier": f"document-{number:06d}"}
                file.write(f"{',' if number else '['}\n{json.dumps(one)}")
            file.write("]")
            file.flush()
            with open(file.name, "rb") as body:
                upload = self.call("POST", "/uploads", files={"file": ("documents.json", body)})
        job = self.work("import", lambda: self.job("/projects/bench/documents/_load", json=upload), self.documents)
        self.check(
            "all imported", job["statusMessage"].startswith(f"{self.documents:,} imported"), job["statusMessage"]
        )

    def reads(self) -> None:
        """Lists, searches, dashboards."""
        path = "/projects/bench"
        pieces: dict[str, tuple[str, str, dict[str, Any]]] = {
            "search page of documents": ("POST", f"{path}/documents/_search", {"size": 20, "query": ""}),
            "search page 100, with facets": ("POST", f"{path}/documents/_search", {"from": 2000, "facet": True}),
            "search of segments, with facets": ("POST", f"{path}/segments/_search", {"facet": True}),
            "document": ("GET", f"{path}/documents/document-000007", {}),
            "sample": ("POST", f"{path}/documents/_sample", {}),
            "corpus metrics": ("GET", f"{path}/corpusMetrics", {"details": True}),
            "annotation metrics": ("GET", f"{path}/annotationMetrics", {"details": True, "computeTexts": False}),
            "annotated texts": ("GET", f"{path}/annotationMetrics", {}),
            "category metrics": ("GET", f"{path}/categoriesMetrics", {"details": True}),
            "lengths of segments": ("GET", f"{path}/corpusMetrics", {"details": True, "segmentLengths": True}),
            "count of annotations": ("POST", f"{path}/annotations/_count", {"createdBy": "person1"}),
            "creators of annotations": ("POST", f"{path}/annotations/_count_creators", {}),
            "labels with counts": ("GET", f"{path}/labels", {"includeCount": True}),
            "consequences of deleting a label": ("POST", f"{path}/labels/_consequences", {"names": "label1"}),
            "relation names": ("GET", f"{path}/relation_names", {}),
            "projects": ("GET", "/projects", {}),
            "jobs of the project": ("GET", f"{path}/jobs", {}),
            "jobs of all": ("GET", "/jobs", {}),
        }
        for name, (method, way, given) in pieces.items():
            body: dict[str, Any] = {"json": {"names": [given.pop("names")]}} if "names" in given else {}
            self.call(method, way, params=given, **body)

            def operation(method: str = method, way: str = way, given: Any = given, body: Any = body) -> None:
                for _ in range(5):
                    self.call(method, way, params=given, **body)

            self.work(name, operation, 5)
        self.work("documents streamed", lambda: self.drained(f"{path}/documents"), self.documents)
        self.work("dataset streamed", lambda: self.drained(f"{path}/dataset"), self.documents)

    def drained(self, path: str, method: str = "GET") -> int:
        """Return the number of bytes of a response, which is discarded."""
        size = 0
        headers = [(b"authorization", self.client.headers["authorization"].encode()), (b"host", b"bench.test")]
        scope = {"type": "http", "method": method, "path": f"/api{path}", "raw_path": f"/api{path}".encode()}
        scope |= {"query_string": b"", "headers": headers, "http_version": "1.1", "scheme": "http", "root_path": ""}
        scope |= {"client": ("bench", 1), "server": ("bench.test", 80), "asgi": {"version": "3.0"}}

        async def receive() -> Any:
            await asyncio.sleep(3600 if size else 0)
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: Any) -> None:
            nonlocal size
            size += len(message.get("body", b""))
            if message.get("status", 200) >= 300:
                raise RuntimeError(f"{path}: {message['status']}")

        asyncio.run(self.app(scope, receive, send))  # type: ignore[arg-type]
        return size

    def single_operations(self) -> None:
        """Operations on one document each, one after the other."""
        names = [f"document-{number:06d}" for number in range(0, self.documents, max(1, self.documents // OPERATIONS))][
            :OPERATIONS
        ]
        path = "/projects/bench"
        made: list[str] = []

        def annotate() -> None:
            for name in names:
                body = {"documentIdentifier": name, "labelName": "label1", "start": 0, "end": 3}
                made.append(self.call("POST", f"{path}/annotations", json=body)["identifier"])

        def each(method: str, way: str, **given: Any) -> Callable[[], None]:
            def operation() -> None:
                for name, identifier in zip(names, made, strict=True):
                    self.call(method, path + way.format(name=name, id=identifier), **given)

            return operation

        self.work("annotate", annotate, OPERATIONS)
        self.work("judge", each("PATCH", "/annotations/{id}", json={"status": "KO"}), OPERATIONS)
        self.work("history panel", each("GET", "/documents/{name}/_history"), OPERATIONS)
        self.work("undo", each("POST", "/documents/{name}/_history/_undo"), OPERATIONS)
        self.work("copies in a document", each("POST", "/annotations/{id}/_propagate", json={}), OPERATIONS)
        count = {"scope": "corpus", "dryRun": True}
        self.work("count copies in the corpus", each("POST", "/annotations/{id}/_propagate", json=count), OPERATIONS)
        self.work("delete an annotation", each("DELETE", "/annotations/{id}"), OPERATIONS)

    def archives(self) -> None:
        """Export and import an archive; counts and offsets of both projects are compared."""
        from support.project_fingerprint import fingerprint_project

        job = self.work("archive out", lambda: self.job("/projects/bench/_export_async"), self.documents)
        upload = {"id": job["result"]["download"].rsplit("/", 1)[1], "filename": "bench.spa"}
        body: dict[str, Any] = {"json": upload, "params": {"projectName": "again"}}
        self.work("archive in", lambda: self.job("/projects/_load", **body), self.documents)
        before, after = fingerprint_project("bench"), fingerprint_project("again")
        differing = sorted(name for name in before | after if before.get(name) != after.get(name))
        self.check("the archive came back equal", not differing, ", ".join(differing) or str(before["counts"]))
        found = self.call("POST", "/projects/again/documents/_search", params={"size": 0})["total"]["value"]
        self.check("searches find all of it", found == self.documents, f"{found:,}")

    def many(self) -> None:
        """Operations on all documents, and undoing them."""
        path, documents = "/projects/bench/documents", self.documents
        self.work(
            "count labelling",
            lambda: self.call("POST", f"{path}/_search_and_count", params={"labelling": True}),
            documents,
        )
        acts: dict[str, tuple[str, dict[str, Any]]] = {
            "tag all": (f"{path}/_search_and_tag", {"json": {"name": "seen", "value": "yes"}}),
            "categorise all": (f"{path}/_search_and_categorize", {"json": {"labelName": "topic1"}}),
            "delete labelling of a creator": (
                f"{path}/_search_and_delete_labelling",
                {"params": {"createdBy": "person1"}},
            ),
            "delete all documents": (f"{path}/_search_and_delete", {}),
        }
        for name, (way, given) in acts.items():
            job = self.work(name, lambda way=way, given=given: self.job(way, **given), documents)  # type: ignore[misc]
            way = f"/projects/bench/job/{job['id']}/_undo"
            self.work(f"{name}, taken back", lambda way=way: self.job(way), documents)  # type: ignore[misc]
        way = f"{path}/_search_and_export_async"
        self.work("export as a job", lambda: self.job(way), documents)
        self.work("segments anew", lambda: self.job("/projects/bench/segments/_recompute"), documents)
        source = self.call("GET", f"{path}/document-000000")["annotations"][0]
        way = f"/projects/bench/annotations/{source['identifier']}/_propagate"
        self.work("copies in the corpus", lambda: self.job(way, json={"scope": "corpus"}), documents)

    def clearing(self) -> None:
        """Delete labels and labelling of the whole project."""
        path, documents = "/projects/bench", self.documents
        merged = {"names": ["label1", "label2", "label3"]}
        job = self.work("merge labels", lambda: self.job(f"{path}/labels/_merge", json=merged), documents)
        way = f"/projects/bench/job/{job['id']}/_undo"
        self.work("merge labels, taken back", lambda: self.job(way), documents)
        labels = {"names": ["label4"]}
        self.work("delete a label", lambda: self.job(f"{path}/labels", method="DELETE", json=labels), documents)
        way = f"{path}/annotations/_clear"
        self.work("clear a creator", lambda: self.cleared(way, params={"createdBy": "person2"}), documents)
        self.work("clear all annotations", lambda: self.cleared(way), documents)
        self.work("remove the project", lambda: self.call("DELETE", path), documents)


if __name__ == "__main__":
    sys.exit(main())
