"""Libraries with their own thread pools must respect the configured limit, in every process of the server."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from threadpoolctl import threadpool_info

from annotarium.registry import foreign_model_client
from annotarium.settings import Settings
from annotarium.system import library_threads
from annotarium_plugins import threads as component_threads

_ASK = """
import numpy
from threadpoolctl import threadpool_info
numpy.ones((300, 300)) @ numpy.ones((300, 300))
print(max(one["num_threads"] for one in threadpool_info()))
"""


def test_the_thread_limit_is_one_by_default() -> None:
    assert set(library_threads.thread_limit_variables({}).values()) == {"1"}
    assert set(library_threads.thread_limit_variables({library_threads.THREADS_SETTING: "4"}).values()) == {"4"}
    own = library_threads.thread_limit_variables({library_threads.THREADS_SETTING: "4", "OMP_NUM_THREADS": "2"})
    assert (own["OMP_NUM_THREADS"], own["OPENBLAS_NUM_THREADS"]) == ("2", "4")
    for wrong in ("", "0", "-3", "many", "1.5"):
        assert library_threads.library_threads({library_threads.THREADS_SETTING: wrong}) == 1


def test_a_process_started_with_the_variables_uses_one_thread() -> None:
    plain = {name: value for name, value in os.environ.items() if name not in library_threads.VARIABLES}
    said = subprocess.run(
        [sys.executable, "-c", _ASK],
        env=plain | library_threads.thread_limit_variables({}),
        stdout=subprocess.PIPE,
        check=True,
    )
    assert said.stdout.split() == [b"1"]


def test_loaded_libraries_are_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Environment variables have no effect on loaded libraries."""
    import numpy as np

    np.ones((10, 10)) @ np.ones((10, 10))
    set_to: list[int] = []
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(set_num_threads=set_to.append))
    library_threads.limit_loaded_libraries({})
    assert {one["num_threads"] for one in threadpool_info()} <= {1}
    assert set_to == [1]


def test_all_processes_use_the_same_thread_limit_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(library_threads.VARIABLES) <= set(foreign_model_client.THREADS)
    assert Settings(library_threads=3).library_threads == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert component_threads.library_threads() == 3
    monkeypatch.setenv("OMP_NUM_THREADS", "x")
    assert component_threads.library_threads() == 1
