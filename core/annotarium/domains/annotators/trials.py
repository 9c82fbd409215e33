"""Trials of plans: a plan runs on a text or a document, and its author sees what each step does. Nothing is stored."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.plan_annotator import segment_function_for
from annotarium.content.plans.runner import PlanRunner, plan_runner_for
from annotarium.content.plans.trial import TRIAL_CHARACTERS, try_plan
from annotarium.content.validation import TEXT, InvalidContent, check_text
from annotarium.db.models import Job
from annotarium.domains.annotators import service
from annotarium.domains.annotators.schemas import PlanTrialRequest
from annotarium.domains.documents import service as documents
from annotarium.errors import InvalidInput
from annotarium.jobs.job_creation import start_job
from annotarium_schemas.documents import Category, Document
from annotarium_schemas.messages import message
from annotarium_schemas.plans import AnnotationPlan

TRIED_FIELDS = ("title", "text", "metadata", "annotations", "categories", "sentences")


def start_trial(call: ProjectCall, asked: PlanTrialRequest) -> Job:
    """Start an interactive job that tries a plan; its result is a `PlanTrial`.

    Raises:
        InvalidInput: there is not exactly one plan and one text or document, or the plan cannot run; `details` name
            component and field.
        NotFound: the plan or the document does not exist, or the caller may not read it.
        AccessDenied: the caller may not use a component of an edited plan.
    """
    _require_one(asked.parameters is not None, bool(asked.plan), "plan")
    _require_one(bool(asked.text.strip()), bool(asked.document), "text")
    if asked.parameters is not None:
        tool = service.choose_unsaved_plan(call, asked.parameters)
    else:
        tool = service.choose_plan(call, asked.plan)
    if asked.document:
        documents.require_document(call, asked.document)
    else:
        try:
            check_text(asked.text, TEXT)
        except InvalidContent as error:
            raise InvalidInput(error.message, fix=error.fix) from error
    assert tool.plan is not None
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="try_plan",
        arguments={
            "project_name": call.project.name,
            "plan": tool.plan.stored(),
            "text": asked.text,
            "document": asked.document,
        },
        project=call.project,
        created_by=call.username,
        description=message("start.tryPlan", "Trying a plan"),
        queue="interactive",
    )


def _require_one(one: bool, other: bool, field: str) -> None:
    if one == other:
        problem = message("trial.one", "A trial has one plan, and one text or one document")
        raise InvalidInput(problem, details=[{"field": field, "message": problem}])


def run_trial(call: ProjectCall, plan: AnnotationPlan, text: str, document: str) -> dict[str, Any]:
    """Try a plan in the transaction of a job; returns a `PlanTrial` as JSON.

    Raises:
        InvalidInput: a model is gone, or the segmenter failed.
        NotFound: the document is gone.
    """
    given = _read_document(call, document) if document else Document(text=text)
    cut = len(given.text) > TRIAL_CHARACTERS
    if cut:
        given = _beginning_of(given, TRIAL_CHARACTERS)
    if plan.segmenter is not None:
        given.sentences = None  # the plan segments documents itself
    runner = plan_runner_for(call, plan) or PlanRunner(plan, call.project.lang)
    try:
        return try_plan(given, runner, segment_function_for(call, plan)) | {"cut": cut}
    except InvalidContent as error:
        raise InvalidInput(error.message, fix=error.fix) from error


def _read_document(call: ProjectCall, identifier: str) -> Document:
    """The document with the labelling that the caller may see; categories of segments stand at the document."""
    found = Document.model_validate(documents.read_document(call, identifier, TRIED_FIELDS))
    for sentence in found.sentences or ():
        place = {"start": sentence.start, "end": sentence.end}
        found.categories += [one.model_copy(update=place) for one in sentence.categories or ()]
        sentence.categories = None
    return found


def _beginning_of(document: Document, length: int) -> Document:
    """The first characters of a document, with what lies entirely in them."""

    def is_inside(category: Category) -> bool:
        return category.end is None or category.end <= length

    return document.model_copy(
        update={
            "text": document.text[:length],
            "annotations": [one for one in document.annotations if one.end <= length],
            "categories": [one for one in document.categories if is_inside(one)],
            "sentences": [one for one in document.sentences or () if one.end <= length],
        }
    )
