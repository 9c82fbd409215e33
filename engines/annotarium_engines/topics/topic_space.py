"""The vector space of topics: latent semantic analysis of a sample, a centroid per topic, similarity to it."""

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
    """Axes of the terms (terms x dimensions) and centroids of the topics (topics x dimensions, rows of length 1).

    Attributes:
        minimum_similarity: similarity to the centroid below which a text is in no topic.
    """

    axes: Floats
    centroids: Floats
    minimum_similarity: float

    def positions(self, rows: Any) -> Floats:
        """Return the vectors of texts, rows of length 1; 0 for a text without a known term."""
        import numpy as np

        found = np.asarray(rows @ self.axes, dtype=np.float32)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        known = lengths[:, 0] > _NOWHERE
        found[known] /= lengths[known]
        found[~known] = 0
        return found

    def similarity(self, positions: Floats) -> Floats:
        """Return the cosine of each text and each topic; negative ones become 0."""
        import numpy as np

        # Row by row, because a matrix product rounds a row depending on the others, and the topic of a text must not
        # depend on other texts.
        found = np.einsum("td,kd->tk", positions, self.centroids, optimize=False)
        return np.asarray(np.clip(found, 0.0, 1.0), dtype=np.float32)

    def assign(self, similarity: Floats) -> Numbers:
        """Return the topic of each text, `OUTLIER` for texts below the minimum similarity."""
        import numpy as np

        best: Numbers = np.asarray(similarity.argmax(axis=1), dtype=np.int64)
        top = similarity[np.arange(len(similarity)), best]
        best[(top < self.minimum_similarity) | (top <= 0)] = OUTLIER
        return best


def learn_lsa_axes(rows: Any, seed: int) -> Floats:
    """Return the axes of a sample's rows; at most `DIMENSIONS`, fewer for few texts or terms."""
    import numpy as np
    from sklearn.utils.extmath import randomized_svd

    size = max(1, min(DIMENSIONS, *(side - 1 for side in rows.shape)))
    _, _, found = randomized_svd(rows, n_components=size, n_iter=5, random_state=seed)
    return np.ascontiguousarray(found.T, dtype=np.float32)


def centroids_of(positions: Floats, groups: Numbers) -> Floats:
    """Return the centroid of each group 0, 1... as a row of length 1; 0 for a group without texts."""
    import numpy as np

    count = int(groups.max(initial=-1)) + 1
    found: Floats = np.zeros((count, positions.shape[1]), dtype=np.float32)
    inside = groups >= 0
    np.add.at(found, groups[inside], positions[inside])
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    found[lengths[:, 0] > _NOWHERE] /= lengths[lengths[:, 0] > _NOWHERE]
    return found
