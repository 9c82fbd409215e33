"""What a worker loads before it forks: what imports need, and nothing that must not be shared by a fork."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from annotarium import domains
from annotarium.jobs import run

_LOADED = """
import json, sys, threading
from annotarium.db.database import get_database
from annotarium.jobs.context import _functions
from annotarium.jobs.run import load_job_functions, preload_shared_modules
load_job_functions()
preload_shared_modules()
found = {"threads": threading.active_count(), "idle": get_database().is_idle(), "modules": list(sys.modules)}
print(json.dumps(found | {"functions": list(_functions)}))
"""


def test_a_preloaded_worker_can_import_and_fork() -> None:
    """The libraries of an import are loaded; no thread runs and no connection is open, so that forks are safe."""
    done = subprocess.run([sys.executable, "-c", _LOADED], stdout=subprocess.PIPE, check=True, text=True)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["threads"] == 1
    assert found["idle"]
    wanted = {"annotarium.access.guard", "annotarium_plugins.builtin.converters.json_converter"}
    assert wanted <= set(found["modules"])
    missing = _declared_job_functions() - set(found["functions"])
    assert not missing, f"a worker does not know {missing}: import their modules in the `jobs` module of the domain"


def _declared_job_functions() -> set[str]:
    sources = [path.read_text() for path in Path(domains.__path__[0]).rglob("*.py")]
    names = {name for source in sources for name in re.findall(r'^@job_function\(\s*"(\w+)"', source, re.MULTILINE)}
    assert len(names) > 30
    return names


def test_a_module_that_fails_to_prepare_does_not_stop_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """One module fails; the modules after it are prepared regardless."""
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
