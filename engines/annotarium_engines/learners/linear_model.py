"""Linear one-versus-rest models: training, probabilities, thresholds. Weights have one row per label."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from annotarium_schemas.messages import message

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from annotarium_plugins.base.component import Progress

    Floats = npt.NDArray[np.float32]
    Marks = npt.NDArray[np.int8]
    """Documents x labels: 1 the label is right, -1 it is wrong, 0 it is unknown."""

Algorithm = Literal["linear_svc", "logistic_regression", "sgd"]
MINIMUM_SUPPORT = 10
"""A label with fewer examples to tune on uses the common threshold, because its own would overfit."""
_SHARPNESS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)


@dataclass
class LinearModel:
    """A trained model.

    Attributes:
        labels: names, sorted; the order of the rows.
        weights, intercepts: margins are `x @ weights.T + intercepts`.
        exclusive: one label per document.
        sharpness: margins are multiplied by it before they become probabilities.
        thresholds: if not exclusive, a label is assigned from this margin on.
    """

    labels: list[str]
    weights: Floats
    intercepts: Floats
    exclusive: bool
    sharpness: float = 2.0
    thresholds: list[float] = field(default_factory=list)

    def margins(self, rows: Any) -> Floats:
        """Return dense margins, documents x labels."""
        import numpy as np

        return np.asarray(rows @ self.weights.T + self.intercepts, dtype=np.float32)

    def scores(self, rows: Any) -> Floats:
        """Return scores 0..1: if exclusive they add up to 1 per document, otherwise each label's score is 0.5 at its
        threshold.
        """
        import numpy as np

        margins = self.margins(rows).astype(np.float64)
        if self.exclusive:
            shares = np.exp((margins - margins.max(axis=1, keepdims=True)) * self.sharpness)
            return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float32)
        lifted = np.clip((margins - np.asarray(self.thresholds)) * self.sharpness, -50, 50)
        return np.asarray(1 / (1 + np.exp(-lifted)), dtype=np.float32)


def _new_binary_classifier(algorithm: Algorithm, cost: float, samples: int) -> Any:
    if algorithm == "linear_svc":
        from sklearn.svm import LinearSVC

        return LinearSVC(C=cost, random_state=0)
    if algorithm == "sgd":
        from sklearn.linear_model import SGDClassifier

        return SGDClassifier(loss="log_loss", alpha=1 / (cost * max(samples, 1) * 10), random_state=0, average=True)
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=10 * cost, solver="liblinear", random_state=0)


def train_linear(
    rows: Any,
    marks: Marks,
    labels: list[str],
    *,
    exclusive: bool,
    algorithm: Algorithm,
    cost: float,
    progress: Progress,
    steps: tuple[int, int],
) -> LinearModel:
    """Train one binary model per label, on the documents whose mark of the label is known. `steps`: progress steps done
    before, and in total.
    """
    import numpy as np

    weights = np.zeros((len(labels), rows.shape[1]), dtype=np.float32)
    intercepts = np.zeros(len(labels), dtype=np.float32)
    complete = bool((marks != 0).all())
    for column in range(len(labels)):
        done, total = steps[0] + column, steps[1]
        progress(done, total, message("doing.trainStep", "step {step:,} of {total:,}", step=done + 1, total=total))
        known = marks[:, column] != 0
        target = marks[known, column]
        if (target == 1).all() or (target == -1).all():
            intercepts[column] = 1.0 if (target == 1).all() else -1.0
            continue
        model = _new_binary_classifier(algorithm, cost, len(target))
        model.fit(rows if complete else rows[np.flatnonzero(known)], target)
        weights[column], intercepts[column] = model.coef_[0], model.intercept_[0]
    return LinearModel(labels, weights, intercepts, exclusive, thresholds=[0.0] * len(labels))


def tune_sharpness_and_thresholds(model: LinearModel, rows: Any, marks: Marks) -> tuple[float, list[float]]:
    """Return the sharpness with the least log loss on held-back documents, and for each label the threshold with the
    best F1.
    """
    import numpy as np

    margins = model.margins(rows).astype(np.float64)
    if model.exclusive:
        right = marks.argmax(axis=1)
        judged = np.flatnonzero(marks.max(axis=1) == 1)
        if not len(judged):
            return model.sharpness, model.thresholds

        def loss(sharpness: float) -> float:
            scaled = margins[judged] * sharpness
            peak = scaled.max(axis=1)
            total = peak + np.log(np.exp(scaled - peak[:, None]).sum(axis=1))
            return float((total - scaled[np.arange(len(judged)), right[judged]]).mean())

        return min(_SHARPNESS, key=loss), model.thresholds
    common = best_threshold(margins.ravel(), marks.ravel())
    thresholds = [
        best_threshold(margins[:, column], marks[:, column])
        if (marks[:, column] == 1).sum() >= MINIMUM_SUPPORT
        else common
        for column in range(len(model.labels))
    ]
    lifted, known = margins - np.asarray(thresholds), marks != 0

    def binary_loss(sharpness: float) -> float:
        return float(np.logaddexp(0, -lifted[known] * marks[known] * sharpness).mean())

    return min(_SHARPNESS, key=binary_loss), thresholds


def best_threshold(margins: npt.NDArray[np.float64], marks: Marks) -> float:
    """Return the margin with the best F1, half-way between two documents; 0 when there is no positive document."""
    import numpy as np

    known = marks != 0
    order = np.argsort(-margins[known], kind="stable")
    sorted_margins, right = margins[known][order], marks[known][order] == 1
    if not right.any():
        return 0.0
    hits = np.cumsum(right)
    f1 = 2 * hits / (np.arange(1, len(right) + 1) + right.sum())
    best = int(f1.argmax())
    below = sorted_margins[best + 1] if best + 1 < len(sorted_margins) else sorted_margins[best] - 0.1
    return float((sorted_margins[best] + below) / 2)
