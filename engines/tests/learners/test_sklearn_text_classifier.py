from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from annotarium_engines.learners.linear_model import best_threshold
from annotarium_engines.learners.sklearn_text_classifier import (
    SklearnTextClassifier,
    SklearnTextClassifierParameters,
)
from annotarium_engines.learners.tfidf import CHARACTERS, WORDS, Tfidf
from annotarium_engines.model_files import read_arrays
from annotarium_plugins.base.component import Cancelled, ComponentError
from annotarium_schemas.documents import Category, Document

Pair = tuple[list[Document], list[Document]]


def labels_of(documents: list[Document]) -> list[str]:
    return sorted({one.label_name or "" for document in documents for one in document.categories})


def text(words: str, *labels: str, ko: str | None = None) -> Document:
    categories = [Category(label_name=label, status="OK") for label in labels]
    if ko:
        categories.append(Category(label_name=ko, status="KO"))
    return Document(identifier=words, text=words, categories=categories)


def classifier(**parameters: object) -> SklearnTextClassifier:
    return SklearnTextClassifier(SklearnTextClassifierParameters.model_validate(parameters))


@pytest.fixture(scope="module")
def trained(questions: Pair) -> SklearnTextClassifier:
    learner = classifier()
    learner.fit(questions[0], labels=labels_of(questions[0]), language="en")
    return learner


def accuracy(learner: SklearnTextClassifier, documents: list[Document]) -> float:
    pairs = zip(documents, learner.predict(documents, "en"), strict=True)
    return sum(labels_of([right]) == labels_of([found]) for right, found in pairs) / len(documents)


def test_tfidf_equals_that_of_scikit_learn(questions: Pair) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [one.text for one in questions[0]]
    unseen = [one.text for one in questions[1]]
    for settings in (WORDS, CHARACTERS):
        ours = Tfidf.learn(texts, [settings], min_count=2, width=50_000)
        theirs = TfidfVectorizer(**settings, min_df=2, sublinear_tf=True).fit(texts)
        assert ours.blocks[0].terms == list(theirs.get_feature_names_out())
        restored = Tfidf.restore(ours.vocabulary(), ours.weights())
        for one in (ours, restored):
            assert abs(one.transform(unseen) - theirs.transform(unseen)).max() < 1e-6


@pytest.mark.parametrize("algorithm", ["linear_svc", "logistic_regression", "sgd"])
def test_real_categories_are_learned(algorithm: str, questions: Pair) -> None:
    learner = classifier(algorithm=algorithm)
    learner.fit(questions[0][:600], labels=labels_of(questions[0]), language="en")
    assert accuracy(learner, questions[1]) > 0.68


def test_scores_sum_to_one_and_separate_right_from_wrong(trained: SklearnTextClassifier, questions: Pair) -> None:
    right, wrong = [], []
    for gold, found in zip(questions[1], trained.rank(questions[1], "en", limit=6), strict=True):
        scores = [one.score or 0.0 for one in found.categories]
        assert sum(scores) == pytest.approx(1, abs=1e-4)
        assert scores == sorted(scores, reverse=True)
        best = found.categories[0]
        (right if best.label_name == gold.categories[0].label_name else wrong).append(scores[0])
    share = len(right) / (len(right) + len(wrong))
    assert sum(right) / len(right) > sum(wrong) / len(wrong) + 0.1
    assert sum(right + wrong) / len(right + wrong) == pytest.approx(share, abs=0.15)


def test_a_saved_model_predicts_the_same_and_holds_no_pickle(
    trained: SklearnTextClassifier, questions: Pair, tmp_path: Path
) -> None:
    trained.save(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"manifest.json", "vocabulary.json", "weights.npz"}
    assert read_arrays((tmp_path / "weights.npz").read_bytes())["weights"].dtype == np.float32
    loaded = classifier()
    loaded.load(tmp_path)
    assert list(trained.predict(questions[1], "en")) == list(loaded.predict(questions[1], "en"))
    assert list(trained.rank(questions[1], "en")) == list(loaded.rank(questions[1], "en"))


def test_training_twice_gives_the_same_files_whatever_the_order(questions: Pair, tmp_path: Path) -> None:
    for name, documents in (("a", questions[0][:300]), ("b", questions[0][299::-1])):
        learner = classifier()
        learner.fit(documents, labels=labels_of(documents), language="en")
        (tmp_path / name).mkdir()
        learner.save(tmp_path / name)
    for name in ("manifest.json", "vocabulary.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_pickled_arrays_are_refused(trained: SklearnTextClassifier, tmp_path: Path) -> None:
    import hashlib

    trained.save(tmp_path)
    np.savez(tmp_path / "weights.npz", weights=np.array([{"any": "object"}], dtype=object), allow_pickle=True)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    manifest["files"]["weights.npz"] = hashlib.sha256((tmp_path / "weights.npz").read_bytes()).hexdigest()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ComponentError, match="cannot be read") as caught:
        classifier().load(tmp_path)
    assert "allow_pickle" in caught.value.cause


