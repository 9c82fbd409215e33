"""Training of suggesters."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any

from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Project
from annotarium.domains.experiments.service import collect_training_set, train
from annotarium.domains.suggesters import repository, service
from annotarium.domains.trainables.examples import Example, corpus_examples
from annotarium.jobs.context import JobContext, job_function
from annotarium.registry import get_registry
from annotarium.registry.model_store import save_model
from annotarium.search.repository import count_documents
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.suggester import Suggester, Suggestion
from annotarium_schemas.documents import Annotation, Category
from annotarium_schemas.messages import message

SUGGESTIONS_PER_CRITERION = 500
"""Suggestions stored per criterion: the most informative, the most certain and the least certain ones."""
BATCH = 200
LABELS_PER_TEXT = 5


@job_function("train_and_suggest")
def train_and_suggest(context: JobContext, project_name: str, suggester: str) -> None:
    """Train the suggester's learner, score all texts without judged labelling, replace the suggester's suggestions."""
    started = now_ms()
    with context.open(project_name, write=False) as call:
        row = service.suggesters.require(call, suggester)
        project, owner_id, answers = call.project, row.id, row.answers
        component = get_registry().build("suggester", row.engine, row.parameters)
        assert isinstance(component, Suggester)
        data = collect_training_set(call.session, call.project, progress=context.progress)
    learner_name, learner_parameters = component.learner

    def training(step: int, total: int, message: str) -> None:
        context.progress(step // 2, 100, message)

    trained = train(learner_name, dict(learner_parameters), data, project, progress=training)
    with context.open(project_name, write=False) as call:
        total = count_documents(call.session, project.id)
        pool = _unjudged_examples(context, call.project, corpus_examples(call.session, call.project), total)
        chosen = _choose_suggestions(component, trained.learner, pool, data.labels, project)
    timestamp = now_ms()
    save_model(
        trained.learner,
        project_id=project.id,
        owner=service.KIND,
        owner_id=owner_id,
        timestamp=timestamp,
        facts=trained.facts,
    )
    with context.open(project_name, write=True) as call:
        row = service.suggesters.require(call, suggester)
        rows = [_suggestion_row(project, suggester, example, suggestion) for example, suggestion in chosen]
        repository.replace_suggestions(call.session, project.id, suggester, rows)
        row.models, row.timestamp, row.duration, row.job_id = 1, timestamp, timestamp - started, None
        row.answers = max(0, row.answers - answers)
        row.uptodate = row.answers == 0
        row.quality = trained.report.quality if trained.report else 0
        call.unit.emit("suggestions", {"type": "new", "count": len(rows), "name": suggester}, project=project_name)
        service.suggesters.notify(call, suggester, "trained")
    context.finish(
        message=message("done.suggestions", "{count:,} suggestions", one="{count:,} suggestion", count=len(chosen)),
        result={"suggestions": len(chosen)},
    )


def _unjudged_examples(
    context: JobContext, project: Project, examples: Iterator[Example], total: int
) -> Iterator[Example]:
    documents, last = 0, None
    for example in examples:
        if example.document_id != last:
            documents, last = documents + 1, example.document_id
            context.progress(
                50 + round(45 * documents / max(total, 1)),
                100,
                message("doing.score", "Scoring texts that are not annotated yet"),
            )
        # Test data must not be labelled with the help of a model.
        tested = project.has_split and example.split == "test"
        if not example.judged and not tested and example.document.text.strip():
            yield example


def _choose_suggestions(
    component: Suggester[Any], learner: Learner[Any], pool: Iterator[Example], labels: list[str], project: Project
) -> list[tuple[Example, Suggestion]]:
    """The most informative, the most certain and the least certain suggestions of the pool, in constant memory."""
    informative: list[tuple[float, int, Example, Suggestion]] = []
    certain: list[tuple[float, int, Example, Suggestion]] = []
    doubtful: list[tuple[float, int, Example, Suggestion]] = []
    number = 0
    for batch in _batches(pool):
        by_identifier = {example.document.identifier: example for example in batch}
        ranked = learner.rank([example.document for example in batch], project.lang, limit=LABELS_PER_TEXT)
        for suggestion in component.suggest(ranked, labels=labels):
            number += 1
            example = by_identifier[suggestion.document.identifier]
            for heap, key in (
                (informative, suggestion.priority),
                (certain, suggestion.confidence),
                (doubtful, -suggestion.confidence),
            ):
                heapq.heappush(heap, (key, -number, example, suggestion))
                if len(heap) > SUGGESTIONS_PER_CRITERION:
                    heapq.heappop(heap)
    kept = {item[2].document.identifier: (item[2], item[3]) for item in [*informative, *certain, *doubtful]}
    return list(kept.values())


def _batches(pool: Iterator[Example]) -> Iterator[list[Example]]:
    batch: list[Example] = []
    for example in pool:
        batch.append(example)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _proposal_to_json(example: Example, item: Annotation | Category) -> dict[str, Any]:
    proposal: dict[str, Any] = {"labelName": item.label_name, "score": item.score}
    if isinstance(item, Annotation):
        proposal |= {
            "start": example.start + item.start,
            "end": example.start + item.end,
            "text": example.document.text[item.start : item.end],
        }
    return proposal


def _suggestion_row(project: Project, suggester: str, example: Example, suggestion: Suggestion) -> dict[str, Any]:
    return {
        "id": new_id(),
        "project_id": project.id,
        "document_id": example.document_id,
        "start": example.start,
        "end": example.end,
        "annotations": [_proposal_to_json(example, item) for item in suggestion.annotations],
        "categories": [_proposal_to_json(example, item) for item in suggestion.categories],
        "confidence": suggestion.confidence,
        "priority": suggestion.priority,
        "suggester": suggester,
        "created_at": now_ms(),
    }
