"""Confidence intervals of evaluation metrics, by a bootstrap over groups.

Whole groups (documents) are resampled, because sentences of the same document resemble each other. An interval is never
narrower than Wilson's for the same number of independent examples: a small test part without errors is weak evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

CONFIDENCE = 0.95
RESAMPLES = 1000
_Z = 1.959964
_CHUNK = 4_000_000
"""Maximum number of elements of a matrix of draws."""
_METRICS = ("f1", "precision", "recall")
Interval = list[float]
"""Lower and upper bound, 0..1."""


def metric_intervals(
    gold: Sequence[frozenset[Any]],
    predicted: Sequence[frozenset[Any]],
    groups: Sequence[str],
    *,
    label_of: Callable[[Any], str],
    seed: int,
) -> dict[str, Any]:
    """95 % intervals of the values of `metrics`: `microAvg`, `macroAvg`, `weightedAvg` and, for F1 only, `classes`.

    Args:
        gold, predicted: the correct and the predicted items of each sample.
        groups: the group of each sample.
    """
    import numpy as np

    names = sorted({label_of(item) for side in (gold, predicted) for items in side for item in items})
    if not names:
        return {}
    column = {name: at for at, name in enumerate(names)}
    row = {group: at for at, group in enumerate(sorted(set(groups)))}
    # Counts per group and label: true positives, predicted, gold.
    counts = np.zeros((3, len(row), len(names)))
    for right, found, group in zip(gold, predicted, groups, strict=True):
        for kind, items in enumerate((right & found, found, right)):
            for item in items:
                counts[kind, row[group], column[label_of(item)]] += 1
    drawn = _Resamples(counts, seed)
    body: dict[str, Any] = {}
    for average in ("microAvg", "macroAvg", "weightedAvg"):
        body[average] = {metric: drawn.average(average, metric) for metric in _METRICS}
    body["classes"] = {name: {"f1": drawn.label(column[name])} for name in names}
    return body


class _Resamples:
    """Sums of the counts over resampled groups."""

    def __init__(self, counts: Numbers, seed: int) -> None:
        import numpy as np

        groups = counts.shape[1]
        chance = np.random.default_rng(seed)
        at_once = max(1, min(RESAMPLES, _CHUNK // groups))
        sums = []
        for first in range(0, RESAMPLES, at_once):
            size = min(at_once, RESAMPLES - first)
            draws = chance.multinomial(groups, np.full(groups, 1 / groups), size=size).astype(np.float64)
            sums.append(np.stack([draws @ kind for kind in counts]))
        self._sums = np.concatenate(sums, axis=1)
        self._total = counts.sum(axis=1)

    def average(self, average: str, metric: str) -> Interval:
        """Interval of a metric's average over the labels."""
        if average == "microAvg":
            values, value = (_metric_per_resample(metric, one.sum(axis=-1)) for one in (self._sums, self._total))
        else:
            weigh = average == "weightedAvg"
            values, value = (
                _mean_over_labels(_metric_per_resample(metric, one), one, weigh) for one in (self._sums, self._total)
            )
        return _bootstrap_interval(values, float(value), _decision_count(metric, self._total.sum(axis=-1)))

    def label(self, column: int) -> Interval:
        """Interval of the F1 of one label."""
        values, value = (_metric_per_resample("f1", one[..., column]) for one in (self._sums, self._total))
        return _bootstrap_interval(values, float(value), _decision_count("f1", self._total[:, column]))


def _metric_per_resample(metric: str, counts: Numbers) -> Numbers:
    """The metric for each draw; NaN (undefined) if the label is neither in the gold items nor in the predictions."""
    import numpy as np

    hits, given, right = counts[0], counts[1], counts[2]
    above, below = {"precision": (hits, given), "recall": (hits, right), "f1": (2 * hits, given + right)}[metric]
    found = np.divide(above, below, out=np.zeros_like(above, dtype=np.float64), where=below > 0)
    return np.asarray(np.where(given + right > 0, found, np.nan))


def _mean_over_labels(figures: Numbers, counts: Numbers, weigh: bool) -> Numbers:
    """Mean over the labels (last axis) that occur in the resampled groups; optionally weighted by support."""
    import numpy as np

    weights = counts[2] if weigh else ((counts[1] + counts[2]) > 0).astype(np.float64)
    below = weights.sum(axis=-1)
    above = (np.nan_to_num(figures) * weights).sum(axis=-1)
    return np.asarray(np.divide(above, below, out=np.zeros_like(above), where=below > 0))


def _decision_count(metric: str, counts: Numbers) -> float:
    """The number of decisions in the denominator of a metric."""
    _, given, right = (float(one) for one in counts)
    return {"precision": given, "recall": right, "f1": (given + right) / 2}[metric]


def _bootstrap_interval(values: Numbers, value: float, examples: float) -> Interval:
    import numpy as np

    outside = (1 - CONFIDENCE) / 2
    defined = values[~np.isnan(values)]
    if not len(defined):
        defined = np.zeros(1)
    low, high = (float(one) for one in np.quantile(defined, (outside, 1 - outside)))
    least, most = _wilson(value, examples)
    return [round(min(low, least), 4), round(max(high, most), 4)]


def _wilson(share: float, examples: float) -> tuple[float, float]:
    if examples <= 0:
        return 0.0, 1.0
    middle = (share + _Z**2 / (2 * examples)) / (1 + _Z**2 / examples)
    spread = _Z / (1 + _Z**2 / examples) * math.sqrt(share * (1 - share) / examples + _Z**2 / (4 * examples**2))
    return max(0.0, middle - spread), min(1.0, middle + spread)


def mean_interval(sums: Sequence[float], sizes: Sequence[int], *, seed: int) -> Interval:
    """95 % interval of a mean over samples, by resampling their groups.

    Args:
        sums, sizes: for each group the sum of its values and the number of its samples.
    """
    import numpy as np

    groups = len(sums)
    chance = np.random.default_rng(seed)
    values = []
    at_once = max(1, min(RESAMPLES, _CHUNK // groups))
    for first in range(0, RESAMPLES, at_once):
        size = min(at_once, RESAMPLES - first)
        draws = chance.multinomial(groups, np.full(groups, 1 / groups), size=size)
        values.append((draws @ np.asarray(sums)) / np.maximum(draws @ np.asarray(sizes), 1))
    outside = (1 - CONFIDENCE) / 2
    low, high = np.quantile(np.concatenate(values), (outside, 1 - outside))
    return [round(float(low), 4), round(float(high), 4)]
