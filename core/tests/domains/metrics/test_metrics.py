"""Metrics: published shapes, exact counts, permissions."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.real_corpora import entity_documents

PATHS = {
    "corpusMetrics": "seeCorpusStats",
    "annotationMetrics": "seeDatasetStats",
    "categoriesMetrics": "seeDatasetStats",
    "modelMetrics": "seeModelStats",
}


def fill(corpus: Corpus) -> None:
    corpus.add(
        document("d1", "Anna came. Bob left.", ("Anna", "person"), ("Bob", "person"), metadata={"kind": "a"}),
        document("d2", "Anna left. Nothing.", ("Anna", "person"), metadata={"kind": ["a", "b"]}),
        document("d3", "Paris.", metadata={"kind": "b"}),
    )


def test_corpus_metrics(corpus: Corpus) -> None:
    """S-040; C-035: the light form."""
    fill(corpus)
    found = corpus.get("/corpusMetrics", params={"facet": "kind"})
    counts = [
        {"_id": "a", "documentCount": 2, "segmentCount": 4},
        {"_id": "b", "documentCount": 2, "segmentCount": 3},
    ]
    assert found == {
        "corpusSize": len("Anna came. Bob left.Anna left. Nothing.Paris."),
        "documentCount": 3,
        "segmentCount": 5,
        "documentFacets": {"metadata": "kind", "facets": counts},
    }
    light = {"facet": "kind", "estimatedCounts": True, "computeCorpusSize": False, "computeFacets": False}
    light_form = corpus.get("/corpusMetrics", params=light)
    assert (light_form["corpusSize"], light_form["documentFacets"]) == (0, {"metadata": "kind", "facets": []})
    assert light_form["documentCount"] == 3
    assert corpus.get("/corpusMetrics")["documentFacets"] == {"metadata": "", "facets": []}


def test_every_value_is_counted(corpus: Corpus) -> None:
    corpus.add(*(document(f"d{n:03}", f"word{n}", (f"word{n}", "word"), metadata={"n": str(n)}) for n in range(120)))
    assert len(corpus.get("/corpusMetrics", params={"facet": "metadata.n"})["documentFacets"]["facets"]) == 120
    assert len(corpus.get("/annotationMetrics")["annotationFacets"]["texts"]) == 120


def test_annotation_metrics(corpus: Corpus) -> None:
    fill(corpus)
    made = corpus.annotate("d3", "person", 0, 5)
    corpus.patch(f"/annotations/{made['identifier']}", json={"status": "KO"})
    found = corpus.get("/annotationMetrics", params={"facet": "kind"})
    assert found["annotationCount"] == 3
    assert (found["documentsInDataset"], found["segmentsInDataset"]) == (2, 3)
    assert found["annotationFacets"] == {
        "labels": [{"_id": "person", "count": 3}],
        "texts": [{"_id": "Anna", "count": 2}, {"_id": "Bob", "count": 1}],
    }
    assert (found["suggestionCount"], found["suggestionFacets"]) == (0, {"labels": [], "texts": []})
    assert found["documentFacets"]["facets"] == [
        {"_id": "a", "documentCount": 2, "segmentCount": 3},
        {"_id": "b", "documentCount": 1, "segmentCount": 1},
    ]


def test_category_metrics(topics: Corpus) -> None:
    topics.add(document("d1", "A goal."), document("d2", "A vote."))
    topics.add_labels("sport", "politics")
    for identifier, label in (("d1", "sport"), ("d2", "sport"), ("d2", "politics")):
        topics.post("/categories", json={"documentIdentifier": identifier, "labelName": label})
    found = topics.get("/categoriesMetrics")
    assert (found["categoriesCount"], found["documentsInDataset"]) == (2, 2)
    assert found["categoriesFacets"]["labels"] == [{"_id": "politics", "count": 1}, {"_id": "sport", "count": 1}]


def test_model_and_suggestion_metrics(corpus: Corpus) -> None:
    """C-034: best, last and at most ten trainings."""
    assert corpus.get("/modelMetrics") == {"history": []}
    documents = entity_documents(80)
    for one in documents[50:]:
        del one["annotations"], one["reviewed"]
    corpus.add(*documents)
    corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {"iterations": 3}})
    for _ in range(11):
        corpus.post("/experiments/names/_launch")
        corpus.run_jobs()
    found = corpus.get("/modelMetrics")
    assert len(found["history"]) == 10
    last = found["last"]
    assert last == found["history"][-1]
    assert set(last) == {
        "name", "label", "engine", "config", "lang", "classes", "options", "quality", "report", "status", "timestamp",
        "timestamp_end",
    }  # fmt: skip
    assert last["timestamp"] < last["timestamp_end"]
    assert last["options"]["iterations"] == 3
    assert found["best"]["quality"] == max(one["quality"] for one in found["history"])
    corpus.post("/suggesters", json={"engine": "margin", "label": "s", "parameters": {"minimum_score": 0.05}})
    corpus.post("/suggesters/s/_start")
    corpus.run_jobs()
    shown = corpus.get("/suggestions", params={"size": 500})["suggestions"]
    metrics = corpus.get("/annotationMetrics")
    assert metrics["suggestionCount"] == sum(len(one["annotations"]) for one in shown)


@pytest.mark.parametrize(("path", "permission"), PATHS.items())
def test_one_permission_for_each_tab(corpus: Corpus, as_user: Any, client: Any, path: str, permission: str) -> None:
    """S-039."""
    name = f"readProject:{corpus.project.name}"
    for grants, status in (((permission, name), 200), (("seeOverallStats", name), 200), ((name,), 403)):
        assert as_user(client, "una", *grants).get(f"{corpus.path}/{path}").status_code == status
    assert as_user(client, "una", permission).get(f"{corpus.path}/{path}").status_code == 404


def test_unreadable_labelling_is_not_counted(corpus: Corpus, as_user: Any, client: Any) -> None:
    fill(corpus)
    writer = as_user(client, "wanda", "seeDatasetStats", "readFacet:*", f"writeProject:{corpus.project.name}")
    body = {"documentIdentifier": "d3", "labelName": "person", "start": 0, "end": 5}
    writer.post(f"{corpus.path}/annotations", json=body)
    found = writer.get(f"{corpus.path}/annotationMetrics").json()
    assert (found["annotationCount"], found["documentsInDataset"], found["segmentsInDataset"]) == (1, 1, 1)
