"""Training of suggesters."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from itertools import islice
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Project
from annotarium.domains.experiments.service import TrainedModel, collect_training_set, train
from annotarium.domains.suggesters import repository, service
from annotarium.domains.trainables.examples import Example, corpus_examples
from annotarium.jobs.context import JobContext, job_function
from annotarium.registry import get_registry
from annotarium.registry.model_store import save_model
from annotarium.search.repository import count_documents
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.suggester import Suggester, Suggestion, UntrainedSuggester
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.messages import message

SUGGESTIONS_PER_CRITERION = 500
"""Suggestions stored per criterion: the most informative, the most certain and the least certain ones."""
BATCH = 200
LABELS_PER_TEXT = 5


@job_function("train_and_suggest")
def train_and_suggest(context: JobContext, project_name: str, suggester: str) -> None:
    """Train the suggester's learner, score all texts without judged labelling, replace the suggester's suggestions. An
    untrained suggester only proposes.
    """
    started = now_ms()
    with context.open(project_name, write=False) as call:
        row = service.suggesters.require(call, suggester)
        project, owner_id, answers = call.project, row.id, row.answers
        component = get_registry().build("suggester", row.engine, row.parameters)
        assert isinstance(component, Suggester)
    if isinstance(component, UntrainedSuggester):
        chosen = _propose_untrained(context, component, project)
        _publish(context, project, suggester, chosen, started=started, answers=answers, trained=None)
        return
    trained = _train(context, component, project)
    with context.open(project_name, write=False) as call:
        pool = _unjudged_corpus(context, call)
        ranked = _ranked_by_learner(trained.learner, pool, project.lang)
        chosen = _choose_suggestions(component, ranked, trained.labels)
    timestamp = now_ms()
    save_model(
        trained.learner,
        project_id=project.id,
        owner=service.KIND,
        owner_id=owner_id,
        timestamp=timestamp,
        facts=trained.facts,
    )
    model = (timestamp, trained.report.quality if trained.report else 0)
    _publish(context, project, suggester, chosen, started=started, answers=answers, trained=model)


def _train(context: JobContext, component: Suggester[Any], project: Project) -> TrainedModel:
    with context.open(project.name, write=False) as call:
        data = collect_training_set(call.session, call.project, progress=context.progress)
    assert component.learner is not None
    learner_name, learner_parameters = component.learner

    def training(step: int, total: int, message: str) -> None:
        context.progress(step // 2, 100, message)

    return train(learner_name, dict(learner_parameters), data, project, progress=training)


def _propose_untrained(
    context: JobContext, component: UntrainedSuggester[Any], project: Project
) -> list[tuple[Example, Suggestion]]:
    """Suggestions for the first segments without labelling that the suggester finds something in. It may ask a slow
    server for each segment, so it does not read the whole corpus; the next run continues behind what was answered.
    """
    with context.open(project.name, write=False) as call:
        labels = list(repository.label_names(call.session, project.id))
        pool = _unjudged_corpus(context, call)
        found = _suggestions(component, _ranked_by_suggester(component, pool, project.lang), labels)
        return list(islice(found, SUGGESTIONS_PER_CRITERION))


def _publish(
    context: JobContext,
    project: Project,
    suggester: str,
    chosen: list[tuple[Example, Suggestion]],
    *,
    started: int,
    answers: int,
    trained: tuple[int, int] | None,
) -> None:
    """Replace the suggestions. `trained`: when the model was ready, and its quality; None without a model."""
    with context.open(project.name, write=True) as call:
        row = service.suggesters.require(call, suggester)
        rows = [_suggestion_row(project, suggester, example, suggestion) for example, suggestion in chosen]
        repository.replace_suggestions(call.session, project.id, suggester, rows)
        row.timestamp, row.quality = trained or (now_ms(), 0)
        row.models, row.duration, row.job_id = int(trained is not None), row.timestamp - started, None
        row.answers = max(0, row.answers - answers)
        row.uptodate = row.answers == 0 or trained is None
        call.unit.emit("suggestions", {"type": "new", "count": len(rows), "name": suggester}, project=project.name)
        service.suggesters.notify(call, suggester, "trained")
    context.finish(
        message=message("done.suggestions", "{count:,} suggestions", one="{count:,} suggestion", count=len(chosen)),
        result={"suggestions": len(chosen)},
    )


def _unjudged_corpus(context: JobContext, call: ProjectCall) -> Iterator[Example]:
    total = count_documents(call.session, call.project.id)
    return _unjudged_examples(context, call.project, corpus_examples(call.session, call.project), total)


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


Ranked = Iterator[tuple[dict[str, Example], Iterator[Document]]]
"""Batches: the examples by the identifier of their segment, and the segments with their candidates."""


def _ranked_by_learner(learner: Learner[Any], pool: Iterator[Example], language: str) -> Ranked:
    for batch in _batches(pool):
        ranked = learner.rank([example.document for example in batch], language, limit=LABELS_PER_TEXT)
        yield {example.document.identifier: example for example in batch}, iter(ranked)


def _ranked_by_suggester(suggester: UntrainedSuggester[Any], pool: Iterator[Example], language: str) -> Ranked:
    for example in pool:  # one by one: each may take a while, and progress is reported between them
        yield {example.document.identifier: example}, suggester.find_candidates([example.document], language)


def _suggestions(component: Suggester[Any], batches: Ranked, labels: list[str]) -> Iterator[tuple[Example, Suggestion]]:
    for examples, ranked in batches:
        for suggestion in component.suggest(ranked, labels=labels):
            yield examples[suggestion.document.identifier], suggestion


def _choose_suggestions(
    component: Suggester[Any], batches: Ranked, labels: list[str]
) -> list[tuple[Example, Suggestion]]:
    """The most informative, the most certain and the least certain suggestions of the pool, in constant memory."""
    informative: list[tuple[float, int, Example, Suggestion]] = []
    certain: list[tuple[float, int, Example, Suggestion]] = []
    doubtful: list[tuple[float, int, Example, Suggestion]] = []
    for number, (example, suggestion) in enumerate(_suggestions(component, batches, labels), start=1):
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
