"""The steps of the text classifier on synthetic texts: selection of examples, tuning, scores, files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotarium_engines.learners import linear_model, sklearn_text_classifier
from annotarium_engines.learners.sklearn_text_classifier import (
    SklearnTextClassifier,
    SklearnTextClassifierParameters,
)
from annotarium_engines.learners.tfidf import CHARACTERS, WORDS, Tfidf
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Category, Document

WORDS_OF = {"car": ("wheel", "motor", "road"), "fruit": ("apple", "pear", "plum"), "tone": ("song", "drum", "choir")}


def text(words: str, *labels: str, ko: tuple[str, ...] = (), name: str | None = None) -> Document:
    categories = [Category(label_name=label, status="OK") for label in labels]
    categories += [Category(label_name=label, status="KO") for label in ko]
    return Document(identifier=words if name is None else name, text=words, categories=categories)


def corpus(size: int) -> list[Document]:
    """Return texts of three labels in turn, each with a word of its label; every eighth has the word of another one."""
    names, found = sorted(WORDS_OF), []
    for number in range(size):
        label = names[number % 3]
        words = WORDS_OF[names[(number + (number % 8 == 0)) % 3]]
        found.append(text(f"{words[number % 2]} {words[number % 3]} w{number % 11}", label, name=f"{number:04d}"))
    return found


def classifier(**parameters: object) -> SklearnTextClassifier:
    return SklearnTextClassifier(SklearnTextClassifierParameters.model_validate(parameters))


def fitted(documents: list[Document], labels: tuple[str, ...] = tuple(WORDS_OF), **parameters: Any) -> Any:
    learner = classifier(**parameters)
    learner.fit(documents, labels=labels, language="en")
    return learner


def manifest(learner: SklearnTextClassifier, folder: Path) -> dict[str, Any]:
    """Return the manifest of the model with the digests of its files: the same for the same model."""
    folder.mkdir(exist_ok=True)
    learner.save(folder)
    found: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return found


class Calls:
    """Records the arguments of calls to a function."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> None:
        self.made: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
        original = getattr(owner, name)

        def called(*given: Any, **named: Any) -> Any:
            self.made.append((given, named))
            return original(*given, **named)

        monkeypatch.setattr(owner, name, called)


# What counts as an example


def test_labels_that_were_not_requested_are_not_learned(tmp_path: Path) -> None:
    """A text without any requested label is not an example."""
    documents = [
        text("apple pear", "fruit"),
        text("wheel road", "car"),
        text("song", "tone"),
        text("drum", ko=("tone",)),
    ]
    asked = manifest(fitted(documents, ("fruit", "car")), tmp_path / "asked")
    assert asked["labels"] == ["car", "fruit"]
    assert asked == manifest(fitted(documents[:2], ("fruit", "car")), tmp_path / "alone")


def test_texts_without_a_judgement_are_ignored(tmp_path: Path) -> None:
    documents = [text("apple pear", "fruit"), text("wheel road", "car"), text("plum", ko=("car",))]
    without = manifest(fitted(documents), tmp_path / "without")
    assert manifest(fitted([*documents, text("drum")]), tmp_path / "with") == without
    assert manifest(fitted(documents[:2]), tmp_path / "less") != without, "a rejected label is a judgement"


def marks_of(monkeypatch: pytest.MonkeyPatch, documents: list[Document], labels: tuple[str, ...]) -> list[list[int]]:
    calls = Calls(monkeypatch, linear_model, "train_linear")
    fitted(documents, labels)
    ((_, marks, _), _), *more = calls.made
    assert not more
    return [[int(one) for one in row] for row in marks]


