"""Confidence intervals: they contain the figures of other documents, and are wide where there are few documents."""

from __future__ import annotations

import random

import pytest

from annotarium.domains.experiments.confidence_intervals import mean_interval, metric_intervals
from annotarium.domains.experiments.metrics import category_report


def sample(documents: int, seed: int) -> tuple[list[frozenset[str]], list[frozenset[str]], list[str]]:
    """Ten samples per document, which are right or wrong together: the share of right ones varies between documents."""
    chance = random.Random(seed)
    gold, predicted, groups = [], [], []
    for number in range(documents):
        right = chance.random()
        for _ in range(10):
            label = chance.choice("ab")
            gold.append(frozenset(label))
            predicted.append(frozenset(label if chance.random() < right else "a" if label == "b" else "b"))
            groups.append(f"d{number}")
    return gold, predicted, groups


def test_intervals_contain_the_true_figure() -> None:
    """In the long run half of the predictions are right; 95 % of the intervals should contain that figure."""
    held = sum(
        low <= 0.5 <= high
        for seed in range(60)
        for low, high in [metric_intervals(*sample(30, seed), label_of=str, seed=1)["microAvg"]["f1"]]
    )
    assert held >= 52


def test_samples_of_one_document_are_resampled_together() -> None:
    """If the same samples were treated as independent, the interval would be half as wide."""
    gold, predicted, groups = sample(30, 1)
    together = metric_intervals(gold, predicted, groups, label_of=str, seed=1)["microAvg"]["f1"]
    alone = metric_intervals(gold, predicted, [str(at) for at in range(300)], label_of=str, seed=1)["microAvg"]["f1"]
    assert together[1] - together[0] > 1.5 * (alone[1] - alone[0])


@pytest.mark.parametrize(("count", "least"), [(3, 0.5), (20, 0.87), (400, 0.995)])
def test_intervals_are_wide_without_errors_in_few_documents(count: int, least: float) -> None:
    right = [frozenset("a")] * count
    low, high = metric_intervals(right, right, [str(at) for at in range(count)], label_of=str, seed=1)["classes"]["a"][
        "f1"
    ]
    assert high == 1
    assert low < least


def test_resamples_without_a_label_do_not_count_as_errors() -> None:
    gold = [frozenset("a")] * 30 + [frozenset("b")] * 8
    groups = [str(at) for at in range(30)] + ["last"] * 8
    low, high = metric_intervals(gold, gold, groups, label_of=str, seed=1)["classes"]["b"]["f1"]
    assert (low > 0.6, high) == (True, 1)


def test_intervals_are_deterministic_and_contain_the_figure() -> None:
    gold, predicted, groups = sample(12, 3)
    found = metric_intervals(gold, predicted, groups, label_of=str, seed=1)
    assert found == metric_intervals(gold, predicted, groups, label_of=str, seed=1)
    report = category_report(gold, predicted).to_json()
    for average in ("microAvg", "macroAvg", "weightedAvg"):
        for metric, (low, high) in found[average].items():
            assert 0 <= low <= report[average][metric] <= high <= 1, (average, metric)  # type: ignore[index]


def test_empty_input_has_no_interval() -> None:
    assert metric_intervals([frozenset()], [frozenset()], ["d"], label_of=str, seed=1) == {}


def test_a_mean_is_resampled_by_group() -> None:
    low, high = mean_interval([9.0, 1.0, 5.0, 5.0], [10, 10, 10, 10], seed=1)
    assert low < 0.5 < high
    assert mean_interval([3.0], [4], seed=1) == [0.75, 0.75]
