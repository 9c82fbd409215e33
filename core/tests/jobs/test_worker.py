"""A real queue server and a real worker: round trip, cancellation, crashes, kills."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from annotarium.db.database import get_database
from annotarium.db.models import Base, Job, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import reconciler as reconciler_module
from annotarium.jobs import repository
from annotarium.jobs.cancellation import request_job_cancellation
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.queue_client import get_redis, list_queued
from annotarium.jobs.reconciler import Reconciler
from annotarium.settings import get_settings
from annotarium.system.child_processes import find_queue_server, queue_process, send_queue_command
from annotarium.system.lanes import LANES

WORKER = Path(__file__).with_name("worker_under_test.py")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the embedded queue server needs a POSIX system")


def _forget() -> None:
    for cached in (get_settings, get_database, get_redis):
        cached.cache_clear()


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A database and a queue server for this module, in a folder with a short name (socket paths are limited)."""
    patch = pytest.MonkeyPatch()
    with tempfile.TemporaryDirectory(prefix="an-", dir="/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        for variable in ("REDIS_URL", "DATABASE_URL", "ANNOTARIUM_DATABASE_URL", "OPENSEARCH_URL"):
            patch.delenv(variable, raising=False)
        program = find_queue_server()
        if program is None:
            pytest.skip("no queue server is installed")
        path = folder / "q.sock"
        part = queue_process(program, path, folder)
        part.start()
        wait_for(lambda: send_queue_command(path, b"PING").startswith(b"+PONG"))
        patch.setenv("ANNOTARIUM_DATA", str(folder))
        patch.setenv("ANNOTARIUM_REDIS_URL", f"unix://{path}")
        _forget()
        Base.metadata.create_all(get_database().write_engine)
        with unit_of_work(actor="", write=True) as unit:
            unit.session.add(Project(name="films", label="Films", nature="classification", owner_id=None))
        yield folder
        client = get_redis()
        if client is not None:
            client.close()
        get_database().dispose()
        part.kill()
    patch.undo()
    _forget()


class WorkerProcess:
    """The worker `worker-1`, which tests can kill and start again."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.log = get_settings().data / "worker.log"
        environment = os.environ | {"ANNOTARIUM_LOG_LEVEL": "error", "ANNOTARIUM_WORKERS": "1"}
        with self.log.open("ab") as log:
            self.process = subprocess.Popen([sys.executable, str(WORKER), "worker"], env=environment, stderr=log)

    def stop(self) -> None:
        for child in psutil.Process(self.process.pid).children(recursive=True) if self.process.poll() is None else []:
            child.kill()
        self.process.kill()
        self.process.wait(10)


@pytest.fixture(scope="module")
def worker(folder: Path) -> Iterator[WorkerProcess]:
    worker = WorkerProcess()
    yield worker
    worker.stop()


def wait_for(condition: Callable[[], Any], seconds: float = 60.0) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.03)


def start(function: str, queue: Any = "default", created_by: str = "", **arguments: Any) -> str:
    with unit_of_work(actor="", write=True) as unit:
        job = start_job(
            unit,
            type="UNSPECIFIED",
            function=function,
            arguments=arguments,
            project=None,
            created_by=created_by,
            queue=queue,
        )
        return job.id


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, job_id)
        assert found is not None
        unit.session.expunge_all()
        return found[0]


def ended(job_id: str) -> bool:
    return read(job_id).state == "done"


def tick_until(condition: Callable[[], Any], reconciler: Reconciler) -> None:
    def look() -> bool:
        reconciler.tick()
        time.sleep(0.1)
        return bool(condition())

    wait_for(look)


def cancel(job_id: str) -> bool:
    with unit_of_work(actor="", write=True) as unit:
        return request_job_cancellation(unit, job_id)


def read_pid(path: Path) -> int:
    wait_for(lambda: path.exists() and path.read_text())
    return int(path.read_text())


def test_jobs_of_every_queue_run(worker: WorkerProcess) -> None:
    jobs = [start("count_seconds", queue, seconds=0) for queue in LANES]
    wait_for(lambda: all(map(ended, jobs)))
    assert [read(job_id).status for job_id in jobs] == ["COMPLETED"] * 4
    wait_for(lambda: not list_queued())
    client = get_redis()
    assert client is not None
    wait_for(lambda: not client.keys("rq:job:*"))  # nothing is left in the queue server


def test_a_running_job_is_cancelled_at_its_next_progress(worker: WorkerProcess) -> None:
    job_id = start("count_seconds", seconds=60)
    wait_for(lambda: read(job_id).status_message)
    assert cancel(job_id)
    wait_for(lambda: ended(job_id))
    assert read(job_id).status == "CANCELLED"
    assert not cancel(job_id)


def test_a_job_that_ignores_cancellation_is_killed(
    worker: WorkerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler_module, "CANCEL_SECONDS", 0.3)
    job_id = start("test_deaf", pid_file=str(tmp_path / "pid"), seconds=60)
    pid = read_pid(tmp_path / "pid")
    cancel(job_id)
    tick_until(lambda: ended(job_id), Reconciler())
    assert read(job_id).status == "CANCELLED"
    wait_for(lambda: not psutil.pid_exists(pid))
    following = start("count_seconds", seconds=0)
    wait_for(lambda: ended(following))


def test_a_run_that_lost_its_lease_is_killed_without_the_queue(worker: WorkerProcess, tmp_path: Path) -> None:
    job_id = start("test_deaf", pid_file=str(tmp_path / "pid"), seconds=60)
    pid = read_pid(tmp_path / "pid")
    before = read(job_id).lease_until
    wait_for(lambda: read(job_id).lease_until != before)  # the worker renews the lease, the job does not
    with unit_of_work(actor="", write=True) as unit:
        assert repository.revoke_run(unit.session, job_id, read(job_id).fence, state="done", status="CANCELLED")
    wait_for(lambda: not psutil.pid_exists(pid))


def test_a_queued_job_is_cancelled_immediately(worker: WorkerProcess) -> None:
    first = start("count_seconds", seconds=60)
    wait_for(lambda: read(first).state == "running")
    second = start("count_seconds", seconds=60)
    assert second in list_queued()
    cancel(second)
    assert (read(second).status, read(second).attempts) == ("CANCELLED", 0)
    assert second not in list_queued()
    cancel(first)
    wait_for(lambda: ended(first))


def test_a_crashed_job_runs_again_immediately(worker: WorkerProcess, tmp_path: Path) -> None:
    """The worker noticed the death of its process: no lease has to expire, and no reconciler is needed."""
    job_id = start("test_crash", trace=str(tmp_path / "trace"), times=1)
    wait_for(lambda: ended(job_id), 20)
    assert (read(job_id).status, read(job_id).attempts) == ("COMPLETED", 2)


def test_a_job_that_always_crashes_ends_with_a_message(worker: WorkerProcess, tmp_path: Path) -> None:
    job_id = start("test_crash", trace=str(tmp_path / "trace"), times=99)
    wait_for(lambda: ended(job_id), 20)
    job = read(job_id)
    assert (job.status, job.attempts) == ("FAILED", 3)
    assert job.error is not None and "memory" in job.error["fix"]


def test_lanes_do_not_wait_for_each_other(worker: WorkerProcess, tmp_path: Path) -> None:
    """Short jobs run while a training and a long import are running."""
    busy = [start("test_deaf", lane, pid_file=str(tmp_path / lane), seconds=60) for lane in ("long", "heavy")]
    for lane in ("long", "heavy"):
        read_pid(tmp_path / lane)
    short = [start("count_seconds", lane, seconds=0) for lane in ("interactive", "default")]
    wait_for(lambda: all(map(ended, short)))
    assert [read(job_id).state for job_id in busy] == ["running", "running"]
    niceness = {lane: psutil.Process(read_pid(tmp_path / lane)).nice() for lane in ("long", "heavy")}
    assert os.nice(0) < niceness["long"] < niceness["heavy"]
    for job_id in busy:
        cancel(job_id)
    patient = Reconciler()
    tick_until(lambda: all(map(ended, busy)), patient)


def test_users_are_served_fairly(worker: WorkerProcess) -> None:
    """A user who starts one job does not wait for the ten jobs that another user started before."""
    first = start("count_seconds", "heavy", "marie", seconds=1)
    wait_for(lambda: read(first).state == "running")
    many = [start("count_seconds", "heavy", "marie", seconds=0) for _ in range(6)]
    one = start("count_seconds", "heavy", "paul", seconds=0)
    jobs = [first, *many, one]
    wait_for(lambda: all(map(ended, jobs)))
    order = sorted(jobs, key=lambda job_id: read(job_id).started_at or 0)
    assert order == [first, one, *many]
    wait_for(lambda: not list_queued())


def test_a_worker_killed_before_starting_its_job_delays_it_briefly(worker: WorkerProcess) -> None:
    sign = get_settings().data / "die-before-claim"
    sign.touch()
    job_id = start("count_seconds", "heavy", seconds=0)
    wait_for(lambda: ended(job_id), 20)  # the slot is forked again and finds the job it was killed with
    assert not sign.exists()
    assert (read(job_id).status, read(job_id).attempts) == ("COMPLETED", 1)


def test_a_job_taken_by_a_dead_worker_returns_to_the_queue(worker: WorkerProcess) -> None:
    """The whole worker is killed after it took the job, and does not come back."""
    data = get_settings().data
    (data / "die-before-claim").touch()
    children = psutil.Process(worker.process.pid).children()
    for child in children:
        child.suspend()
    worker.process.send_signal(signal.SIGSTOP)  # its parent process no longer forks slots
    for child in children:
        child.resume()
    job_id = start("count_seconds", "long", seconds=0)
    wait_for(lambda: not (data / "die-before-claim").exists())
    worker.process.kill()
    worker.process.wait(30)
    client = get_redis()
    assert client is not None
    assert job_id not in list_queued()
    for key in client.keys(f"rq:execution:{job_id}:*"):
        client.delete(key)  # in production it expires before the registry that names it
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Job, job_id).created_at -= 10_000  # young jobs have a grace period
    reconciler = Reconciler()
    for _ in range(2):
        reconciler.push_missing()
    assert job_id in list_queued()
    (data / "run" / "worker.long-1.job").unlink(missing_ok=True)  # like another worker, which does not know of it
    worker.start()
    wait_for(lambda: ended(job_id))
    assert (read(job_id).status, read(job_id).attempts) == ("COMPLETED", 1)


def test_a_job_not_started_by_its_worker_returns_to_the_queue(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker hangs or its machine is down: its key stays in the queue server for a minute."""
    monkeypatch.setattr(reconciler_module, "TAKEN_SECONDS", 0.2)
    monkeypatch.setattr(reconciler_module, "is_taken_by_live_worker", lambda _: True)
    with unit_of_work(actor="", write=True) as unit:
        job = Job(id="taken", type="UNSPECIFIED", function="count_seconds", arguments={"seconds": 0}, created_at=0)
        job.queue = "nobody serves this"
        unit.session.add(job)
    pushed: list[str] = []
    monkeypatch.setattr(reconciler_module, "push_job_again", lambda job_id, _: pushed.append(job_id))
    reconciler = Reconciler()
    reconciler.push_missing()
    assert not pushed
    time.sleep(0.3)
    reconciler.push_missing()
    assert pushed == ["taken"]
    cancel("taken")


def test_completed_and_cancelled_jobs_log_no_error(worker: WorkerProcess) -> None:
    """The queue server loses jobs while they run, as after a restart; other jobs are cancelled."""
    client = get_redis()
    assert client is not None
    before = worker.log.stat().st_size
    forgotten = start("count_seconds", seconds=1)
    wait_for(lambda: read(forgotten).state == "running")
    client.flushall()
    stopped = start("count_seconds", "long", seconds=60)
    wait_for(lambda: read(stopped).status_message)
    client.delete(f"rq:job:{stopped}")
    cancel(stopped)
    wait_for(lambda: ended(stopped) and ended(forgotten))
    following = start("count_seconds", seconds=0)
    wait_for(lambda: ended(following))
    assert [read(job_id).status for job_id in (forgotten, stopped)] == ["COMPLETED", "CANCELLED"]
    assert worker.log.read_text()[before:] == ""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the lease has to run out first")
def test_a_killed_worker_takes_its_job_with_it_and_the_next_one_runs_it(worker: WorkerProcess, tmp_path: Path) -> None:
    deaf = start("test_deaf", pid_file=str(tmp_path / "pid"), seconds=1.5)
    pid = read_pid(tmp_path / "pid")
    worker.process.kill()
    worker.process.wait(30)
    wait_for(lambda: not psutil.pid_exists(pid))
    assert read(deaf).state == "running"
    worker.start()
    tick_until(lambda: ended(deaf), Reconciler())
    assert (read(deaf).status, read(deaf).attempts) == ("COMPLETED", 2)


def test_a_queue_server_that_lost_its_data_loses_no_job(worker: WorkerProcess) -> None:
    first = start("count_seconds", seconds=1)
    wait_for(lambda: read(first).state == "running")
    second = start("count_seconds", seconds=0)
    client = get_redis()
    assert client is not None
    client.flushall()
    assert second not in list_queued()
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Job, second).created_at -= 10_000  # young jobs have a grace period
    tick_until(lambda: ended(first) and ended(second), Reconciler())
    assert (read(first).status, read(second).status) == ("COMPLETED", "COMPLETED")
    assert read(first).attempts == 1


def test_a_stopped_worker_releases_its_job(worker: WorkerProcess, tmp_path: Path) -> None:
    job_id = start("test_deaf", pid_file=str(tmp_path / "pid"), seconds=60)
    pid = read_pid(tmp_path / "pid")
    worker.process.send_signal(signal.SIGTERM)
    time.sleep(1.2)
    assert psutil.pid_exists(pid)  # the first stop request lets the job finish
    worker.process.send_signal(signal.SIGTERM)
    worker.process.wait(30)
    wait_for(lambda: not psutil.pid_exists(pid))
    job = read(job_id)
    assert (job.status, job.state, job.attempts) == ("STARTED", "waiting", 0)
    cancel(job_id)
