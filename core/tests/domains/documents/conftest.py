"""Jobs run at once, in the thread that starts them: a call with `wait=true` answers when its job has ended."""

from __future__ import annotations

import pytest

from annotarium.jobs.run import run_job


@pytest.fixture(autouse=True)
def _jobs_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.jobs.queue.push", lambda job_id, queue: run_job(job_id))
