"""Processes are killed at random times while jobs run and users write: no acknowledged write is lost, nothing hangs."""

from __future__ import annotations

import importlib.util
import os
import random
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

pytestmark = pytest.mark.faults

ROUNDS = int(os.environ.get("ANNOTARIUM_FAULT_ROUNDS", "0"))
ROLES = ("api", "worker", "slot", "job", "queue", "supervisor")
DRIVERS = sorted(path.stem for path in Path(__file__).parent.glob("driver_*.py"))
JOB_SECONDS = 120


def load_driver(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Driver()


def wait_until(condition: Any, seconds: float, what: Any) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, what()
        time.sleep(0.1)


def hit(installation: Any, role: str) -> None:
    installation.kill(role)
    if role == "supervisor":
        wait_until(lambda: not installation.processes(), 5, lambda: "processes outlived their supervisor")
        installation.start()


def one_round(installation: Any, driver: Any, role: str, chance: random.Random) -> float:
    """Start a job, write, kill, write, wait; returns the seconds from the kill to the end of the job."""
    job_id = driver.start(installation, chance)
    for _ in range(chance.randint(0, 3)):
        driver.write(installation)
    time.sleep(chance.uniform(0, 2.5))
    begin = time.monotonic()
    hit(installation, role)
    driver.write(installation)
    job: dict[str, Any] = {}

    def ended() -> bool:
        nonlocal job
        try:
            job = installation.call("GET", f"/jobs/{job_id}")
        except httpx.HTTPError as error:
            job = {"status": "STARTED", "no answer": repr(error)}
        return bool(job["status"] != "STARTED")

    wait_until(ended, JOB_SECONDS, lambda: f"the job {job_id} is stuck: {job}\n{installation.describe()}")
    took = time.monotonic() - begin
    driver.check(installation, job)
    return took


@pytest.mark.parametrize("name", DRIVERS)
def test_nothing_acknowledged_is_lost(installation: Any, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("ANNOTARIUM_FAULT_SEED", random.randrange(10**6)))
    chance = random.Random(seed)
    driver = load_driver(name)
    driver.prepare(installation)
    rounds = ROUNDS or driver.rounds
    roles = [ROLES[number % len(ROLES)] for number in range(rounds)]
    chance.shuffle(roles)
    took: dict[str, list[float]] = {role: [] for role in ROLES}
    for number, role in enumerate(roles):
        try:
            took[role].append(one_round(installation, driver, role, chance))
        except AssertionError as error:
            raise AssertionError(f"round {number + 1}, {role} killed, seed {seed}: {error}") from error
    driver.check_all(installation)
    installation.stop()
    assert installation.processes() == []
    with capsys.disabled():
        longest = {role: round(max(times), 1) for role, times in took.items() if times}
        print(f"\n{name}: {rounds} rounds, seed {seed}; longest wait after a kill in seconds: {longest}")
        print(getattr(driver, "facts", ""))


def test_a_second_start_on_the_same_folder_is_refused(installation: Any) -> None:
    first = installation.serve
    with pytest.raises(AssertionError, match="already runs"):
        installation.start()
    assert first.poll() is None
    installation.serve = first
    assert installation.call("GET", "/jobs") == []
