"""Evaluates how clearly texts belong to topics that were found in other texts.

There is no gold standard for topics; only their distinctness can be measured (see the learner). It would be too high on
the texts in which the topics were found, therefore it is measured on held-out documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from annotarium.content.holdout import SEED, TEST, HoldoutGroup, draw_split
from annotarium.domains.experiments.confidence_intervals import CONFIDENCE, RESAMPLES, mean_interval
from annotarium.domains.experiments.evaluation_plan import FEW_GROUPS, TEST_SHARE
from annotarium.domains.experiments.topic_corpus import TopicCorpusPart
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.documents import Document

MEASURE = "distinctness"
"""The measure that can be applied to held-out texts; learners with another measure compute their own value."""
_MIN_SIMILARITY = 1e-6


@dataclass(frozen=True)
class TopicEvaluationPlan:
    """Which groups are held out; none if the topics are evaluated on the texts in which they were found."""

    method: str
    aside: frozenset[str]
    group_field: str


def plan_topic_evaluation(texts: TopicCorpusPart, group_field: str, *, split: bool) -> TopicEvaluationPlan:
    """Choose the texts on which topics are evaluated.

    Args:
        texts: all texts that may be read.
        split: whether the project's test part has texts.
    """
    if split:
        return TopicEvaluationPlan("project", frozenset(), "")
    groups: dict[str, HoldoutGroup] = {}
    for group, _ in texts.grouped():
        groups.setdefault(group, HoldoutGroup()).weight += 1
    if len(groups) < FEW_GROUPS:
        return TopicEvaluationPlan("sameTexts", frozenset(), group_field)
    drawn = draw_split(groups, [1 - TEST_SHARE, TEST_SHARE])
    return TopicEvaluationPlan("heldOut", frozenset(key for key, part in drawn.items() if part == TEST), group_field)


def measure_topic_distinctness(
    learner: TopicLearner[Any], texts: Iterable[tuple[str, Document]], language: str
) -> tuple[float, list[float], Mapping[str, int]] | None:
    """Measure the mean distinctness (0..1) of held-out texts.

    Returns:
        The mean, its interval, and the numbers of groups and texts; None if no text has a topic.
    """
    sums: dict[str, list[float]] = {}
    number = 0

    def documents() -> Iterator[Document]:
        nonlocal number
        for group, document in texts:
            number += 1
            order.append(group)
            yield document

    order: list[str] = []
    for place, ranked in enumerate(learner.rank(documents(), language, limit=2)):
        scores = [category.score or 0.0 for category in ranked.categories]
        if scores:
            following = scores[1] if len(scores) > 1 else 0.0
            value = 1.0 if len(scores) < 2 else 1 - (1 - scores[0]) / max(1 - following, _MIN_SIMILARITY)
            sums.setdefault(order[place], []).append(min(1.0, max(0.0, value)))
    if not sums:
        return None
    values = [sum(found) for found in sums.values()]
    sizes = [len(found) for found in sums.values()]
    counted = {"groups": len(set(order)), "segments": number}
    return sum(values) / sum(sizes), mean_interval(values, sizes, seed=SEED), counted


def topic_evaluation_to_json(
    plan: TopicEvaluationPlan, tested: Mapping[str, int] | None, learned: int, *, retrained: bool
) -> dict[str, Any]:
    """The description of the evaluation in the report; like `EvaluationPlan.to_json`."""
    body: dict[str, Any] = {
        "method": plan.method if tested else "sameTexts",
        "unit": "field" if plan.group_field else "document",
        "train": {"segments": learned},
        "test": dict(tested or {"segments": learned}),
        "confidence": CONFIDENCE,
        "resamples": RESAMPLES,
        "modelInUse": {"retrained": retrained},
    }
    if plan.group_field:
        body["groupField"] = plan.group_field
    if body["method"] == "heldOut":
        body |= {"seed": SEED, "share": TEST_SHARE}
    return body | ({"cautions": ["sameTexts"]} if body["method"] == "sameTexts" else {})
