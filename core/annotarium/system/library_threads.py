"""How many threads libraries may start for one calculation. Standard library only: the supervisor reads it too.

BLAS and OpenMP start a thread for each core and let them wait for work in a loop: with two threads a small language
model used 33 s of processor time for what one does in 5. Jobs run beside each other and beside the studio, so one
thread each is the default; `ANNOTARIUM_LIBRARY_THREADS` gives more where heavy jobs have a machine for themselves.
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
    """What the setting says; 1 where it says nothing that can be read."""
    given = environment.get(THREADS_SETTING, "")
    return min(MAX_THREADS, max(1, int(given))) if given.isascii() and given.isdigit() else 1


def thread_limit_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """Variables for a process that is started: what somebody set for one library holds."""
    count = str(library_threads(environment))
    return {name: environment.get(name) or count for name in VARIABLES}


def limit_loaded_libraries(environment: Mapping[str, str]) -> None:
    """Limit libraries that are loaded already, and so read no variable any more."""
    from threadpoolctl import threadpool_limits

    count = int(thread_limit_variables(environment)["OMP_NUM_THREADS"])
    threadpool_limits(count)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(count)
