"""Annotation jobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from annotarium.access.call import ProjectCall
from annotarium.content.plans.plan_annotator import PlanAnnotator, segment_function_for
from annotarium.content.plans.runner import UNKNOWN_LANGUAGE, plan_runner_for, project_of
from annotarium.db.models import Experiment, Label
from annotarium.domains.annotators import predictions, repository, service, trials
from annotarium.domains.annotators.schemas import MOST_CHARACTERS, InputDocument
from annotarium.domains.experiments.service import (
    delete_unused_topic_labels,
    ensure_topic_labels,
    has_found_topics,
    topic_label_names,
)
from annotarium.domains.gazetteers.service import GazetteerAnnotator
from annotarium.domains.imports import uploads
from annotarium.domains.imports.document_reading import ReadSettings, read_documents
from annotarium.domains.imports.upload_receiving import upload_path
from annotarium.domains.trainables.examples import (
    Example,
    corpus_examples,
    examples_by_granularity,
    examples_of_documents,
    in_dataset,
)
from annotarium.importing.sources import Source
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.result_files import write_result_file
from annotarium.registry import get_registry
from annotarium.search.repository import count_documents
from annotarium.search.selection import Selection, document_ids
from annotarium.search.selection import count_documents as count_found
from annotarium_plugins.base.formatter import Formatter
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import Message, join_messages, message
from annotarium_schemas.plans import AnnotationPlan

BATCH = 50
_MAX_NAMED_LABELS = 5
"""Maximum number of unknown labels that a message names."""


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
    """Annotate documents without storing them.

    The job's result contains the annotated documents, or the name of the file that the formatter wrote.
    """
    with context.open(project_name, write=False) as call:
        project = project_of(call)
        used = AnnotationPlan.model_validate(plan) if plan is not None else AnnotationPlan(pipeline=[])
        topics: dict[str, str] = {}
        if plan is not None:
            tool: predictions.Predictor = PlanAnnotator(plan_runner_for(call, used), segment_function_for(call, used))
        else:
            row = service.find_annotator(call, annotator)
            tool = predictions.load_annotator(call, row)
            topics = topic_label_names(row) if isinstance(row, Experiment) else {}
        labels = repository.labels_by_name(call.session, project) if project is not None else {}
        language = project.lang if project is not None else UNKNOWN_LANGUAGE
        reads = None
        if upload_id is not None:
            (file,) = uploads.require_uploads(call, [upload_id])
            source = Source(upload_path(file.id), file.filename, file.filename, file.content_type, file.sha256)
            reads = source, ReadSettings.of(call, used)
    given: list[Document] = [InputDocument.model_validate(document) for document in documents]
    if reads is not None:
        given = read_documents(*reads, limit=MOST_CHARACTERS)
    found = (predictions.rename_predicted_labels(one, topics) for one in predictions.annotate(tool, given, language))
    done = (predictions.document_to_json(one, labels, options) for one in found)
    result = {"documents": list(done)} if formatter is None else _write_formatted_file(context.job_id, done, formatter)
    context.finish(message=message("done.annotated", "Annotated"), result=result)


def _write_formatted_file(job_id: str, bodies: Iterator[dict[str, Any]], formatter: dict[str, Any]) -> dict[str, Any]:
    """Write the job's result file; returns what the response needs to send it."""
    writer = cast(Formatter[Any], get_registry().build("formatter", formatter["name"], formatter["parameters"]))
    write_result_file(job_id, writer.format(Document.model_validate(body) for body in bodies))
    return {"file": job_id, "filename": f"annotated.{writer.extension}", "contentType": writer.content_type}


@job_function("try_plan")
def try_plan(context: JobContext, project_name: str, plan: dict[str, Any], text: str, document: str) -> None:
    """Try a plan on a text or a document without storing anything; the job's result is a `PlanTrial`."""
    with context.open(project_name, write=False) as call:
        result = trials.run_trial(call, AnnotationPlan.model_validate(plan), text, document)
    context.finish(message=message("done.tried", "Tried"), result=result)


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
    """Annotate every document, or those that a search finds.

    Undecided predictions of the same annotator are replaced; accepted and rejected ones stay. Idempotent: after an
    interruption each batch replaces what the first run wrote.

    Args:
        tidy: delete labels of former topics that are no longer used.
    """
    topics = _ensure_topic_label_names(context, project_name, annotator, annotator_project)
    with context.open(project_name, write=False) as call:
        own = service.call_in_annotator_project(call, annotator_project)
        learner = predictions.load_annotator(own, service.find_annotator(own, annotator))
        labels, decided_by = _labels_by_predicted_name(call, topics)
        language = call.project.lang
        total, pieces = _examples_to_annotate(call, search, learner, dataset_only=dataset_only)
        # The corpus is read in this one consistent snapshot; each batch is written in its own transaction.
        counts = _CorpusCounts()
        unknown_labels: Counter[str] = Counter()
        for batch in predictions.batch_by_document(pieces, BATCH):
            text = "{done:,} of {count:,} documents"
            one = "{done:,} of {count:,} document"
            progress = message("done.ofDocuments", text, one=one, done=counts.documents, count=total)
            context.progress(counts.documents, total, progress)
            predicted = list(learner.predict([example.document for example in batch], language))
            with context.open(project_name, write=True) as writing:
                pairs = list(zip(batch, predicted, strict=True))
                written = predictions.write_predictions(
                    writing,
                    annotator,
                    pairs,
                    labels,
                    overwrite=overwrite,
                    within=dataset_only,
                    unknown_labels=unknown_labels,
                    decided_by=decided_by,
                )
                counts.added += written.added
                counts.linked += written.linked
                documents = len({example.document_id for example in batch})
                arg = {"type": "annotated", "by": annotator, "count": documents}
                writing.unit.emit("labelling", arg, project=project_name)
            counts.documents += documents
    if tidy and topics is not None:
        with context.open(project_name, write=True) as writing:
            row = service.find_annotator(writing, annotator)
            if isinstance(row, Experiment):
                delete_unused_topic_labels(writing, row, set(topics.values()))
    counts.simplified = learner.simplified if isinstance(learner, GazetteerAnnotator) else 0
    _finish_corpus_annotation(context, counts, unknown_labels)


