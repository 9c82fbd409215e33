"""Jobs run immediately, in the thread that starts them: a call with `wait=true` returns when its job has ended.

`marie` imports into `project`.
"""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.jobs.run import run_job


@pytest.fixture(autouse=True)
def _jobs_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager")


@pytest.fixture
def project(marie: Any) -> str:
    answer = marie.post("/api/projects", json={"label": "Essais", "lang": "en", "nature": "sequence_labelling"})
    assert answer.status_code == 200, answer.text
    name: str = answer.json()["projectName"]
    return name
