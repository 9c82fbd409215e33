"""How many threads libraries may start for one calculation. Standard library only: the supervisor imports it too.

BLAS and OpenMP start one thread per core, which wait for work in a busy loop: with two threads, a small language model
used 33 s of CPU time for what takes 5 s with one. Jobs run in parallel to each other and to the server, so one thread
is the default; `ANNOTARIUM_LIBRARY_THREADS` allows more where heavy jobs have a machine of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

THREADS_SETTING = "ANNOTARIUM_LIBRARY_THREADS"
VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "BLIS_NUM_THREADS",
)
MAX_THREADS = 256


def library_threads(environment: Mapping[str, str]) -> int:
    """The value of the setting; 1 if it is missing or not a number."""
    given = environment.get(THREADS_SETTING, "")
    return min(MAX_THREADS, max(1, int(given))) if given.isascii() and given.isdigit() else 1


def thread_limit_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Environment variables for a child process; a variable that the operator has set takes precedence."""
    count = str(library_threads(environment))
    return {name: environment.get(name) or count for name in VARIABLES}


def limit_loaded_libraries(environment: Mapping[str, str]) -> None:
    """Limit libraries that are already loaded and therefore do not read the variables any more."""
    from threadpoolctl import threadpool_limits

    count = int(thread_limit_variables(environment)["OMP_NUM_THREADS"])
    threadpool_limits(count)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(count)
