"""The reconciler with the database only: which jobs are lost, which are not, and their new state."""

from __future__ import annotations

from typing import Any

import pytest
from support.job_rows import add_running_job as add

from annotarium.db.database import Database
from annotarium.db.disconnected import DatabaseUnavailable
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.jobs import repository
from annotarium.jobs.reconciler import ANSWER_MS, Reconciler
from annotarium.jobs.testing import run_pending_jobs


def state(job_id: str) -> tuple[str, str, int]:
    with unit_of_work(actor="", write=False) as unit:
        job = unit.session.get_one(Job, job_id)
        return job.state, job.status, job.fence


def test_a_job_with_an_expired_lease_waits_again(database: Database) -> None:
    add("lost")
    add("alive", lease_until=now_ms() + 30_000)
    add("ended", state="done", status="COMPLETED")
    Reconciler().tick()
    assert state("lost") == ("waiting", "STARTED", 2)
    assert state("alive") == ("running", "STARTED", 1)
    assert state("ended") == ("done", "COMPLETED", 1)
    assert run_pending_jobs() == ["lost"]
    assert state("lost") == ("done", "COMPLETED", 3)


def test_the_third_lost_run_fails_the_job(database: Database, emitted_events: list[Event]) -> None:
    add("lost", attempts=3, created_by="marie")
    Reconciler().tick()
    assert state("lost")[:2] == ("done", "FAILED")
    assert [(event.user, event.arg["status"]) for event in emitted_events] == [("marie", "FAILED")]
    assert set(emitted_events[0].arg["error"]) == {"code", "error", "message", "cause", "fix", "said"}


def test_a_lost_job_that_was_cancelled_does_not_run_again(database: Database) -> None:
    add("lost", cancel_requested=True)
    Reconciler().tick()
    assert state("lost")[:2] == ("done", "CANCELLED")
    assert run_pending_jobs() == []


def test_recovery_treats_every_run_as_dead(database: Database) -> None:
    add("alive", lease_until=now_ms() + 30_000)
    assert Reconciler().recover() == 1
    assert state("alive")[0] == "waiting"


def test_workers_get_time_to_renew_after_the_machine_slept(database: Database) -> None:
    add("lost")
    reconciler = Reconciler()
    reconciler._last_tick -= 3_600
    reconciler.tick()
    assert state("lost")[0] == "running"
    reconciler._trust_leases_from = 0.0  # the grace period is over
    reconciler.tick()
    assert state("lost")[0] == "waiting"


def test_workers_get_time_to_renew_after_a_database_outage(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    add("alive")
    reconciler = Reconciler()
    with monkeypatch.context() as patch:
        patch.setattr(repository, "list_lost_jobs", raise_unavailable)
        with pytest.raises(DatabaseUnavailable):
            reconciler.tick()
    reconciler.tick()
    assert state("alive")[0] == "running"
    reconciler._trust_leases_from = 0.0  # the grace period is over
    reconciler.tick()
    assert state("alive")[0] == "waiting"


def raise_unavailable(*_: Any) -> Any:
    raise DatabaseUnavailable


def test_two_reconcilers_count_an_attempt_once(database: Database) -> None:
    add("lost")
    first, second = Reconciler(), Reconciler()
    first.tick()
    second.tick()
    assert state("lost") == ("waiting", "STARTED", 2)


def test_old_interactive_jobs_are_deleted(database: Database) -> None:
    old = now_ms() - ANSWER_MS - 1_000
    add("old", queue="interactive", state="done", completed_at=old)
    add("running", queue="interactive", completed_at=None)
    add("fresh", queue="interactive", state="done", completed_at=now_ms())
    add("import", queue="default", state="done", completed_at=old)
    Reconciler().delete_interactive_jobs()
    with unit_of_work(actor="", write=False) as unit:
        assert [job_id for job_id in ("old", "running", "fresh", "import") if unit.session.get(Job, job_id)] == [
            "running",
            "fresh",
            "import",
        ]
