"""Jobs of annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.examples import (
    Example,
    collected_examples,
    corpus_examples,
    found_examples,
    in_dataset,
)
from annotarium.corpus.plans.annotating import PlanAnnotator, segment_for
from annotarium.corpus.plans.running import UNSURE, project_of, runner_for
from annotarium.corpus.sources import Source
from annotarium.db.models import Experiment, Label
from annotarium.domains.annotators import predicting, repository, service
from annotarium.domains.annotators.schemas import MOST_CHARACTERS, InputDocument
from annotarium.domains.documents.reading import HowRead, read_documents
from annotarium.domains.experiments.service import finds_topics, forget_former_topics, label_names, topic_labels
from annotarium.domains.uploads import service as uploads
from annotarium.domains.uploads.receiving import upload_path
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.files import write_file
from annotarium.registry import get_registry
from annotarium.search.chosen import Chosen, document_ids
from annotarium.search.chosen import count_documents as count_found
from annotarium.search.repository import count_documents
from annotarium_plugins.base.formatter import Formatter
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.documents import Document
from annotarium_schemas.plans import AnnotationPlan
from annotarium_schemas.said import Said, joined, say

BATCH = 50
_TOLD = 5
"""Labels that a message names."""


@job_function("annotate_documents")
def annotate_documents(
    context: JobContext,
    project_name: str | None,
    annotator: str | None,
    documents: list[dict[str, Any]],
    options: dict[str, Any],
    plan: dict[str, Any] | None = None,
    upload_id: str | None = None,
    formatter: dict[str, Any] | None = None,
) -> None:
    """Annotate texts that are not stored: the result is the annotated documents, or names the file of a formatter."""
    with context.open(project_name, write=False) as call:
        project = project_of(call)
        used = AnnotationPlan.model_validate(plan) if plan is not None else AnnotationPlan(pipeline=[])
        topics: dict[str, str] = {}
        if plan is not None:
            tool: Learner[Any] | PlanAnnotator = PlanAnnotator(runner_for(call, used), segment_for(call, used))
        else:
            row = service.find_annotator(call, annotator)
            tool = predicting.load(call, row)
            topics = label_names(row) if isinstance(row, Experiment) else {}
        labels = repository.labels_by_name(call.session, project) if project is not None else {}
        language = project.lang if project is not None else UNSURE
        reads = None
        if upload_id is not None:
            (file,) = uploads.require_uploads(call, [upload_id])
            source = Source(upload_path(file.id), file.filename, file.filename, file.content_type, file.sha256)
            reads = source, HowRead.of(call, used)
    given: list[Document] = [InputDocument.model_validate(document) for document in documents]
    if reads is not None:
        given = read_documents(*reads, limit=MOST_CHARACTERS)
    found = (predicting.called(one, topics) for one in predicting.annotated(tool, given, language))
    done = (predicting.on_the_wire(one, labels, options) for one in found)
    result = {"documents": list(done)} if formatter is None else _formatted(context.job_id, done, formatter)
    context.finish(message=say("done.annotated", "Annotated"), result=result)


def _formatted(job_id: str, wires: Iterator[dict[str, Any]], formatter: dict[str, Any]) -> dict[str, Any]:
    """The file of the job; what the answer needs to send it."""
    writer = cast(Formatter[Any], get_registry().build("formatter", formatter["name"], formatter["parameters"]))
    write_file(job_id, writer.format(Document.model_validate(wire) for wire in wires))
    return {"file": job_id, "filename": f"annotated.{writer.extension}", "contentType": writer.content_type}


@job_function("annotate_corpus")
def annotate_corpus(
    context: JobContext,
    project_name: str,
    annotator: str,
    overwrite: bool = True,
    search: dict[str, Any] | None = None,
    dataset_only: bool = False,
    annotator_project: str = "",
    tidy: bool = False,
) -> None:
    """Annotate every document, or those a search finds: undecided predictions of the same annotator are replaced,
    judged ones stay.

    A second run after an interruption gives the same state: each batch replaces what the first run left.

    Args:
        tidy: labels of former topics that nothing carries any more go.
    """
    topics = _topics(context, project_name, annotator, annotator_project)
    with context.open(project_name, write=False) as call:
        own = service.annotator_call(call, annotator_project)
        learner = predicting.load(own, service.find_annotator(own, annotator))
        labels, decided_by = _labels(call, topics)
        language = call.project.lang
        total, pieces = _pieces(call, search, learner, dataset_only=dataset_only)
        # The corpus is read in this one consistent view; each batch is written in a transaction of its own.
        done = added = 0
        strange: Counter[str] = Counter()
        for batch in predicting.by_document(pieces, BATCH):
            context.progress(
                done, total, say("done.ofDocuments", "{done:,} of {count:,} documents", done=done, count=total)
            )
            predicted = list(learner.predict([example.document for example in batch], language))
            with context.open(project_name, write=True) as writing:
                pairs = list(zip(batch, predicted, strict=True))
                added += predicting.write_predictions(
                    writing,
                    annotator,
                    pairs,
                    labels,
                    overwrite=overwrite,
                    within=dataset_only,
                    strange=strange,
                    decided_by=decided_by,
                )
                documents = len({example.document_id for example in batch})
                arg = {"type": "annotated", "by": annotator, "count": documents}
                writing.unit.emit("labelling", arg, project=project_name)
            done += documents
    if tidy and topics is not None:
        with context.open(project_name, write=True) as writing:
            row = service.find_annotator(writing, annotator)
            if isinstance(row, Experiment):
                forget_former_topics(writing, row, set(topics.values()))
    context.progress(done, done, say("done.documents", "{count:,} documents", count=done))
    places = say("number.documents", "{count:,} documents", count=done)
    words = say("done.annotationsOn", "{count:,} annotations added on {places}", count=added, places=places)
    result: dict[str, Any] = {"added": added, "documents": done}
    if strange:
        words, result["withoutLabel"] = joined([words, _left_out(strange)], "; "), dict(strange.most_common(_TOLD))
    context.finish(message=words, result=result)


def _topics(context: JobContext, project_name: str, annotator: str, annotator_project: str) -> dict[str, str] | None:
    """Names of the labels of an annotator that finds topics, by topic; labels are made where they are missing. None for
    another annotator."""
    with context.open(project_name, write=True) as call:
        own = service.annotator_call(call, annotator_project)
        row = service.find_annotator(own, annotator)
        if not isinstance(row, Experiment) or not finds_topics(row):
            return None
        learner = predicting.load(own, row)
        return topic_labels(call, row, learner.topics()) if isinstance(learner, TopicLearner) else None


def _labels(call: ProjectCall, topics: dict[str, str] | None) -> tuple[dict[str, Label], set[str] | None]:
    """Labels by what the annotator calls them; for topics also the names of all labels of their exclusive set."""
    by_name = repository.labels_by_name(call.session, call.project)
    if topics is None:
        return by_name, None
    labels = {topic: by_name[name] for topic, name in topics.items() if name in by_name}
    sets = {label.label_set_id for label in labels.values()}
    return labels, {name for name, label in by_name.items() if label.label_set_id in sets}


def _left_out(strange: Counter[str]) -> Said:
    """What was found with labels that the project does not have, the most frequent named."""
    text = "{count:,} left out because the project has no label {labels}"
    labels = ", ".join(name for name, _ in strange.most_common(_TOLD))
    return say("done.withoutLabel", text, count=strange.total(), labels=labels)


def _pieces(
    call: ProjectCall, search: dict[str, Any] | None, learner: Learner[Any] | PlanAnnotator, *, dataset_only: bool
) -> tuple[int, Iterator[Example]]:
    """How many documents there are, and their pieces."""
    chosen = Chosen.from_json(search) if search is not None else None
    total = count_documents(call.session, call.project.id) if chosen is None else count_found(call, chosen)
    ids = document_ids(call, chosen) if chosen is not None else None
    if isinstance(learner, TopicLearner):
        whole = learner.collection == "documents"
        pieces = collected_examples(call.session, call.project, whole=whole, document_ids=ids)
    elif ids is None:
        pieces = corpus_examples(call.session, call.project)
    else:
        pieces = found_examples(call.session, call.project, ids)
    return total, filter(in_dataset, pieces) if dataset_only and chosen is not None else pieces
