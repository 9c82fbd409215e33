"""Taking back merges, replaced categories, deletions, values and imports: what stands afterwards and what is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.content.training_data import training_data_changed
from annotarium.db.models import Document
from annotarium.db.unit_of_work import unit_of_work
from annotarium.settings import get_settings

TEXT = "Paris is large. Berlin is green."
MANAGER = ("ProjectManager", "Annotator", "deleteDocuments", "seeProjectJobs", "readUserAnnot:*", "readFacet:*")


def run(corpus: Corpus, path: str, **arguments: Any) -> dict[str, Any]:
    return ended(corpus, corpus.post(path, **arguments))


def ended(corpus: Corpus, job: dict[str, Any]) -> dict[str, Any]:
    corpus.run_jobs()
    found: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert found["status"] == "COMPLETED", found
    return found


def undo(corpus: Corpus, job: dict[str, Any]) -> tuple[int, list[tuple[str, str]]]:
    """How many changes were taken back; why which others were not."""
    back = run(corpus, f"/job/{job['id']}/_undo")
    report = corpus.get(f"/job/{back['id']}/items")["items"]
    assert len(report) == back["result"]["kept"]
    return back["result"]["undone"], sorted((one["said"]["message"]["code"], one["message"]) for one in report)


def give(corpus: Corpus, label: str, name: str = "alpha", **more: Any) -> Any:
    return corpus.post("/categories", json={"documentIdentifier": name, "labelName": label} | more)


def given(corpus: Corpus, name: str = "alpha") -> list[str]:
    return sorted(one["labelName"] for one in corpus.get(f"/documents/{name}")["categories"])


def spans(corpus: Corpus, name: str = "alpha") -> list[tuple[str, str]]:
    return sorted((one["text"], one["labelName"]) for one in corpus.get(f"/documents/{name}")["annotations"])


@pytest.fixture
def topics_of_two(topics: Corpus) -> Corpus:
    """Two documents; of the labels one holds at a time."""
    topics.add(document("alpha", TEXT), document("beta", "Rome sleeps."))
    topics.add_labels("press", "sport", "music")
    return topics


def test_a_merge_gives_spans_their_labels_back_and_searches_find_them(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT, ("Paris", "city"), ("Berlin", "town")))
    before = {one["identifier"]: one for one in corpus.get("/documents/alpha")["annotations"]}
    merged = corpus.post("/labels/_merge", json={"names": ["city", "town"]})["removeJob"]
    assert (spans(corpus), corpus.facet("label")) == ([("Berlin", "city"), ("Paris", "city")], {"city": 1})
    undone, kept = undo(corpus, ended(corpus, merged))
    assert (undone, kept) == (2, []), "the label and its span"
    assert (spans(corpus), corpus.facet("label")) == ([("Berlin", "town"), ("Paris", "city")], {"city": 1, "town": 1})
    (moved,) = (one for one in corpus.get("/documents/alpha")["annotations"] if one["labelName"] == "town")
    assert moved["version"] == before[moved["identifier"]]["version"] + 2


def test_a_merge_gives_categories_of_which_one_holds_their_labels_back(topics_of_two: Corpus) -> None:
    """The category itself is no rival of what it was."""
    give(topics_of_two, "sport")
    merged = topics_of_two.post("/labels/_merge", json={"names": ["press", "sport"]})["removeJob"]
    assert given(topics_of_two) == ["press"]
    undone, kept = undo(topics_of_two, ended(topics_of_two, merged))
    assert (undone, kept, given(topics_of_two)) == (2, [], ["sport"])


def test_a_category_that_was_replaced_comes_back(topics_of_two: Corpus) -> None:
    """What the job gave goes first, and then stands in nobody's way."""
    give(topics_of_two, "press")
    job = run(topics_of_two, "/documents/_search_and_categorize", json={"labelName": "sport", "add": True})
    assert (given(topics_of_two), given(topics_of_two, "beta")) == (["sport"], ["sport"])
    assert undo(topics_of_two, job) == (3, [])
    assert (given(topics_of_two), given(topics_of_two, "beta")) == (["press"], [])
    assert topics_of_two.facet("classificationLabel") == {"press": 1}


