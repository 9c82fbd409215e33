"""Experiments that find topics: training, report, and the labels made from topics.

The topics become labels of their own label set when the corpus is annotated. A later run gives a topic the label of the
former topic with mostly the same words, so that labels which users renamed or confirmed keep their meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Experiment
from annotarium.domains.experiments.topic_corpus import TopicCorpus, TopicCorpusPart
from annotarium.domains.experiments.topic_evaluation import (
    MEASURE,
    measure_topic_distinctness,
    plan_topic_evaluation,
    topic_evaluation_to_json,
)
from annotarium.domains.labels.service import (
    GeneratedLabel,
    drop_unused_labels,
    ensure_generated_labels,
    ensure_generated_set,
)
from annotarium.registry import get_registry
from annotarium_plugins.base.component import Progress
from annotarium_plugins.base.topic_learner import Topic, TopicLearner, Topics
from annotarium_schemas.messages import Message, join_messages, message

TAG = "topics"
"""Tag of the label sets made from topics."""
_MIN_WORD_OVERLAP = 1 / 3
"""Minimum Jaccard similarity of two topics' words to count as the same topic: of ten words each, half are shared."""


@dataclass(frozen=True)
class FoundTopics:
    """A fitted topic learner; the counterpart of `TrainedModel`.

    `label_names` maps topics to the labels of matching former topics. `measured` is the learner's measure, 0..1, on the
    texts that `facts["measurement"]` describes.
    """

    learner: TopicLearner[Any]
    found: Topics
    label_names: Mapping[str, str]
    facts: dict[str, Any]
    measured: float
    interval: list[float] | None = None

    @property
    def labels(self) -> list[str]:
        """Names of the topics, largest first."""
        return [topic.name for topic in self.found.topics]

    @property
    def quality(self) -> int:
        """The measured value in percent."""
        return round(100 * min(1.0, max(0.0, self.measured)))

    @property
    def summary(self) -> Message:
        """The job's final message."""
        return join_messages(
            [
                message("done.topics", "{count:,} topics", one="{count:,} topic", count=len(self.labels)),
                message("done.topicTexts", "{count:,} texts", one="{count:,} text", count=self.found.pieces),
                message("done.outliers", "{count:,} without topic", count=self.found.outliers)
                if self.found.outliers
                else None,
            ]
        )

    def report_json(self) -> dict[str, Any]:
        """The report. Its published fields are only numbers of texts, because there is no gold standard for topics."""
        return {
            "config": {"name": self.facts["learner"], "type": "learner"},
            "microAvg": {"support": self.found.pieces},
            "classes": {topic.name: {"support": topic.size} for topic in self.found.topics},
            "topics": [_topic_json(topic, self.label_names.get(topic.name)) for topic in self.found.topics],
            "pieces": self.found.pieces,
            "outliers": self.found.outliers,
            "sourceCollection": self.learner.collection,
            "scope": self.learner.scope,
            "measure": self.found.measure,
            self.found.measure: round(self.measured, 4),
            "measurement": self.facts["measurement"],
            "intervals": {self.found.measure: self.interval} if self.interval else {},
            "used": self.found.used,
        }


def _topic_json(topic: Topic, label_name: str | None) -> dict[str, Any]:
    body: dict[str, Any] = {
        "name": topic.name,
        "title": topic.title,
        "size": topic.size,
        "words": [{"word": word, "weight": weight} for word, weight in topic.words],
        **topic.facts,
    }
    if topic.quality is not None:
        body["quality"] = topic.quality
    return body | ({"labelName": label_name} if label_name else {})


def has_found_topics(row: Experiment) -> bool:
    """Whether the last training of an experiment found topics."""
    return row.report is not None and "topics" in row.report


def topic_label_names(row: Experiment) -> dict[str, str]:
    """Label names by topic, of the topics of the last training that became labels."""
    topics = (row.report or {}).get("topics", [])
    return {one["name"]: one["labelName"] for one in topics if one.get("labelName")}


