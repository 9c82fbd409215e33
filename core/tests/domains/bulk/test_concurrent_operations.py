"""Acts of several people on the same rows at the same time: nothing is done twice, and nobody waits in a circle."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError
from support.factories import Corpus, document

from annotarium.content.labelling import bulk_count_and_delete
from annotarium.db.database import get_database
from annotarium.db.models import Document, History, Label
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.annotations import service as annotations
from annotarium.domains.bulk import labelling_clearing
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.run import run_job

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")

DOCUMENTS = 60
_runs: list[str] = []


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(
        *(document(f"d{number:02}", "Paris sleeps, Paris wakes.", ("Paris", "city")) for number in range(DOCUMENTS))
    )
    return corpus


def together(*acts: Callable[[], object]) -> None:
    """All of them at the same time; what one of them raises is raised here."""
    failed: list[BaseException] = []
    begin = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        begin.wait(60)
        try:
            act()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    for error in failed:
        raise error


def deletions(corpus: Corpus) -> dict[int, int]:
    """How often each annotation was deleted, by the history."""
    with unit_of_work(actor="", write=False) as unit:
        query = select(History.entity_id, func.count()).where(
            History.project_id == corpus.project.id, History.action == "deleted", History.entity == "annotation"
        )
        return {row[0]: row[1] for row in unit.session.execute(query.group_by(History.entity_id))}


@pytest.mark.parametrize("second", ["documents", "everything"])
def test_what_two_people_delete_is_deleted_once(filled: Corpus, open_as: Any, second: str) -> None:
    """The second one waits for the first, and finds nothing left."""
    with unit_of_work(actor="", write=False) as unit:
        ids = list(unit.session.scalars(select(Document.id).where(Document.project_id == filled.project.id)))
    inside, counts = threading.Event(), []

    def first() -> None:
        with open_as("root", filled.project) as call:
            counts.append(bulk_count_and_delete.delete_labelling(call, ids, [], []))
            inside.set()
            threading.Event().wait(0.4)  # the other one meanwhile wants the same rows

    def other() -> None:
        assert inside.wait(60)
        with open_as("root", filled.project) as call:
            if second == "documents":
                counts.append(bulk_count_and_delete.delete_labelling(call, ids, [], []))
            else:
                counts.append(labelling_clearing.clear_labelling_or_start_job(call, "annotation", [], []).count)

    together(first, other)
    assert counts == [DOCUMENTS, 0]
    assert list(deletions(filled).values()) == [1] * DOCUMENTS


def test_jobs_over_the_same_documents_all_come_to_their_end(filled: Corpus) -> None:
    """Copying an annotation to the corpus while its documents are tagged, cleared and deleted: each job ends well, and
    each leaves a history that can be taken back."""
    source = filled.get("/documents/d00")["annotations"][0]
    started = [
        filled.post(f"/annotations/{source['identifier']}/_propagate", json={"scope": "corpus"})["job"],
        filled.post("/documents/_search_and_tag", json={"name": "seen", "value": "yes"}),
        filled.post("/documents/_search_and_delete_labelling", params={"labels": "city"}),
        filled.post("/documents/_search_and_delete"),
        filled.post("/documents/_search_and_tag", json={"name": "seen", "value": "no"}),
    ]
    together(*(lambda job=job: run_job(job["id"]) for job in started))  # type: ignore[misc]
    for job in started:
        ended = filled.get(f"/job/{job['id']}")
        assert ended["status"] == "COMPLETED", ended
    assert filled.get("/documents") == []
    # none at all where the documents were gone before their labelling was looked for
    assert set(deletions(filled).values()) <= {1}


@job_function("test_two_labels")
def two_labels(context: JobContext, project_name: str, names: list[str]) -> None:
    """Change one label after the other in one transaction."""
    _runs.append(context.job_id)
    with context.open(project_name) as call:
        for name in names:
            call.session.execute(
                text("UPDATE labels SET guideline = guideline || 'job ' WHERE project_id = :project AND name = :name"),
                {"project": call.project.id, "name": name},
            )
            _one_held.set()
            _between.wait(30)
    context.finish(message="both")


_one_held, _between = threading.Event(), threading.Event()


def test_a_job_that_stood_in_a_circle_goes_on(corpus: Corpus, database_kind: str) -> None:
    """PostgreSQL ends one of two transactions that wait for each other: a job is run again from there."""
    if database_kind == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    corpus.add_labels("one", "two")
    with unit_of_work(actor="root", write=True) as unit:
        job = start_job(
            unit,
            type="UNSPECIFIED",
            function="test_two_labels",
            arguments={"project_name": corpus.project.name, "names": ["one", "two"]},
            project=corpus.project,
            created_by="root",
            description="Test",
        )
    change = "UPDATE labels SET guideline = guideline || 'rival ' WHERE project_id = :project AND name = :name"

    def rival() -> None:
        with get_database().write_engine.begin() as connection:
            connection.execute(text("SET LOCAL deadlock_timeout = '20s'"))  # the job is who gives up
            connection.execute(text(change), {"project": corpus.project.id, "name": "two"})
            assert _one_held.wait(30)  # the job has the first one now, and waits for what follows
            _between.set()
            connection.execute(text(change), {"project": corpus.project.id, "name": "one"})

    together(rival, lambda: run_job(job.id))
    ended = corpus.get(f"/job/{job.id}")
    assert (ended["status"], ended["statusMessage"]) == ("COMPLETED", "both"), ended
    assert _runs.count(job.id) == 2
    with unit_of_work(actor="", write=False) as unit:
        said = unit.session.scalars(select(Label.guideline).where(Label.project_id == corpus.project.id)).all()
    assert sorted(said) == ["rival job ", "rival job "]


def test_deadlock_asks_the_person_to_retry(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the record ends for another transaction is a conflict, and not a record that is away."""
    source = filled.get("/documents/d00")["annotations"][0]

    class Circle(Exception):
        sqlstate = "40P01"

    def refuse(*_: object) -> None:
        raise OperationalError("UPDATE", None, Circle("deadlock detected"))

    monkeypatch.setattr(annotations, "require_annotation", refuse)
    told = filled.patch(f"/annotations/{source['identifier']}", 409, json={"status": "KO"})
    assert (told["message"], told["fix"]) == ("Somebody else changed the same thing at the same moment", "Try again")