def test_several_categories_per_document_are_predicted(emotions: list[Document]) -> None:
    train, test = emotions[:2000], emotions[2000:]
    learner = classifier()
    learner.fit(train, labels=labels_of(train), language="en")
    predicted = list(learner.predict(test, "en"))
    pairs = [(set(labels_of([right])), set(labels_of([found]))) for right, found in zip(test, predicted, strict=True)]
    f1 = 2 * sum(len(a & b) for a, b in pairs) / sum(len(a) + len(b) for a, b in pairs)
    assert f1 > 0.35
    assert max(len(one.categories) for one in predicted) > 1
    assert all((one.score or 0) >= 0.5 for document in predicted for one in document.categories)
    ranked = next(learner.rank(test, "en"))
    assert len(ranked.categories) == 5
    assert ranked.categories[0].properties == {"exclusive": False}


def test_rare_labels_keep_the_common_threshold(emotions: list[Document], tmp_path: Path) -> None:
    learner = classifier()
    learner.fit(emotions, labels=labels_of(emotions), language="en")
    learner.save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    thresholds = dict(zip(manifest["labels"], manifest["thresholds"], strict=True))
    counts = {label: sum(label in labels_of([one]) for one in emotions) for label in thresholds}
    rare = {thresholds[label] for label, count in counts.items() if count < 30}
    assert len(rare) == 1
    assert thresholds["neutral"] not in rare


def test_parameter_determines_one_or_several_categories() -> None:
    documents = [text(f"red apple {n}", "fruit") for n in range(8)] + [text(f"red car {n}", "car") for n in range(8)]
    for multi_label, most in (("no", 1), ("yes", 2), ("auto", 1)):
        learner = classifier(multi_label=multi_label)
        learner.fit(documents, labels=["fruit", "car"], language="en")
        (found,) = learner.predict([Document(text="apple apple")], "en")
        assert labels_of([found]) == ["fruit"]
        assert 1 <= len(found.categories) <= most


def test_rejected_categories_are_counter_examples_of_their_label_only() -> None:
    documents = [text(f"green {word}", "plant") for word in ("tree", "grass", "leaf", "moss")]
    documents += [text(f"old {word}", "house") for word in ("door", "roof", "wall", "floor")]
    without = classifier(multi_label="yes")
    without.fit(documents, labels=["plant", "house"], language="en")
    rejecting = classifier(multi_label="yes")
    rejected = [text(f"green car {n}", ko="plant") for n in range(4)]
    rejecting.fit([*documents, *rejected], labels=["plant", "house"], language="en")

    def score(learner: SklearnTextClassifier, label: str) -> float:
        (found,) = learner.rank([Document(text="green car")], "en")
        return next(one.score or 0.0 for one in found.categories if one.label_name == label)

    assert score(rejecting, "plant") < 0.5 < score(without, "plant")


def test_a_label_without_counter_examples_is_always_predicted() -> None:
    learner = classifier()
    learner.fit([text("one", "only"), text("two", "only")], labels=["only"], language="en")
    assert [labels_of([one]) for one in learner.predict([Document(text="three"), Document(text="")], "en")] == [
        ["only"],
        ["only"],
    ]


def test_missing_training_data_are_reported() -> None:
    with pytest.raises(ComponentError, match="nothing to learn"):
        classifier().fit([text("a", ko="x"), text("b")], labels=["x"], language="en")
    with pytest.raises(ComponentError, match="no words"):
        classifier().fit([text("  ", "x")], labels=["x"], language="en")
    with pytest.raises(ComponentError, match="not trained"):
        list(classifier().predict([Document(text="x")], "en"))


def test_cancelling_stops_the_training(questions: Pair) -> None:
    def progress(step: int, total: int, message: str) -> None:
        assert 0 <= step <= total
        if step == 8:
            raise Cancelled

    with pytest.raises(Cancelled):
        classifier().fit(questions[0], labels=labels_of(questions[0]), language="en", progress=progress)


def test_scripts_without_spaces_are_learned() -> None:
    documents = [text(f"東京の天気は{n}", "weather") for n in range(6)] + [
        text(f"株価が上がる{n}", "market") for n in range(6)
    ]
    learner = classifier()
    learner.fit(documents, labels=["weather", "market"], language="ja")
    assert labels_of(list(learner.predict([Document(text="大阪の天気")], "ja"))) == ["weather"]


def test_best_threshold_is_between_two_scores() -> None:
    margins = np.array([0.9, 0.5, 0.1, -0.3])
    assert best_threshold(margins, np.array([1, 1, -1, -1], dtype=np.int8)) == pytest.approx(0.3)
    assert best_threshold(margins, np.array([-1, -1, -1, -1], dtype=np.int8)) == 0.0
    assert best_threshold(margins, np.array([1, 0, 1, -1], dtype=np.int8)) == pytest.approx(-0.1)
