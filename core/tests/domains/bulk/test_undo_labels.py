"""Taking back what a job did to labels, label sets and names of relations: the rows, their history, the live events."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import delete, select
from support.factories import Corpus, document

from annotarium.db.models import History, Label, LabelSet, Relation, RelationName
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.domains.bulk.undo_labels import undo_label_changes
from annotarium.domains.bulk.undo_relations import undo_relation_name_changes

TEXT = "Anna Smith lives in Paris."
MANAGER = ("ProjectManager", "seeProjectJobs", "readUserAnnot:*")


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    """The labels `film` and `song` in the set `media`, and `person` in the default one."""
    corpus.add(document("d1", TEXT, ("Anna Smith", "person")))
    corpus.post("/label_sets", json={"label": "Media", "tags": ["old"], "guideline": "Works"})
    for name in ("film", "song"):
        corpus.post("/labels", json={"label": name, "labelSetName": "media"})
    return corpus


@pytest.fixture
def mia(filled: Corpus, as_user: Any, client: Any) -> Corpus:
    """Somebody else than who started the jobs."""
    caller = as_user(client, "mia", *MANAGER, f"writeProject:{filled.project.name}")
    return Corpus(caller, filled.project, filled.run_jobs)


def job_of(answer: Any) -> str:
    return str((answer.get("removeJob") or answer["job"])["id"])


def undo(corpus: Corpus, answer: Any) -> tuple[int, list[str]]:
    """How many changes were taken back, and why the others were not."""
    back = corpus.post(f"/job/{job_of(answer)}/_undo")
    corpus.run_jobs()
    ended = corpus.get(f"/job/{back['id']}")
    assert ended["status"] == "COMPLETED", ended
    report = corpus.get(f"/job/{back['id']}/items")["items"]
    return ended["result"]["undone"], sorted(line["said"]["message"]["code"] for line in report)


def undo_again(corpus: Corpus, answer: Any, open_as: Any) -> list[str | None]:
    """As a worker does that was ended before it had noted the end: the same changes once more."""
    with open_as("root", corpus.project) as call:
        query = select(History).where(History.job_id == job_of(answer), History.entity.in_(("label", "label_set")))
        changes = call.session.scalars(query.order_by(History.id.desc())).all()
        return [reason and str(reason) for reason in undo_label_changes(call, changes, job_of(answer)).values()]


def label(corpus: Corpus, name: str) -> Any:
    """The row of a label with the name of its set."""
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(Label, LabelSet.name).join(LabelSet, LabelSet.id == Label.label_set_id)
        query = query.where(Label.name == name, Label.project_id == corpus.project.id)
        row: Any
        row, label_set = unit.session.execute(query).one()
        unit.session.expunge(row)
        row.set_name = label_set
        return row


def history(corpus: Corpus, entity: str, action: str) -> list[Any]:
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(History).where(History.entity == entity, History.action == action)
        rows = unit.session.scalars(query.where(History.project_id == corpus.project.id).order_by(History.id)).all()
        unit.session.expunge_all()
        return list(rows)


def test_a_label_that_comes_back_is_a_new_version_by_who_undid(filled: Corpus, mia: Corpus) -> None:
    answer = filled.delete("/labels/film")
    gone = label(filled, "film")
    assert (gone.deleted_by, gone.version) == ("root", 2)
    assert undo(mia, answer) == (1, [])
    back = label(filled, "film")
    assert (back.deleted_at, back.deleted_by, back.set_name) == (None, None, "media")
    assert (back.version, back.modified_by) == (3, "mia")
    assert back.modified_at >= gone.deleted_at
    (deleted,), (restored,) = history(filled, "label", "deleted"), history(filled, "label", "restored")
    assert (restored.entity_id, restored.document_id, restored.batch_id) == (back.id, 0, deleted.id)
    assert (restored.before, restored.after, restored.actor) == (None, deleted.before, "mia")


def test_a_label_that_moves_back_is_a_new_version_by_who_undid(filled: Corpus, mia: Corpus) -> None:
    answer = filled.post("/labels/_move", json={"names": ["film"], "labelSetName": "default"})
    assert (label(filled, "film").set_name, label(filled, "film").version) == ("default", 2)
    assert undo(mia, answer) == (1, [])
    back = label(filled, "film")
    assert (back.set_name, back.version, back.modified_by, back.deleted_at) == ("media", 3, "mia", None)
    moved, returned = history(filled, "label", "updated")
    assert (returned.before, returned.after) == (moved.after, moved.before)
    assert (returned.entity_id, returned.batch_id) == (back.id, moved.id)


def test_a_set_comes_back_as_the_one_its_labels_know(filled: Corpus, mia: Corpus) -> None:
    before = filled.get("/label_sets/media")
    known = label(filled, "film").label_set_id
    answer = filled.delete("/label_sets/media")
    assert undo(mia, answer) == (3, [])
    with unit_of_work(actor="tests", write=False) as unit:
        row = unit.session.get_one(LabelSet, known)
        assert (row.name, row.project_id, row.modified_by) == ("media", filled.project.id, "mia")
        assert row.created_by == "root"
    after = filled.get("/label_sets/media")
    for name in ("label", "tags", "guideline", "nature"):
        assert after.get(name) == before.get(name)
    assert {label(filled, name).set_name for name in ("film", "song")} == {"media"}
    (deleted,), (restored,) = history(filled, "label_set", "deleted"), history(filled, "label_set", "restored")
    assert (restored.entity_id, restored.before, restored.after) == (known, None, deleted.before)
    assert restored.batch_id == deleted.id


def test_what_is_there_already_stays_as_it_is(filled: Corpus, open_as: Any) -> None:
    """A set that came back is the same one under a new name; a label that was made again is not made older."""
    answer = filled.delete("/label_sets/media")
    assert undo(filled, answer) == (3, [])
    filled.patch("/label_sets/media", json={"label": "Works"})
    versions = [label(filled, name).version for name in ("film", "song")]
    assert [reason is not None for reason in undo_again(filled, answer, open_as)] == [True, True, True]
    assert [label(filled, name).version for name in ("film", "song")] == versions
    assert [one["label"] for one in filled.get("/label_sets") if one["name"] != "default"] == ["Works"]


def test_a_label_created_again_is_not_taken_back(filled: Corpus) -> None:
    answer = filled.delete("/labels/film")
    filled.post("/labels", json={"label": "film", "labelSetName": "default"})
    version = label(filled, "film").version
    assert undo(filled, answer) == (0, ["kept.created"])
    assert (label(filled, "film").set_name, label(filled, "film").version) == ("default", version)


def test_a_label_comes_back_to_the_default_set_when_its_own_is_gone(filled: Corpus) -> None:
    answer = filled.delete("/labels/film")
    filled.delete("/label_sets/media")
    assert undo(filled, answer) == (1, [])
    assert label(filled, "film").set_name == "default"


def test_a_label_that_is_gone_for_good_is_reported(filled: Corpus) -> None:
    answer = filled.post("/labels/_move", json={"names": ["film", "song"], "labelSetName": "default"})
    with unit_of_work(actor="tests", write=True) as unit:
        unit.session.delete(unit.session.get_one(Label, label(filled, "film").id))
    assert undo(filled, answer) == (1, ["kept.gone"])
    assert label(filled, "song").set_name == "media"


@pytest.mark.parametrize(
    ("since", "reason"),
    [("label", "kept.deleted"), ("moved", "kept.moved"), ("set", "kept.ofSet")],
)
def test_a_label_that_was_changed_since_does_not_move_back(filled: Corpus, since: str, reason: str) -> None:
    """Deleted, moved on to a third set, or the set that it came from is gone. The other one moves back."""
    filled.post("/label_sets", json={"label": "Third"})
    filled.post("/labels", json={"label": "anchor", "labelSetName": "third"})
    answer = filled.post("/labels/_move", json={"names": ["film", "anchor"], "labelSetName": "default"})
    if since == "label":
        filled.delete("/labels/film")
    elif since == "moved":
        filled.post("/labels/_move", json={"names": ["film"], "labelSetName": "third"})
    else:
        filled.delete("/label_sets/media")
    before = label(filled, "film")
    assert undo(filled, answer) == (1, [reason])
    after = label(filled, "film")
    assert (after.set_name, after.version, after.deleted_at) == (before.set_name, before.version, before.deleted_at)
    assert label(filled, "anchor").set_name == "third"


def test_labels_emit_one_event_and_other_jobs_none(filled: Corpus, emitted_events: list[Event]) -> None:
    answer = filled.delete("/label_sets/media")
    tagged = filled.post("/documents/_search_and_tag", json={"name": "kind", "value": "x"})
    filled.run_jobs()
    emitted_events.clear()
    assert undo(filled, answer) == (3, [])
    found = [(event.mutation, event.arg, event.project) for event in emitted_events if event.mutation == "labels"]
    assert found == [("labels", {"type": "changed", "by": "root"}, filled.project.name)]
    emitted_events.clear()
    assert undo(filled, {"job": tagged}) == (1, [])
    assert [
        (event.mutation, event.arg, event.project)
        for event in emitted_events
        if event.mutation in ("labels", "relation_names")
    ] == []


# Names of relations


def name_row(corpus: Corpus, name: str) -> Any:
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(RelationName).where(RelationName.name == name, RelationName.project_id == corpus.project.id)
        row = unit.session.scalars(query).one()
        unit.session.expunge(row)
        return row


@pytest.fixture
def linked(filled: Corpus) -> Corpus:
    """Two annotations, one relation `knows` between them."""
    place = filled.annotate("d1", "film", 20, 25)["identifier"]
    person = filled.get("/documents/d1")["annotations"][0]["identifier"]
    body = {"documentIdentifier": "d1", "name": "knows", "source": person, "target": place}
    filled.post("/relations", json=body)
    return filled


def test_a_name_comes_back_as_a_new_version_by_who_undid(
    linked: Corpus, mia: Corpus, emitted_events: list[Event]
) -> None:
    before = name_row(linked, "knows")
    answer = linked.delete("/relation_names/knows", params={"withRelations": True})
    gone = name_row(linked, "knows")
    emitted_events.clear()
    assert undo(mia, answer) == (2, [])
    back = name_row(linked, "knows")
    assert (back.id, back.deleted_at, back.deleted_by) == (before.id, None, None)
    assert (back.version, back.modified_by) == (gone.version + 1, "mia")
    assert back.modified_at >= gone.deleted_at
    (deleted,), (restored,) = history(linked, "relation_name", "deleted"), history(linked, "relation_name", "restored")
    assert (restored.entity_id, restored.document_id, restored.before) == (back.id, 0, None)
    assert (restored.after, restored.kind, restored.batch_id) == (deleted.before, "undo", deleted.id)
    changed = {"type": "changed", "by": "mia"}
    assert [
        (event.mutation, event.arg, event.project) for event in emitted_events if event.mutation == "relation_names"
    ] == [("relation_names", changed, linked.project.name)]


@pytest.mark.parametrize(
    ("since", "reason"), [("gone", "kept.gone"), ("revived", "kept.created"), ("taken", "kept.relationName")]
)
def test_a_name_that_is_in_use_or_gone_does_not_come_back(
    linked: Corpus, since: str, reason: str, open_as: Any, emitted_events: list[Event]
) -> None:
    answer = linked.delete("/relation_names/knows", params={"withRelations": True})
    known = name_row(linked, "knows").id
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.get_one(RelationName, known)
        if since == "revived":
            row.deleted_at = row.deleted_by = None
        if since == "gone":
            unit.session.execute(delete(Relation).where(Relation.name_id == known))
            unit.session.delete(row)
    if since == "taken":
        linked.post("/relation_names", json={"name": "is"})
        with unit_of_work(actor="tests", write=True) as unit:
            unit.session.get_one(RelationName, known).name = "is"
    emitted_events.clear()
    with open_as("root", linked.project) as call:
        query = select(History).where(History.job_id == job_of(answer), History.entity == "relation_name")
        (change,) = call.session.scalars(query).all()
        found = undo_relation_name_changes(call, [change])
    assert [said.code for said in found.values()] == [reason]  # type: ignore[union-attr]
    assert emitted_events == []
    if since != "gone":
        with unit_of_work(actor="tests", write=False) as unit:
            row = unit.session.get_one(RelationName, known)
            assert (row.deleted_at is None) is (since == "revived")
            assert row.version == 2
