"""Annotating what a search finds, with an annotator of this project or of another one."""

from __future__ import annotations

from typing import Any

import pytest
from real_corpora import entities
from small_corpus import Corpus

TRAINED, BARE = 120, 20


@pytest.fixture
def trained(corpus: Corpus) -> Corpus:
    """Annotated and bare documents of WNUT-17, and an experiment `names` trained on them."""
    documents = entities(TRAINED + BARE)
    for one in documents[TRAINED:]:
        del one["annotations"]
        one["metadata"] = {"bare": "yes"}
    corpus.add(*documents)
    corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {"iterations": 8}})
    corpus.post("/experiments/names/_launch")
    corpus.run_jobs()
    return corpus


def annotate(corpus: Corpus, **search: Any) -> dict[str, Any]:
    job = corpus.post("/documents/_search_and_annotate", params={"annotator": "names"} | search)
    assert job["type"] == "CORPUS_ANNOTATE"
    corpus.run_jobs()
    bean: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert bean["status"] == "COMPLETED", bean
    return bean


def made(corpus: Corpus) -> dict[str, int]:
    """How many annotations of the annotator each document carries."""
    counts = {
        one["identifier"]: sum(span["createdBy"] == "names" for span in one["annotations"])
        for one in corpus.get("/documents")
    }
    return {identifier: count for identifier, count in counts.items() if count}


def test_only_the_documents_found_are_annotated(trained: Corpus) -> None:
    """D-012: the scope currentSearch. S-012."""
    job = annotate(trained, queryFilter="+metadata.bare:yes", invertSearch=False)
    assert job["result"]["documents"] == BARE
    bare = {one["identifier"] for one in trained.get("/documents") if one["metadata"].get("bare")}
    assert made(trained)
    assert set(made(trained)) <= bare
    before = made(trained)
    annotate(trained, queryFilter="+metadata.bare:yes")
    assert made(trained) == before


def test_only_segments_of_the_dataset(trained: Corpus) -> None:
    """D-012: the scope dataset; documents without a confirmed annotation stay as they are."""
    job = annotate(trained, restrictedOnDatasetSegments=True)
    bare = {one["identifier"] for one in trained.get("/documents") if one["metadata"].get("bare")}
    assert 0 < job["result"]["documents"] <= TRAINED
    assert not bare & set(made(trained))


def test_an_annotator_of_another_project(trained: Corpus, make_project: Any, as_user: Any, client: Any) -> None:
    other = Corpus(trained.caller, make_project(lang="en"), trained.run_jobs)
    other.add(*entities(30))
    for label in trained.get("/labels"):
        if label["name"] not in {one["name"] for one in other.get("/labels")}:
            other.post("/labels", json={"label": label["label"], "name": label["name"]})
    annotate(other, annotatorProject=trained.project.name)
    assert made(other)
    grants = ("annotateCorpus", f"readProject:{other.project.name}", f"writeProject:{other.project.name}")
    stranger = as_user(client, "stranger", *grants)
    query = {"annotator": "names", "annotatorProject": trained.project.name}
    answer = stranger.post(f"{other.path}/documents/_search_and_annotate", params=query)
    assert answer.status_code == 404
    other.post("/documents/_search_and_annotate", 404, params={"annotator": "names"})
