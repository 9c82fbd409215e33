"""Number of threads a component may use. BLAS, OpenMP and torch are configured for the process; a library with its own
thread pool, such as onnxruntime, is configured by the component.
"""

from __future__ import annotations

import os
from typing import Any


def library_threads() -> int:
    """Return the number of threads for one calculation, at least 1."""
    given = os.environ.get("OMP_NUM_THREADS", "1")
    return max(1, int(given)) if given.isdigit() else 1


def session_options() -> Any:
    """Return options of an onnxruntime session that uses at most these threads and does not let them spin
    while idle.
    """
    from onnxruntime import SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = library_threads()
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