def test_a_category_given_since_is_named_as_the_reason(topics_of_two: Corpus, as_user: Any, client: Any) -> None:
    """A rival counts in its own place and set only."""
    give(topics_of_two, "press")
    give(topics_of_two, "press", "beta")
    job = run(topics_of_two, "/documents/_search_and_delete_labelling")
    paul = as_user(client, "paul", "Annotator", f"writeProject:{topics_of_two.project.name}")
    give(Corpus(paul, topics_of_two.project, topics_of_two.run_jobs), "music")
    undone, kept = undo(topics_of_two, job)
    assert undone == 1
    assert kept == [("kept.rival", "paul has assigned another category since, and only one is allowed")]
    assert (given(topics_of_two), given(topics_of_two, "beta")) == (["music"], ["press"])


def test_what_a_job_gave_and_somebody_deleted_stays_deleted(topics_of_two: Corpus, as_user: Any, client: Any) -> None:
    job = run(topics_of_two, "/documents/_search_and_categorize", json={"labelName": "press", "add": True})
    (made,) = topics_of_two.get("/documents/beta")["categories"]
    topics_of_two.delete(f"/categories/{made['identifier']}")
    assert undo(topics_of_two, job) == (1, [("kept.changedBy", "root has changed it since")])
    assert (given(topics_of_two), given(topics_of_two, "beta")) == ([], [])


def test_the_same_span_of_the_same_person_is_an_obstacle(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT, ("Paris", "city"), ("Berlin", "city")))
    job = run(corpus, "/documents/_search_and_delete_labelling")
    again = corpus.annotate("alpha", "city", 0, 5)["identifier"]
    assert undo(corpus, job) == (1, [("kept.labelled", "root has added the same label again since")])
    standing = {one["start"]: one["identifier"] for one in corpus.get("/documents/alpha")["annotations"]}
    assert (standing[0], sorted(standing)) == (again, [0, 16])


def test_documents_that_came_back_or_changed_since_stay_as_they_are(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT), document("beta", TEXT))
    job = run(corpus, "/documents/_search_and_delete", params={"query": "paris"})
    assert undo(corpus, job) == (2, [])
    again = run(corpus, "/documents/_search_and_delete", params={"query": "paris"})
    corpus.add(document("beta", "Another text."))
    assert undo(corpus, again) == (1, [("kept.identifier", "Another document has had this identifier since")])
    assert corpus.get("/documents/beta")["text"] == "Another text."


def test_values_change_back_where_nobody_gave_others(corpus: Corpus) -> None:
    """The other values of a document stay; one that was not there before goes."""
    corpus.add(document("alpha", TEXT, metadata={"kind": "a", "year": "2020"}), document("beta", TEXT))
    job = run(corpus, "/documents/_search_and_tag", json={"name": "kind", "value": "b"})
    corpus.post("/documents/_tag", 204, params={"identifier": "alpha"}, json={"name": "place", "value": "here"})
    assert undo(corpus, job) == (2, [])
    alpha, beta = (corpus.get(f"/documents/{name}") for name in ("alpha", "beta"))
    assert alpha["metadata"] == {"kind": "a", "year": "2020", "place": "here"}
    assert "kind" not in beta.get("metadata", {})
    assert corpus.facet("metadata.kind") == {"a": 1}
    job = run(corpus, "/documents/_search_and_tag", json={"name": "kind", "value": "b"})
    corpus.post("/documents/_tag", 204, params={"identifier": "alpha"}, json={"name": "kind", "value": "c"})
    assert undo(corpus, job) == (1, [("kept.value", "The value of kind has been changed since")])
    assert corpus.get("/documents/alpha")["metadata"]["kind"] == "c"


