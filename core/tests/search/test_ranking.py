"""The best of many scores, without sorting all of them."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from annotarium.search.embedded.vectors import best_score_positions, ranks_among_scores

SCORES = st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0]), min_size=1, max_size=60)


@given(SCORES, st.integers(0, 70))
def test_best_first_and_ties_in_input_order(scores: list[float], count: int) -> None:
    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:count]
    items = np.arange(len(scores), dtype=np.uint32)
    assert best_score_positions(items, np.array(scores), count).tolist() == expected


@given(SCORES, st.integers(0, 70), st.randoms(use_true_random=False))
def test_ties_follow_a_given_order(scores: list[float], count: int, chance: Random) -> None:
    ties = list(range(len(scores)))
    chance.shuffle(ties)
    expected = sorted(range(len(scores)), key=lambda place: (-scores[place], ties[place]))[:count]
    items = np.arange(len(scores), dtype=np.uint32)
    assert best_score_positions(items, np.array(scores), count, np.array(ties)).tolist() == expected


@given(SCORES)
def test_ranks_of_a_subset_equal_those_of_the_full_sort(scores: list[float]) -> None:
    everything = best_score_positions(np.arange(len(scores), dtype=np.uint32), np.array(scores), len(scores))
    some = np.arange(0, len(scores), 3)
    expected = [everything.tolist().index(place) + 1 for place in some.tolist()]
    assert ranks_among_scores(np.array(scores), some).tolist() == expected
