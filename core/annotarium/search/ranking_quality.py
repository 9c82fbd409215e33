"""Quality of rankings: figures of one question, intervals over questions, paired tests, and an honest choice.

A ranking is given as the gains of its items, best first, 0 for items that are not relevant; `wanted` has the gains of
all relevant items, found or not. Definitions are those of trec_eval: linear gains, discounted by log2(rank + 1).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

NDCG_DEPTH = 10
RESAMPLES, FLIPS = 1_000, 10_000
"""Number of bootstrap samples, and of random sign flips."""
CONFIDENCE = 0.95
_CHUNK = 2_000_000
"""Maximum number of elements of a matrix of draws."""


def ndcg(gains: Sequence[float], wanted: Sequence[float], depth: int = NDCG_DEPTH) -> float:
    """Return the normalised discounted cumulative gain of the first `depth` items; 0 if nothing is relevant."""
    ideal = _discounted(sorted((gain for gain in wanted if gain > 0), reverse=True)[:depth])
    return _discounted(gains[:depth]) / ideal if ideal else 0.0


def _discounted(gains: Sequence[float]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1) if gain > 0)


def reciprocal_rank(gains: Sequence[float]) -> float:
    """Return 1 / rank of the first relevant item, 0 if there is none."""
    return next((1 / rank for rank, gain in enumerate(gains, 1) if gain > 0), 0.0)


def average_precision(gains: Sequence[float], wanted: int) -> float:
    """Return the mean of the precision at each of the `wanted` relevant items; 0 for those that are not found."""
    ranks = [rank for rank, gain in enumerate(gains, 1) if gain > 0]
    return sum(number / rank for number, rank in enumerate(ranks, 1)) / wanted if wanted else 0.0


def recall(gains: Sequence[float], wanted: int, depth: int) -> float:
    """Return the share of the `wanted` relevant items among the first `depth`."""
    return sum(gain > 0 for gain in gains[:depth]) / wanted if wanted else 0.0


def bootstrap_interval(values: Sequence[float] | Numbers, seed: int = 0) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean, from resampled questions; the value itself for one question.

    The interval of no value is (0, 0).
    """
    import numpy as np

    given = np.asarray(values, dtype=np.float64)
    count = len(given)
    if count < 2:
        return (float(given[0]), float(given[0])) if count else (0.0, 0.0)
    chance, means = np.random.default_rng(seed), []
    at_once = max(1, min(RESAMPLES, _CHUNK // count))
    for first in range(0, RESAMPLES, at_once):
        drawn = chance.multinomial(count, np.full(count, 1 / count), size=min(at_once, RESAMPLES - first))
        means.append(drawn @ given / count)
    low, high = np.quantile(np.concatenate(means), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def sign_flip_p(before: Sequence[float] | Numbers, after: Sequence[float] | Numbers, seed: int = 0) -> float:
    """Return the two-sided p of a paired permutation test: how often random signs give a difference as great.

    All signs are tried where there are at most `FLIPS` of them, else `FLIPS` random ones. Equal pairs do not matter;
    without a difference p is 1.
    """
    import numpy as np

    difference = np.asarray(after, dtype=np.float64) - np.asarray(before, dtype=np.float64)
    difference = difference[np.abs(difference) > 1e-12]
    count = len(difference)
    if not count:
        return 1.0
    least = abs(float(difference.sum())) - 1e-9
    if 2**count <= FLIPS:
        numbers = np.arange(2**count)[:, None] >> np.arange(count)
        return float((np.abs((1.0 - 2.0 * (numbers & 1)) @ difference) >= least).mean())
    chance, reached = np.random.default_rng(seed), 0
    at_once = max(1, min(FLIPS, _CHUNK // count))
    for first in range(0, FLIPS, at_once):
        signs = 1.0 - 2.0 * chance.integers(0, 2, size=(min(at_once, FLIPS - first), count), dtype=np.int8)
        reached += int((np.abs(signs @ difference) >= least).sum())
    return (reached + 1) / (FLIPS + 1)


def assign_folds(count: int, folds: int, seed: int = 0) -> npt.NDArray[np.int64]:
    """Return the fold (0 .. folds - 1) of each of `count` questions, at random; sizes differ by at most one."""
    import numpy as np

    return np.random.default_rng(seed).permutation(np.arange(count) % max(1, folds))


def choose_by_cross_validation(values: Numbers, folds: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return for each question the configuration that is best (highest mean) on the questions of the other folds.

    The value of that configuration is held out: the question had no part in the choice. Equal means: the first one.

    Args:
        values: one row per question, one column per configuration.
        folds: see `assign_folds`.
    """
    import numpy as np

    chosen = np.zeros(len(values), dtype=np.int64)
    for fold in np.unique(folds):
        training = values[folds != fold]
        if len(training):
            chosen[folds == fold] = int(np.argmax(np.round(training.mean(axis=0), 12)))
    return chosen
