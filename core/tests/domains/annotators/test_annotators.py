"""Annotators: trained models annotate a text, sent documents and the corpus."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from support.factories import Corpus
from support.real_corpora import entity_documents, question_documents

from annotarium.db.models import Category
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.annotators import jobs as annotator_jobs
from annotarium.jobs.testing import run_pending_jobs

# Several texts from the training corpus: the model finds something in them whichever documents were held out.
TEXT = " ".join(one["text"] for one in entity_documents(60) if one["annotations"])


@pytest.fixture
def trained(corpus: Corpus) -> Corpus:
    """200 annotated and 60 bare documents of WNUT-17, and an experiment `names` trained on them."""
    documents = entity_documents(260)
    for one in documents[200:]:
        del one["annotations"], one["reviewed"]
    corpus.add(*documents)
    corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {"iterations": 12}})
    corpus.post("/experiments/names/_launch")
    corpus.run_jobs()
    return corpus


@contextmanager
def worker() -> Iterator[None]:
    """Runs waiting jobs in a thread, as a worker would: calls that wait for a job need one."""
    done = threading.Event()

    def work() -> None:
        while not done.wait(0.05):
            run_pending_jobs()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def annotate_corpus(corpus: Corpus, name: str = "names", **parameters: Any) -> dict[str, Any]:
    job = corpus.post(f"/annotators/{name}/_annotate_corpus", params=parameters)
    assert (job["type"], job["status"]) == ("CORPUS_ANNOTATE", "STARTED")
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended


def spans(corpus: Corpus) -> list[tuple[Any, ...]]:
    """All annotations without their identifiers."""
    return sorted(
        (document["identifier"], one["start"], one["end"], one["labelName"], one.get("status"), one["createdBy"])
        for document in corpus.get("/documents")
        for one in document["annotations"]
    )


def test_annotators_are_listed_by_type(trained: Corpus) -> None:
    found = trained.get("/annotators_by_type")
    assert set(found) == {"learner", "gazetteer", "suggester", "plan"}
    expected = {"name": "names", "label": "Names", "engine": "crf", "isDefault": True, "favorite": False}
    assert found["learner"] == [expected]
    everywhere = trained.caller.get("/api/projects/annotators_by_type").json()
    assert {"projectName": trained.project.name, "annotators": found} in everywhere


def test_a_text_is_annotated_and_nothing_is_stored(trained: Corpus) -> None:
    """S-056; both paths (conflict 49 of the contract)."""
    before = trained.post("/documents/_search")["total"]
    trained.patch("/labels/person", json={"label": "People", "identifier": "P1"})
    name = trained.project.name
    with worker():
        for path in (
            f"/api/annotate/projects/{name}/annotators/names/_annotate",
            f"/api/projects/{name}/annotators/names/_annotate",
            f"/api/annotate/projects/{name}/_annotate",
        ):
            answer = trained.caller.post(path, content=TEXT, headers={"Content-Type": "text/plain"})
            assert answer.status_code == 200, answer.text
            found = answer.json()
            assert found["text"] == TEXT
            assert found["annotations"]
            for one in found["annotations"]:
                assert TEXT[one["start"] : one["end"]] == one["text"]
                assert 0 <= one["score"] <= 1
                if one["labelName"] == "person":
                    assert (one["label"], one["labelId"]) == ("People", "P1")
        bare = trained.caller.post(path, content=TEXT, params={"inlineLabels": False, "inlineText": False}).json()
        assert all("label" not in one and "text" not in one for one in bare["annotations"])
        documents = [{"identifier": "a", "text": TEXT}, {"text": "Nothing"}]
        many = trained.caller.post(
            f"/api/annotate/projects/{name}/annotators/names/_annotate_documents", json=documents
        )
        assert [one["text"] for one in many.json()] == [TEXT, "Nothing"]
        assert many.json()[0]["annotations"] == found["annotations"]
    assert trained.post("/documents/_search")["total"] == before


def test_only_requested_fields_are_returned(trained: Corpus) -> None:
    path = f"/api/projects/{trained.project.name}/annotators/names/_annotate"
    body = [{"identifier": "x", "title": "T", "text": TEXT, "metadata": {"a": "b"}}]

    def keys(fields: str) -> set[str]:
        found = trained.caller.post(f"{path}_documents", json=body, params={"outputFields": fields})
        assert found.status_code == 200, found.text
        return set(found.json()[0])

    with worker():
        everything = keys("")
        assert {"identifier", "title", "text", "metadata", "annotations"} <= everything
        assert keys("annotations") == {"identifier", "text", "annotations"}
        assert keys("!annotations, !metadata") == everything - {"annotations", "metadata"}
        text = trained.caller.post(path, content=TEXT, params={"outputFields": "title"})
        assert set(text.json()) <= {"identifier", "text", "title"}


def test_invalid_requests_are_refused(corpus: Corpus, as_user: Any, client: Any) -> None:
    name = corpus.project.name
    path = f"/api/annotate/projects/{name}/annotators/nobody/_annotate"
    assert corpus.caller.post(path, content="text").status_code == 404
    assert corpus.caller.post(path, content="  ").status_code == 400
    assert corpus.caller.post(path, content=b"\xff\xfe").status_code == 400
    assert (
        "no annotator" in corpus.caller.post(f"/api/annotate/projects/{name}/_annotate", content="t").json()["message"]
    )
    corpus.post("/annotators/nobody/_annotate_corpus", 404)
    writer = as_user(client, "alan", "Annotator", f"writeProject:{name}")
    assert writer.post(f"{corpus.path}/annotators/x/_annotate_corpus").status_code == 403
    stranger = as_user(client, "sven", "Annotator")
    assert stranger.post(path, content="text").status_code == 404


def test_annotating_the_corpus_again_changes_nothing(trained: Corpus) -> None:
    """Confirmed annotations stay, rejected suggestions are not proposed again, a second run changes nothing."""
    gold = spans(trained)
    assert annotate_corpus(trained)["result"]["documents"] == 260
    first = spans(trained)
    assert set(gold) <= set(first)
    made = [one for one in first if one[5] == "names"]
    assert made
    assert {one[4] for one in made} == {None}
    assert len({one[:4] for one in first}) == len(first), "what stands already is not proposed again"
    facets = trained.facet("createdBy")
    assert facets["names"] == len({one[0] for one in made})
    annotate_corpus(trained)
    assert spans(trained) == first
    identifier = made[0][0]
    stored = trained.get(f"/documents/{identifier}")["annotations"]
    victim = next(one for one in stored if one["createdBy"] == "names")
    trained.patch(f"/annotations/{victim['identifier']}", json={"status": "KO"})
    accepted = made[-1]
    stored = trained.get(f"/documents/{accepted[0]}")["annotations"]
    kept = next(one for one in stored if (one["start"], one["createdBy"]) == (accepted[1], "names"))
    trained.patch(f"/annotations/{kept['identifier']}", json={"status": "OK"})
    judged = spans(trained)
    annotate_corpus(trained)
    assert spans(trained) == judged


def test_predictions_without_a_project_label_are_reported(trained: Corpus) -> None:
    """A model may have labels that were deleted in the project: its annotations of these are left out, and the job
    reports it.
    """
    trained.delete("/labels/person")
    job = annotate_corpus(trained)
    left = job["result"]["withoutLabel"]
    assert list(left) == ["person"]
    assert job["statusMessage"].endswith(f"; {left['person']:,} skipped because the project has no label person")
    assert "person" not in {one[3] for one in spans(trained)}


def test_without_overwriting_earlier_suggestions_stay(trained: Corpus) -> None:
    annotate_corpus(trained)
    before = spans(trained)
    trained.patch("/experiments/names", json={"parameters": {"iterations": 1}})
    trained.post("/experiments/names/_launch")
    trained.run_jobs()
    annotate_corpus(trained, overwrite=False)
    assert set(before) <= set(spans(trained))
    annotate_corpus(trained)
    after = spans(trained)
    assert not set(before) <= set(after), "a poor model replaces its undecided proposals"
    assert {one for one in before if one[5] == "root"} <= set(after)


def test_launching_with_annotate_corpus_starts_it_afterwards(trained: Corpus) -> None:
    trained.post("/experiments/names/_launch", params={"annotateCorpus": True})
    trained.run_jobs()
    assert any(one[5] == "names" for one in spans(trained))


def test_annotating_the_corpus_reports_progress_and_can_be_cancelled(
    trained: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotarium.jobs.context.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(annotator_jobs, "BATCH", 10)
    job = trained.post("/annotators/names/_annotate_corpus")
    original, seen = annotator_jobs.predictions.write_predictions, []

    def watched(call: Any, *arguments: Any, **named: Any) -> Any:
        seen.append(1)
        return original(call, *arguments, **named)

    def stop(context: Any, step: int, total: int, message: str) -> None:
        progress(context, step, total, message)
        state = trained.get(f"/job/{job['id']}")
        assert (state["currentStepCount"], state["totalStepCount"]) == (step, total) == (step, 260)
        if len(seen) == 3:
            assert trained.delete(f"/job/{job['id']}")["id"] == job["id"]

    progress = annotator_jobs.JobContext.progress
    monkeypatch.setattr(annotator_jobs.JobContext, "progress", stop)
    monkeypatch.setattr(annotator_jobs.predictions, "write_predictions", watched)
    trained.run_jobs()
    assert trained.get(f"/job/{job['id']}")["status"] == "CANCELLED"
    assert len(seen) in (3, 4), "the batches that were written stay, the others are not begun"


def test_categories_on_documents_and_sentences(topics: Corpus) -> None:
    documents = question_documents(90)
    for one in documents[60:]:
        one["categories"] = []
    topics.add(*documents, segmentationPolicy="no_segmentation")
    parts = "Who wrote it ? Where is it ?"
    sentences = [{"start": 0, "end": 14, "categories": [{"labelName": "hum"}]}, {"start": 15, "end": len(parts)}]
    topics.add({"identifier": "parts", "title": "Parts", "text": parts, "sentences": sentences})
    topics.post("/experiments", json={"engine": "sklearn_text_classifier", "label": "Names"})
    topics.post("/experiments/names/_launch")
    topics.run_jobs()
    annotate_corpus(topics)
    proposed = topics.get(f"/documents/{documents[70]['identifier']}")["categories"]
    assert [one["creationMode"] for one in proposed] == ["automatic"]
    stored = topics.get("/documents/parts")
    assert stored["categories"] == [], "predictions on sentences stay on sentences"
    assert all(sentence["categories"] for sentence in stored["sentences"])
    with unit_of_work(actor="tests", write=False) as unit:
        rows = unit.session.query(Category).filter_by(project_id=topics.project.id, created_by="names").all()
    assert all((row.start is None) == (row.end is None) for row in rows)
