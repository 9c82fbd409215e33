"""Linear models: what is trained for each label, how margins become scores, and how these are tuned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.metrics import f1_score
from sklearn.svm import LinearSVC

from annotarium_engines.learners.linear_model import (
    Algorithm,
    LinearModel,
    best_threshold,
    train_linear,
    tune_sharpness_and_thresholds,
)

SHARPNESS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)


def numbers(seed: int, *shape: int) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def identity(size: int, *, exclusive: bool, sharpness: float = 2.0) -> LinearModel:
    """Return a model whose margins are the columns of its input."""
    names = [f"label{number}" for number in range(size)]
    zeros = np.zeros(size, dtype=np.float32)
    return LinearModel(names, np.eye(size, dtype=np.float32), zeros, exclusive, sharpness, [0.0] * size)


def trained(
    rows: Any, marks: Any, algorithm: Algorithm = "linear_svc", cost: float = 1.0, steps: tuple[int, int] = (0, 10)
) -> tuple[LinearModel, list[tuple[int, int]]]:
    """Return the model and the progress that was reported during training."""
    told: list[tuple[int, int]] = []
    labels = [f"label{number}" for number in range(marks.shape[1])]
    model = train_linear(
        rows,
        marks,
        labels,
        exclusive=True,
        algorithm=algorithm,
        cost=cost,
        progress=lambda step, total, message: told.append((step, total)),
        steps=steps,
    )
    return model, told


# Scores


def test_margins_are_weights_times_columns_plus_intercepts() -> None:
    model = LinearModel(["a", "b"], np.array([[1, 2], [3, -1]]), np.array([0.5, -0.5]), exclusive=False)
    margins = model.margins(csr_matrix([[1.0, 1.0], [0.0, 2.0]]))
    assert margins.dtype == np.float32
    assert margins.tolist() == [[3.5, 1.5], [4.5, -2.5]]


def test_exclusive_scores_sum_to_one() -> None:
    """Each score is exp(margin * sharpness) divided by the sum; wide margins do not overflow."""
    scores = identity(3, exclusive=True, sharpness=1.5).scores(np.array([[1.0, 0.0, -1.0], [900.0, 0.0, 0.0]]))
    parts = np.exp([1.5, 0.0, -1.5])
    assert scores.dtype == np.float32
    assert scores[0] == pytest.approx(parts / parts.sum(), abs=1e-6)
    assert scores[1].tolist() == [1.0, 0.0, 0.0]


def test_independent_scores_are_a_half_at_the_threshold_of_their_label() -> None:
    model = identity(2, exclusive=False, sharpness=3.0)
    model.thresholds = [0.4, -0.2]
    with np.errstate(over="raise"):
        scores = model.scores(np.array([[0.4, -0.2], [1.4, -0.7], [1e6, -1e6]]))
    assert scores.dtype == np.float32
    assert scores[0] == pytest.approx([0.5, 0.5])
    assert scores[1] == pytest.approx([1 / (1 + np.exp(-3.0)), 1 / (1 + np.exp(1.5))])
    assert scores[2] == pytest.approx([1.0, 0.0])


def test_defaults_of_a_new_model() -> None:
    model = LinearModel(["a"], np.eye(1, dtype=np.float32), np.zeros(1, dtype=np.float32), exclusive=True)
    assert (model.sharpness, model.thresholds) == (2.0, [])


# Training


def expected(algorithm: Algorithm, cost: float, samples: int) -> Any:
    if algorithm == "linear_svc":
        return LinearSVC(C=cost, random_state=0)
    if algorithm == "sgd":
        return SGDClassifier(loss="log_loss", alpha=1 / (cost * samples * 10), random_state=0, average=True)
    return LogisticRegression(C=10 * cost, solver="liblinear", random_state=0)


@pytest.mark.parametrize("algorithm", ["linear_svc", "logistic_regression", "sgd"])
@pytest.mark.parametrize("cost", [0.5, 2.0])
def test_a_label_gets_the_binary_model_of_scikit_learn(algorithm: Algorithm, cost: float) -> None:
    """It has the settings named in the documentation of the classifier, and is the same for the same input."""
    rows = csr_matrix(numbers(1, 40, 4))
    marks = np.where(numbers(2, 40, 2) > 0, 1, -1).astype(np.int8)
    model, _ = trained(rows, marks, algorithm, cost)
    for column in range(2):
        same = expected(algorithm, cost, 40).fit(rows, marks[:, column])
        assert model.weights[column] == pytest.approx(same.coef_[0], abs=1e-6)
        assert model.intercepts[column] == pytest.approx(same.intercept_[0], abs=1e-6)
    assert model.weights.dtype == model.intercepts.dtype == np.float32
    assert (model.labels, model.exclusive, model.thresholds) == (["label0", "label1"], True, [0.0, 0.0])


def test_documents_with_an_unknown_mark_are_ignored_for_that_label_only() -> None:
    rows = csr_matrix(numbers(3, 30, 3))
    marks = np.where(numbers(4, 30, 2) > 0, 1, -1).astype(np.int8)
    marks[::3, 0] = 0
    model, _ = trained(rows, marks)
    known = np.flatnonzero(marks[:, 0])
    for column, used in ((0, known), (1, np.arange(30))):
        same = LinearSVC(C=1.0, random_state=0).fit(rows[used], marks[used, column])
        assert model.weights[column] == pytest.approx(same.coef_[0], abs=1e-6)


def test_a_label_with_one_kind_of_examples_is_always_or_never_predicted() -> None:
    """The labels after it are trained as usual, and each is reported as a step."""
    rows = csr_matrix(numbers(5, 12, 3))
    marks = np.ones((12, 3), dtype=np.int8)
    marks[:, 1] = -1
    marks[::2, 2] = -1
    model, told = trained(rows, marks, steps=(3, 9))
    assert model.intercepts[:2].tolist() == [1.0, -1.0]
    assert not model.weights[:2].any()
    assert model.weights[2].all()
    assert told == [(3, 9), (4, 9), (5, 9)]


# Tuning


def best(losses: list[float]) -> float:
    return SHARPNESS[int(np.argmin(losses))]


def log_loss(margins: Any, right: Any, sharpness: float) -> float:
    shares = np.exp(margins * sharpness)
    shares /= shares.sum(axis=1, keepdims=True)
    return float(-np.log([row[at] for row, at in zip(shares, right, strict=True)]).mean())


@pytest.mark.parametrize("scale", [0.15, 0.4, 1.0, 4.0])
def test_exclusive_models_get_the_sharpness_of_the_least_log_loss(scale: float) -> None:
    """Documents without a right label are ignored. The thresholds do not change."""
    margins = numbers(6, 60, 3) * scale
    right = (margins + numbers(7, 60, 3) * 0.15).argmax(axis=1)
    marks = np.full((60, 3), -1, dtype=np.int8)
    marks[np.arange(60), right] = 1
    marks[50:] = 0
    model = identity(3, exclusive=True, sharpness=77.0)
    found, thresholds = tune_sharpness_and_thresholds(model, margins, marks)
    wanted = best([log_loss(margins[:50], right[:50], sharpness) for sharpness in SHARPNESS])
    assert found == wanted
    assert thresholds == [0.0, 0.0, 0.0]


def test_tuning_without_a_right_label_changes_nothing() -> None:
    model = identity(2, exclusive=True, sharpness=5.0)
    assert tune_sharpness_and_thresholds(model, numbers(8, 10, 2), np.full((10, 2), -1, dtype=np.int8)) == (
        5.0,
        [0.0, 0.0],
    )


def independent(margins: Any, positive: int) -> Any:
    """Return marks of three labels; the last one is right for `positive` documents only, and unknown for the first
    five.
    """
    marks = np.where(margins + numbers(10, *margins.shape) * 0.3 > 0.2, 1, -1).astype(np.int8)
    marks[:, 2] = -1
    marks[10 : 10 + positive, 2] = 1
    marks[:5] = 0
    return marks


@pytest.mark.parametrize("positive", [9, 10])
@pytest.mark.parametrize("scale", [0.5, 2.0])
def test_independent_labels_get_thresholds_of_their_own_from_ten_examples_on(positive: int, scale: float) -> None:
    """With fewer examples the threshold is the best one for all labels together; the sharpness has the least
    log loss.
    """
    margins = numbers(9, 60, 3)
    marks = independent(margins, positive)
    margins = (margins * scale).astype(np.float32).astype(np.float64)
    found, thresholds = tune_sharpness_and_thresholds(identity(3, exclusive=False), margins, marks)
    own = [best_threshold(margins[:, column], marks[:, column]) for column in range(3)]
    common = best_threshold(margins.ravel(), marks.ravel())
    assert common not in own
    assert thresholds == [own[0], own[1], own[2] if positive == 10 else common]
    lifted, known = margins - np.array(thresholds), marks != 0
    right = lifted[known] * marks[known]
    assert found == best([float(np.log(1 + np.exp(-right * sharpness)).mean()) for sharpness in SHARPNESS])


@pytest.mark.parametrize("seed", range(5))
def test_no_threshold_gives_a_better_f1_than_the_best_one(seed: int) -> None:
    margins = numbers(seed, 25)
    marks = np.where(margins + numbers(seed + 100, 25) > 0.5, 1, -1).astype(np.int8)
    marks[seed] = 0
    known = marks != 0

    def f1(threshold: float) -> float:
        return float(f1_score(marks[known], np.where(margins[known] >= threshold, 1, -1)))

    assert f1(best_threshold(margins, marks)) == pytest.approx(max(f1(at) for at in margins))


def test_a_threshold_for_all_documents_is_below_the_lowest_margin() -> None:
    margins = np.array([0.2, 0.8])
    assert best_threshold(margins, np.array([1, 1], dtype=np.int8)) == pytest.approx(0.15)
    assert best_threshold(margins, np.array([-1, 1], dtype=np.int8)) == pytest.approx(0.5)
    assert best_threshold(margins, np.array([0, 0], dtype=np.int8)) == 0.0
