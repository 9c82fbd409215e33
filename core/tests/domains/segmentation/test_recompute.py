"""Recomputing segments: what changes, what stays, what is reported, who may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.db.models import Category, History, Job, JobItem, Label, Project, Segment, Suggestion
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.segmentation import jobs
from annotarium.domains.segmentation.resegmentation import batches_of_document_ids
from annotarium.jobs.run import run_job
from annotarium.search.index_verification import verify

TEXT = "Anna lives in Paris. Bob lives in Rome.\n\nNobody lives on Mars. The end."
LINES = {"name": "regex", "parameters": {"pattern": "\n+"}}
PARAGRAPHS = {"name": "paragraph", "parameters": {}}
EVERYTHING = {"name": "document", "parameters": {}}


def segments(corpus: Corpus, identifier: str) -> list[str]:
    found = corpus.get(f"/documents/{identifier}")
    return [found["text"][one["start"] : one["end"]] for one in found["sentences"]]


def recompute(corpus: Corpus, segmenter: dict[str, Any] | None = None) -> dict[str, Any]:
    """Recompute and wait; returns the ended job."""
    started = corpus.post("/segments/_recompute", json={"segmenter": segmenter} if segmenter else None)
    assert (started["status"], started["type"]) == ("STARTED", "PROJECT_SEGMENTATION")
    corpus.run_jobs()
    job: dict[str, Any] = corpus.get(f"/job/{started['id']}")
    return job


def items(job: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    with unit_of_work(actor="", write=False) as unit:
        rows = unit.session.scalars(select(JobItem).where(JobItem.job_id == job["id"]).order_by(JobItem.ordinal))
        return [(row.item, row.outcome, row.message) for row in rows]


def test_segments_follow_the_setting_of_the_project(corpus: Corpus) -> None:
    """S-024: the segmenter of the settings segments all documents again; searches find the new segments, annotations
    stay.
    """
    corpus.add(document("d1", TEXT, ("Anna", "person"), ("Rome", "place")), document("d2", "One line only"))
    before = corpus.get("/documents/d1")
    assert len(segments(corpus, "d1")) == 4
    corpus.patch("/config", 204, json={"segmenter": PARAGRAPHS})
    assert len(segments(corpus, "d1")) == 4, "the setting alone changes no document"
    job = recompute(corpus)
    assert job["status"] == "COMPLETED"
    assert job["statusMessage"] == "1 of 2 documents have new segments (4 became 2)"
    assert (job["result"]["changed"], job["result"]["segments"], job["currentStepCount"]) == (1, 3, 2)
    assert segments(corpus, "d1") == TEXT.split("\n\n")
    assert corpus.get("/documents/d1")["annotations"] == before["annotations"]
    hits = corpus.post("/segments/_search", params={"query": "Paris Rome"})["hits"]
    assert hits[0]["segment"]["text"] == TEXT.split("\n\n")[0]
    state = verify(corpus.project.name)[corpus.project.name]
    assert (state["segments"], state["indexed_segments"], state["differing"]) == (3, 3, 0)
    corpus.add(document("d3", TEXT))
    assert len(segments(corpus, "d3")) == 2, "later imports are cut the same way"


def test_a_second_run_changes_nothing_and_a_repeated_job_counts_once(corpus: Corpus) -> None:
    """S-024: idempotent, after completion and after an interruption."""
    corpus.add(*(document(f"d{n}", TEXT) for n in range(5)))
    job = recompute(corpus, PARAGRAPHS)
    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.get_one(Job, job["id"])
        row.state, row.status, row.completed_at = "waiting", "STARTED", None
    run_job(job["id"])
    again = corpus.get(f"/job/{job['id']}")
    assert (again["status"], again["result"]) == ("COMPLETED", job["result"])
    second = recompute(corpus, PARAGRAPHS)
    assert second["statusMessage"] == "0 of 5 documents have new segments"
    with unit_of_work(actor="", write=False) as unit:
        rows = unit.session.scalars(
            select(History).where(History.entity == "segments", History.project_id == corpus.project.id)
        ).all()
        assert [row.job_id for row in rows] == [job["id"]] * 5


def _attach_to_segment(corpus: Corpus, start: int, end: int, text: str = "x") -> None:
    """Attach a category, a suggestion and metadata to a segment of d1."""
    with unit_of_work(actor="root", write=True) as unit:
        session = unit.session
        segment = session.scalars(
            select(Segment).where(Segment.project_id == corpus.project.id, Segment.start == start, Segment.end == end)
        ).one()
        segment.metadata_ = {"speaker": text}
        label = session.scalars(select(Label).where(Label.project_id == corpus.project.id)).first()
        assert label is not None
        place = {"project_id": corpus.project.id, "document_id": segment.document_id, "start": start, "end": end}
        session.add(Category(**place, label_id=label.id, status="OK", creation_mode="manual", created_by="root"))
        proposal = {"labelName": label.name, "start": start, "end": start + 3, "text": "abc", "score": 0.5}
        session.add(Suggestion(**place, annotations=[proposal], suggester="s"))


def test_data_attached_to_a_segment_stay_or_are_reported(corpus: Corpus) -> None:
    """S-024: metadata stays where the range stays; the rest keeps its offsets and is counted, nothing is lost."""
    text = "One two three.\n\nAnna lives. Bob lives."
    corpus.add(document("d1", text, ("Anna", "person")))
    _attach_to_segment(corpus, 0, 14, "kept")
    _attach_to_segment(corpus, 16, 27, "apart")
    job = recompute(corpus, PARAGRAPHS)
    expected = "No longer in a single segment: 1 category of a sentence, 1 suggestion, 1 segment with metadata"
    assert job["statusMessage"] == f"1 of 1 document has new segments (3 became 2). {expected}"
    assert items(job) == [("d1", "replaced", expected)]
    counted = {key: job["result"][key] for key in ("categories", "suggestions", "metadata", "annotations", "kept")}
    assert counted == {"categories": 1, "suggestions": 1, "metadata": 1, "annotations": 0, "kept": 1}
    sentences = corpus.get("/documents/d1")["sentences"]
    assert [one.get("metadata") for one in sentences] == [{"speaker": "kept"}, None]
    found = corpus.post("/segments/_search", params={"query": "bob", "facet": True})
    assert [one["start"] for one in found["hits"][0]["segment"]["categories"]] == [16], "still at its place"
    places = {(one["start"], one["end"]) for one in corpus.get("/suggestions")["suggestions"]}
    assert places == {(0, 14), (16, 27)}
    with unit_of_work(actor="", write=False) as unit:
        row = unit.session.scalars(
            select(History).where(History.entity == "segments", History.project_id == corpus.project.id)
        ).one()
        assert row.before == {
            "ranges": [[0, 14], [16, 27], [28, 38]],
            "metadata": [[0, 14, {"speaker": "kept"}], [16, 27, {"speaker": "apart"}]],
        }
    recompute(corpus, {"name": "rule_sentence"})
    assert len(segments(corpus, "d1")) == 3


@pytest.mark.parametrize(("whole", "expected"), [(True, 1), (False, 2)])
def test_segments_do_not_end_inside_an_annotation(corpus: Corpus, whole: bool, expected: int) -> None:
    """S-024, at import (C-059) and when recomputed; without that option the annotation is reported."""
    corpus.patch("/config", 204, json={"segmenter": {"name": "rule_sentence", "annotationsWhole": whole}})
    corpus.add(document("d1", "See Acme. Inc for it", ("Acme. Inc", "company")))
    assert len(segments(corpus, "d1")) == expected
    recompute(corpus, EVERYTHING)
    assert len(segments(corpus, "d1")) == 1
    job = recompute(corpus)
    assert len(segments(corpus, "d1")) == expected
    assert job["result"]["annotations"] == expected - 1


def test_documents_that_cannot_be_segmented_keep_their_segments(corpus: Corpus) -> None:
    """S-024: a text that the segmenter fails on is reported and does not stop the job."""
    corpus.add(document("bad", "a" * 60 + "! Second."), document("good", "One. Two--three"))
    slow = {"name": "regex", "parameters": {"pattern": "(a+)+$|--", "time_limit": 0.3}}
    job = recompute(corpus, slow)
    assert job["status"] == "COMPLETED"
    assert [(item, outcome) for item, outcome, _ in items(job)] == [("bad", "refused")]
    assert "Documents that could not be segmented: 1" in job["statusMessage"]
    assert (len(segments(corpus, "bad")), segments(corpus, "good")) == (2, ["One. Two", "three"])
    corpus.delete("/documents/good")
    failed = recompute(corpus, slow)
    assert (failed["status"], failed["error"]["message"][:34]) == ("FAILED", "No document could be segmented: Th")


def test_repeated_requests_share_a_job_and_different_ones_are_refused(corpus: Corpus) -> None:
    corpus.add(document("d1", TEXT))
    first = corpus.post("/segments/_recompute")
    assert corpus.post("/segments/_recompute")["id"] == first["id"]
    assert corpus.post("/segments/_recompute", 409, json={"segmenter": PARAGRAPHS})["fix"]
    corpus.run_jobs()
    assert corpus.post("/segments/_recompute")["id"] != first["id"]


def test_a_cancelled_run_leaves_consistent_documents(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-024: stopped between batches; each document has either all old or all new segments."""
    monkeypatch.setattr("annotarium.domains.segmentation.resegmentation.BATCH_DOCUMENTS", 1)
    monkeypatch.setattr("annotarium.jobs.context.PROGRESS_SECONDS", 0.0)
    corpus.add(*(document(f"d{n}", TEXT) for n in range(4)))
    started = corpus.post("/segments/_recompute", json={"segmenter": PARAGRAPHS})
    write, seen = jobs._write_new_segments, []

    def cancel_after_two(*arguments: Any) -> None:
        write(*arguments)
        seen.append(arguments)
        if len(seen) == 2:
            corpus.delete(f"/job/{started['id']}")

    monkeypatch.setattr(jobs, "_write_new_segments", cancel_after_two)
    corpus.run_jobs()
    assert corpus.get(f"/job/{started['id']}")["status"] == "CANCELLED"
    assert [len(segments(corpus, f"d{n}")) for n in range(4)] == [2, 2, 4, 4]


