"""Statistics of topics over the whole corpus: sizes, words, distinctness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from annotarium_engines.topics.topic_terms import best_terms, class_tfidf_weights, coherence, topic_names_and_titles
from annotarium_plugins.base.topic_learner import Topic

if TYPE_CHECKING:
    from annotarium_engines.topics.topic_space import TopicSpace
    from annotarium_engines.topics.vocabulary import Vocabulary

_FAR = 1e-6


class CorpusStatistics:
    """Counts texts in batches. `topics` then sorts the topics by size, also in `space`, and drops those without texts.

    Attributes:
        pieces: number of counted texts.
        sizes: number of texts per topic.
    """

    def __init__(self, space: TopicSpace, terms: Vocabulary) -> None:
        import numpy as np

        count = len(space.centroids)
        self._space, self._terms = space, terms
        self.pieces = 0
        self.sizes = np.zeros(count, dtype=np.int64)
        self._counts = np.zeros((count, len(terms.columns)), dtype=np.float32)
        self._distinct = np.zeros(count, dtype=np.float64)

    def add(self, counts: Any, rows: Any) -> None:
        """Count a batch of texts.

        Args:
            counts, rows: occurrences of each term in the texts, and their TF-IDF weights.
        """
        import numpy as np

        similarity = self._space.similarity(self._space.positions(rows))
        best = self._space.assign(similarity)
        self.pieces += len(best)
        for topic in np.unique(best[best >= 0]):
            inside = np.flatnonzero(best == topic)
            self.sizes[topic] += len(inside)
            self._counts[topic] += np.asarray(counts[inside].sum(axis=0)).ravel()
            self._distinct[topic] += _distinctness(similarity[inside])

    def topics(self, held: Any) -> list[Topic]:
        """Return the topics, largest first.

        Args:
            held: occurrences of each term in the texts of the sample.
        """
        import numpy as np

        order = [at for at in np.lexsort((np.arange(len(self.sizes)), -self.sizes)).tolist() if self.sizes[at]]
        self._space.centroids = self._space.centroids[order]
        holds = held.tocsc()
        holds.data[:] = 1
        weights = class_tfidf_weights(self._counts[order])
        columns = [best_terms(row, self._terms.shown) for row in weights]
        named = topic_names_and_titles([[self._terms.shown[at] for at in chosen] for chosen in columns])
        return [
            Topic(
                name=name,
                title=title,
                words=tuple((self._terms.shown[at], round(float(weights[row, at]), 6)) for at in chosen),
                size=int(self.sizes[order[row]]),
                quality=round(float(self._distinct[order[row]] / self.sizes[order[row]]), 4),
                facts={"coherence": round(coherence(holds, chosen), 4)},
            )
            for row, ((name, title), chosen) in enumerate(zip(named, columns, strict=True))
        ]


def _distinctness(similarity: Any) -> float:
    """Return the sum over texts of 1 - distance to the own centroid / distance to the next one; 1 per text when there
    is one topic.
    """
    import numpy as np

    if similarity.shape[1] < 2:
        return float(len(similarity))
    ordered = np.sort(similarity, axis=1)
    own, following = 1 - ordered[:, -1], 1 - ordered[:, -2]
    return float((1 - own / np.maximum(following, _FAR)).clip(0, 1).sum())
