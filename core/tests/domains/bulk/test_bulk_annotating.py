"""Annotating what a search finds, with an annotator of this project or of another one."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus
from support.killed_jobs import kill_job_after
from support.real_corpora import entity_documents

TRAINED, BARE = 120, 20


@pytest.fixture
def trained(corpus: Corpus) -> Corpus:
    """Annotated and bare documents of WNUT-17, and an experiment `names` trained on them."""
    documents = entity_documents(TRAINED + BARE)
    for one in documents[TRAINED:]:
        del one["annotations"], one["reviewed"]
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
    other.add(*entity_documents(30))
    for label in trained.get("/labels"):
        if label["name"] not in {one["name"] for one in other.get("/labels")}:
            other.post("/labels", json={"label": label["label"], "name": label["name"]})
    annotate(other, annotatorProject=trained.project.name)
    assert made(other)
    whole = other.post("/annotators/names/_annotate_corpus", params={"annotatorProject": trained.project.name})
    assert whole["parameters"]["annotator_project"] == trained.project.name
    other.run_jobs()
    assert other.get(f"/job/{whole['id']}")["status"] == "COMPLETED"
    grants = ("annotateCorpus", f"readProject:{other.project.name}", f"writeProject:{other.project.name}")
    stranger = as_user(client, "stranger", *grants)
    query = {"annotator": "names", "annotatorProject": trained.project.name}
    answer = stranger.post(f"{other.path}/documents/_search_and_annotate", params=query)
    assert answer.status_code == 404
    corpus_wide = f"{other.path}/annotators/names/_annotate_corpus"
    assert stranger.post(corpus_wide, params={"annotatorProject": trained.project.name}).status_code == 404
    other.post("/documents/_search_and_annotate", 404, params={"annotator": "names"})


def live_labelling(corpus: Corpus) -> list[tuple[Any, ...]]:
    """Everything that stands, with identities."""
    return sorted(
        (one["identifier"], span["identifier"], span["start"], span["end"], span["labelName"], span.get("status"))
        for one in corpus.get("/documents")
        for span in one["annotations"]
    )


def undone(corpus: Corpus, job: dict[str, Any]) -> dict[str, Any]:
    back = corpus.post(f"/job/{job['id']}/_undo")
    corpus.run_jobs()
    result: dict[str, Any] = corpus.get(f"/job/{back['id']}")["result"]
    return result


def test_corpus_annotation_can_be_undone(trained: Corpus) -> None:
    """What it added goes, what it replaced comes back as the same annotation; what somebody judged stays."""
    before = live_labelling(trained)
    first = annotate(trained)
    assert first["undoable"] is True
    annotated = live_labelling(trained)
    second = annotate(trained)
    assert live_labelling(trained) != annotated, "proposals nobody judged make room for those of the new run"
    undone(trained, second)
    assert live_labelling(trained) == annotated
    own = {one["identifier"]: one["annotations"] for one in trained.get("/documents")}
    name, judged = next((name, span) for name, many in own.items() for span in many if span["createdBy"] == "names")
    trained.patch(f"/annotations/{judged['identifier']}", json={"status": "OK"})
    result = undone(trained, first)
    assert result["kept"] == 1
    accepted = (name, judged["identifier"], judged["start"], judged["end"], judged["labelName"], "OK")
    assert live_labelling(trained) == sorted([*before, accepted])
    told = trained.get(f"/documents/{name}/_history")["entries"]
    assert {"created", "deleted"} <= {one["action"] for one in told if one.get("jobId")}


def test_annotating_again_after_an_interruption_is_taken_back_as_a_whole(
    trained: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run replaces what the first one left; both are one act."""
    before = live_labelling(trained)
    monkeypatch.setattr("annotarium.domains.annotators.jobs.BATCH", 40)
    job = trained.post("/documents/_search_and_annotate", params={"annotator": "names"})
    kill_job_after(monkeypatch, job["id"], after=2)
    assert live_labelling(trained) != before
    trained.run_jobs()
    assert trained.get(f"/job/{job['id']}")["status"] == "COMPLETED"
    assert undone(trained, job)["kept"] == 0
    assert live_labelling(trained) == before
