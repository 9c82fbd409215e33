"""The rules of categories, row by row: what is kept, replaced or left alone, by whom, and what history says."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.db.models import Category, History, Label
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.categories import propagation, service
from annotarium.domains.categories.repository import CategoryTarget

TEXT = "The goal came late. The minister spoke."
GUESS = {"creationMode": "automatic", "status": None}


def fill(corpus: Corpus) -> Corpus:
    for name in ("d1", "d2"):
        corpus.add(document(name, TEXT, sentences=[{"start": 0, "end": 19}, {"start": 20, "end": 39}]))
    corpus.add_labels("sport", "politics")
    return corpus


@pytest.fixture
def several(corpus: Corpus) -> Corpus:
    """A document may carry several categories."""
    return fill(corpus)


@pytest.fixture
def one(topics: Corpus) -> Corpus:
    """A document carries one category of a set."""
    return fill(topics)


def other(corpus: Corpus, as_user: Any, client: Any) -> Corpus:
    """The same project for somebody else, who sees the work of all."""
    grants = ("ProjectManager", "annotateCorpus", "readUserAnnot:*", f"writeProject:{corpus.project.name}")
    return Corpus(as_user(client, "mia", *grants), corpus.project, corpus.run_jobs)


def give(corpus: Corpus, label: str, answer: int = 200, /, **more: Any) -> Any:
    return corpus.post("/categories", answer, json={"documentIdentifier": "d1", "labelName": label} | more)


def carried(corpus: Corpus, name: str = "d1") -> list[tuple[str, str | None, str]]:
    found = corpus.get(f"/documents/{name}")["categories"]
    return sorted((each["labelName"], each.get("status"), each["createdBy"]) for each in found)


def row(made: Any) -> Any:
    with unit_of_work(actor="tests", write=False) as unit:
        found = unit.session.get_one(Category, int(made["identifier"]))
        unit.session.expunge(found)
        return found


def actions(made: Any) -> list[tuple[str, str, bool, bool]]:
    """The history of a category: what was done, by whom, and whether there was a state before and after."""
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(History).where(History.entity == "category", History.entity_id == int(made["identifier"]))
        rows = unit.session.scalars(query.order_by(History.id))
        return [(each.action, each.actor, each.before is not None, each.after is not None) for each in rows]


def test_a_category_is_stored_as_it_was_given(several: Corpus) -> None:
    given = {"start": 20, "end": 39, "score": 0.25, "creationMode": "automatic", "status": "KO"}
    made = give(several, "sport", **given, properties={"why": "test"})
    expected = given | {"documentIdentifier": "d1", "labelName": "sport", "createdBy": "root", "version": 1}
    assert made.items() >= expected.items()
    assert made["replaced"] == []
    assert made["createdDate"] == made["modifiedDate"] != ""
    found = row(made)
    assert (found.properties, found.modified_by, found.project_id) == ({"why": "test"}, "root", several.project.id)
    assert actions(made) == [("created", "root", False, True)]


def test_a_sentence_ends_with_its_document_at_the_latest(several: Corpus) -> None:
    assert give(several, "sport", start=20, end=len(TEXT))["end"] == len(TEXT)
    refused = give(several, "sport", 400, start=20, end=len(TEXT) + 1)
    assert [detail["field"] for detail in refused["details"]] == ["end"]


def test_what_is_replaced_is_a_deletion_by_who_replaced_it(one: Corpus, as_user: Any, client: Any) -> None:
    first = give(one, "sport")
    second = give(other(one, as_user, client), "politics")
    assert second["replaced"] == [first["identifier"]]
    gone = row(first)
    assert (gone.deleted_at is not None, gone.deleted_by, gone.version) == (True, "mia", 2)
    assert actions(first) == [("created", "root", False, True), ("deleted", "mia", True, False)]


def test_the_same_again_by_the_same_person_changes_nothing(one: Corpus, as_user: Any, client: Any) -> None:
    """By somebody else it becomes theirs; with another status it is a new one."""
    first = give(one, "sport")
    again = give(one, "sport")
    assert (again["identifier"], again["version"], again["replaced"]) == (first["identifier"], 1, [])
    theirs = give(other(one, as_user, client), "sport")
    assert theirs["replaced"] == [first["identifier"]]
    assert carried(one) == [("sport", "OK", "mia")]
    rejected = give(one, "sport", status="KO")
    assert rejected["replaced"] == [theirs["identifier"]]
    assert carried(one) == [("sport", "KO", "root")]


@pytest.mark.parametrize("status", ["OK", "KO"])
def test_a_suggestion_gives_way_to_any_decision_on_its_label(several: Corpus, status: str) -> None:
    """It is not even kept beside it; without a decision the last suggestion stands."""
    decided = give(several, "sport", status=status)
    told = give(several, "sport", **GUESS, score=0.5)
    assert (told["identifier"], told["status"]) == (decided["identifier"], status)
    assert carried(several) == [("sport", status, "root")]
    first = give(several, "politics", **GUESS)
    assert give(several, "politics", **GUESS)["identifier"] == first["identifier"]
    assert give(several, "politics", creationMode="manual", status="OK")["replaced"] == [first["identifier"]]


def test_a_category_without_a_status_by_hand_is_a_decision(one: Corpus) -> None:
    first = give(one, "sport")
    second = give(one, "politics", status=None)
    assert second["replaced"] == [first["identifier"]]
    assert give(one, "politics", **GUESS)["identifier"] == second["identifier"]


# Many documents at once


def categorise(corpus: Corpus, label: str, *, add: bool, open_as: Any, by: str = "root") -> int:
    with open_as(by, corpus.project) as call:
        ids = [document_id(corpus, name) for name in ("d1", "d2")]
        return service.categorise_documents(call, ids, label, add=add)


def document_id(corpus: Corpus, name: str) -> int:
    with unit_of_work(actor="tests", write=False) as unit:
        query = f"SELECT id FROM documents WHERE identifier = '{name}' AND project_id = {corpus.project.id}"
        return int(unit.session.connection().exec_driver_sql(query).scalar_one())


def test_documents_that_carry_it_already_are_left_as_they_are(
    several: Corpus, as_user: Any, client: Any, open_as: Any
) -> None:
    """Whoever gave it. The number is that of documents that changed."""
    mine = give(other(several, as_user, client), "sport")
    assert categorise(several, "sport", add=True, open_as=open_as) == 1
    assert (carried(several), carried(several, "d2")) == ([("sport", "OK", "mia")], [("sport", "OK", "root")])
    assert actions(mine) == [("created", "mia", False, True)]
    assert categorise(several, "sport", add=True, open_as=open_as) == 0


def test_assigning_to_many_replaces_only_what_holds_in_an_exclusive_set(
    one: Corpus, several: Corpus, open_as: Any
) -> None:
    """What was rejected or only suggested stays; where the label is there already, the others go all the same."""
    give(one, "politics")
    give(one, "sport", documentIdentifier="d2", **GUESS)
    give(one, "politics", documentIdentifier="d2", status="KO")
    assert categorise(one, "sport", add=True, open_as=open_as) == 2
    assert carried(one) == [("sport", "OK", "root")]
    assert carried(one, "d2") == [("politics", "KO", "root"), ("sport", "OK", "root")]
    give(several, "politics")
    assert categorise(several, "sport", add=True, open_as=open_as) == 2
    assert carried(several) == [("politics", "OK", "root"), ("sport", "OK", "root")]


def test_rivals_go_where_the_label_is_there_already(one: Corpus, open_as: Any) -> None:
    made = give(one, "sport")
    rival = give(one, "politics", **GUESS)
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.get_one(Category, int(rival["identifier"])).status = "OK"
    assert categorise(one, "sport", add=True, open_as=open_as) == 2
    assert carried(one) == [("sport", "OK", "root")]
    assert (row(made).version, row(rival).deleted_by) == (1, "root")


def test_taking_from_many_leaves_rejections_and_other_labels(several: Corpus, open_as: Any) -> None:
    give(several, "sport")
    give(several, "politics")
    give(several, "sport", start=0, end=19)
    give(several, "sport", documentIdentifier="d2", status="KO")
    assert categorise(several, "sport", add=False, open_as=open_as) == 1
    assert carried(several) == [("politics", "OK", "root")]
    assert carried(several, "d2") == [("sport", "KO", "root")]
    sentences = several.get("/documents/d1")["sentences"]
    assert [each["labelName"] for each in sentences[0]["categories"]] == ["sport"], "a sentence is no document"


# What was decided already


@pytest.mark.parametrize("exclusive", [True, False])
def test_places_where_somebody_decided(exclusive: bool, topics: Corpus, corpus: Corpus, open_as: Any) -> None:
    """On the label itself, also against it; on another one only where one holds at a time, and only for it."""
    project = fill(topics if exclusive else corpus)
    give(project, "politics")
    give(project, "politics", start=0, end=19, status="KO")
    give(project, "sport", start=20, end=39, status="KO")
    give(project, "sport", documentIdentifier="d2", **GUESS)
    give(project, "sport", documentIdentifier="d2", start=0, end=19)
    first, second = (document_id(project, name) for name in ("d1", "d2"))
    with open_as("root", project.project) as call:
        query = select(Label).where(Label.name == "sport", Label.project_id == project.project.id)
        label = call.session.scalars(query).one()
        found = service.decided_positions(call, label, [first, second])
        target = CategoryTarget(second, "d2", 39)
        whole, sentence = propagation.assign_to_positions(call, label, [(target, (None, None)), (target, (20, 39))])
        assert (whole.start, whole.end, whole.status, whole.label_id) == (None, None, "OK", label.id)
        assert (sentence.start, sentence.end, sentence.status) == (20, 39, "OK")
    assert carried(project, "d2") == [("sport", "OK", "root")], "it replaces the suggested category"
    assert found == {(first, 20, 39), (second, 0, 19)} | ({(first, None, None)} if exclusive else set())


# Changes of one


def test_a_new_status_is_a_new_version_by_who_gave_it(several: Corpus, as_user: Any, client: Any) -> None:
    """Nothing changes where no status is sent, or the one that it has."""
    made = give(several, "sport")
    path = f"/categories/{made['identifier']}"
    for body in ({}, {"status": "OK"}):
        assert several.patch(path, json=body)["version"] == 1
    assert len(actions(made)) == 1
    changed = other(several, as_user, client).patch(path, json={"status": "KO"})
    assert (changed["status"], changed["version"], changed["createdBy"]) == ("KO", 2, "root")
    assert (changed["documentIdentifier"], changed["labelName"], changed["replaced"]) == ("d1", "sport", [])
    found = row(made)
    assert (found.modified_by, found.modified_at >= found.created_at) == ("mia", True)
    assert actions(made)[1:] == [("updated", "mia", True, True)]
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(History).where(History.entity_id == found.id, History.action == "updated")
        change = unit.session.scalars(query).one()
        assert change.before and change.after
        assert (change.before["status"], change.after["status"]) == ("OK", "KO")


def test_only_a_confirmation_replaces(one: Corpus) -> None:
    """A category that is rejected, reset, or confirmed by hand once more leaves the others alone."""
    guess = give(one, "sport", **GUESS)
    holds = give(one, "politics", status=None)
    path = f"/categories/{guess['identifier']}"
    assert one.patch(path, json={"status": "KO"})["replaced"] == []
    assert one.patch(path, json={"status": None})["replaced"] == []
    assert one.patch(path, json={"status": "OK"})["replaced"] == [holds["identifier"]]
    assert actions(holds)[-1] == ("deleted", "root", True, False)
    with unit_of_work(actor="tests", write=True) as unit:
        found = unit.session.get_one(Category, int(holds["identifier"]))
        found.deleted_at = found.deleted_by = None
    confirmed = one.patch(f"/categories/{holds['identifier']}", json={"status": "OK"})
    assert confirmed["replaced"] == [], "it held before"


def test_only_the_version_that_is_known_is_changed_or_deleted(several: Corpus) -> None:
    made = give(several, "sport")
    path = f"/categories/{made['identifier']}"
    refused = several.delete(path, 412, headers={"If-Match": "2"})
    current = refused["details"][0]["current"]
    assert (current["identifier"], current["documentIdentifier"], current["labelName"]) == (
        made["identifier"],
        "d1",
        "sport",
    )
    assert several.delete(path, headers={"If-Match": "1"}) == {"identifier": made["identifier"]}
    assert (row(made).version, row(made).deleted_by) == (2, "root")
    assert actions(made)[1:] == [("deleted", "root", True, False)]
    several.delete(path, 404)