def test_marks_of_confirmed_and_rejected_labels(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """1: the label is right, -1: it is wrong, 0: unknown. A label both confirmed and rejected is confirmed; a label
    that is confirmed nowhere is not learned.
    """
    documents = [
        text("a", "car"),
        text("b", ko=("car",)),
        text("c", "fruit", "tone"),
        text("d", "car", ko=("car", "fruit")),
        text("e", ko=("fruit", "unknown")),
    ]
    found = marks_of(monkeypatch, documents, ("car", "fruit", "tone", "unknown"))
    assert found == [[1, -1, -1], [-1, 0, 0], [-1, 1, 1], [1, -1, -1], [0, -1, 0]]


def test_the_order_of_the_texts_changes_nothing(tmp_path: Path) -> None:
    """Texts are sorted by identifier, then by text."""
    documents = [*corpus(40), *(text(words, "car", name="same") for words in ("wheel", "motor"))]
    there = manifest(fitted(documents), tmp_path / "there")
    assert manifest(fitted(documents[::-1]), tmp_path / "back") == there


@pytest.mark.parametrize(
    ("count", "small", "parameters", "expected"),
    [
        (12, 13, {"minimum_count": 3}, 1),
        (12, 12, {"minimum_count": 3}, 3),
        (12, 12, {}, 2),
    ],
)
def test_rare_terms_are_ignored_in_large_corpora(
    count: int, small: int, parameters: Any, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sklearn_text_classifier, "_SMALL", small)
    calls = Calls(monkeypatch, Tfidf, "learn")
    fitted(corpus(count), **parameters)
    assert calls.made[0][1]["min_count"] == expected


@pytest.mark.parametrize(
    ("numbers", "parameters", "width"),
    [(90_000, {}, 30_000), (30_000, {}, 20_000), (90_000, {"maximum_terms": 500}, 500)],
)
def test_the_number_of_columns_decreases_with_the_number_of_labels(
    numbers: int, parameters: Any, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights are shared by three labels; at least 20,000 columns, and never more than the parameter allows."""
    monkeypatch.setattr(sklearn_text_classifier, "_NUMBERS", numbers)
    calls = Calls(monkeypatch, Tfidf, "learn")
    fitted(corpus(12), **parameters)
    assert calls.made[0][1]["width"] == width
    assert calls.made[0][0][1] == [WORDS, CHARACTERS]


def test_a_model_can_use_words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = Calls(monkeypatch, Tfidf, "learn")
    fitted(corpus(12), characters=False)
    assert calls.made[0][0][1] == [WORDS]


# One category per document, or several


@pytest.mark.parametrize(
    ("multi_label", "several", "exclusive"),
    [
        ("auto", False, True),
        ("auto", True, False),
        ("yes", False, False),
        ("no", True, True),
    ],
)
def test_whether_a_document_has_one_category(multi_label: str, several: bool, exclusive: bool) -> None:
    documents = [*corpus(12), *([text("apple song", "fruit", "tone")] if several else [])]
    learner = fitted(documents, multi_label=multi_label)
    (ranked,) = learner.rank([Document(text="apple song")], "en")
    assert {one.properties["exclusive"] for one in ranked.categories} == {exclusive}
    (found,) = learner.predict([Document(text="apple song")], "en")
    assert all(one.properties is None and one.creation_mode == "automatic" for one in found.categories)
    if exclusive:
        assert [one.label_name for one in found.categories] == [ranked.categories[0].label_name]
        assert sum(one.score for one in ranked.categories) == pytest.approx(1, abs=1e-5)
    else:
        assert [one.label_name for one in found.categories] == [
            one.label_name for one in ranked.categories if one.score >= 0.5
        ]


def test_several_or_no_categories_are_predicted_best_first() -> None:
    documents = [text(f"{word} n{n}", label) for label, words in WORDS_OF.items() for word in words for n in range(3)]
    learner = fitted([*documents, *(text(f"apple song {n}", "fruit", "tone") for n in range(5))], multi_label="yes")
    texts = [Document(text=words) for words in ("apple song", "wheel motor", "")]
    found = [{one.label_name for one in document.categories} for document in learner.predict(texts, "en")]
    assert found == [{"fruit", "tone"}, {"car"}, set()]
    for document in learner.rank(texts, "en"):
        scores = [one.score for one in document.categories]
        assert len(scores) == 3
        assert scores == sorted(scores, reverse=True)


def test_an_exclusive_model_predicts_a_category_even_below_one_half() -> None:
    (found,) = fitted(corpus(12)).predict([Document(text="unknown")], "en")
    (category,) = found.categories
    assert category.score < 0.5


def test_a_ranking_has_five_categories_or_as_many_as_requested() -> None:
    labels = tuple("abcdefg")
    learner = fitted([text(f"{label}{label} {n}", label) for label in labels for n in range(2)], labels)
    asked = [Document(text="aa"), Document(text="bb", categories=[Category(label_name="old")])]
    assert [len(one.categories) for one in learner.rank(asked, "en")] == [5, 5]
    assert [len(one.categories) for one in learner.rank(asked, "en", limit=2)] == [2, 2]
    assert [one.categories[0].label_name for one in learner.rank(asked, "en")] == ["a", "b"]


def test_documents_are_predicted_in_batches_and_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sklearn_text_classifier, "_BATCH", 2)
    learner = fitted([text(word, label) for label, words in WORDS_OF.items() for word in words])
    texts = ["wheel", "apple", "song", "plum", "drum"]
    found = list(learner.predict([Document(text=one) for one in texts], "en"))
    assert [one.text for one in found] == texts
    assert [one.categories[0].label_name for one in found] == ["car", "fruit", "tone", "fruit", "tone"]


# Tuning


def test_progress_counts_two_trainings_of_each_label() -> None:
    """The model to tune with and the final one; without tuning, the first half is skipped."""
    for size, expected in ((120, [0, 0, 1, 2, 3, 4, 5, 6]), (30, [0, 3, 4, 5, 6])):
        told: list[tuple[int, int]] = []
        classifier().fit(
            corpus(size),
            labels=tuple(WORDS_OF),
            language="en",
            progress=lambda step, total, message, told=told: told.append((step, total)),  # type: ignore[misc]
        )
        assert told == [(step, 6) for step in expected]


def test_models_of_few_documents_are_not_tuned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Below a hundred documents, fewer than ten would be held back: defaults are used."""
    calls = Calls(monkeypatch, linear_model, "tune_sharpness_and_thresholds")
    few = manifest(fitted(corpus(99), multi_label="yes"), tmp_path / "few")
    assert (few["sharpness"], few["thresholds"], calls.made) == (2.0, [0.0, 0.0, 0.0], [])
    monkeypatch.setattr(
        linear_model, "tune_sharpness_and_thresholds", lambda model, rows, marks: (7.5, [0.1, 0.2, 0.3])
    )
    enough = manifest(fitted(corpus(100), multi_label="yes"), tmp_path / "enough")
    assert (enough["sharpness"], enough["thresholds"]) == (7.5, [0.1, 0.2, 0.3])


def rows_of(matrix: Any) -> list[bytes]:
    return [row.tobytes() for row in matrix.toarray()]


@pytest.mark.parametrize(("multi_label", "learned"), [("no", 50), ("yes", 99)])
def test_a_model_is_tuned_on_held_out_documents(
    multi_label: str, learned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every tenth document is held back. Exclusive models are tuned on a model of a limited number of documents. The
    settings are those of the final model.
    """
    monkeypatch.setattr(sklearn_text_classifier, "_TUNING", 50)
    trainings, tunings = (
        Calls(monkeypatch, linear_model, "train_linear"),
        Calls(monkeypatch, linear_model, "tune_sharpness_and_thresholds"),
    )
    labels = [one.categories[0].label_name or "" for one in corpus(110)]
    documents = [text(f"only{number:03d} {label}", label) for number, label in enumerate(labels)]
    fitted(documents, multi_label=multi_label, algorithm="sgd", cost=3.0)
    (trial, trial_named), (final, final_named) = trainings.made
    (((model, held, held_marks), _),) = tunings.made
    everything = rows_of(final[0])
    tuned_on, learned_from = rows_of(held), rows_of(trial[0])
    assert (len(everything), len(tuned_on), len(learned_from)) == (110, 11, learned)
    assert not set(tuned_on) & set(learned_from)
    marks = {row: list(mark) for row, mark in zip(everything, final[1], strict=True)}
    for rows, found in ((tuned_on, held_marks), (learned_from, trial[1])):
        assert [marks[row] for row in rows] == [list(mark) for mark in found]
        assert [everything.index(row) for row in rows] == sorted(everything.index(row) for row in rows)
    assert trial_named["steps"] == (0, 6) and final_named["steps"] == (3, 6)
    for named in (trial_named, final_named):
        assert (named["exclusive"], named["algorithm"], named["cost"]) == (multi_label == "no", "sgd", 3.0)
    assert model.exclusive is (multi_label == "no")


# Files


def test_a_loaded_model_equals_the_saved_one(tmp_path: Path) -> None:
    for multi_label in ("yes", "no"):
        learner = fitted(corpus(120), multi_label=multi_label, cost=2.0)
        said = manifest(learner, tmp_path / multi_label)
        assert (said["language"], said["exclusive"], said["labels"]) == ("en", multi_label == "no", sorted(WORDS_OF))
        assert (said["parameters"]["cost"], said["component"]) == (2.0, "sklearn_text_classifier")
        assert {"scikit-learn", "numpy"} <= set(said["libraries"])
        loaded = classifier(multi_label=multi_label, cost=2.0)
        loaded.load(tmp_path / multi_label)
        texts = [Document(text=one) for one in ("apple", "wheel song", "")]
        assert list(loaded.rank(texts, "en")) == list(learner.rank(texts, "en"))
        assert manifest(loaded, tmp_path / "again") == said


def test_only_a_trained_model_is_saved(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match="not trained"):
        classifier().save(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "change",
    [
        {"labels": ["car"]},
        {"labels": ["car", "fruit", "tone", "more"], "thresholds": [0.0] * 4},
        {"thresholds": [0.0, 0.0]},
        {"sharpness": "much"},
        {"exclusive": None, "labels": None},
    ],
)
def test_a_model_with_inconsistent_parts_is_refused(change: dict[str, Any], tmp_path: Path) -> None:
    said = manifest(fitted(corpus(12)), tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(said | change))
    loaded = classifier()
    with pytest.raises(ComponentError, match="cannot be read") as refused:
        loaded.load(tmp_path)
    assert refused.value.cause
    with pytest.raises(ComponentError, match="not trained"):
        list(loaded.predict([Document(text="x")], "en"))


@pytest.mark.parametrize(("cost", "fits"), [(0, False), (0.5, True), (1000, True), (1000.5, False)])
def test_the_cost_of_errors_is_limited(cost: float, fits: bool) -> None:
    if fits:
        assert SklearnTextClassifierParameters.model_validate({"cost": cost}).cost == cost
        return
    with pytest.raises(ValueError, match="cost"):
        SklearnTextClassifierParameters.model_validate({"cost": cost})
