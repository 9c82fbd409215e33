"""Which modules of the domains a process loads, and that a broken domain affects no other."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import annotarium
from annotarium.jobs import run

PACKAGE = "domains_of_a_test"
CONNECTS = "calls = []\n\ndef connect():\n    calls.append('connect')\n"
PREPARES = "calls = []\n\ndef prepare():\n    calls.append('prepare')\n"
FILES = {
    "__init__.py": "",
    "alpha/__init__.py": "",
    "alpha/listeners.py": CONNECTS,
    "alpha/jobs.py": PREPARES,
    "beta/__init__.py": "",  # neither listeners nor jobs
    "broken/__init__.py": "",
    "broken/listeners.py": "import a_library_that_is_not_there\n",
    "broken/jobs.py": "import a_library_that_is_not_there\n",
    "helper.py": "",  # a module next to the domains
    "omega/__init__.py": "",
    "omega/listeners.py": CONNECTS,
    "omega/jobs.py": "",
    "zeta/__init__.py": "",
    "zeta/jobs.py": PREPARES,
}


def unload() -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def domains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, text in FILES.items():
        path = tmp_path / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(run, "_DOMAINS", PACKAGE)
    yield
    unload()


def loaded() -> set[str]:
    names = {name.removeprefix(f"{PACKAGE}.") for name in sys.modules if name.startswith(f"{PACKAGE}.")}
    return {name for name in names if "." in name}


def calls(module: str) -> list[str]:
    return importlib.import_module(f"{PACKAGE}.{module}").calls  # type: ignore[no-any-return]


def test_every_domain_with_listeners_is_connected() -> None:
    run.connect_domain_listeners()
    assert loaded() == {"alpha.listeners", "omega.listeners"}
    assert (calls("alpha.listeners"), calls("omega.listeners")) == (["connect"], ["connect"])


def test_a_worker_loads_all_job_functions_and_connects_the_domains() -> None:
    """Without connecting the domains, the jobs would run, but no listener would be notified of their changes."""
    run.load_job_functions()
    assert loaded() == {"alpha.jobs", "omega.jobs", "zeta.jobs", "alpha.listeners", "omega.listeners"}
    assert calls("omega.listeners") == ["connect"]


def test_optional_modules_are_loaded_from_the_domains_that_have_them() -> None:
    run.preload_shared_modules()
    assert (calls("alpha.jobs"), calls("zeta.jobs")) == (["prepare"], ["prepare"])
    assert "alpha.listeners" not in loaded()


def test_all_job_functions_are_in_modules_that_workers_load() -> None:
    """Elsewhere they work in tests, which load more modules, and are unknown to workers."""

    def makes_a_job(path: Path) -> bool:
        functions = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
        made = [one.func for function in functions for one in function.decorator_list if isinstance(one, ast.Call)]
        return any(isinstance(one, ast.Name) and one.id == "job_function" for one in made)

    found = [path for path in (Path(annotarium.__file__).parent / "domains").rglob("*.py") if makes_a_job(path)]
    assert found
    assert [str(path) for path in found if path.name != "jobs.py"] == []
