"""Waiting for the end of a job: polled at growing intervals, ended when the client disconnects or the job's time is
over.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from fastapi import Request

from annotarium.domains.jobs import service
from annotarium.settings import get_settings


class Clock:
    """A clock that only sleeping advances, and a job that ends at a given time."""

    def __init__(self, ends_at: float, leaves_at: float = float("inf")) -> None:
        self.now = 0.0
        self.asked: list[float] = []
        self.ends_at, self.leaves_at = ends_at, leaves_at

    async def sleep(self, seconds: float) -> None:
        self.now += seconds

    def read_job(self, job_id: str) -> dict[str, Any]:
        self.asked.append(self.now)
        return {"id": job_id, "status": "COMPLETED" if self.now >= self.ends_at else "RUNNING"}

    async def is_disconnected(self) -> bool:
        return self.now >= self.leaves_at

    def wait(self, monkeypatch: pytest.MonkeyPatch) -> str:
        """The status in the response."""
        monkeypatch.setattr(service, "read_job_json", self.read_job)
        monkeypatch.setattr(service.asyncio, "sleep", self.sleep)
        return str(asyncio.run(service.wait_for_job_end(cast("Request", self), "j"))["status"])


@pytest.mark.parametrize("seconds", [0.0, 0.3, 7.0, 60.0, 1000.0])
def test_response_follows_the_end_of_the_job_with_few_polls(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """The response comes at most 6 % after the end of the job; a long job is polled twice a second."""
    clock = Clock(seconds)
    assert clock.wait(monkeypatch) == "COMPLETED"
    assert clock.now <= seconds * 1.06 + 0.03
    assert len(clock.asked) <= 120 + 2 * seconds


def test_waiting_ends_when_the_client_disconnects(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(1000, leaves_at=20)
    assert clock.wait(monkeypatch) == "RUNNING"
    assert clock.now < 25


def test_waiting_ends_at_the_time_limit_of_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "job_timeout", 3_600)
    clock = Clock(float("inf"))
    assert clock.wait(monkeypatch) == "RUNNING"
    assert 3_600 <= clock.now < 3_600 * 1.1
