"""Found segments matched with judged passages by their ranges."""

from __future__ import annotations

import pytest

from annotarium.domains.ranking_experiments.judged_passages import (
    FoundRange,
    Judgement,
    figures_of,
    grade_of,
    matches,
    matches_of,
)


@pytest.mark.parametrize(
    ("found", "judged", "expected"),
    [
        ((0, 10), (0, 10), True),
        ((0, 10), (5, 15), True),
        ((0, 10), (6, 16), False),
        ((0, 100), (90, 100), True),
        ((20, 30), (0, 200), True),
        ((0, 10), (10, 20), False),
        ((0, 3), (1, 3), True),
    ],
)
def test_half_of_the_shorter_one_must_overlap(found: tuple[int, int], judged: tuple[int, int], expected: bool) -> None:
    assert matches(FoundRange("d", *found), Judgement("d", *judged, 1)) is expected
    assert not matches(FoundRange("other", *found), Judgement("d", *judged, 1))


def test_the_highest_grade_counts() -> None:
    judgements = [Judgement("d", 0, 10, 1), Judgement("d", 10, 20, 3), Judgement("d", 40, 50, 2)]
    assert grade_of(FoundRange("d", 0, 20), judgements) == 3
    assert grade_of(FoundRange("d", 20, 30), judgements) == 0


def test_a_judgement_counts_once() -> None:
    """A judged paragraph of which two sentences are found is one relevant passage."""
    found = matches_of([FoundRange("d", 0, 10), FoundRange("d", 10, 20), FoundRange("e", 0, 5)],
                       [Judgement("d", 0, 20, 2), Judgement("e", 0, 5, 1), Judgement("e", 9, 12, 0)])  # fmt: skip
    ndcg, rr, ap, recall5, recall10 = figures_of(found)
    assert (rr, recall5, recall10) == (1, 1, 1)
    assert ap == pytest.approx((1 + 2 / 3) / 2)
    assert ndcg == pytest.approx((2 + 0.5) / (2 + 0.63093), abs=1e-4)
    assert figures_of(found, [2, 0, 1])[2] == 1, "in another order both come first"


def test_a_segment_with_two_judged_passages_finds_both() -> None:
    found = matches_of([FoundRange("d", 0, 100)], [Judgement("d", 0, 10, 1), Judgement("d", 50, 60, 1)])
    _, rr, ap, recall5, _ = figures_of(found)
    assert (rr, recall5) == (1, 1) and ap == 1


def test_nothing_found_is_nothing() -> None:
    assert figures_of(matches_of([], [Judgement("d", 0, 10, 1)])) == (0, 0, 0, 0, 0)
