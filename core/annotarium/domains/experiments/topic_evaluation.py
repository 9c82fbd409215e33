"""How clearly texts belong to topics that were found in other texts.

Nobody knows which topics are right; what can be measured is distinctness (see the learner). It flatters where it is
taken on the texts that the topics were found in, so it is taken on documents that were kept aside.
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
"""The measure that can be taken on other texts; a learner with another one says its own figure."""
_MIN_SIMILARITY = 1e-6


@dataclass(frozen=True)
class TopicEvaluationPlan:
    """Which groups are kept aside; none when the figure is taken on the texts that topics are found in."""

    method: str
    aside: frozenset[str]
    group_field: str


def plan_topic_evaluation(texts: TopicCorpusPart, group_field: str, *, split: bool) -> TopicEvaluationPlan:
    """Decide on which texts topics are measured.

    Args:
        texts: all that may be read.
        split: whether some of them are of the project's own test part.
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
    """Distinctness of texts that the topics were not found in, its interval, and how many groups and texts these are.

    None when no text is in a topic.
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
    """How it was measured, for the report; as `EvaluationPlan.to_json`."""
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
