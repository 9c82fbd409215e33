"""Figures of rankings against published worked examples and scikit-learn; intervals, tests and choices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.search.ranking_quality import (
    assign_folds,
    average_precision,
    bootstrap_interval,
    choose_by_cross_validation,
    ndcg,
    recall,
    reciprocal_rank,
    sign_flip_p,
)

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Differences in height of maize plants; Fisher (1935) counted 863 of the 32,768 sums as at least as great."""


def test_ndcg_of_the_worked_example() -> None:
    """C-076. The example of the article "Discounted cumulative gain" of Wikipedia: 6.861 / 8.740."""
    found = [3.0, 2, 3, 0, 1, 2]
    assert ndcg(found, [*found, 3, 2], 6) == pytest.approx(0.785, abs=0.0005)
    assert ndcg([], [1.0]) == ndcg([0.0, 0.0], []) == 0
    assert ndcg([0.0] * 10 + [1.0], [1.0]) == 0, "the eleventh does not count"


@given(st.lists(st.integers(0, 3), min_size=2, max_size=30), st.integers(1, 12))
def test_ndcg_is_that_of_scikit_learn(gains: list[int], depth: int) -> None:
    from sklearn.metrics import ndcg_score

    scores = -np.arange(len(gains), dtype=float)
    assert ndcg(gains, gains, depth) == pytest.approx(ndcg_score([gains], [scores], k=depth))


def test_average_precision_of_the_worked_examples() -> None:
    """Those of the lecture on evaluation of Manning and Raghavan: 0.62 and 0.44."""
    first = [1.0, 0, 1, 0, 0, 1, 0, 0, 1, 1]
    second = [0.0, 1, 0, 0, 1, 0, 1, 0, 0, 0]
    assert average_precision(first, 5) == pytest.approx(0.62, abs=0.005)
    assert average_precision(second, 3) == pytest.approx(0.44, abs=0.005)
    assert average_precision(first, 10) == pytest.approx(0.31, abs=0.005), "those that are not found count as 0"
    assert average_precision([], 0) == 0


def test_reciprocal_rank_and_recall() -> None:
    """The example of the article "Mean reciprocal rank" of Wikipedia: 11 / 18."""
    ranks = [reciprocal_rank([0, 0, 1]), reciprocal_rank([0, 1]), reciprocal_rank([2])]
    assert sum(ranks) / 3 == pytest.approx(11 / 18)
    assert reciprocal_rank([0, 0]) == 0
    assert recall([1, 0, 0, 0, 0, 1], 4, 5) == 0.25
    assert recall([1, 0, 0, 0, 0, 1], 4, 10) == 0.5


def test_the_permutation_test_of_darwins_plants() -> None:
    assert sign_flip_p([0] * 15, DARWIN) == pytest.approx(2 * 863 / 32_768)
    assert sign_flip_p(DARWIN, [0] * 15) == sign_flip_p([0] * 15, DARWIN), "it is two-sided"


def test_the_permutation_test_of_many_pairs() -> None:
    chance = np.random.default_rng(3)
    same = chance.random(400)
    assert sign_flip_p(same, same) == 1
    assert sign_flip_p(same, same + 0.1) == pytest.approx(1 / 10_001)
    noise = [sign_flip_p(same, same + chance.normal(0, 0.1, 400), seed) for seed in range(60)]
    assert 0 <= sum(p < 0.1 for p in noise) <= 16, "without an effect p is below 0.1 in about a tenth of all cases"


def test_intervals_cover_the_mean() -> None:
    chance = np.random.default_rng(5)
    low, high = bootstrap_interval(chance.random(10_000))
    assert low < 0.5 < high and high - low < 0.02
    assert bootstrap_interval([0.25]) == (0.25, 0.25) and bootstrap_interval([]) == (0.0, 0.0)
    covered = [one[0] <= 0.5 <= one[1] for one in (bootstrap_interval(chance.random(60)) for _ in range(100))]
    assert sum(covered) >= 85


def test_folds_are_even_and_repeatable() -> None:
    folds = assign_folds(23, 5, 1)
    assert sorted(np.bincount(folds)) == [4, 4, 5, 5, 5]
    assert (folds == assign_folds(23, 5, 1)).all() and (folds != assign_folds(23, 5, 2)).any()


def test_a_choice_without_an_effect_promises_nothing() -> None:
    """The best of many equal configurations looks better than it is; its held-out figures do not."""
    chance = np.random.default_rng(7)
    optimistic, honest = [], []
    for seed in range(30):
        values = chance.random((60, 20))
        picked = choose_by_cross_validation(values, assign_folds(60, 5, seed))
        optimistic.append(values.mean(axis=0).max())
        honest.append(values[np.arange(60), picked].mean())
    assert np.mean(optimistic) > 0.55
    assert abs(np.mean(honest) - 0.5) < 0.02


def test_the_choice_uses_other_folds_only() -> None:
    values = np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 0.0]])
    picked = choose_by_cross_validation(values, np.array([0, 0, 1, 1]))
    assert picked.tolist() == [0, 0, 1, 1], "each half is measured with what was best on the other one"
    assert choose_by_cross_validation(np.ones((4, 3)), np.array([0, 1, 0, 1])).tolist() == [0] * 4, (
        "the first of equals"
    )
