"""The API for job functions: progress, transactions with the creator's rights, the report, the end.

    @job_function("import_documents")
    def import_documents(context: JobContext, upload_ids: list[str]) -> None:
        done = context.done_items()
        for ordinal, item in enumerate(items):
            context.progress(ordinal, len(items), f"Importing {item}")
            if item in done:
                continue
            with context.open("my_project") as call:
                ...
                context.report(call, item, "imported", ordinal=ordinal)
        context.finish(message="12 documents imported")

A job may run twice (if a worker dies): items already in the report are skipped with `done_items`, and a run that lost
the job cannot commit any more, because each writing transaction ends with a check of the job's fence.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from annotarium.access.call import Call, ProjectCall
from annotarium.access.rights import Access
from annotarium.access.user_rights_cache import read_access
from annotarium.db.models import JobItem, Project
from annotarium.db.unit_of_work import UnitOfWork, unit_of_work
from annotarium.errors import AccessDenied, NotFound
from annotarium.jobs import repository
from annotarium.jobs.scheduling import Interruption, Preempted, TimeSlice
from annotarium.jobs.serializers import COMPLETED, emit_job, status_message_columns
from annotarium_plugins.base.component import Cancelled
from annotarium_schemas.messages import message, message_of

PROGRESS_SECONDS = 0.5
_SYSTEM = Access(user_id=0, username="", permissions=frozenset({"readProject:*", "writeProject:*"}), credential="job")

JobFunction = Callable[..., None]
F = TypeVar("F", bound=JobFunction)
_functions: dict[str, JobFunction] = {}
_interruptible: dict[str, Interruption] = {}


class LeaseLost(Exception):
    """The job was assigned to another run, or has ended: this run must stop without writing anything."""


def job_function(name: str, *, interrupted: Interruption | None = None) -> Callable[[F], F]:
    """Register a job function under the name that `start_job` uses. Its first parameter is the context.

    Args:
        interrupted: what a run does after one that was preempted (see `jobs.scheduling`): it `resumes` there and does
            exactly what is left, or it `restarts`, with no visible effect of the first run. None if the second
                run's work
            might differ (documents found by a search): such a job is not preempted.
    """

    def register(function: F) -> F:
        known = _functions.get(name)
        if known is not None and known.__module__ != function.__module__:
            raise RuntimeError(f"Two job functions are called {name}: {known.__module__}, {function.__module__}")
        _functions[name] = function
        if interrupted is not None:
            _interruptible[name] = interrupted
        return function

    return register


def find_job_function(name: str) -> JobFunction | None:
    """The job function of that name, None if no loaded module defines it."""
    return _functions.get(name)


def find_interruption_mode(name: str) -> Interruption | None:
    """How the job function of that name continues after an interruption, None if it must not be interrupted."""
    return _interruptible.get(name)


class JobContext:
    """One run of one job."""

    def __init__(
        self,
        job_id: str,
        *,
        username: str,
        project_id: int | None,
        fence: int,
        request_id: str | None = None,
        restriction: str = "",
        time_slice: TimeSlice | None = None,
    ):
        self.job_id = job_id
        self.time_slice = time_slice
        self.username = username
        self.message: str | None = None
        self.result: dict[str, Any] | None = None
        self._project_id = project_id
        self._fence = fence
        self._request_id = request_id
        self._restriction = restriction
        self._written_at = 0.0
        self._checked_at = 0.0
        self._latest: tuple[int, int, str] | None = None
        self._writing = False

    def progress(self, step: int, total: int, message: str) -> None:
        """Report progress; cheap enough to be called for each item.

        Written and sent at most twice a second. During a writing transaction this is deferred to its end.

        Raises:
            Cancelled: the job was cancelled; do not catch it.
            Preempted: jobs of others go first, this one runs again later; do not catch it.
            LeaseLost: the job was assigned to another run; do not catch it.
        """
        self._latest = (step, total, message)
        now = time.monotonic()
        if now - self._checked_at >= PROGRESS_SECONDS:
            self._checked_at = now
            self._check_stops()
        if not self._writing and now - self._written_at >= PROGRESS_SECONDS:
            self._write_progress()

    def idle(self) -> None:
        """Check whether to stop while waiting for a slow operation; raises like `progress`.

        A job of the lane `default` can be preempted here even without any progress. A job of the lane `long` cannot: it
        would start the same operation again in each time slice.
        """
        self._check_stops(idle=True)

    def _check_stops(self, *, idle: bool = False) -> None:
        with unit_of_work(actor=self.username, write=False) as unit:
            if repository.is_cancel_requested(unit.session, self.job_id):
                raise Cancelled
            if (
                self.time_slice is not None
                and not self._writing
                and self.time_slice.must_yield(unit.session, idle=idle)
            ):
                raise Preempted

    def _write_progress(self) -> None:
        if self._latest is None:
            return
        step, total, message = self._latest
        self._latest = None
        self._written_at = time.monotonic()
        with unit_of_work(actor=self.username, write=True) as unit:
            values = {"current_step": step, "total_steps": total} | status_message_columns(message)
            if not repository.renew_lease(unit.session, self.job_id, self._fence, **values):
                raise LeaseLost
            found = repository.find_job(unit.session, self.job_id)
            if found is not None:
                emit_job(unit, *found)

    @contextmanager
    def open(self, project_name: str | None = None, write: bool = True) -> Iterator[Any]:
        """Open a transaction with the creator's current rights, within the restriction of the call that started the
        job; commit it at the end.

        Args:
            project_name: the project to open, None for a call outside projects.
            write: a writing transaction; the creator must then have write access to the project.

        Yields:
            `ProjectCall`, or `Call` without a project name.

        Raises:
            NotFound, AccessDenied: the creator does not have the rights (any more).
            LeaseLost: the job was taken from this run.
        """
        with unit_of_work(actor=self.username, write=write) as unit:
            if not repository.run_owns_job(unit.session, self.job_id, self._fence):
                raise LeaseLost
            self._writing = self._writing or write
            try:
                yield self._call(unit, project_name, write)
                # Checked last and in this transaction: the row stays locked until the commit, and not for longer.
                if write and not repository.renew_lease(unit.session, self.job_id, self._fence):
                    raise LeaseLost
            finally:
                self._writing = self._writing and not write
        if write and time.monotonic() - self._written_at >= PROGRESS_SECONDS:
            self._write_progress()

    @contextmanager
    def open_other_project(self, project_name: str, project_id: int) -> Iterator[ProjectCall]:
        """Open another project than the job's own for reading, with the creator's current rights.

        Raises:
            NotFound: the creator may not read it (any more), or another project has its name.
        """
        with unit_of_work(actor=self.username, write=False) as unit:
            call = self._call(unit, project_name, False, project_id)
            assert isinstance(call, ProjectCall)
            yield call

    def _call(
        self, unit: UnitOfWork, project_name: str | None, write: bool, project_id: int | None = None
    ) -> Call | ProjectCall:
        access = self._access(unit)
        unit.restriction = access.restriction_text
        common: dict[str, Any] = {"access": access, "request_id": self._request_id, "job_id": self.job_id}
        if project_name is None:
            return Call(unit=unit, **common)
        # Imports the web framework, which an idle worker does not need.
        from annotarium.access.guard import open_project

        project = open_project(unit.session, access, project_name, write=write)
        if (self._project_id if project_id is None else project_id) not in (
            None,
            project.id,
        ):  # the project was deleted, and another one has its name
            raise NotFound(message("none.project", "There is no project {name}", name=project_name))
        return ProjectCall(unit=unit, project=project, **common)

    def _access(self, unit: UnitOfWork) -> Access:
        if not self.username:
            return _SYSTEM
        user_id = repository.find_user_id(unit.session, self.username)
        access = read_access(unit.session, user_id, self._restriction) if user_id is not None else None
        if access is None:
            raise AccessDenied(
                message("job.noAccount", "The account {name} no longer has access", name=self.username),
                cause=message("job.account", "The account that started the job was disabled or deleted"),
                fix=message("fix.otherAccount", "Start the job again with another account"),
            )
        return access

    @property
    def project_name(self) -> str | None:
        """Name of the job's project, None outside projects."""
        with unit_of_work(actor=self.username, write=False) as unit:
            project = unit.session.get(Project, self._project_id) if self._project_id is not None else None
            return project.name if project else None

    def report(
        self,
        call: Call,
        item: str,
        outcome: str,
        *,
        ordinal: int = 0,
        document_identifier: str | None = None,
        message: str | None = None,
        fix: str | None = None,
    ) -> None:
        """Write one line of the report in the call's transaction, so that it is stored only together with the item's
        effect.

        Args:
            item: identifies the item within the job (a path, an identifier), at most 512 characters.
            outcome: imported, replaced, unchanged, refused or skipped.
        """
        row = JobItem(job_id=self.job_id, item=item[:512], ordinal=ordinal, outcome=outcome)
        row.document_identifier, row.said = document_identifier, message_of(message=message, fix=fix)
        row.message, row.fix = message and str(message), fix and str(fix)
        call.session.merge(row)

    def done_items(self) -> dict[str, str]:
        """Items reported so far, by this run or an earlier one, with their outcomes."""
        with unit_of_work(actor=self.username, write=False) as unit:
            return repository.reported_item_outcomes(unit.session, self.job_id)

    def last_ordinal(self) -> int:
        """The highest ordinal in the report, summary lines included; 0 for an empty report."""
        with unit_of_work(actor=self.username, write=False) as unit:
            return repository.last_report_ordinal(unit.session, self.job_id)

    def start_replay(self) -> None:
        """Note that this run repeats what an earlier one did, until `end_replay` is called (see `jobs.scheduling`)."""
        if self.time_slice is not None:
            self.time_slice.start_replay()

    def end_replay(self) -> None:
        """Note that new work begins; cheap enough to be called for each item."""
        if self.time_slice is not None:
            self.time_slice.end_replay()

    def finish(self, message: str | None = None, result: dict[str, Any] | None = None) -> None:
        """Set the final message and result, which are written when the function returns. Call it last."""
        self.message, self.result = message, result

    def requeue(self, lane: str, attempts: int) -> bool:
        """Put the job back into a lane (used by the runner). False if this run lost the job."""
        with unit_of_work(actor=self.username, write=True) as unit:
            values = {"state": "waiting", "queue": lane, "attempts": attempts}
            return repository.revoke_run(unit.session, self.job_id, self._fence, **values)

    def end(self, status: str, **values: Any) -> bool:
        """Write the final state and emit the event (used by the runner). False if this run lost the job."""
        with unit_of_work(actor=self.username, write=True) as unit:
            if self._latest is not None and self._latest[1]:
                values.setdefault("current_step", self._latest[status == COMPLETED])
                values.setdefault("total_steps", self._latest[1])
            if not repository.finish_job(unit.session, self.job_id, self._fence, status, **values):
                return False
            found = repository.find_job(unit.session, self.job_id)
            if found is not None:
                emit_job(unit, *found)
            return True
