"""What a worker loads before it forks: what imports need, and nothing that must not pass a fork."""

from __future__ import annotations

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from annotarium.jobs import run

_LOADED = """
import json, sys, threading
from annotarium.db.database import get_database
from annotarium.jobs.run import load_job_functions, preload_shared_modules
load_job_functions()
preload_shared_modules()
print(json.dumps({"threads": threading.active_count(), "idle": get_database().is_idle(), "modules": list(sys.modules)}))
"""


def test_a_worker_is_ready_for_imports_and_may_fork() -> None:
    """The libraries of an import are there; no thread runs and no connection is in use, so that forks are sound."""
    done = subprocess.run([sys.executable, "-c", _LOADED], stdout=subprocess.PIPE, check=True, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["threads"] == 1
    assert found["idle"]
    wanted = {"annotarium.access.guard", "annotarium_plugins.builtin.converters.json_converter"}
    assert wanted <= set(found["modules"])


def test_what_cannot_be_prepared_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """One module fails; those after it are prepared all the same."""
    done: list[str] = []

    def fail() -> None:
        raise RuntimeError("a component is broken")

    modules = [
        SimpleNamespace(__name__="broken", prepare=fail),
        SimpleNamespace(__name__="without"),
        SimpleNamespace(__name__="good", prepare=lambda: done.append("good")),
    ]
    monkeypatch.setattr(run, "_domain_modules", lambda kind: modules if kind == "jobs" else [])
    run.preload_shared_modules()
    assert done == ["good"]