def row(corpus: Corpus, text: str) -> Document:
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(Document).where(Document.project_id == corpus.project.id, Document.text == text)
        return unit.session.scalars(query).one()


def test_the_replacement_goes_as_a_deletion_of_who_undoes(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT))
    job = corpus.add(document("alpha", "New text."))
    before = row(corpus, "New text.")
    assert undo(corpus, job) == (1, [])
    after = row(corpus, "New text.")
    assert (after.version, after.deleted_by, after.deleted_at is None) == (before.version + 1, "root", False)
    assert corpus.get("/documents/alpha")["text"] == TEXT


def test_two_that_bear_one_identifier_do_not_both_come_back(corpus: Corpus) -> None:
    """Each import replaced what the one before had made; the older one is in the way of nobody when it is undone."""
    corpus.add(document("alpha", "First."))
    second = corpus.add(document("alpha", "Second."))
    third = corpus.add(document("alpha", "Third."))
    corpus.delete("/documents/alpha")
    assert undo(corpus, second) == (1, [])
    assert corpus.get("/documents/alpha")["text"] == "First."
    assert undo(corpus, third) == (0, [("kept.identifier", "Another document has had this identifier since")])
    assert [one["text"] for one in corpus.get("/documents")] == ["First."]


def test_a_replacement_that_people_worked_on_is_stored_with_its_number_of_changes(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT), document("beta", "Rome sleeps."))
    job = corpus.add(document("alpha", "New text."), document("beta", "Newer text."))
    corpus.post("/labels", json={"label": "word"})
    corpus.annotate("alpha", "word", 0, 3)
    text = "People have worked on the document that replaced it (1 changes)"
    assert undo(corpus, job) == (1, [("kept.workedOn", text)])
    assert {one["text"] for one in corpus.get("/documents")} == {"New text.", "Rome sleeps."}


def test_a_replacement_of_another_group_is_out_of_reach(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any
) -> None:
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    as_user(client, "paula", "Reader", groups=("law",))
    corpus.add(document("alpha", TEXT), document("beta", "Rome sleeps."))
    job = corpus.add(document("alpha", "New text."), groupName="law")
    caller = as_user(client, "paul", *MANAGER, f"writeProject:{corpus.project.name}", groups=("press",))
    narrow = Corpus(caller, corpus.project, corpus.run_jobs)
    assert undo(narrow, job) == (0, [("kept.outOfReach", "You do not have access to it")])
    assert corpus.get("/documents/alpha")["text"] == "New text."
    get_settings.cache_clear()


@pytest.fixture
def changed_projects() -> Iterator[list[str]]:
    """Projects whose training data changed since the test began."""
    found: list[str] = []
    with training_data_changed.listening(lambda call: found.append(call.project.name)):
        yield found


def test_models_are_reported_that_documents_came_back(corpus: Corpus, changed_projects: list[str]) -> None:
    """What was learned is out of date then; of values alone nothing is learned."""
    corpus.add(document("alpha", TEXT))
    deleted = run(corpus, "/documents/_search_and_delete")
    changed_projects.clear()
    assert undo(corpus, deleted) == (1, [])
    assert changed_projects == [corpus.project.name]
    tagged = run(corpus, "/documents/_search_and_tag", json={"name": "kind", "value": "b"})
    changed_projects.clear()
    assert undo(corpus, tagged) == (1, [])
    assert changed_projects == []


def test_what_is_taken_back_is_in_the_history_as_an_undo(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT, ("Paris", "city")))
    job = run(corpus, "/documents/_search_and_delete_labelling")
    assert undo(corpus, job) == (1, [])
    back, deleted = corpus.get("/documents/alpha/_history")["entries"][:2]
    assert (back["action"], back["kind"], back["undoes"]) == ("restored", "undo", deleted["identifier"])
    assert (back["after"], deleted["takenBack"]) == (deleted["before"], True)
