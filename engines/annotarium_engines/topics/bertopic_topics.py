"""Topics by BERTopic (UMAP and HDBSCAN), on vectors of our own: no model is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from annotarium_engines.topics.clustering_topic_learner import ClusteringTopicLearner
from annotarium_plugins.base.component import ExtraMissing

if TYPE_CHECKING:
    from annotarium_engines.model_files import Floats
    from annotarium_engines.topics.topic_space import Numbers

if find_spec("bertopic") is None:
    raise ExtraMissing("The package bertopic is not installed (pip install 'annotarium[topics]')")


class BertopicTopics(ClusteringTopicLearner):
    """Lets BERTopic group the texts; places, words, assignment and files are those of `ClusteringTopicLearner`.

    `nr_topics` counts BERTopic's own topic of outliers too, so there is one topic fewer. A text that HDBSCAN leaves out
    may still go to the topic it is like: half the texts without a topic, and others after loading, is what users of
    BERTopic complain about.
    """

    title: ClassVar[str] = "BERTopic"
    description: ClassVar[str] = "Finds the topics of a corpus that nobody annotated, by density; slower than k-means."
    component: ClassVar[str] = "BERTopic"
    libraries: ClassVar[tuple[str, ...]] = (*ClusteringTopicLearner.libraries, "bertopic", "umap-learn", "hdbscan")

    def group(self, positions: Floats, texts: Sequence[str], most: int) -> Numbers:
        """See `ClusteringTopicLearner.group`.

        Where the texts are too few for UMAP or all are outliers, they are one group.
        """
        import numpy as np
        from bertopic import BERTopic
        from bertopic.backend import BaseEmbedder
        from hdbscan import HDBSCAN
        from sklearn.feature_extraction.text import CountVectorizer
        from umap import UMAP

        if len(texts) <= _NEIGHBOURS:
            return np.zeros(len(texts), dtype=np.int64)
        umap = UMAP(
            n_neighbors=_NEIGHBOURS,
            n_components=min(_DIMENSIONS, positions.shape[1]),
            min_dist=0.0,
            metric="cosine",
            random_state=self.parameters.seed,
            n_jobs=1,
        )
        model = BERTopic(
            embedding_model=BaseEmbedder(),  # with None or a name it would look for a model on the network
            umap_model=umap,
            hdbscan_model=HDBSCAN(min_cluster_size=_minimum_topic_size(len(texts)), core_dist_n_jobs=1),
            vectorizer_model=CountVectorizer(token_pattern=r"(?u)\b\w+\b"),
            nr_topics=most,
            calculate_probabilities=False,
        )
        found, _ = model.fit_transform(list(texts), embeddings=positions)
        groups = np.asarray(found, dtype=np.int64)
        return groups if (groups >= 0).any() else np.zeros(len(texts), dtype=np.int64)


_NEIGHBOURS, _DIMENSIONS = 15, 5


def _minimum_topic_size(texts: int) -> int:
    """Texts of the smallest topic."""
    return max(5, min(50, texts // 200))
