"""Trains a learner on what a project's people confirmed, and measures it on the test part.

After a split, documents in `test` are kept from training. Without one, a fifth of the judged pieces (chosen by a hash
of their identifier, so the same ones each time) is held out; the report says which.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from annotarium.corpus.labelling.examples import CLASSIFICATION, Example, judged_examples
from annotarium.db.models import Project
from annotarium.domains.experiments.metrics import QualityReport, category_report, span_report
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium_plugins.base.component import Progress
from annotarium_plugins.base.learner import Learner
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.said import Said, joined, say

HELD_OUT_PERCENT = 20
MINIMUM_EXAMPLES = 2


@dataclass(frozen=True)
class TrainingSet:
    """Pieces to learn from and to measure on. `fingerprint` identifies the training data."""

    train: list[Document]
    test: list[Document]
    labels: list[str]
    split: str
    fingerprint: str


@dataclass(frozen=True)
class Trained:
    """A fitted learner with its figures; None when nothing could be held out."""

    learner: Learner[Any]
    report: QualityReport | None
    labels: list[str]
    facts: dict[str, Any]

    @property
    def quality(self) -> int:
        """Percent; 0 when nothing could be held out."""
        return self.report.quality if self.report else 0

    @property
    def words(self) -> Said:
        """What was done, for the end of the job."""
        done = say("done.trained", "Trained on {count:,} segments", count=self.facts["trainingSize"])
        quality = say("done.quality", "quality {quality} %", quality=self.quality) if self.report else None
        return joined([done, quality])

    def report_wire(self) -> dict[str, Any] | None:
        """The report of the experiment."""
        if self.report is None:
            return None
        wire = self.report.to_wire() | {"config": {"name": self.facts["learner"], "type": "learner"}}
        wire |= {key: self.facts[key] for key in ("split", "trainingSize", "testSize")}
        return wire | {"accuracy": self.report.accuracy}


def _held_out(document: Document) -> bool:
    digest = hashlib.blake2b(document.identifier.encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") % 100 < HELD_OUT_PERCENT


def _labels(document: Document) -> list[str]:
    items: list[Annotation | Category] = [*document.annotations, *document.categories]
    return [item.label_name for item in items if item.status != "KO" and item.label_name]


def gather(session: Session, project: Project, *, progress: Progress) -> TrainingSet:
    """Collect the training data. Raises `InvalidInput` when there is too little to learn from."""
    train: list[Document] = []
    test: list[Document] = []
    digest = hashlib.sha256()
    labels: set[str] = set()
    for number, example in enumerate(judged_examples(session, project), start=1):
        if number % 200 == 0:
            progress(0, 100, say("doing.readAnnotations", "Reading annotations: {count:,} segments", count=number))
        if _in_test(example, project):
            test.append(example.document)
            continue
        train.append(example.document)
        found = _labels(example.document)
        labels.update(found)
        digest.update(f"{example.document.identifier}:{found}".encode())
    if project.nature != CLASSIFICATION:
        train = [document for document in train if document.text.strip()]
    if not labels or len(train) < MINIMUM_EXAMPLES:
        raise InvalidInput(
            say("train.little", "There is not enough to learn from"),
            cause=say(
                "train.littleCause",
                "{count:,} annotated segments were found outside the test part; labels used there: {labels:,}",
                one="{count:,} annotated segment was found outside the test part; labels used there: {labels:,}",
                count=len(train),
                labels=len(labels),
            ),
            fix=say("fix.annotateMore", "Annotate some more segments, then launch the training again"),
        )
    split = "project" if project.has_split else f"held out {HELD_OUT_PERCENT} %"
    return TrainingSet(train, test, sorted(labels), split, digest.hexdigest())


def _in_test(example: Example, project: Project) -> bool:
    return example.split == "test" if project.has_split else _held_out(example.document)


def build_learner(engine: str, parameters: dict[str, Any]) -> Learner[Any]:
    """A learner that has not learned anything yet."""
    learner = get_registry().build("learner", engine, parameters)
    assert isinstance(learner, Learner)
    return learner


def train(
    engine: str, parameters: dict[str, Any], data: TrainingSet, project: Project, *, progress: Progress
) -> Trained:
    """Fit a learner and measure it."""
    learner = build_learner(engine, parameters)
    if not learner.needs_labels:
        raise InvalidInput(
            say("train.topics", "{engine} learns no labels: it finds topics", engine=engine),
            fix=say("fix.otherEngine", "Choose an engine that learns from what people confirmed"),
        )

    def fitting(step: int, total: int, message: str) -> None:
        progress(5 + round(80 * step / max(total, 1)), 100, message or say("doing.train", "Training"))

    progress(5, 100, say("doing.train", "Training"))
    learner.fit(data.train, labels=data.labels, language=project.lang, progress=fitting)
    progress(88, 100, say("doing.measure", "Measuring"))
    report = evaluate(learner, data.test, project) if data.test else None
    facts = {
        "learner": engine,
        "parameters": parameters,
        "version": learner.version,
        "labels": data.labels,
        "trainingData": data.fingerprint,
        "trainingSize": len(data.train),
        "testSize": len(data.test),
        "split": data.split,
    }
    return Trained(learner, report, data.labels, facts)


def evaluate(learner: Learner[Any], test: Sequence[Document], project: Project) -> QualityReport:
    """Predict the test part without its labels and compare."""
    bare = [
        Document(identifier=item.identifier, title=item.title, text=item.text, metadata=item.metadata) for item in test
    ]
    predicted = list(learner.predict(bare, project.lang))
    if project.nature == CLASSIFICATION:
        gold_labels = [[c.label_name or "" for c in item.categories if c.status != "KO"] for item in test]
        found_labels = [[c.label_name or "" for c in item.categories] for item in predicted]
        return category_report(gold_labels, found_labels)
    gold = [[(a.start, a.end, a.label_name or "") for a in item.annotations if a.status != "KO"] for item in test]
    found = [[(a.start, a.end, a.label_name or "") for a in item.annotations] for item in predicted]
    return span_report(gold, found)
