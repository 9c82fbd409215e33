"""Experiments that find topics: what they read, their report, and the labels their topics become.

The topics are labels of a set of their own, made when the corpus is annotated with them. A later run gives a topic the
label of the former one that is told by mostly the same words, so what people renamed or confirmed keeps its meaning.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.examples import collected_examples, in_dataset
from annotarium.db.models import Experiment
from annotarium.domains.labels.service import Wanted, drop_unused, ensure_made_labels, ensure_made_set
from annotarium_plugins.base.component import Progress
from annotarium_plugins.base.topic_learner import Topic, TopicLearner, Topics
from annotarium_schemas.documents import Document
from annotarium_schemas.said import Said, joined, say

TAG = "topics"
"""Of the label sets made of topics."""
_SAME = 1 / 3
"""Share of all their words that two topics have in common when they count as one: half of ten words each."""


@dataclass
class Texts:
    """The texts a topic learner reads, without labelling; each walk reads them anew.

    `fingerprint` identifies what the last walk read.
    """

    call: ProjectCall
    learner: TopicLearner[Any]
    fingerprint: str = field(default="", init=False)

    def __iter__(self) -> Iterator[Document]:
        digest = hashlib.sha256()
        whole = self.learner.collection == "documents"
        for example in collected_examples(self.call.session, self.call.project, whole=whole):
            if self.learner.scope == "all" or in_dataset(example):
                given = example.document
                digest.update(f"{given.identifier}:{len(given.text)}".encode())
                yield given.model_copy(update={"annotations": [], "categories": []})
        self.fingerprint = digest.hexdigest()


@dataclass(frozen=True)
class FoundTopics:
    """A fitted topic learner; the counterpart of `Trained`. `label_names` are those of former topics, by topic."""

    learner: TopicLearner[Any]
    found: Topics
    label_names: Mapping[str, str]
    facts: dict[str, Any]

    @property
    def labels(self) -> list[str]:
        """Names of the topics, the biggest first."""
        return [topic.name for topic in self.found.topics]

    @property
    def quality(self) -> int:
        """Percent of what the learner measures."""
        return round(100 * min(1.0, max(0.0, self.found.quality)))

    @property
    def words(self) -> Said:
        """What was done, for the end of the job."""
        return joined(
            [
                say("done.topics", "{count:,} topics found", one="{count:,} topic found", count=len(self.labels)),
                say("done.topicTexts", "{count:,} texts", one="{count:,} text", count=self.found.pieces),
                say("done.outliers", "{count:,} in no topic", count=self.found.outliers)
                if self.found.outliers
                else None,
            ]
        )

    def report_wire(self) -> dict[str, Any]:
        """The report: the published fields say only how many texts there are, for nobody knows what is right."""
        return {
            "config": {"name": self.facts["learner"], "type": "learner"},
            "microAvg": {"support": self.found.pieces},
            "classes": {topic.name: {"support": topic.size} for topic in self.found.topics},
            "topics": [_topic_wire(topic, self.label_names.get(topic.name)) for topic in self.found.topics],
            "pieces": self.found.pieces,
            "outliers": self.found.outliers,
            "sourceCollection": self.learner.collection,
            "scope": self.learner.scope,
            "measure": self.found.measure,
            "used": self.found.used,
        }


def _topic_wire(topic: Topic, label_name: str | None) -> dict[str, Any]:
    wire: dict[str, Any] = {
        "name": topic.name,
        "title": topic.title,
        "size": topic.size,
        "words": [{"word": word, "weight": weight} for word, weight in topic.words],
        **topic.facts,
    }
    if topic.quality is not None:
        wire["quality"] = topic.quality
    return wire | ({"labelName": label_name} if label_name else {})


def finds_topics(row: Experiment) -> bool:
    """Whether the last training of an experiment found topics."""
    return row.report is not None and "topics" in row.report


def label_names(row: Experiment) -> dict[str, str]:
    """Names of the labels that the topics of the last training became, by topic; empty where they became none."""
    topics = (row.report or {}).get("topics", [])
    return {one["name"]: one["labelName"] for one in topics if one.get("labelName")}


def find_topics(
    call: ProjectCall,
    learner: TopicLearner[Any],
    engine: str,
    parameters: dict[str, Any],
    *,
    before: dict[str, Any] | None,
    progress: Progress,
) -> FoundTopics:
    """Have a learner find the topics of the corpus.

    Args:
        before: the report of the run before.
    """

    def fitting(step: int, total: int, message: str) -> None:
        progress(round(95 * step / max(total, 1)), 100, message or say("doing.findTopics", "Finding topics"))

    texts = Texts(call, learner)
    learner.fit(texts, labels=(), language=call.project.lang, progress=fitting)
    found = learner.topics()
    facts = {
        "learner": engine,
        "parameters": parameters,
        "version": learner.version,
        "labels": [topic.name for topic in found.topics],
        "trainingData": texts.fingerprint,
        "trainingSize": found.pieces,
        "testSize": 0,
        "split": "none",
    }
    return FoundTopics(learner, found, same_topics((before or {}).get("topics", []), found), facts)


def same_topics(before: list[dict[str, Any]], found: Topics) -> dict[str, str]:
    """Names of labels by topic, for topics told by mostly the same words as one that had a label; each label once."""
    pairs = []
    for old in before:
        if old.get("labelName"):
            words = {item["word"] for item in old["words"]}
            for topic in found.topics:
                new = {word for word, _ in topic.words}
                share = len(words & new) / max(1, len(words | new))
                if share >= _SAME:
                    pairs.append((-share, topic.name, str(old["labelName"])))
    names: dict[str, str] = {}
    for _, topic_name, label_name in sorted(pairs):
        if topic_name not in names and label_name not in names.values():
            names[topic_name] = label_name
    return names


# --- labels -----------------------------------------------------------------------------------------------------------


def topic_labels(call: ProjectCall, row: Experiment, topics: Topics) -> dict[str, str]:
    """Names of the labels of the topics, by topic; those that are missing are made, in the project of the call.

    Args:
        row: the experiment, of this project or of another one.
    """
    own = row.project_id == call.project.id
    known = label_names(row) if own else {}
    label_set = ensure_made_set(call, name=f"topics_{row.name}", words=row.label, tag=TAG)
    wanted = [Wanted(known.get(topic.name) or topic.name, topic.title) for topic in topics.topics]
    labels = ensure_made_labels(call, label_set, wanted)
    found = {topic.name: label.name for topic, label in zip(topics.topics, labels, strict=True)}
    if own and row.report is not None:
        told = [
            one | ({"labelName": found[one["name"]]} if one["name"] in found else {}) for one in row.report["topics"]
        ]
        row.report = row.report | {"topics": told, "labelSetName": label_set.name}
    return found


def forget_former_topics(call: ProjectCall, row: Experiment, keep: Collection[str]) -> None:
    """Delete labels of former topics that nobody changed and nothing carries any more.

    Args:
        keep: names of the labels of the present topics.
    """
    label_set = ensure_made_set(call, name=f"topics_{row.name}", words=row.label, tag=TAG)
    drop_unused(call, label_set, keep)