@dataclass
class _CorpusCounts:
    """What was done: documents annotated, labelling added, existing annotations that got terms, texts with too many
    overlapping terms.
    """

    documents: int = 0
    added: int = 0
    linked: int = 0
    simplified: int = 0


def _finish_corpus_annotation(context: JobContext, counts: _CorpusCounts, unknown_labels: Counter[str]) -> None:
    done, added, linked = counts.documents, counts.added, counts.linked
    context.progress(done, done, message("done.documents", "{count:,} documents", one="{count:,} document", count=done))
    places = message("number.documents", "{count:,} documents", one="{count:,} document", count=done)
    summary = message(
        "done.annotationsOn",
        "{count:,} annotations added to {places}",
        one="{count:,} annotation added to {places}",
        count=added,
        places=places,
    )
    result: dict[str, Any] = {"added": added, "documents": done}
    if linked:
        text = "terms linked to {count:,} existing annotations"
        more = message("done.linkedExisting", text, one="terms linked to {count:,} existing annotation", count=linked)
        summary, result["linked"] = join_messages([summary, more], "; "), linked
    if counts.simplified:
        text = "in {count:,} texts with too many overlapping terms only the longest were annotated"
        one = "in {count:,} text with too many overlapping terms only the longest were annotated"
        more = message("done.simplified", text, one=one, count=counts.simplified)
        summary, result["simplified"] = join_messages([summary, more], "; "), counts.simplified
    if unknown_labels:
        summary, result["withoutLabel"] = (
            join_messages([summary, _unknown_labels_message(unknown_labels)], "; "),
            dict(unknown_labels.most_common(_MAX_NAMED_LABELS)),
        )
    context.finish(message=summary, result=result)


def _ensure_topic_label_names(
    context: JobContext, project_name: str, annotator: str, annotator_project: str
) -> dict[str, str] | None:
    """Label names by topic, if the annotator finds topics; creates missing labels. None for other annotators."""
    with context.open(project_name, write=True) as call:
        own = service.call_in_annotator_project(call, annotator_project)
        row = service.find_annotator(own, annotator)
        if not isinstance(row, Experiment) or not has_found_topics(row):
            return None
        learner = predictions.load_annotator(own, row)
        return ensure_topic_labels(call, row, learner.topics()) if isinstance(learner, TopicLearner) else None


def _labels_by_predicted_name(
    call: ProjectCall, topics: dict[str, str] | None
) -> tuple[dict[str, Label], set[str] | None]:
    """Labels by the name that the annotator predicts; for topics also all label names of their exclusive set."""
    by_name = repository.labels_by_name(call.session, call.project)
    if topics is None:
        return by_name, None
    labels = {topic: by_name[name] for topic, name in topics.items() if name in by_name}
    sets = {label.label_set_id for label in labels.values()}
    return labels, {name for name, label in by_name.items() if label.label_set_id in sets}


def _unknown_labels_message(unknown_labels: Counter[str]) -> Message:
    """The message about predictions whose label does not exist in the project; names the most frequent labels."""
    text = "{count:,} skipped because the project has no label {labels}"
    labels = ", ".join(name for name, _ in unknown_labels.most_common(_MAX_NAMED_LABELS))
    return message("done.withoutLabel", text, count=unknown_labels.total(), labels=labels)


def _examples_to_annotate(
    call: ProjectCall, search: dict[str, Any] | None, learner: predictions.Predictor, *, dataset_only: bool
) -> tuple[int, Iterator[Example]]:
    """The number of documents to annotate, and their examples. `dataset_only` has an effect only with a search."""
    chosen = Selection.from_json(search) if search is not None else None
    total = count_documents(call.session, call.project.id) if chosen is None else count_found(call, chosen)
    ids = document_ids(call, chosen) if chosen is not None else None
    if isinstance(learner, TopicLearner):
        whole = learner.collection == "documents"
        pieces = examples_by_granularity(call.session, call.project, whole=whole, document_ids=ids)
    elif ids is None:
        pieces = corpus_examples(call.session, call.project)
    else:
        pieces = examples_of_documents(call.session, call.project, ids)
    return total, filter(in_dataset, pieces) if dataset_only and chosen is not None else pieces
