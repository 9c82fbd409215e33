"""A project with documents, for tests of content and trainables: `from support.factories import Corpus, document`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]


@dataclass
class Corpus:
    """A project with documents, and a caller with every role."""

    caller: Any
    project: Any
    run_jobs: Callable[[], list[str]]

    @property
    def path(self) -> str:
        return f"/api/projects/{self.project.name}"

    def add(self, *documents: Document, **parameters: Any) -> dict[str, Any]:
        """Import documents and return the ended job."""
        answer = self.caller.post(f"{self.path}/documents/_import_documents", json=list(documents), params=parameters)
        assert answer.status_code == 200, answer.text
        self.run_jobs()
        job: dict[str, Any] = self.caller.get(f"{self.path}/job/{answer.json()['id']}").json()
        return job

    def post(self, path: str, status: int = 200, **arguments: Any) -> Any:
        return self._call("post", path, status, arguments)

    def get(self, path: str, status: int = 200, **arguments: Any) -> Any:
        return self._call("get", path, status, arguments)

    def patch(self, path: str, status: int = 200, **arguments: Any) -> Any:
        return self._call("patch", path, status, arguments)

    def put(self, path: str, status: int = 200, **arguments: Any) -> Any:
        return self._call("put", path, status, arguments)

    def delete(self, path: str, status: int = 200, **arguments: Any) -> Any:
        return self._call("delete", path, status, arguments)

    def _call(self, method: str, path: str, status: int, arguments: dict[str, Any]) -> Any:
        answer = getattr(self.caller, method)(f"{self.path}{path}", **arguments)
        assert answer.status_code == status, f"{answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def annotate(self, document: str, label: str, start: int, end: int, status: int = 200, **more: Any) -> Any:
        body = {"documentIdentifier": document, "labelName": label, "start": start, "end": end} | more
        return self.post("/annotations", status, json=body)

    def add_labels(self, *labels: str) -> None:
        """Create labels in the default set."""
        for label in labels:
            self.post("/labels", json={"label": label})

    def count_found(self, **parameters: Any) -> int:
        """How many documents a search finds."""
        found = self.post("/documents/_search", params={"size": 0} | parameters)
        return int(found["total"]["value"])

    def facet(self, name: str, kind: str = "documents", **parameters: Any) -> dict[str, int]:
        """Return the counts of a facet by value."""
        found = self.post(f"/{kind}/_search", params={"facet": True, "size": 0} | parameters)
        for aggregation in found["aggregations"]:
            if aggregation["name"] == name:
                return {bucket["key"]: bucket["doc_count"] for bucket in aggregation["buckets"]}
        return {}


def found(corpus: Corpus, **asked: Any) -> int:
    """The number of documents that a search finds."""
    total: int = corpus.post("/documents/_search", params={"size": 0, **asked})["total"]["value"]
    return total


def document(identifier: str, text: str, *spans: tuple[str, str], **more: Any) -> Document:
    """Return a document whose spans are given as (text, label), at the first occurrence of the text."""
    annotations = [
        {"start": text.index(part), "end": text.index(part) + len(part), "text": part, "labelName": label}
        for part, label in spans
    ]
    found: Document = {"identifier": identifier, "title": identifier.title(), "text": text} | more
    return found | ({"annotations": annotations} if spans else {})
