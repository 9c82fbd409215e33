"""The form in which every engine stores and compares vectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from annotarium.search.index_and_search_types import Vector

MAX_DIMENSION = 8192

Floats = npt.NDArray[np.float32]


def unit_vector(vector: Vector) -> Floats | None:
    """Return the vector scaled to length one, None when it has no direction (all zero, not finite, empty)."""
    floats = np.asarray(vector, dtype=np.float32).reshape(-1)
    length = float(np.linalg.norm(floats.astype(np.float64)))
    if not floats.size or floats.size > MAX_DIMENSION or not np.isfinite(length) or length == 0:
        return None
    return (floats / length).astype(np.float32)
