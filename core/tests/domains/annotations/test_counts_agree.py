"""One definition of what counts: footer, home page, dashboard and document list tell the same number."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

TEXT = "Ines spoke in Halden about Oslo."


@pytest.fixture
def shared(corpus: Corpus, as_user: Any, client: Any) -> tuple[Corpus, Any]:
    """Root made 3 annotations, one of them rejected, and deleted a fourth; nora, who sees her own only, made 2."""
    corpus.add(document("d1", TEXT), document("d2", TEXT))
    corpus.add_labels("person", "place")
    corpus.annotate("d1", "person", 0, 4)
    corpus.annotate("d2", "place", 14, 20)
    rejected = corpus.annotate("d1", "place", 0, 4)
    corpus.patch(f"/annotations/{rejected['identifier']}", json={"status": "KO"})
    gone = corpus.annotate("d1", "place", 27, 31)
    corpus.delete(f"/annotations/{gone['identifier']}")
    nora = as_user(client, "nora", "Annotator", f"writeProject:{corpus.project.name}", "seeDatasetStats")
    for start, end in ((14, 20), (27, 31)):
        _annotate(corpus, nora, start, end)
    hers = _annotate(corpus, nora, 0, 4)
    assert nora.patch(f"{corpus.path}/annotations/{hers}", json={"status": "KO"}).status_code == 200
    return corpus, nora


def _annotate(corpus: Corpus, caller: Any, start: int, end: int) -> str:
    body = {"documentIdentifier": "d1", "labelName": "place", "start": start, "end": end}
    answer = caller.post(f"{corpus.path}/annotations", json=body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["identifier"])


def _figures(corpus: Corpus, caller: Any) -> dict[str, int]:
    """The number of annotations as each place tells it."""

    def read(path: str, **params: str) -> Any:
        answer = caller.get(path, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    projects = read("/api/projects", computeMetrics="true")
    (home,) = (one for one in projects if one["name"] == corpus.project.name)
    listed = caller.post(f"{corpus.path}/documents/_search", params={"outputFields": "annotationCount"}).json()["hits"]
    return {
        "footer": read(f"{corpus.path}/_info", computeMetrics="true")["annotations"],
        "home": home["annotations"],
        "dashboard": read(f"{corpus.path}/annotationMetrics")["annotationCount"],
        "document list": sum(hit["document"]["annotationCount"] for hit in listed),
    }


def test_a_second_annotator_reads_the_number_of_their_own_annotations(shared: tuple[Corpus, Any]) -> None:
    corpus, nora = shared
    assert _figures(corpus, nora) == dict.fromkeys(("footer", "home", "dashboard", "document list"), 2)


def test_who_reads_all_annotations_reads_the_number_of_all(shared: tuple[Corpus, Any]) -> None:
    corpus, _ = shared
    assert _figures(corpus, corpus.caller) == dict.fromkeys(("footer", "home", "dashboard", "document list"), 4)