def test_batch_size_is_limited() -> None:
    sizes = [(n, 900_000) for n in range(5)] + [(9, 5_000_000)] + [(n, 1) for n in range(100, 300)]
    batches = list(batches_of_document_ids(sizes))
    assert [one for batch in batches for one in batch] == [number for number, _ in sizes]
    assert [len(batch) for batch in batches] == [2, 2, 1, 1, 100, 100]


def test_preview_reports_what_would_happen_and_changes_nothing(
    corpus: Corpus, run_jobs: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.add(document("d1", TEXT, ("Anna", "person")), document("d2", "One line only"))
    _attach_to_segment(corpus, 0, 20)
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))
    answer = corpus.post("/segments/_preview_recompute", json={"segmenter": PARAGRAPHS})
    assert answer["total"] == {"documents": 2, "segments": 5, "metadata": 1, "categories": 1, "suggestions": 1}
    assert answer["sample"] == {
        "documents": 2,
        "changed": 1,
        "refused": 0,
        "segmentsBefore": 5,
        "segmentsAfter": 3,
        "kept": 1,
        "metadata": 1,
        "categories": 1,
        "suggestions": 1,
        "annotations": 0,
    }
    assert answer["examples"] == TEXT.split("\n\n")
    assert len(segments(corpus, "d1")) == 4
    assert corpus.post("/segments/_preview_recompute")["sample"]["changed"] == 0
    broken = {"name": "regex", "parameters": {"pattern": "("}}
    assert (
        "pattern" in corpus.post("/segments/_preview_recompute", 400, json={"segmenter": broken})["details"][0]["field"]
    )


