"""How many threads a component may use. BLAS, OpenMP and torch are told by the process; what brings threads of its own,
as onnxruntime does, is told by the component.
"""

from __future__ import annotations

import os
from typing import Any


def library_threads() -> int:
    """Threads for one calculation, at least 1."""
    given = os.environ.get("OMP_NUM_THREADS", "1")
    return max(1, int(given)) if given.isdigit() else 1


def session_options() -> Any:
    """Options of an onnxruntime session that uses no more, and whose threads do not wait in a loop."""
    from onnxruntime import SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = library_threads()
    options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
