"""Drawing test parts: whole groups, every label represented, the same result for the same corpus."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium.content.holdout import (
    TEST,
    HoldoutGroup,
    draw_split,
    holdout_group_of_document,
    split_from_metadata_value,
)


def corpus(count: int, seed: int = 0, labels: str = "abcde") -> dict[str, HoldoutGroup]:
    """Return groups with one to thirty segments; the first label is frequent, the last one rare."""
    chance = random.Random(seed)
    found = {}
    for number in range(count):
        carried = Counter(one for place, one in enumerate(labels) for _ in range(5) if chance.random() < 0.5 / 2**place)
        found[f"document {number}"] = HoldoutGroup(chance.randint(1, 30), carried)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_parts_have_their_share_of_segments_and_labels(seed: int) -> None:
    groups = corpus(200, seed)
    found = draw_split(groups, [0.8, 0.2])
    weight = sum(one.weight for one in groups.values())
    tested = [groups[key] for key, part in found.items() if part == TEST]
    assert sum(one.weight for one in tested) == pytest.approx(0.2 * weight, abs=20)
    total: Counter[str] = sum((one.labels for one in groups.values()), Counter())
    held: Counter[str] = sum((one.labels for one in tested), Counter())
    for label, count in total.items():
        assert held[label] == pytest.approx(0.2 * count, abs=max(3, 0.05 * count)), label


def test_the_draw_depends_only_on_corpus_and_seed() -> None:
    """In whatever order the groups come; another seed gives another draw."""
    groups = corpus(100)
    turned = dict(reversed(list(groups.items())))
    assert draw_split(groups, [0.8, 0.2]) == draw_split(turned, [0.8, 0.2])
    assert draw_split(groups, [0.8, 0.2]) != draw_split(groups, [0.8, 0.2], seed=2)


@given(st.integers(1, 12), st.integers(2, 5), st.integers(0, 50))
def test_no_part_is_empty_if_there_are_enough_groups(count: int, parts: int, seed: int) -> None:
    found = draw_split(corpus(count, seed), [1 / parts] * parts)
    assert len(found) == count
    assert len(set(found.values())) == min(count, parts)


def test_a_dominant_group_goes_to_the_training_part() -> None:
    groups = {
        "big": HoldoutGroup(1000, Counter(a=500)),
        "small": HoldoutGroup(1, Counter(a=1)),
        "other": HoldoutGroup(1),
    }
    found = draw_split(groups, [0.8, 0.2])
    assert set(found.values()) == {0, 1}
    assert found["big"] == 0


def test_preassigned_groups_keep_their_part() -> None:
    groups = corpus(50)
    preassigned = dict.fromkeys(list(groups)[:20], 1)
    found = draw_split(groups, [0.8, 0.2], preassigned=preassigned)
    assert all(found[key] == 1 for key in preassigned)


def test_group_and_part_of_a_document_by_its_metadata() -> None:
    """A document without the field, or without a value, is a group of its own."""
    assert holdout_group_of_document("d1", {"author": "Eve"}, "author") == holdout_group_of_document(
        "d2", {"author": "Eve"}, "author"
    )
    alone = [
        holdout_group_of_document("d1", metadata, "author")
        for metadata in ({}, {"author": ""}, {"author": None}, {"author": []})
    ]
    assert len({*alone, holdout_group_of_document("d1", {"author": "Eve"}, "")}) == 1
    assert holdout_group_of_document("x", {"author": "d1"}, "author") != alone[0], "a value that equals an identifier"
    assert [split_from_metadata_value(one) for one in ("test", " Test ", "train", "dev", "validation", "TRAINING")] == [
        *("test", "test", "train", "train", "train", "train")
    ]
    assert [split_from_metadata_value(one) for one in ("", "half", None, 3, ["test"])] == [None] * 5