def find_topics(
    corpus: TopicCorpus,
    learner: TopicLearner[Any],
    engine: str,
    parameters: dict[str, Any],
    *,
    language: str,
    before: dict[str, Any] | None,
    group_field: str = "",
    train_on_all: bool = True,
    progress: Progress,
) -> FoundTopics:
    """Find the topics of the corpus, and evaluate them on held-out texts.

    Takes minutes to hours: call it without an open transaction (see `topic_corpus`).

    Args:
        before: the report of the previous run.
        group_field, train_on_all: as for `training.train`.
    """
    texts = TopicCorpusPart(corpus)
    testing = TopicCorpusPart(corpus, part="test")
    plan = plan_topic_evaluation(texts, group_field, split=next(iter(testing), None) is not None)
    again = plan.method == "heldOut" and train_on_all
    if plan.method == "heldOut":
        texts = TopicCorpusPart(corpus, without=plan.aside)
        testing = TopicCorpusPart(corpus, only=plan.aside)
    _fit(learner, texts, language, progress, 5, 50 if again else 95)
    found = learner.topics()
    outcome = None
    if plan.method != "sameTexts" and found.measure == MEASURE:
        outcome = measure_topic_distinctness(learner, testing.grouped(), language)
    measured, interval, tested = outcome or (found.quality, None, None)
    measurement = topic_evaluation_to_json(plan, tested, texts.count, retrained=again)
    if again:
        texts = TopicCorpusPart(corpus)
        learner = build_topic_learner(engine, parameters)
        _fit(learner, texts, language, progress, 50, 95)
        found = learner.topics()
    facts = {
        "learner": engine,
        "parameters": parameters,
        "version": learner.version,
        "labels": [topic.name for topic in found.topics],
        "trainingData": texts.fingerprint,
        "trainingSize": found.pieces,
        "testSize": tested["segments"] if tested else 0,
        "split": measurement["method"],
        "measurement": measurement,
    }
    names = match_topics_to_former_labels((before or {}).get("topics", []), found)
    return FoundTopics(learner, found, names, facts, measured, interval)


def build_topic_learner(engine: str, parameters: dict[str, Any]) -> TopicLearner[Any]:
    """Create an unfitted topic learner."""
    learner = get_registry().build("learner", engine, parameters)
    assert isinstance(learner, TopicLearner)
    return learner


def _fit(
    learner: TopicLearner[Any], texts: TopicCorpusPart, language: str, progress: Progress, first: int, last: int
) -> None:
    def fitting(step: int, total: int, text: str) -> None:
        done = first + round((last - first) * step / max(total, 1))
        progress(done, 100, text or message("doing.findTopics", "Finding topics"))

    learner.fit(texts, labels=(), language=language, progress=fitting)


def match_topics_to_former_labels(before: list[dict[str, Any]], found: Topics) -> dict[str, str]:
    """Names of former labels by topic, for topics that share mostly the same words; each label is used once."""
    pairs = []
    for old in before:
        if old.get("labelName"):
            words = {item["word"] for item in old["words"]}
            for topic in found.topics:
                new = {word for word, _ in topic.words}
                share = len(words & new) / max(1, len(words | new))
                if share >= _MIN_WORD_OVERLAP:
                    pairs.append((-share, topic.name, str(old["labelName"])))
    names: dict[str, str] = {}
    for _, topic_name, label_name in sorted(pairs):
        if topic_name not in names and label_name not in names.values():
            names[topic_name] = label_name
    return names


# --- labels -----------------------------------------------------------------------------------------------------------


def ensure_topic_labels(call: ProjectCall, row: Experiment, topics: Topics) -> dict[str, str]:
    """Create the missing labels of topics in the call's project; returns the label names by topic.

    Args:
        row: the experiment, of this or another project.
    """
    own = row.project_id == call.project.id
    known = topic_label_names(row) if own else {}
    label_set = ensure_generated_set(call, name=f"topics_{row.name}", words=row.label, tag=TAG)
    wanted = [GeneratedLabel(known.get(topic.name) or topic.name, topic.title) for topic in topics.topics]
    labels = ensure_generated_labels(call, label_set, wanted)
    found = {topic.name: label.name for topic, label in zip(topics.topics, labels, strict=True)}
    if own and row.report is not None:
        topics_with_labels = [
            one | ({"labelName": found[one["name"]]} if one["name"] in found else {}) for one in row.report["topics"]
        ]
        row.report = row.report | {"topics": topics_with_labels, "labelSetName": label_set.name}
    return found


def delete_unused_topic_labels(call: ProjectCall, row: Experiment, keep: Collection[str]) -> None:
    """Delete labels of former topics that were never edited and are no longer used.

    Args:
        keep: names of the labels of the present topics.
    """
    label_set = ensure_generated_set(call, name=f"topics_{row.name}", words=row.label, tag=TAG)
    drop_unused_labels(call, label_set, keep)
