"""Clearing annotations and categories: few within the call, many as a job, both with their history."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import killed_jobs
from support.factories import Corpus, document

from annotarium.db.models import History
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.bulk import jobs, labelling_clearing

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")

TEXTS = {"alpha": "Paris is large. Berlin is green.", "beta": "Rome wakes. Oslo is cold."}
CITIES = ("Paris", "Berlin", "Rome", "Oslo")
SCORE = 0.1 + 0.2


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    """Two documents with two spans each that lead to one another, with all that a span may carry."""
    for name, text in TEXTS.items():
        made = document(name, text, *[(word, "city") for word in CITIES if word in text])
        for place, span in enumerate(made["annotations"]):
            span |= {"identifier": f"a{place}", "score": SCORE, "properties": {"sure": place, "né": ["\u2028"]}}
        corpus.add(made | {"relations": [{"name": "before", "source": "a0", "target": "a1"}]})
    return corpus


def state(corpus: Corpus) -> str:
    """What the documents carry, without versions and dates of changes."""
    found = sorted(corpus.get("/documents"), key=lambda one: str(one["identifier"]))
    for one in found:
        for part in (one, *one["annotations"], *one["categories"], *one["relations"]):
            for name in ("version", "modifiedDate"):
                part.pop(name, None)
    return json.dumps(found, sort_keys=True)


def spans(corpus: Corpus) -> list[str]:
    return [span["text"] for one in corpus.get("/documents") for span in one.get("annotations", ())]


def ended(corpus: Corpus, job: dict[str, Any]) -> dict[str, Any]:
    corpus.run_jobs()
    bean: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert bean["status"] == "COMPLETED", bean
    return bean


def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever there is counts as much, and is cleared in batches of two."""
    monkeypatch.setattr(labelling_clearing, "DIRECT_MAX", 3)
    monkeypatch.setattr(jobs, "CLEARED", 2)


def test_few_rows_are_deleted_immediately_and_restored_by_undo(filled: Corpus) -> None:
    """B-006: by creator and label; history keeps every field as it was."""
    before = state(filled)
    assert filled.post("/annotations/_clear", params={"createdBy": ["nobody"]})["count"] == 0
    cleared = filled.post("/annotations/_clear", params={"labels": ["city"], "createdBy": ["root"]})
    assert cleared == {"count": 4, "operation": "delete", "unit": "annotation"}
    assert (spans(filled), filled.facet("label")) == ([], {})
    with unit_of_work(actor="tests", write=False) as unit:
        kept = [row.before for row in unit.session.query(History).filter(History.action == "deleted")]
    assert {one["score"] for one in kept if one} == {SCORE}
    assert [one["properties"]["né"] for one in kept if one] == [["\u2028"]] * 4
    for name in TEXTS:
        assert filled.post(f"/documents/{name}/_history/_undo")["changed"] == 2
    assert state(filled) == before
    assert filled.facet("label") == {"city": 2}


def test_relations_that_go_with_them_get_a_new_version(filled: Corpus) -> None:
    """Who shows them as they were asks with the old version, and is refused."""
    relation = filled.get("/documents/alpha")["relations"][0]
    filled.post("/annotations/_clear")
    filled.post("/documents/alpha/_history/_undo")
    again = filled.get("/documents/alpha")["relations"][0]
    assert (again["identifier"], again["name"]) == (relation["identifier"], "before")
    assert again["version"] > relation["version"]


def test_many_go_by_a_job_that_can_be_undone(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    many(monkeypatch)
    before = state(filled)
    answer = filled.post("/annotations/_clear", params={"createdBy": ["root"]})
    job = answer.pop("job")
    assert answer == {"count": 4, "operation": "delete", "unit": "annotation"}
    assert (job["description"], len(spans(filled))) == ("Deleting 4 annotations", 4)
    assert ended(filled, job)["result"] == {"found": 4, "documents": 2, "changes": 4}
    assert (spans(filled), filled.facet("label")) == ([], {})
    back = ended(filled, filled.post(f"/job/{job['id']}/_undo"))
    assert back["result"]["undone"] == 4
    assert state(filled) == before


def test_a_killed_clearing_goes_on_and_leaves_what_came_back_meanwhile(
    filled: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(monkeypatch)
    job = filled.post("/annotations/_clear")["job"]
    killed_jobs.kill_job_after(monkeypatch, job["id"], after=1)
    assert len(spans(filled)) == 2
    gone = next(name for name in TEXTS if not filled.get(f"/documents/{name}")["annotations"])
    with unit_of_work(actor="tests", write=False) as unit:
        first = unit.session.query(History).filter(History.job_id == job["id"]).first()
        assert first is not None
        filled.post(f"/annotations/{first.entity_id}/_restore")
    assert ended(filled, job)["result"]["changes"] == 4
    assert [one["identifier"] for one in filled.get(f"/documents/{gone}")["annotations"]] == [str(first.entity_id)]


def test_many_categories(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    filled.post("/labels", json={"label": "press"})
    for name in TEXTS:
        filled.post("/categories", json={"documentIdentifier": name, "labelName": "press"})
    monkeypatch.setattr(labelling_clearing, "DIRECT_MAX", 1)
    answer = filled.post("/categories/_clear", params={"labels": ["press"]})
    assert (answer["count"], answer["unit"]) == (2, "category")
    ended(filled, answer["job"])
    assert filled.post("/categories/_count")["count"] == 0
    assert len(spans(filled)) == 4


def test_who_may_clear(filled: Corpus, client: Any, as_user: Any) -> None:
    """Anonymous, forbidden, valid."""
    write = f"writeProject:{filled.project.name}"
    annotator = as_user(client, "nora", "Annotator", write)
    curator = as_user(client, "carl", "Annotator", write, "annotateCorpus", "readUserAnnot:*")
    for unit in ("annotations", "categories"):
        path = f"{filled.path}/{unit}/_clear"
        assert client.post(path).status_code == 401
        assert annotator.post(path).status_code == 403
        assert curator.post(path).status_code == 200
    assert spans(filled) == []