@pytest.mark.parametrize("path", ["_recompute", "_preview_recompute"])
def test_permissions_to_recompute_segments(client: Any, as_user: Any, make_project: Any, path: str) -> None:
    """S-024: the owner and users who write the project and have changeProjectConfig; no user on a read-only project."""
    project = make_project(owner="zoe", readers=("paul",), writers=("vera", "will"))
    address = f"/api/projects/{project.name}/segments/{path}"
    assert client.post(address).status_code == 401
    assert as_user(client, "someone").post(address).status_code == 404
    assert as_user(client, "paul", "changeProjectConfig").post(address).status_code == 403, "read-only"
    assert as_user(client, "vera").post(address).status_code == 403
    if path == "_recompute":
        assert as_user(client, "will", "changeProjectConfig").post(address).status_code == 200
        assert as_user(client, "zoe").post(address).status_code == 200
        body = {"segmenter": PARAGRAPHS}
        refused = as_user(client, "will", "changeProjectConfig").post(address, json=body)
        assert refused.status_code in (403, 409)


def test_a_segmenter_without_permission_is_refused(client: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(owner="zoe")
    zoe = as_user(client, "zoe", "useSegmenter:paragraph")
    path = f"/api/projects/{project.name}"
    assert zoe.post(f"{path}/segments/_recompute", json={"segmenter": EVERYTHING}).status_code == 403
    assert zoe.patch(f"{path}/config", json={"segmenter": EVERYTHING}).status_code == 403
    assert zoe.patch(f"{path}/config", json={"segmenter": PARAGRAPHS}).status_code == 204
    missing = zoe.patch(f"{path}/config", json={"segmenter": {"name": "nothing"}})
    assert (missing.status_code, missing.json()["details"][0]["field"]) == (400, "segmenter.name")
    wrong = {"name": "paragraph", "parameters": {"separator": "x"}}
    assert zoe.patch(f"{path}/config", json={"segmenter": wrong}).json()["details"][0]["field"] == "separator"
    bean = zoe.get(f"{path}/config").json()
    assert bean["segmenter"] == {
        "name": "paragraph",
        "parameters": {"separator": "blank_line"},
        "annotationsWhole": True,
    }
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.get_one(Project, project.id).properties["segmenter"]["name"] == "paragraph"
