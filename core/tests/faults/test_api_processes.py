"""Several API processes: one of them, or the process that forks them, is killed repeatedly while users write."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.api_processes import ConcurrentAnnotators, ServeProcess, wait_for

pytestmark = pytest.mark.faults

ROUNDS = int(os.environ.get("ANNOTARIUM_FAULT_ROUNDS", "0")) or 12
DOCUMENTS = 8
TEXT = "word " * 400


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServeProcess]:
    server = ServeProcess(tmp_path, processes=3)
    yield server
    server.stop()


def test_nothing_acknowledged_is_lost_with_several_processes(server: ServeProcess) -> None:
    """Each round: two or three kills at random times, then everything acknowledged is read back and searched."""
    seed = int(os.environ.get("ANNOTARIUM_FAULT_SEED", random.randrange(10**6)))
    chance = random.Random(seed)
    try:
        for number in range(ROUNDS):
            path = server.make_project(f"round{number}", DOCUMENTS, TEXT, 1)
            with ConcurrentAnnotators(server, path, 6, DOCUMENTS) as storm:
                for _ in range(chance.randint(2, 3)):
                    time.sleep(chance.uniform(0.1, 1.0))
                    serving = server.serving()
                    (server.preparing() if chance.random() < 0.2 or not serving else chance.choice(serving)).kill()
                    killed_at = time.monotonic()
                    wait_for(lambda since=killed_at: storm.count_since(since) > 10, 40)
            wait_for(lambda: len(server.serving()) == 3, 40)
            storm.check()
    except AssertionError as error:
        raise AssertionError(f"seed {seed}: {error}\n{server.log.read_text()[-3_000:]}") from error
