"""The parent process of a worker: forks its slots, forks ended ones again, and ends with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="forks")

SCRIPT = """
import os, sys, time
from pathlib import Path
from annotarium.jobs import pool
from annotarium.system.lanes import plan_slots

def run_worker(name, *, lanes):
    Path(sys.argv[1]).open("a").write(f"{name} {' '.join(lanes)}\\n")
    EXIT

pool.run_worker = run_worker
sys.exit(pool.WorkerPool(plan_slots(1), "worker", lambda slot: None).run())
"""


def run(folder: Path, end: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    trace = folder / "trace"
    command = [sys.executable, "-c", SCRIPT.replace("EXIT", end), str(trace)]
    environment = os.environ | {"ANNOTARIUM_DATA": str(folder / "data")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    return done, trace.read_text().splitlines()


def test_an_ended_slot_is_forked_again_and_a_failing_slot_ends_the_pool(tmp_path: Path) -> None:
    """All slots run; the slot `long` ends twice normally, then with an error: it is not forked again forever."""
    end = """
    if "long" not in lanes:
        time.sleep(60)
    if Path(sys.argv[1]).read_text().count("long-1") < 3:
        sys.exit(1)
    sys.exit("The index is elsewhere")
"""
    done, lines = run(tmp_path, end.strip("\n").strip())
    assert done.returncode == 1
    assert "The index is elsewhere" in done.stderr
    assert sorted(set(lines)) == [
        "worker.heavy-1 heavy",
        "worker.long-1 long",
        "worker.short-1 interactive default",
    ]
    assert lines.count("worker.long-1 long") == 3
