"""Topics by BERTopic (UMAP and HDBSCAN) on vectors computed here: no model is downloaded."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar

from annotarium_engines.topics.clustering_topic_learner import ClusteringTopicLearner
from annotarium_plugins.base.component import ExtraMissing

if TYPE_CHECKING:
    from annotarium_engines.model_files import Floats
    from annotarium_engines.topics.topic_space import Numbers

_TITLE = "BERTopic"
_DESCRIPTION = "Finds topics by density, without annotations. Slower than k-means."

if find_spec("bertopic") is None:
    raise ExtraMissing(
        "The package bertopic is not installed",
        title=_TITLE,
        description=_DESCRIPTION,
        command="pip install 'annotarium[topics]'",
    )


class BertopicTopics(ClusteringTopicLearner):
    """Uses BERTopic to group the texts; vectors, words, assignment and files are those of `ClusteringTopicLearner`.

    `nr_topics` includes BERTopic's own topic of outliers, so there is one topic fewer. A text that HDBSCAN leaves out
    may still be assigned to the most similar topic: users of BERTopic complain that half the texts have no topic, and
    that assignments change after loading.
    """

    title: ClassVar[str] = _TITLE
    description: ClassVar[str] = _DESCRIPTION
    version: ClassVar[str] = "1"
    component: ClassVar[str] = "BERTopic"
    libraries: ClassVar[tuple[str, ...]] = (*ClusteringTopicLearner.libraries, "bertopic", "umap-learn", "hdbscan")

    def group(self, positions: Floats, texts: Sequence[str], most: int) -> Numbers:
        """See `ClusteringTopicLearner.group`.

        When there are too few texts for UMAP, or all are outliers, they form one group.
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
            embedding_model=BaseEmbedder(),  # with None or a name it would download a model
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
    """Return the minimum number of texts of a topic."""
    return max(5, min(50, texts // 200))
