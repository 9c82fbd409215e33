"""Topics by k-means: seconds for thousands of texts, nothing to download."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from annotarium_engines.topics.clustering_topic_learner import ClusteringTopicLearner

if TYPE_CHECKING:
    from annotarium_engines.model_files import Floats
    from annotarium_engines.topics.topic_space import Numbers

_STARTS = 5


class SklearnTopics(ClusteringTopicLearner):
    """Groups the vectors of the texts by k-means; outliers are texts that are not similar to any centroid."""

    title: ClassVar[str] = "Topics (k-means)"
    description: ClassVar[str] = "Finds topics without annotations. Fast; for all languages."
    version: ClassVar[str] = "1"
    component: ClassVar[str] = "sklearn_topics"

    def group(self, positions: Floats, texts: Sequence[str], most: int) -> Numbers:
        """See `ClusteringTopicLearner.group`."""
        import numpy as np
        from sklearn.cluster import KMeans

        model = KMeans(n_clusters=most, n_init=_STARTS, random_state=self.parameters.seed)
        return np.asarray(model.fit_predict(positions), dtype=np.int64)
