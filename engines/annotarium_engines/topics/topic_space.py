"""The space topics lie in: latent semantic analysis of a sample, a middle for each topic, likeness to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from annotarium_engines.model_files import Floats

    Numbers = npt.NDArray[np.int64]

DIMENSIONS = 100
OUTLIER = -1
_NOWHERE = 1e-6


@dataclass
class TopicSpace:
    """Axes of the terms (terms x dimensions) and the middles of the topics (topics x dimensions, rows of length 1).

    Attributes:
        least: likeness to the middle below which a text is in no topic.
    """

    axes: Floats
    centroids: Floats
    minimum_similarity: float

    def positions(self, rows: Any) -> Floats:
        """Where texts lie, rows of length 1; 0 for a text without a known term."""
        import numpy as np

        found = np.asarray(rows @ self.axes, dtype=np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        known = lengths[:, 0] > _NOWHERE
        found[known] /= lengths[known]
        found[~known] = 0
        return found

    def similarity(self, positions: Floats) -> Floats:
        """Cosine of each text and each topic, 0..1: what is beyond a right angle counts as 0."""
        import numpy as np

        # Row by row: a product of matrices rounds a text by what stands beside it, and its topic must not hang on that.
        found = np.einsum("td,kd->tk", positions, self.centroids, optimize=False)
        return np.asarray(np.clip(found, 0.0, 1.0), dtype=np.float32)

    def assign(self, similarity: Floats) -> Numbers:
        """The topic of each text, `OUTLIER` for those like none."""
        import numpy as np

        best: Numbers = np.asarray(similarity.argmax(axis=1), dtype=np.int64)
        top = similarity[np.arange(len(similarity)), best]
        best[(top < self.minimum_similarity) | (top <= 0)] = OUTLIER
        return best


def learn_lsa_axes(rows: Any, seed: int) -> Floats:
    """Axes of a sample's rows; at most `DIMENSIONS`, fewer for few texts or terms."""
    import numpy as np
    from sklearn.utils.extmath import randomized_svd

    size = max(1, min(DIMENSIONS, *(side - 1 for side in rows.shape)))
    _, _, found = randomized_svd(rows, n_components=size, n_iter=5, random_state=seed)
    return np.ascontiguousarray(found.T, dtype=np.float32)


def centroids_of(positions: Floats, groups: Numbers) -> Floats:
    """The middle of each group 0, 1..., in a row of length 1. A group without texts has no direction: 0."""
    import numpy as np

    count = int(groups.max(initial=-1)) + 1
    found: Floats = np.zeros((count, positions.shape[1]), dtype=np.float32)
    inside = groups >= 0
    np.add.at(found, groups[inside], positions[inside])
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    found[lengths[:, 0] > _NOWHERE] /= lengths[lengths[:, 0] > _NOWHERE]
    return found
