"""State changes of jobs are compare-and-set: only the run that owns the job changes it; a second claim has no
effect.
"""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.db.database import Database
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job, JobItem, JobMail, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import repository
from annotarium.jobs.repository import ATTEMPTS_MAX, LEASE_MS


def add(job_id: str, **columns: Any) -> str:
    values: dict[str, Any] = {"type": "UNSPECIFIED", "function": "f", "arguments": {}, "state": "waiting"}
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(Job(id=job_id, **(values | columns)))
    return job_id


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        return unit.session.get_one(Job, job_id)


def do(function: Any, *arguments: Any, **values: Any) -> Any:
    with unit_of_work(actor="", write=True) as unit:
        return function(unit.session, *arguments, **values)


@pytest.mark.parametrize(
    ("columns", "taken"),
    [
        ({"state": "waiting"}, True),
        ({"state": "queued"}, True),
        ({"state": "running"}, False),
        ({"state": "done"}, False),
        ({"state": "waiting", "cancel_requested": True}, False),
    ],
)
def test_a_waiting_job_is_claimed_once(database: Database, columns: dict[str, Any], taken: bool) -> None:
    add("job", fence=3, attempts=1, **columns)
    add("other", fence=7)
    moment = now_ms()
    assert do(repository.claim_job, "job") is taken
    job = read("job")
    assert (job.fence, job.attempts) == ((4, 2) if taken else (3, 1))
    if taken:
        assert job.state == "running"
        assert moment + LEASE_MS <= (job.lease_until or 0) <= now_ms() + LEASE_MS
        assert moment <= (job.started_at or 0) <= now_ms()
    assert do(repository.claim_job, "job") is False
    assert (read("other").fence, read("other").state) == (7, "waiting")


@pytest.mark.parametrize(
    ("columns", "mine"),
    [
        ({"state": "running", "fence": 2}, True),
        ({"state": "running", "fence": 3}, False),
        ({"state": "done", "fence": 2}, False),
    ],
    ids=["mine", "of a later run", "done"],
)
def test_only_the_owning_run_changes_a_job(database: Database, columns: dict[str, Any], mine: bool) -> None:
    add("job", lease_until=5, **columns)
    assert do(repository.run_owns_job, "job", 2) is mine
    moment = now_ms()
    assert do(repository.renew_lease, "job", 2) is mine
    assert ((read("job").lease_until or 0) >= moment + LEASE_MS) is mine
    assert do(repository.finish_job, "job", 2, "COMPLETED") is mine
    job = read("job")
    if mine:
        assert (job.state, job.status, job.lease_until) == ("done", "COMPLETED", None)
        assert job.completed_at
    assert do(repository.finish_job, "job", 2, "FAILED") is False


def test_a_revoked_run_no_longer_owns_its_job(database: Database) -> None:
    add("job", state="running", fence=2, lease_until=5)
    assert do(repository.revoke_run, "job", 1, state="waiting") is False
    assert do(repository.revoke_run, "job", 2, state="waiting") is True
    assert (read("job").fence, read("job").state, read("job").lease_until) == (3, "waiting", None)
    assert do(repository.run_owns_job, "job", 2) is False


def test_only_an_unclaimed_job_is_ended(database: Database) -> None:
    for state, ended in (("waiting", True), ("queued", True), ("running", False), ("done", False)):
        add(state, state=state, status="STARTED")
        assert do(repository.end_waiting_job, state, "CANCELLED") is ended
        assert (read(state).status == "CANCELLED") is ended
        assert (read(state).state == "done") is (ended or state == "done")
        assert bool(read(state).completed_at) is ended


def test_cancellation_is_requested_of_unfinished_jobs(database: Database) -> None:
    for state in ("waiting", "queued", "running", "done"):
        add(state, state=state)
        assert do(repository.request_cancel, state) is (state != "done")
        assert do(repository.is_cancel_requested, state) is (state != "done")
    assert do(repository.is_cancel_requested, "absent") is False
    assert {job.id for job in do(repository.list_cancelling_jobs)} == {"running"}


def test_only_the_lease_of_a_running_job_expires(database: Database) -> None:
    for state in ("waiting", "running"):
        add(state, state=state, lease_until=9)
        assert do(repository.expire_lease, state) is (state == "running")
        assert read(state).lease_until == (0 if state == "running" else 9)


def test_waiting_jobs_are_listed_oldest_first(database: Database) -> None:
    for job_id, columns in {
        "late": {"created_at": 30},
        "early": {"created_at": 10, "state": "queued"},
        "runs": {"created_at": 5, "state": "running"},
        "border": {"created_at": 40},
        "young": {"created_at": 41},
    }.items():
        add(job_id, **columns)
    assert [job.id for job in do(repository.list_waiting_jobs, 40)] == ["early", "late", "border"]


def test_running_jobs_with_an_expired_lease_are_lost(database: Database) -> None:
    for job_id, columns in {
        "lost": {"state": "running", "lease_until": 9},
        "border": {"state": "running", "lease_until": 10},
        "waits": {"state": "waiting", "lease_until": 1},
    }.items():
        add(job_id, **columns)
    assert [job.id for job in do(repository.list_lost_jobs, 10)] == ["lost"]
    assert {job.id for job in do(repository.list_lost_jobs, None)} == {"lost", "border"}


