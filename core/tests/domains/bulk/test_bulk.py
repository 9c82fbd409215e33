"""Bulk actions on what a search finds: documents and segments, by everybody who may, taken back without loss."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from support import killed_jobs
from support.factories import Corpus, document

from annotarium.db.models import Annotation, Category, Document, History, Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.bulk import repository

TEXTS = {
    "alpha": "Paris is large. Berlin is green.",
    "beta": "Paris sleeps. Rome wakes.",
    "gamma": "Rome is old. Oslo is cold.",
}
SENTENCES = {name: text.index(".") + 1 for name, text in TEXTS.items()}


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    """Three documents of two sentences, a span on each city, made by the import."""
    for name, text in TEXTS.items():
        cut = SENTENCES[name]
        spans = [(word, "city") for word in ("Paris", "Berlin", "Rome", "Oslo") if word in text]
        sentences = [{"start": 0, "end": cut}, {"start": cut + 1, "end": len(text)}]
        corpus.add(document(name, text, *spans, sentences=sentences, metadata={"year": "2020"}))
    corpus.post("/labels", json={"label": "press"})
    return corpus


def run_bulk_operation(corpus: Corpus, path: str, **arguments: Any) -> dict[str, Any]:
    """Start a bulk action and run it; the ended job."""
    return ended(corpus, corpus.post(path, **arguments))


def ended(corpus: Corpus, job: dict[str, Any], status: str = "COMPLETED") -> dict[str, Any]:
    assert job["status"] == "STARTED"
    corpus.run_jobs()
    bean: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert bean["status"] == status, bean
    return bean


def undo(corpus: Corpus, job: dict[str, Any]) -> dict[str, Any]:
    return ended(corpus, corpus.post(f"/job/{job['id']}/_undo"))


def tag(corpus: Corpus, name: str, value: str | None, **search: Any) -> dict[str, Any]:
    body = {"name": name} | ({} if value is None else {"value": value})
    return run_bulk_operation(corpus, "/documents/_search_and_tag", json=body, params=search)


def metadata(corpus: Corpus) -> dict[str, dict[str, Any]]:
    return {one["identifier"]: one["metadata"] for one in corpus.get("/documents")}


def identifiers(corpus: Corpus) -> list[str]:
    return sorted(one["identifier"] for one in corpus.get("/documents"))


def spans(corpus: Corpus) -> list[tuple[str, str, str]]:
    found = corpus.get("/documents")
    return sorted((one["identifier"], span["text"], span["labelName"]) for one in found for span in one["annotations"])


def categories(corpus: Corpus) -> dict[str, list[tuple[str, str | None]]]:
    return {
        one["identifier"]: sorted((each["labelName"], each.get("status")) for each in one["categories"])
        for one in corpus.get("/documents")
    }


def state(corpus: Corpus) -> str:
    """Everything people see of the corpus, without versions and dates of changes."""
    documents = corpus.get("/documents")
    for one in documents:
        for part in (one, *one["annotations"], *one["categories"]):
            for name in ("version", "modifiedDate"):
                part.pop(name, None)
    return json.dumps(sorted(documents, key=lambda one: str(one["identifier"])), sort_keys=True)


@pytest.mark.parametrize("value", [0, False, 0.0, 7, ["a", 0]])
def test_values_that_are_no_text_are_set_too(filled: Corpus, value: Any) -> None:
    """V-018: only an empty or missing value removes; zero and false are values."""
    run_bulk_operation(filled, "/documents/_search_and_tag", json={"name": "rank", "value": value})
    assert [one["rank"] for one in metadata(filled).values()] == [value] * 3


# --- counts -----------------------------------------------------------------------------------------------------------


def test_what_would_be_touched_is_counted(filled: Corpus) -> None:
    """The search of a screen with its filters, inverted, of segments, and hits picked by hand."""

    def count(kind: str = "documents", **search: Any) -> dict[str, Any]:
        found: dict[str, Any] = filled.post(f"/{kind}/_search_and_count", params=search)
        return found

    assert count() == {"documents": 3}
    assert count(query="paris") == {"documents": 2}
    assert count(query="paris", invertSearch=True) == {"documents": 1}
    assert count(selectedFacets="+label:city", queryFilter="+identifier:beta") == {"documents": 1}
    assert count(query="paris", searchIn="segments") == {"documents": 2, "segments": 2}
    assert count("segments", query="rome") == {"documents": 2, "segments": 2}
    assert count(datasetSelector="$outDataset", searchIn="segments") == {"documents": 0, "segments": 0}
    hits = filled.post("/documents/_search", params={"query": "oslo"})["hits"]
    assert count(ids=hits[0]["_id"], query="ignored") == {"documents": 1}
    for nothing in ("1", "nonsense", "\u00b2", "9" * 30):
        assert count(ids=[hits[0]["_id"], nothing]) == {"documents": 1}
        assert count("segments", ids=[f"{hits[0]['_id']}-0", nothing]) == {"documents": 1, "segments": 1}
        assert count("segments", ids=nothing, labelling=True)["documents"] == 0
    labelled = count(query="paris", labelling=True)
    assert (labelled["annotations"], labelled["categories"]) == (4, 0)
    assert labelled["annotationCreators"] == [{"createdBy": "root", "count": 4}]
    assert count("segments", query="paris", labelling=True)["annotations"] == 2
    whole = count(labelling=True)
    assert whole["annotations"] == 6


def test_a_search_that_cannot_be_read_starts_nothing(filled: Corpus) -> None:
    answer = filled.post("/documents/_search_and_delete", 400, params={"query": '"unclosed'})
    assert answer["message"].startswith("Failed to parse query")
    assert identifiers(filled) == ["alpha", "beta", "gamma"]


# --- actions ----------------------------------------------------------------------------------------------------------


def test_metadata_of_the_documents_found(filled: Corpus) -> None:
    """S-012, S-013: search-wide metadata edition. V-018: a missing value removes."""
    job = tag(filled, "source", "press", query="paris")
    assert (job["type"], job["result"]["documents"]) == ("ADD_METADATA", 2)
    assert job["undoable"] is True
    assert [found for found, values in metadata(filled).items() if values.get("source")] == ["alpha", "beta"]
    assert filled.facet("metadata.source") == {"press": 2}
    again = tag(filled, "source", "press")
    assert (again["result"]["found"], again["result"]["documents"]) == (3, 1)
    removed = tag(filled, "year", None, query="paris", invertSearch=True)
    assert removed["result"]["documents"] == 1
    assert metadata(filled)["gamma"] == {"source": "press"}


def test_a_category_for_the_documents_found(topics: Corpus) -> None:
    """Conflicts 13: the category itself or an action; exclusive sets keep one at a time."""
    for name, text in TEXTS.items():
        topics.add(document(name, text))
    topics.add_labels("travel", "history")
    first = run_bulk_operation(topics, "/documents/_search_and_categorize", json={"labelName": "travel", "add": True})
    assert (first["type"], first["result"]["documents"]) == ("ADD_CATEGORY", 3)
    second = run_bulk_operation(
        topics, "/documents/_search_and_categorize", json={"labelName": "history"}, params={"query": "rome"}
    )
    assert second["result"]["documents"] == 2
    expected = {"alpha": [("travel", "OK")], "beta": [("history", "OK")], "gamma": [("history", "OK")]}
    assert categories(topics) == expected
    assert topics.facet("classificationLabel") == {"history": 2, "travel": 1}
    run_bulk_operation(topics, "/documents/_search_and_categorize", json={"labelName": "history", "add": False})
    assert categories(topics) == {"alpha": [("travel", "OK")], "beta": [], "gamma": []}
    topics.post("/documents/_search_and_categorize", 404, json={"labelName": "nowhere"})


def test_documents_found_are_deleted_and_come_back(filled: Corpus) -> None:
    before = state(filled)
    job = run_bulk_operation(filled, "/documents/_search_and_delete", params={"query": "paris", "invertSearch": True})
    assert (job["type"], job["result"]["documents"]) == ("DELETE_DOCS", 1)
    assert identifiers(filled) == ["alpha", "beta"]
    assert filled.post("/documents/_search", params={"query": "oslo"})["total"]["value"] == 0
    back = undo(filled, job)
    assert back["result"] == {"undone": 1, "kept": 0, "job": job["id"]}
    assert state(filled) == before
    assert filled.post("/segments/_search", params={"query": "oslo"})["total"]["value"] == 1


def test_labelling_of_documents_found_is_deleted_by_label_and_creator(filled: Corpus) -> None:
    filled.post("/categories", json={"documentIdentifier": "beta", "labelName": "press"})
    none = run_bulk_operation(filled, "/documents/_search_and_delete_labelling", params={"createdBy": "nobody"})
    assert none["result"]["changes"] == 0
    other = run_bulk_operation(
        filled, "/documents/_search_and_delete_labelling", params={"labels": "press", "query": "rome"}
    )
    assert (other["type"], other["result"]["changes"]) == ("DELETE_LABELLING", 1)
    assert len(spans(filled)) == 6
    mine = run_bulk_operation(
        filled,
        "/documents/_search_and_delete_labelling",
        params={"createdBy": "root", "query": "rome", "labels": "city"},
    )
    assert mine["result"]["documents"] == 2
    assert spans(filled) == [("alpha", "Berlin", "city"), ("alpha", "Paris", "city")]


def test_labelling_of_segments_found_is_deleted(filled: Corpus) -> None:
    """S-021: only what is on the found segments; categories of the whole document stay."""
    filled.post("/categories", json={"documentIdentifier": "alpha", "labelName": "press"})
    job = run_bulk_operation(filled, "/segments/_search_and_delete_labelling", params={"query": "paris"})
    assert job["result"]["changes"] == 2
    assert ("alpha", "Berlin", "city") in spans(filled)
    assert ("alpha", "Paris", "city") not in spans(filled)
    assert categories(filled)["alpha"] == [("press", "OK")]
    undo(filled, job)
    assert len(spans(filled)) == 6


def test_actions_on_what_a_segment_search_found(filled: Corpus) -> None:
    """S-021: the others act on the documents found."""
    hits = filled.post("/segments/_search", params={"query": "berlin"})["hits"]
    job = tag(filled, "seen", "yes", searchIn="segments", ids=[hits[0]["_id"]])
    assert job["result"]["documents"] == 1
    assert metadata(filled)["alpha"]["seen"] == "yes"
    job = tag(filled, "seen", "no", searchIn="segments", query="rome OR oslo")
    assert job["result"] == {"found": 2, "documents": 2, "changes": 2}


# --- taking back ------------------------------------------------------------------------------------------------------


def test_undo_skips_and_reports_later_changes(filled: Corpus) -> None:
    job = tag(filled, "source", "press")
    filled.post("/documents/_tag", 204, params={"identifier": "beta"}, json={"name": "source", "value": "mine"})
    filled.post("/documents/_tag", 204, params={"identifier": "gamma"}, json={"name": "other", "value": "kept"})
    back = undo(filled, job)
    assert back["result"] == {"undone": 2, "kept": 1, "job": job["id"]}
    assert metadata(filled) == {
        "alpha": {"year": "2020"},
        "beta": {"year": "2020", "source": "mine"},
        "gamma": {"year": "2020", "other": "kept"},
    }
    report = filled.get(f"/job/{back['id']}/items")["items"]
    assert [(line["documentIdentifier"], line["outcome"]) for line in report] == [("beta", "skipped")]
    assert "source has been changed since" in report[0]["message"]
    assert report[0]["said"]["message"] == {"code": "kept.value", "values": {"name": "source"}}
    first = filled.get(f"/job/{job['id']}")
    assert first["undoneBy"] == back["id"]
    assert "undoable" not in first
    assert filled.post(f"/job/{job['id']}/_undo", 409)["message"] == "The job has already been undone"


def test_labelling_made_again_since_is_not_doubled(filled: Corpus) -> None:
    job = run_bulk_operation(filled, "/documents/_search_and_delete_labelling")
    filled.annotate("alpha", "city", 0, 5)
    back = undo(filled, job)
    assert (back["result"]["undone"], back["result"]["kept"]) == (5, 1)
    assert len(spans(filled)) == 6


def test_a_rival_category_given_since_stays(topics: Corpus) -> None:
    topics.add(document("alpha", TEXTS["alpha"]))
    topics.add_labels("travel", "history", "sport")
    topics.post("/categories", json={"documentIdentifier": "alpha", "labelName": "travel"})
    job = run_bulk_operation(topics, "/documents/_search_and_categorize", json={"labelName": "history"})
    topics.post("/categories", json={"documentIdentifier": "alpha", "labelName": "sport"})
    back = undo(topics, job)
    assert back["result"]["kept"] == 2
    assert categories(topics) == {"alpha": [("sport", "OK")]}


def test_a_document_imported_again_since_stays(filled: Corpus) -> None:
    job = run_bulk_operation(filled, "/documents/_search_and_delete", params={"query": "oslo"})
    filled.add(document("gamma", "Another text."))
    assert undo(filled, job)["result"] == {"undone": 0, "kept": 1, "job": job["id"]}
    assert filled.get("/documents/gamma")["text"] == "Another text."


def test_what_cannot_be_undone_says_so(filled: Corpus) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        job = unit.session.query(Job).filter_by(project_id=filled.project.id, type="DOC_IMPORT").first()
        assert job is not None
        imported = job.id
    assert "cannot be undone" in filled.post(f"/job/{imported}/_undo", 409)["message"]
    filled.post("/job/nothing/_undo", 404)
    waiting = filled.post("/documents/_search_and_delete", params={"query": "oslo"})
    assert "still running" in filled.post(f"/job/{waiting['id']}/_undo", 409)["message"]


# --- interruptions ----------------------------------------------------------------------------------------------------


def interrupt(monkeypatch: pytest.MonkeyPatch, job_id: str, after: int) -> None:
    """Run a job in batches of one until its worker dies before batch `after`; then it waits again."""
    monkeypatch.setattr("annotarium.domains.bulk.jobs.BATCH", 1)
    killed_jobs.kill_job_after(monkeypatch, job_id, after)


def test_a_killed_job_goes_on_and_leaves_what_people_did_meanwhile(
    filled: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotarium.domains.bulk.jobs._run_on_found_documents.__defaults__", (1,))
    before = state(filled)
    job = filled.post("/documents/_search_and_tag", json={"name": "source", "value": "press"})
    interrupt(monkeypatch, job["id"], after=2)
    done = [name for name, values in metadata(filled).items() if "source" in values]
    assert len(done) == 2
    filled.post("/documents/_tag", 204, params={"identifier": done[0]}, json={"name": "source", "value": "mine"})
    result = ended(filled, job)["result"]
    assert result["documents"] == 3
    assert sorted(values["source"] for values in metadata(filled).values()) == ["mine", "press", "press"]
    filled.post("/documents/_tag", 204, params={"identifier": done[0]}, json={"name": "source", "value": "press"})
    back = filled.post(f"/job/{job['id']}/_undo")
    interrupt(monkeypatch, back["id"], after=2)
    assert ended(filled, back)["result"] == {"undone": 3, "kept": 0, "job": job["id"]}
    assert state(filled) == before


def test_a_cancelled_job_can_be_undone(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.domains.bulk.jobs._run_on_found_documents.__defaults__", (1,))
    before = state(filled)
    job = filled.post("/documents/_search_and_delete")
    interrupt(monkeypatch, job["id"], after=1)
    assert len(identifiers(filled)) == 2
    filled.delete(f"/job/{job['id']}")
    bean = filled.get(f"/job/{job['id']}")
    assert (bean["status"], bean["undoable"]) == ("CANCELLED", True)
    undo(filled, bean)
    assert state(filled) == before


# --- export -----------------------------------------------------------------------------------------------------------


def test_the_documents_found_are_exported(filled: Corpus) -> None:
    found = filled.post("/documents/_search_and_export", params={"query": "paris", "outputFields": "title"})
    assert sorted(one["identifier"] for one in found) == ["alpha", "beta"]
    assert set(found[0]) == {"identifier", "title"}
    assert filled.post("/documents/_search_and_export", params={"query": "nothing"}) == []
    answer = filled.caller.post(f"{filled.path}/documents/_search_and_export", params={"format": "jsonl"})
    assert answer.headers["content-disposition"].endswith('.jsonl"')
    assert [json.loads(line)["identifier"] for line in answer.text.splitlines()] == ["alpha", "beta", "gamma"]
    answer = filled.caller.post(
        f"{filled.path}/documents/_search_and_export",
        params={"format": "csv", "query": "paris"},
        json={"parameters": {"rows": "annotations"}},
    )
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert {(row["document"], row["text"]) for row in rows} == {
        (one, text) for one, text, _ in spans(filled) if one != "gamma"
    }
    filled.post("/documents/_search_and_export", 404, params={"format": "nothing"})


def test_a_large_export_is_a_job_with_a_file(filled: Corpus, as_user: Any) -> None:
    """Conflicts 17 for documents: a download link."""
    job = run_bulk_operation(filled, "/documents/_search_and_export_async", params={"query": "rome"})
    assert job["result"]["download"] == f"{filled.path}/job/{job['id']}/_download"
    answer = filled.caller.get(job["result"]["download"])
    assert sorted(one["identifier"] for one in answer.json()) == ["beta", "gamma"]
    assert len(answer.content) == job["result"]["size"]
    other = as_user(filled.caller.client, "other", "exportDocuments", "seeProjectJobs", "readProject:*")
    assert other.get(job["result"]["download"]).status_code == 403
    filled.get(f"/job/{'0' * 32}/_download", 404)


# --- rights -----------------------------------------------------------------------------------------------------------

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "/documents/_search_and_tag": ("modifyMetadata", {"json": {"name": "a", "value": "b"}}),
    "/documents/_search_and_categorize": ("annotateCorpus", {"json": {"labelName": "press"}}),
    "/documents/_search_and_delete": ("deleteDocuments", {}),
    "/documents/_search_and_delete_labelling": ("annotateCorpus", {}),
    "/segments/_search_and_delete_labelling": ("annotateCorpus", {}),
    "/documents/_search_and_annotate": ("annotateCorpus", {"params": {"annotator": "nothing"}}),
}


@pytest.mark.parametrize("path", CALLS)
def test_bulk_operations_require_permissions(filled: Corpus, client: Any, as_user: Any, path: str) -> None:
    """Anonymous, without the permission, on a read-only project (T-006), and with both."""
    permission, arguments = CALLS[path]
    write = f"writeProject:{filled.project.name}"
    read = f"readProject:{filled.project.name}"
    address = f"{filled.path}{path}"
    assert client.post(address, **arguments).status_code == 401
    assert as_user(client, "bare", read, write).post(address, **arguments).status_code == 403
    refused = as_user(client, "reading", read, permission).post(address, **arguments)
    assert (refused.status_code, refused.json()["message"]) == (403, "The project is read-only")
    assert as_user(client, "stranger", permission).post(address, **arguments).status_code == 404
    allowed = as_user(client, "allowed", read, write, permission).post(address, **arguments)
    assert allowed.status_code == (404 if "annotate" in path else 200), allowed.text


def test_who_may_export_and_count(filled: Corpus, client: Any, as_user: Any) -> None:
    read = f"readProject:{filled.project.name}"
    for path in ("_search_and_export", "_search_and_export_async"):
        address = f"{filled.path}/documents/{path}"
        assert client.post(address).status_code == 401
        assert as_user(client, "bare", read).post(address).status_code == 403
        assert as_user(client, "exporting", read, "exportDocuments").post(address).status_code == 200
    for kind in ("documents", "segments"):
        address = f"{filled.path}/{kind}/_search_and_count"
        assert client.post(address).status_code == 401
        assert as_user(client, "stranger").post(address).status_code == 404
        assert as_user(client, "bare", read).post(address).status_code == 200


def test_who_may_undo(filled: Corpus, client: Any, as_user: Any) -> None:
    job = run_bulk_operation(filled, "/documents/_search_and_delete", params={"query": "oslo"})
    address = f"{filled.path}/job/{job['id']}/_undo"
    read, write = f"readProject:{filled.project.name}", f"writeProject:{filled.project.name}"
    assert client.post(address).status_code == 401
    assert as_user(client, "reading", read, "seeProjectJobs", "deleteDocuments").post(address).status_code == 403
    assert as_user(client, "blind", read, write, "deleteDocuments").post(address).status_code == 403
    assert as_user(client, "weak", read, write, "seeProjectJobs").post(address).status_code == 403
    assert as_user(client, "allowed", read, write, "seeProjectJobs", "deleteDocuments").post(address).status_code == 200


def test_others_labelling_that_the_caller_may_not_see_stays(filled: Corpus, client: Any, as_user: Any) -> None:
    """`readUserAnnot`: who sees only the own work deletes only the own work."""
    grants = ("annotateCorpus", f"readProject:{filled.project.name}", f"writeProject:{filled.project.name}")
    paul = as_user(client, "paul", *grants)
    body = {"documentIdentifier": "alpha", "labelName": "city", "start": 9, "end": 14}
    assert paul.post(f"{filled.path}/annotations", json=body).status_code == 200
    counted = paul.post(f"{filled.path}/documents/_search_and_count", params={"labelling": True}).json()
    assert counted["annotationCreators"] == [{"createdBy": "paul", "count": 1}]
    paul.post(f"{filled.path}/documents/_search_and_delete_labelling")
    filled.run_jobs()
    assert len(spans(filled)) == 6


def test_every_change_has_its_history(filled: Corpus) -> None:
    job = run_bulk_operation(filled, "/documents/_search_and_delete_labelling", params={"query": "oslo"})
    with unit_of_work(actor="tests", write=False) as unit:
        rows = unit.session.query(History).filter_by(job_id=job["id"]).all()
        gamma = unit.session.query(Document).filter_by(identifier="gamma", project_id=filled.project.id).one()
    assert {(row.document_id, row.entity, row.action, row.actor) for row in rows} == {
        (gamma.id, "annotation", "deleted", "root")
    }
    assert len(rows) == 2
    assert all(row.before and row.before["start"] >= 0 for row in rows)


def test_import_preserves_bulk_changes(filled: Corpus, run_jobs: Callable[[], list[str]]) -> None:
    tag(filled, "source", "press", query="oslo")
    job = filled.add(document("gamma", "Something else."))
    assert job["status"] == "FAILED"
    assert metadata(filled)["gamma"]["source"] == "press"


def test_taking_a_job_back_reads_what_stands_at_its_places_only(filled: Corpus, open_as: Any) -> None:
    """A document may carry tens of thousands of spans: none is looked at for each change."""
    filled.post("/categories", json={"documentIdentifier": "alpha", "labelName": "press"})
    spans = filled.get("/documents/alpha")["annotations"]
    with open_as("root", filled.project) as call:
        of_project = select(Document.id).where(Document.project_id == filled.project.id)
        ids = list(call.session.scalars(of_project.where(Document.identifier == "alpha")))
        found = repository.live_labelling(call, Annotation, ids, [spans[0]["start"], None])
        assert [str(row.id) for row in found] == [spans[0]["identifier"]]
        assert [row.start for row in repository.live_labelling(call, Category, ids, [None])] == [None]
        assert list(repository.live_labelling(call, Category, ids, [0])) == []
