from __future__ import annotations

import pytest

from annotarium_engines.learners.crf_learner import CrfLearner, CrfLearnerParameters
from annotarium_engines.learners.sklearn_text_classifier import (
    SklearnTextClassifier,
    SklearnTextClassifierParameters,
)
from annotarium_engines.suggesters.margin_suggester import (
    MarginCategorySuggester,
    MarginCategorySuggesterParameters,
    MarginSuggester,
    MarginSuggesterParameters,
)
from annotarium_schemas.documents import Annotation, Category, Document

LABELS = ["a", "b", "c"]


def spans(text: str, *candidates: tuple[int, int, str, float]) -> Document:
    annotations = [
        Annotation(start=start, end=end, text=text[start:end], label_name=label, score=score)
        for start, end, label, score in candidates
    ]
    return Document(text=text, annotations=annotations)


def categories(*scored: tuple[str, float], exclusive: bool | None = None) -> Document:
    properties = None if exclusive is None else {"exclusive": exclusive}
    return Document(
        text="x", categories=[Category(label_name=label, score=score, properties=properties) for label, score in scored]
    )


def on_spans(document: Document, **parameters: object) -> list[object]:
    suggester = MarginSuggester(MarginSuggesterParameters.model_validate(parameters))
    return [(one.confidence, one.priority) for one in suggester.suggest([document], labels=LABELS)]


def on_categories(document: Document, **parameters: object) -> list[object]:
    suggester = MarginCategorySuggester(MarginCategorySuggesterParameters.model_validate(parameters))
    return [(one.confidence, one.priority) for one in suggester.suggest([document], labels=LABELS)]


def test_margin_of_a_span_averages_token_margins_including_outside() -> None:
    """4 tokens; one of them hesitates between 0.6 and (outside) 0.3."""
    assert on_spans(spans("w x y z", (2, 3, "a", 0.6), (2, 3, "b", 0.1))) == [
        (pytest.approx(0.6), pytest.approx((1 - 0.3) / 4))
    ]


def test_an_uncertain_span_without_proposal_raises_the_priority() -> None:
    sure = spans("w x y z", (0, 1, "a", 1.0))
    doubt = spans("w x y z", (0, 1, "a", 1.0), (4, 5, "b", 0.2), (4, 5, "c", 0.1))
    ((_, low),) = on_spans(sure)  # type: ignore[misc]
    ((confidence, high),) = on_spans(doubt)  # type: ignore[misc]
    assert low == pytest.approx(0)
    assert high == pytest.approx((1 - (0.7 - 0.2)) / 4)
    assert confidence == 1.0


def test_only_the_best_label_with_the_minimum_score_is_proposed() -> None:
    document = spans("w x y z", (0, 1, "b", 0.4), (0, 1, "a", 0.5), (2, 3, "c", 0.2), (4, 5, "unknown", 0.9))
    suggester = MarginSuggester(MarginSuggesterParameters())
    (suggestion,) = suggester.suggest([document], labels=LABELS)
    assert [(one.start, one.label_name) for one in suggestion.annotations] == [(0, "a")]
    assert suggestion.document is document
    assert on_spans(document, minimum_score=0.6) == []
    assert on_spans(spans("nothing here")) == []


def test_margin_of_exclusive_categories() -> None:
    assert on_categories(categories(("a", 0.5), ("b", 0.4), ("c", 0.1))) == [(0.5, pytest.approx(0.9))]
    assert on_categories(categories(("a", 1.0))) == [(1.0, pytest.approx(0.0))]
    assert on_categories(categories(("a", 0.5), ("b", 0.4)), minimum_score=0.6) == []
    assert on_categories(categories()) == []


def test_margin_of_independent_categories() -> None:
    document = categories(("a", 0.9), ("b", 0.6), ("c", 0.2), exclusive=False)
    suggester = MarginCategorySuggester(MarginCategorySuggesterParameters())
    (suggestion,) = suggester.suggest([document], labels=LABELS)
    assert [one.label_name for one in suggestion.categories] == ["a", "b"]
    assert suggestion.confidence == 0.6
    assert suggestion.priority == pytest.approx(0.8)
    (alone,) = suggester.suggest([categories(("a", 0.3), exclusive=False)], labels=LABELS)
    assert [one.label_name for one in alone.categories] == ["a"]


def test_the_learner_comes_from_the_parameters() -> None:
    assert MarginSuggester(MarginSuggesterParameters()).learner == ("crf", {})
    assert MarginCategorySuggester(MarginCategorySuggesterParameters()).learner == ("sklearn_text_classifier", {})
    own = MarginSuggesterParameters(learner="other", learner_parameters={"iterations": 20})
    assert MarginSuggester(own).learner == ("other", {"iterations": 20})


def test_small_margins_on_real_sentences_indicate_errors(diseases: tuple[list[Document], list[Document]]) -> None:
    learner = CrfLearner(CrfLearnerParameters())
    learner.fit(diseases[0], labels=["disease"], language="en")
    suggester = MarginSuggester(MarginSuggesterParameters(minimum_score=0.0))
    found = list(suggester.suggest(learner.rank(diseases[1], "en"), labels=["disease"]))
    assert all(0 <= one.priority <= 1 and 0 <= one.confidence <= 1 for one in found)
    gold = {one.text: {(a.start, a.end) for a in one.annotations} for one in diseases[1]}
    predicted = {one.text: {(a.start, a.end) for a in one.annotations} for one in learner.predict(diseases[1], "en")}
    found.sort(key=lambda one: one.priority)
    errors = [gold[one.document.text] != predicted[one.document.text] for one in found]
    half = len(errors) // 2
    assert sum(errors[half:]) > 1.3 * sum(errors[:half])


def test_small_margins_on_real_questions_indicate_errors(questions: tuple[list[Document], list[Document]]) -> None:
    labels = sorted({one.label_name or "" for document in questions[0] for one in document.categories})
    learner = SklearnTextClassifier(SklearnTextClassifierParameters())
    learner.fit(questions[0], labels=labels, language="en")
    suggester = MarginCategorySuggester(MarginCategorySuggesterParameters())
    found = list(suggester.suggest(learner.rank(questions[1], "en"), labels=labels))
    assert len(found) == len(questions[1])
    right = {one.identifier: one.categories[0].label_name for one in questions[1]}
    found.sort(key=lambda one: one.priority)
    errors = [right[one.document.identifier] != one.categories[0].label_name for one in found]
    half = len(errors) // 2
    assert sum(errors[half:]) > 3 * sum(errors[:half])