def test_the_next_job_belongs_to_the_least_recently_served_user(database: Database) -> None:
    """Each user's oldest job, and only of this lane."""
    add("served", state="done", created_by="marie", started_at=50, queue="default")
    add("served-2", state="done", created_by="paul", started_at=40, queue="default")
    add("elsewhere", state="done", created_by="eva", started_at=90, queue="training")
    for job_id, who, created in (("m2", "marie", 12), ("m1", "marie", 11), ("p1", "paul", 13), ("e1", "eva", 14)):
        add(job_id, created_by=who, created_at=created, queue="default")
    add("o1", created_by="olaf", created_at=15, queue="default")
    add("cancelled", created_by="zoe", created_at=1, queue="default", cancel_requested=True)
    add("other-lane", created_by="zoe", created_at=1, queue="training")
    assert do(repository.next_waiting_job_of_each_user, "default") == ["e1", "o1", "p1", "m1"]
    assert do(repository.next_waiting_job_of_each_user, "default", 2) == ["e1", "o1"]
    assert do(repository.next_waiting_job_of_each_user, "interactive") == []


@pytest.mark.parametrize(
    ("columns", "waits"),
    [
        ({}, True),
        ({"state": "queued"}, True),
        ({"state": "running"}, False),
        ({"created_by": "marie"}, False),
        ({"queue": "training"}, False),
        ({"created_at": 101}, False),
        ({"created_at": 100}, True),
        ({"cancel_requested": True}, False),
    ],
)
def test_waiting_jobs_of_other_users_are_detected(database: Database, columns: dict[str, Any], waits: bool) -> None:
    add("job", **({"created_by": "paul", "queue": "default", "created_at": 50} | columns))
    assert do(repository.others_are_waiting, "default", "marie", 100) is waits


def test_last_ordinal_of_a_report(database: Database) -> None:
    add("job")
    add("other")
    assert do(repository.last_report_ordinal, "job") == 0
    with unit_of_work(actor="", write=True) as unit:
        for ordinal, (item, kind) in enumerate((("a", None), ("b", None), ("many", "sum")), start=1):
            unit.session.add(JobItem(job_id="job", ordinal=ordinal, item=item, outcome="imported", kind=kind))
        unit.session.add(JobItem(job_id="other", ordinal=9, item="z", outcome="refused"))
    assert do(repository.last_report_ordinal, "job") == 3
    assert do(repository.reported_item_outcomes, "job") == {"a": "imported", "b": "imported"}


def test_an_e_mail_is_scheduled_when_the_job_has_ended(database: Database) -> None:
    add("job")
    add("second")
    for name in ("job", "second"):
        do(repository.request_email, name, "fr")
    do(repository.schedule_email, "job")
    with unit_of_work(actor="", write=False) as unit:
        mails = {mail.job_id: mail for mail in unit.session.query(JobMail)}
        assert (mails["job"].due_at is not None, mails["second"].due_at) == (True, None)
        assert mails["job"].language == "fr"
    first = mails["job"].due_at
    do(repository.schedule_email, "job")
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.query(JobMail).filter_by(job_id="job").one().due_at == first


def test_a_job_is_found_with_its_project(database: Database) -> None:
    with unit_of_work(actor="", write=False) as unit:
        project = unit.session.query(Project).one()
    add("of project", project_id=project.id)
    add("of nobody")
    assert do(repository.find_job, "absent") is None
    assert do(repository.find_job, "of nobody")[1] is None
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, "of project")
        assert found is not None and found[1] is not None and found[1].name == "films"
    assert ATTEMPTS_MAX > 1


def test_a_job_is_read_again_after_a_change(database: Database) -> None:
    """A transaction that read the job before it changed the state would otherwise publish the old one."""
    add("job")
    with unit_of_work(actor="", write=True) as unit:
        before = repository.find_job(unit.session, "job")
        assert before is not None and before[0].state == "waiting"
        assert repository.claim_job(unit.session, "job")
        after = repository.find_job(unit.session, "job")
        assert after is not None and (after[0].state, after[0].fence) == ("running", 1)


def test_only_old_interactive_jobs_are_deleted_and_counted(database: Database) -> None:
    for job_id, columns in {
        "old": {},
        "older": {"completed_at": 1},
        "border": {"completed_at": 10},
        "runs": {"state": "running"},
        "other lane": {"queue": "default"},
    }.items():
        add(job_id, **({"state": "done", "queue": "interactive", "completed_at": 9} | columns))
    assert do(repository.delete_interactive_jobs, 10) == 2
    assert do(repository.delete_interactive_jobs, 10) == 0
    with unit_of_work(actor="", write=False) as unit:
        assert {job.id for job in unit.session.query(Job)} == {"border", "runs", "other lane"}


def test_only_running_jobs_with_a_cancellation_request_are_cancelling(database: Database) -> None:
    add("asked", state="running", cancel_requested=True)
    add("not asked", state="running")
    add("waits", cancel_requested=True)
    assert [job.id for job in do(repository.list_cancelling_jobs)] == ["asked"]


def test_other_columns_are_written_with_a_state_change(database: Database) -> None:
    add("renewed", state="running", fence=1)
    assert do(repository.renew_lease, "renewed", 1, current_step=4)
    add("ended", state="running", fence=1)
    assert do(repository.finish_job, "ended", 1, "FAILED", status_message="broken")
    add("cancelled")
    assert do(repository.end_waiting_job, "cancelled", "CANCELLED", status_message="stopped")
    assert read("renewed").current_step == 4
    assert (read("ended").status_message, read("cancelled").status_message) == ("broken", "stopped")
