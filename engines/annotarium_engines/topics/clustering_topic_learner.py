"""Base of the topic engines: everything except how the texts of a sample are grouped."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from annotarium_engines.model_files import (
    library_versions,
    not_trained_error,
    pack_arrays,
    read_arrays,
    read_model,
    write_model,
)
from annotarium_engines.topics.corpus_sample import sample_texts
from annotarium_engines.topics.topic_parameters import TopicParameters
from annotarium_engines.topics.vocabulary import Vocabulary, WordTokenizer
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.topic_learner import Collection, Scope, Topic, TopicLearner, Topics
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Category, Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from annotarium_engines.model_files import Floats
    from annotarium_engines.topics.corpus_statistics import CorpusStatistics
    from annotarium_engines.topics.topic_space import Numbers, TopicSpace

_TERMS, _ARRAYS, _TOPICS = "terms.json", "arrays.npz", "topics.json"
_BATCH = 256
_STEPS = 100
_READ, _GROUPED = 30, 60
MINIMUM_TEXTS = 2
TEXTS_OF_A_TOPIC = 5
"""In a small corpus there is at most one topic per this many texts."""


class ClusteringTopicLearner(TopicLearner[TopicParameters]):
    """TF-IDF of words and phrases, latent semantic analysis and groups of a sample. Every text of the corpus is then
    assigned to the topic with the most similar centroid. `predict` assigns in the same way, so the two always agree.

    The words of a topic are ranked by class TF-IDF over the whole corpus. Quality is distinctness (the simplified
    silhouette): the mean over texts of 1 - distance to the own centroid / distance to the next one. `coherence` of a
    topic: how much more often than by chance its words occur together (normalised pointwise mutual information over the
    sample; below 0 counts as 0). It is low for short texts, which contain few words together.
    """

    parameters_model: ClassVar[type[Parameters]] = TopicParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling", "classification")
    component: ClassVar[str]
    libraries: ClassVar[tuple[str, ...]] = ("scikit-learn", "numpy", "PyStemmer")

    def __init__(self, parameters: TopicParameters) -> None:
        super().__init__(parameters)
        self._terms: Vocabulary | None = None
        self._space: TopicSpace | None = None
        self._topics: Topics | None = None
        self._words: WordTokenizer | None = None
        self._language = ""

    @property
    def collection(self) -> Collection:
        """See `TopicLearner.collection`."""
        return self.parameters.source_collection

    @property
    def scope(self) -> Scope:
        """See `TopicLearner.scope`."""
        return self.parameters.scope

    @abstractmethod
    def group(self, positions: Floats, texts: Sequence[str], most: int) -> Numbers:
        """Return the group 0, 1... of each text, `OUTLIER` for none.

        Args:
            positions: vectors of the texts, rows of length 1.
            most: maximum number of groups, at least 1.
        """

    def fit(
        self,
        documents: Iterable[Document],
        *,
        labels: Sequence[str] = (),
        language: str,
        progress: Progress = no_progress,
    ) -> None:
        """Find the topics; see `TopicLearner.fit`. Runs in one thread, because sums in another order are rounded to
        other topics.
        """
        from threadpoolctl import threadpool_limits

        with threadpool_limits(1):
            self._fit(documents, language, progress)

    def _fit(self, documents: Iterable[Document], language: str, progress: Progress) -> None:
        from annotarium_engines.topics.corpus_statistics import CorpusStatistics
        from annotarium_engines.topics.topic_space import TopicSpace, centroids_of, learn_lsa_axes

        given = self.parameters
        texts, count = sample_texts(
            documents, most=given.maximum_texts, seed=given.seed, progress=progress, steps=_STEPS
        )
        words = self._tokenizer(language)
        terms = Vocabulary.learn(texts, words, given.ngrams, given.maximum_terms)
        progress(_READ // 2, _STEPS, message("doing.readTraining", "Loading the training data"))
        held = terms.counts(texts, words, given.ngrams)
        some = held.getnnz(axis=1).nonzero()[0]
        if len(some) < MINIMUM_TEXTS:
            raise _not_enough_texts(count, len(some))
        progress(_READ, _STEPS, message("doing.findTopics", "Finding topics"))
        held = held[some]
        rows = terms.weigh(held)
        axes = learn_lsa_axes(rows, given.seed)
        space = TopicSpace(axes, axes[:0], given.minimum_likeness)
        positions = space.positions(rows)
        groups = self.group(positions, [texts[at] for at in some], self._most(positions))
        space.centroids = centroids_of(positions, groups)
        progress(_GROUPED, _STEPS, message("doing.findTopics", "Finding topics"))
        survey = CorpusStatistics(space, terms)
        for batch in _batches(documents):
            counts = terms.counts([one.text for one in batch], words, given.ngrams)
            survey.add(counts, terms.weigh(counts))
            step = _GROUPED + round((_STEPS - 1 - _GROUPED) * survey.pieces / max(count, survey.pieces))
            progress(step, _STEPS, message("doing.assignTopics", "Assigning texts to topics"))
        if not survey.sizes.any():
            raise _not_enough_texts(count, 0)
        self._terms, self._space, self._language = terms, space, language
        self._topics = self._describe(survey, held)
        progress(_STEPS, _STEPS, message("doing.trained", "Trained"))

    def _most(self, positions: Floats) -> int:
        """Return the maximum number of topics: the parameter, limited by the number of texts and of
        different vectors.
        """
        import numpy as np

        different = len(np.unique(positions.round(4), axis=0))
        return max(1, min(self.parameters.nr_topics, max(2, len(positions) // TEXTS_OF_A_TOPIC), different))

    def _tokenizer(self, language: str) -> WordTokenizer:
        given = self.parameters
        return WordTokenizer(language, tokenizer=given.tokenizer, stopwords=given.stopwords, lemma=given.lemma)

    def _describe(self, survey: CorpusStatistics, held: Any) -> Topics:
        found = survey.topics(held)
        inside = sum(topic.size for topic in found) or 1
        return Topics(
            topics=tuple(found),
            pieces=survey.pieces,
            outliers=survey.pieces - sum(topic.size for topic in found),
            quality=sum((topic.quality or 0.0) * topic.size for topic in found) / inside,
            measure="distinctness",
            used={**self._cutter().used, **library_versions(*self.libraries)},
        )

    def topics(self) -> Topics:
        """See `TopicLearner.topics`."""
        if self._topics is None:
            raise not_trained_error()
        return self._topics

    def _cutter(self) -> WordTokenizer:
        if self._words is None:
            self._words = self._tokenizer(self._language)
        return self._words

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies with the category of their topic, whose score is the similarity to its centroid. Outliers get
        none.
        """
        for document, ranked in self._ranked(documents, 1):
            yield _with_topic_categories(document, ranked)

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Yield copies with up to `limit` topics, most similar first."""
        for document, ranked in self._ranked(documents, limit):
            yield _with_topic_categories(document, ranked)

    def _ranked(
        self, documents: Iterable[Document], limit: int
    ) -> Iterator[tuple[Document, list[tuple[Topic, float]]]]:
        if self._terms is None or self._space is None or self._topics is None:
            raise not_trained_error()
        terms, space, found = self._terms, self._space, self._topics.topics
        words = self._cutter()
        for batch in _batches(documents):
            rows = terms.weigh(terms.counts([one.text for one in batch], words, self.parameters.ngrams))
            similarity = space.similarity(space.positions(rows))
            best = space.assign(similarity)
            for document, scores, topic in zip(batch, similarity, best, strict=True):
                if topic < 0:
                    yield document, []
                    continue
                order = (-scores).argsort(kind="stable")[:limit]
                yield document, [(found[at], float(scores[at])) for at in order]

    def save(self, folder: Path) -> None:
        """Write `terms.json`, `arrays.npz` (plain arrays), `topics.json` and `manifest.json`."""
        import numpy as np

        from annotarium_engines.topics.serializers import topics_to_json

        if self._terms is None or self._space is None or self._topics is None:
            raise not_trained_error()
        minimum_similarity = np.array([self._space.minimum_similarity], dtype=np.float32)
        arrays = {
            "idf": self._terms.idf,
            "axes": self._space.axes,
            "middles": self._space.centroids,
            "least": minimum_similarity,
        }
        terms = {"terms": list(self._terms.columns), "shown": self._terms.shown}
        facts = {
            "component": self.component,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "language": self._language,
            "libraries": library_versions(*self.libraries),
        }
        files = {
            _TERMS: json.dumps(terms, ensure_ascii=False).encode(),
            _ARRAYS: pack_arrays(arrays),
            _TOPICS: json.dumps(topics_to_json(self._topics), ensure_ascii=False).encode(),
        }
        write_model(folder, files, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; pickled arrays are refused."""
        from annotarium_engines.topics.serializers import topics_from_json
        from annotarium_engines.topics.topic_space import TopicSpace

        manifest, (terms, content, told) = read_model(
            folder, component=self.component, version=self.version, names=(_TERMS, _ARRAYS, _TOPICS)
        )
        try:
            arrays, words = read_arrays(content), json.loads(terms)
            columns = {str(term): at for at, term in enumerate(words["terms"])}
            space = TopicSpace(arrays["axes"], arrays["middles"], float(arrays["least"][0]))
            topics = topics_from_json(json.loads(told))
            fits = (
                arrays["idf"].shape == (len(columns),) == (len(words["shown"]),)
                and space.axes.shape[0] == len(columns)
                and space.centroids.shape == (len(topics.topics), space.axes.shape[1])
            )
            if not fits:
                raise ValueError("terms, topics and arrays do not fit together")
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise ComponentError("The model cannot be read.", cause=str(error), fix="Train it again.") from error
        self._terms = Vocabulary(columns, arrays["idf"], [str(one) for one in words["shown"]])
        self._space, self._topics, self._language = space, topics, str(manifest.get("language", ""))
        self._words = None


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    rest = iter(documents)
    while batch := list(islice(rest, _BATCH)):
        yield batch


def _with_topic_categories(document: Document, ranked: Sequence[tuple[Topic, float]]) -> Document:
    categories = [
        Category(label_name=topic.name, label=topic.title, score=score, creation_mode="automatic")
        for topic, score in ranked
    ]
    return document.model_copy(update={"annotations": [], "categories": categories})


def _not_enough_texts(texts: int, usable: int) -> ComponentError:
    return ComponentError(
        message("topics.little", "There are too few texts to find topics"),
        cause=message(
            "topics.littleCause",
            "{count:,} texts were read; {usable:,} of them contain words that distinguish topics",
            one="{count:,} text was read; {usable:,} of them contain words that distinguish topics",
            count=texts,
            usable=usable,
        ),
        fix=message(
            "topics.littleFix", "Import more texts, or choose segments instead of documents, then launch it again"
        ),
    )
