"""Contract of learners."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotarium_plugins.base.component import Cancelled
from annotarium_plugins.testing.checks import check_predictions, save_and_load
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, classification_documents, sequence_documents
from annotarium_schemas.documents import Annotation, Category, Document


def _annotations_and_categories(document: Document) -> list[Annotation | Category]:
    return [*document.annotations, *document.categories]


class LearnerContract(ComponentContract):
    """Trains on the samples of the first nature the learner is for; override `documents` to train on others."""

    def documents(self) -> list[Document]:
        """Training documents."""
        if "sequence_labelling" in self.component.natures:
            return sequence_documents()
        return classification_documents()

    def labels(self) -> list[str]:
        """Labels to learn: those on the documents."""
        marks = [mark for document in self.documents() for mark in _annotations_and_categories(document)]
        return sorted({mark.label_name for mark in marks if mark.label_name})

    def trained(self) -> Any:
        """A learner fitted on the documents."""
        learner = self.build()
        learner.fit(self.documents(), labels=self.labels(), language="en")
        return learner

    def plain(self) -> list[Document]:
        """The training texts without anything on them."""
        return [Document(identifier=document.identifier, text=document.text) for document in self.documents()]

    def test_learns_what_it_was_shown(self) -> None:
        """On its own training texts it finds something, scored, in range, with known labels only."""
        given = self.plain()
        predicted = list(self.trained().predict(given, "en"))
        assert len(predicted) == len(given), f"{len(given)} documents in, {len(predicted)} out"
        marks = 0
        for document, prediction in zip(given, predicted, strict=True):
            check_predictions(document, prediction)
            names = {mark.label_name for mark in _annotations_and_categories(prediction)}
            assert names <= set(self.labels()), f"labels {names} were never shown"
            marks += len(names)
        assert marks, "nothing was learned from 36 clear examples"

    def test_training_is_deterministic(self) -> None:
        """Same input, parameters and version: same predictions."""
        first, second = (list(self.trained().predict(self.plain(), "en")) for _ in range(2))
        assert first == second, "two trainings predict differently"

    def test_saved_model_predicts_the_same(self, tmp_path: Path) -> None:
        """`load` in a new component restores what `save` wrote; the files are in safe formats."""
        learner = self.trained()
        restored = save_and_load(learner, self.build(), tmp_path)
        assert list(restored.predict(self.plain(), "en")) == list(learner.predict(self.plain(), "en"))

    def test_any_text_can_be_predicted(self) -> None:
        """Empty, strange and long texts are answered, in order."""
        given = [Document(identifier=f"h{number}", text=text) for number, text in enumerate(HOSTILE_TEXTS)]
        for document, prediction in zip(given, self.trained().predict(given, "en"), strict=True):
            check_predictions(document, prediction)

    def test_predicting_leaves_documents_alone(self) -> None:
        """The documents given are as before: what people confirmed is not the model's to touch."""
        given = self.documents()
        list(self.trained().predict(given, "en"))
        assert given == self.documents(), "the documents were changed"

    def test_rejected_marks_are_accepted_as_evidence(self) -> None:
        """Status KO in the training documents is no crash."""
        documents = self.documents()
        for mark in _annotations_and_categories(documents[0]):
            mark.status = "KO"
        learner = self.build()
        learner.fit(documents, labels=self.labels(), language="en")
        list(learner.predict(self.plain(), "en"))

    def test_ranking_is_limited_and_scored(self) -> None:
        """Up to `limit` candidates per decision; categories best first."""
        given = self.plain()
        for document, ranked in zip(given, self.trained().rank(given, "en", limit=3), strict=True):
            check_predictions(document, ranked)
            scores = [category.score or 0.0 for category in ranked.categories if category.start is None]
            assert len(scores) <= 3, f"{len(scores)} categories for a limit of 3"
            assert scores == sorted(scores, reverse=True), "categories are not listed best first"
            spans = [(mark.start, mark.end) for mark in ranked.annotations]
            assert all(spans.count(span) <= 3 for span in set(spans)), "more candidates of a span than the limit"

    def test_cancelling_passes(self) -> None:
        """`Cancelled`, raised by `progress`, comes out of `fit` as it is."""

        def cancel(step: int, total: int, message: str) -> None:
            raise Cancelled

        calls: list[tuple[int, int, str]] = []
        learner = self.build()
        learner.fit(self.documents(), labels=self.labels(), language="en", progress=lambda *told: calls.append(told))
        assert all(0 <= step <= total for step, total, _ in calls), f"progress beyond its total: {calls}"
        if not calls:
            return
        try:
            self.build().fit(self.documents(), labels=self.labels(), language="en", progress=cancel)
        except Cancelled:
            return
        raise AssertionError("fit swallowed Cancelled")
