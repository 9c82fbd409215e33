"""Taking back what a job did to relations: what stands in the way, what is left untouched, what is told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document
from support.live_events import args_of

from annotarium.content.labelling.changes import labelling_changed
from annotarium.db.models import History, Relation, RelationName
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.domains.bulk.undo_relations import undo_relation_changes
from annotarium.settings import get_settings

TEXT = "Anna Smith lives in Paris, Bob in Rome."
GRANTS = ("ProjectManager", "deleteDocuments", "annotateCorpus", "seeProjectJobs", "readUserAnnot:*", "readFacet:*")


def link(corpus: Corpus, name: str, source: int = 0, target: int = 1, of: str = "d1") -> int:
    """The id of a new relation between two annotations of a document, by their order."""
    ends = [one["identifier"] for one in corpus.get(f"/documents/{of}")["annotations"]]
    body = {"documentIdentifier": of, "name": name, "source": ends[source], "target": ends[target]}
    return int(corpus.post("/relations", json=body)["identifier"])


@pytest.fixture
def linked(corpus: Corpus) -> Corpus:
    """Two documents with three spans each, and one relation `lives in` on each."""
    spans = ("Anna Smith", "person"), ("Paris", "place"), ("Bob", "person")
    corpus.add(document("d1", TEXT, *spans), document("d2", TEXT, *spans))
    for name in ("d1", "d2"):
        link(corpus, "lives in", of=name)
    return corpus


def delete_named(corpus: Corpus, name: str) -> str:
    """Delete the relations of a name; the job."""
    answer = corpus.delete(f"/relation_names/{name}", params={"withRelations": True})
    return str(answer["removeJob"]["id"])


def undo(corpus: Corpus, job: str) -> tuple[int, list[str]]:
    """How many changes were taken back, and why the others were not."""
    back = corpus.post(f"/job/{job}/_undo")
    corpus.run_jobs()
    ended = corpus.get(f"/job/{back['id']}")
    assert ended["status"] == "COMPLETED", ended
    report = corpus.get(f"/job/{back['id']}/items")["items"]
    return ended["result"]["undone"], sorted(line["said"]["message"]["code"] for line in report)


def relation(identifier: int) -> Any:
    with unit_of_work(actor="tests", write=False) as unit:
        row = unit.session.get_one(Relation, identifier)
        unit.session.expunge(row)
        return row


def ids(corpus: Corpus) -> list[int]:
    """Ids of the relations of the project, deleted ones too, the oldest first."""
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(Relation.id).where(Relation.project_id == corpus.project.id).order_by(Relation.id)
        return list(unit.session.scalars(query))


def test_a_relation_comes_back_with_a_new_version_and_its_history(linked: Corpus, emitted_events: list[Event]) -> None:
    """One event for all of them. Those who count answers hear of none, and the documents are found by the name."""
    first, second = ids(linked)
    before = relation(first)
    job = delete_named(linked, "lives in")
    assert linked.facet("relation") == {}
    heard: list[int] = []
    emitted_events.clear()
    with labelling_changed.listening(lambda call, answers: heard.append(answers)):
        assert undo(linked, job) == (3, [])
    assert heard == []
    told = {"type": "undone", "count": 2, "by": "root"}
    assert args_of(emitted_events, "labelling") == [told]
    back = relation(first)
    assert (back.deleted_at, back.deleted_by, back.version) == (None, None, before.version + 2)
    assert (back.source_id, back.target_id, back.name_id) == (before.source_id, before.target_id, before.name_id)
    assert linked.facet("relation") == {"lives in": 2}
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(History).where(History.entity_id == first, History.job_id.is_not(None)).order_by(History.id)
        deleted, restored = unit.session.scalars(query)
        assert (deleted.action, restored.action, restored.entity) == ("deleted", "restored", "relation")
        assert (restored.before, restored.after) == (None, deleted.before)
        assert (restored.kind, restored.batch_id) == ("undo", deleted.id)
        assert restored.document_id == back.document_id
    assert relation(second).deleted_at is None


def test_a_relation_whose_end_was_deleted_since_stays_exactly_as_it_was(
    linked: Corpus, emitted_events: list[Event]
) -> None:
    """The one on the other document comes back, and only that is told."""
    first, second = ids(linked)
    job = delete_named(linked, "lives in")
    linked.delete(f"/annotations/{linked.get('/documents/d1')['annotations'][1]['identifier']}")
    before = relation(first)
    emitted_events.clear()
    assert undo(linked, job) == (2, ["kept.ofEnd"])
    after = relation(first)
    for name in ("version", "deleted_at", "deleted_by", "modified_at", "modified_by"):
        assert getattr(after, name) == getattr(before, name)
    assert after.deleted_at is not None
    assert relation(second).deleted_at is None
    assert [arg["count"] for arg in args_of(emitted_events, "labelling")] == [1]
    with unit_of_work(actor="tests", write=False) as unit:
        actions = unit.session.scalars(select(History.action).where(History.entity_id == first))
        assert sorted(actions) == ["created", "deleted"]


def run(corpus: Corpus, job: str, open_as: Any, later: Any = (), entity: str = "relation") -> list[str | None]:
    """Take back the changes of a job to relations without the other parts of the job; the reasons, the newest first."""
    with open_as("root", corpus.project) as call:
        query = select(History).where(History.job_id == job, History.entity == entity)
        changes = call.session.scalars(query.order_by(History.id.desc())).all()
        found = undo_relation_changes(call, changes, dict(later))
        return [getattr(found[change], "code", None) for change in changes]


def test_what_cannot_come_back_is_reported_with_its_reason(
    linked: Corpus, open_as: Any, emitted_events: list[Event]
) -> None:
    """Gone for good, changed by somebody, changed without a history, made once more: nothing comes back and no event
    says so."""
    extra = [link(linked, "lives in", *ends) for ends in ((0, 2), (1, 2), (2, 1))]
    job = delete_named(linked, "lives in")
    first, second, *_ = ids(linked)
    with unit_of_work(actor="tests", write=True) as unit:
        name = unit.session.get_one(Relation, second).name_id
        unit.session.get_one(RelationName, name).deleted_at = None
        unit.session.delete(unit.session.get_one(Relation, first))
        unit.session.get_one(Relation, extra[0]).deleted_at = None
    linked.post(
        "/relations",
        json={
            "documentIdentifier": "d1",
            "name": "lives in",
            "source": str(relation(extra[2]).source_id),
            "target": str(relation(extra[2]).target_id),
        },
    )
    emitted_events.clear()
    found = run(linked, job, open_as, later={second: ("mia", 1), extra[1]: ("mia", 1)}.items())
    with unit_of_work(actor="tests", write=False) as unit:
        query = select(History.entity_id).where(History.job_id == job, History.entity == "relation")
        reasons = dict(zip(unit.session.scalars(query.order_by(History.id.desc())), found, strict=True))
    assert reasons == {
        first: "kept.gone",
        second: "kept.changedBy",
        extra[0]: "kept.changed",
        extra[1]: "kept.changedBy",
        extra[2]: "kept.linked",
    }
    assert emitted_events == []


@pytest.fixture
def guarded(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any) -> Iterator[Corpus]:
    """A document of everybody and one of another group, each with a relation."""
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    as_user(client, "paula", "Reader", groups=("law",))
    spans = ("Anna Smith", "person"), ("Paris", "place")
    corpus.add(document("open", TEXT, *spans))
    corpus.add(document("law", TEXT, *spans), groupName="law")
    for name in ("open", "law"):
        link(corpus, "lives in", of=name)
    yield corpus
    get_settings.cache_clear()


def test_relations_on_documents_of_others_stay_deleted(guarded: Corpus, as_user: Any, client: Any) -> None:
    job = delete_named(guarded, "lives in")
    caller = as_user(client, "paul", *GRANTS, f"writeProject:{guarded.project.name}", groups=("press",))
    assert undo(Corpus(caller, guarded.project, guarded.run_jobs), job) == (2, ["kept.outOfReach"])
    found = {name: len(guarded.get(f"/documents/{name}").get("relations", [])) for name in ("open", "law")}
    assert found == {"open": 1, "law": 0}
