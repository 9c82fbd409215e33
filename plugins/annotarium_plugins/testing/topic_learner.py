"""Contract of topic learners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotarium_plugins.base.component import Cancelled, ComponentError
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_plugins.testing.checks import check_predictions, check_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, classification_documents
from annotarium_schemas.documents import Document


class _CountedIterations:
    """Texts that can only be iterated, like those the server passes."""

    def __init__(self, documents: list[Document]) -> None:
        self._documents = documents

    def __iter__(self) -> Iterator[Document]:
        return iter([document.model_copy(deep=True) for document in self._documents])


class TopicLearnerContract(ComponentContract):
    """Finds the topics of the samples; override `documents` for others."""

    def documents(self) -> list[Document]:
        """Return texts without labelling."""
        return [Document(identifier=document.identifier, text=document.text) for document in classification_documents()]

    def found(self, documents: list[Document] | None = None) -> Any:
        """Return a learner that has found the topics of the documents."""
        learner = self.build()
        learner.fit(_CountedIterations(self.documents() if documents is None else documents), labels=(), language="en")
        return learner

    def test_it_needs_no_labels(self) -> None:
        """It declares that it needs no labels, what a text is and which texts it reads."""
        learner = self.build()
        assert isinstance(learner, TopicLearner)
        assert learner.needs_labels is False
        assert learner.collection in ("documents", "segments")
        assert learner.scope in ("all", "dataset")

    def test_topics_are_described(self) -> None:
        """Topics have unique names, words and sizes, largest first; texts in no topic are counted."""
        topics = self.found().topics()
        assert len(topics.topics) > 1, "36 texts on three matters are one topic"
        assert topics.pieces == len(self.documents())
        assert sum(topic.size for topic in topics.topics) + topics.outliers == topics.pieces
        sizes = [topic.size for topic in topics.topics]
        assert sizes == sorted(sizes, reverse=True), "the biggest is not first"
        assert len({topic.name for topic in topics.topics}) == len(topics.topics), "two topics have one name"
        for topic in topics.topics:
            assert topic.size and topic.title and topic.words, f"{topic.name} says nothing"
            assert all(word and weight > 0 for word, weight in topic.words)
            assert topic.quality is None or 0 <= topic.quality <= 1
        assert 0 <= topics.quality <= 1 and topics.measure

    def test_predicting_agrees_with_what_was_found(self) -> None:
        """The texts of the corpus are predicted into the topics they were counted in, one each, with scores."""
        learner = self.found()
        counted: Counter[str | None] = Counter()
        for document, predicted in zip(self.documents(), learner.predict(self.documents(), "en"), strict=True):
            check_predictions(document, predicted)
            assert not predicted.annotations and len(predicted.categories) <= 1
            counted.update([one.label_name for one in predicted.categories] or [None])
        topics = learner.topics()
        sizes = {topic.name: topic.size for topic in topics.topics}
        assert counted == Counter(sizes | ({None: topics.outliers} if topics.outliers else {}))

    def test_the_order_of_texts_does_not_matter(self) -> None:
        """The same texts, parameters and version give the same topics in any order."""
        first, second = self.found(), self.found(self.documents()[::-1])
        assert first.topics() == second.topics(), "two runs find other topics"
        given = self.documents()
        assert list(first.predict(given, "en")) == list(second.predict(given, "en"))

    def test_saved_topics_are_the_same(self, tmp_path: Path) -> None:
        """`load` in a new component restores what `save` wrote; the files are in safe formats."""
        learner = self.found()
        restored = self.reloaded(learner, tmp_path)
        assert restored.topics() == learner.topics()
        assert list(restored.predict(self.documents(), "en")) == list(learner.predict(self.documents(), "en"))

    def test_a_text_goes_where_it_goes_alone(self) -> None:
        """The prediction of a text does not depend on other texts."""
        learner = self.found()
        together = list(learner.predict(self.documents(), "en"))
        assert together == [next(iter(learner.predict([one], "en"))) for one in self.documents()]

    def test_any_text_can_be_read_and_predicted(self) -> None:
        """Empty, unusual and long texts are read and predicted, in order."""
        given = [Document(identifier=f"h{number}", text=text) for number, text in enumerate(HOSTILE_TEXTS)]
        learner = self.found([*self.documents(), *given])
        assert learner.topics().pieces == len(self.documents()) + len(given)
        for document, prediction in zip(given, learner.predict(given, "en"), strict=True):
            check_predictions(document, prediction)

    def test_ranking_is_limited_and_scored(self) -> None:
        """There are at most `limit` topics, best first; the first is the predicted one."""
        learner = self.found()
        given = self.documents()
        best = learner.predict(given, "en")
        for document, ranked, predicted in zip(given, learner.rank(given, "en", limit=2), best, strict=True):
            check_predictions(document, ranked)
            scores = [category.score or 0.0 for category in ranked.categories]
            assert len(scores) <= 2 and scores == sorted(scores, reverse=True)
            assert [one.label_name for one in ranked.categories[:1]] == [one.label_name for one in predicted.categories]

    def test_too_little_data_is_reported(self) -> None:
        """No text, one text, and texts without words give an error with cause and fix."""
        for texts in ([], ["the bank raised its rates"], ["", " ", "...", ""]):
            try:
                self.found([Document(identifier=str(number), text=text) for number, text in enumerate(texts)])
            except ComponentError as error:
                check_texts(f"topics of {texts}", error.message, error.cause or "", error.fix or "")
                continue
            raise AssertionError(f"topics were found in {texts}")

    def test_cancelling_passes(self) -> None:
        """`fit` lets `Cancelled`, raised by `progress`, propagate unchanged."""

        def cancel(step: int, total: int, message: str) -> None:
            raise Cancelled

        calls: list[tuple[int, int, str]] = []
        self.build().fit(
            _CountedIterations(self.documents()), labels=(), language="en", progress=lambda *told: calls.append(told)
        )
        assert calls, "nothing is told of a work of minutes"
        assert all(0 <= step <= total for step, total, _ in calls), f"progress beyond its total: {calls}"
        try:
            self.build().fit(_CountedIterations(self.documents()), labels=(), language="en", progress=cancel)
        except Cancelled:
            return
        raise AssertionError("fit swallowed Cancelled")
