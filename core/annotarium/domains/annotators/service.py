"""Rules of annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

from annotarium.access.call import Call, ProjectCall
from annotarium.access.repository import find_project
from annotarium.content.labels import require_label_writing
from annotarium.content.plans.active import plan_of
from annotarium.content.plans.plan_types import ANNOTATION, has_favorite_tag, plan_type_of, question_step_of
from annotarium.content.plans.repository import list_plans
from annotarium.content.plans.runner import project_of
from annotarium.content.validation import TEXT, InvalidContent, check_json_value
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Experiment, Gazetteer, Job, Plan, Suggester
from annotarium.domains.annotators import repository
from annotarium.domains.annotators.schemas import MOST_CHARACTERS, AnnotatorRead
from annotarium.domains.components.service import require_component
from annotarium.domains.experiments.service import has_found_topics
from annotarium.domains.plans import service as plans
from annotarium.errors import InvalidInput, NotFound
from annotarium.jobs.job_creation import start_job
from annotarium.registry import get_registry
from annotarium.search.selection import Selection
from annotarium_schemas.messages import message
from annotarium_schemas.plans import AnnotationPlan, Formatter


def annotators_by_type(call: ProjectCall) -> dict[str, list[AnnotatorRead]]:
    """Annotators of the project by type; types without annotators have an empty list."""
    trained = repository.trained_experiments(call.session, call.project)
    plans_here = _annotation_plans(call)
    default = _default_annotator(trained, plans_here)
    learners = [
        AnnotatorRead(
            name=row.name, label=row.label, engine=row.engine, favorite=row.favorite, is_default=row is default
        )
        for row in trained
    ]
    suggesters = [
        AnnotatorRead(name=row.name, label=row.label, engine=row.engine)
        for row in repository.trained_suggesters(call.session, call.project)
    ]
    dictionaries = [
        AnnotatorRead(name=row.name, label=row.label, engine=row.engine, favorite=row.favorite)
        for row in repository.synchronized_gazetteers(call.session, call.project)
    ]
    chains = [
        AnnotatorRead(
            name=row.name,
            label=row.label,
            engine="plan",
            favorite=has_favorite_tag(row.tags),
            is_default=row is default,
        )
        for row in plans_here
    ]
    return {"learner": learners, "gazetteer": dictionaries, "suggester": suggesters, "plan": chains}


def _annotation_plans(call: ProjectCall) -> list[Plan]:
    rows = list_plans(call.session, call.project.id)
    return [
        row
        for row in rows
        if convert_readable_rows([row], lambda one: plan_type_of(one.tags, plan_of(one))) == [ANNOTATION]
    ]


def _default_annotator(trained: Sequence[Experiment], chains: Sequence[Plan]) -> Experiment | Plan | None:
    """The annotator of requests that do not name one.

    The favourite experiment, else the most recently trained one, else the favourite plan, else the only plan.
    """
    # Topic models are used only by name, because they do not predict the project's own labels.
    models = [row for row in trained if row.favorite] or [row for row in trained if not has_found_topics(row)]
    if models:
        return models[0]
    favorites = [row for row in chains if has_favorite_tag(row.tags)]
    return favorites[0] if favorites else chains[0] if len(chains) == 1 else None


def find_annotator(call: ProjectCall, name: str | None) -> Experiment | Suggester | Gazetteer | Plan:
    """The annotator with this name, or without a name the default one (see `_default_annotator`); raises `NotFound`."""
    trained = repository.trained_experiments(call.session, call.project)
    chains = _annotation_plans(call)
    if name is None:
        found: Experiment | Suggester | Gazetteer | Plan | None = _default_annotator(trained, chains)
    else:
        candidates: list[Experiment | Suggester | Gazetteer | Plan] = [
            *trained,
            *repository.trained_suggesters(call.session, call.project),
            *repository.synchronized_gazetteers(call.session, call.project),
            *chains,
        ]
        found = next((row for row in candidates if row.name == name), None)
    if found is None:
        raise NotFound(
            f"There is no annotator {name} in this project" if name else "This project has no annotator yet",
            fix="Train an experiment first",
        )
    return found


@dataclass(frozen=True)
class AnnotatorChoice:
    """What annotates: a trained annotator of the project, by name, or a copy of a plan."""

    label: str
    annotator: str | None = None
    plan: AnnotationPlan | None = None

    @property
    def formatter(self) -> Formatter | None:
        """The formatter of the plan, if any."""
        return self.plan.formatter if self.plan is not None else None


def choose_annotator(call: ProjectCall, name: str | None) -> AnnotatorChoice:
    """An annotator of the project, or without a name the default one. Raises like `find_annotator`,
    `require_ready_plan`.
    """
    found = find_annotator(call, name)
    return choose_plan(call, found.name) if isinstance(found, Plan) else AnnotatorChoice(found.label, found.name)


def choose_plan(call: ProjectCall, name: str) -> AnnotatorChoice:
    """A plan of the project that works on documents or files. Raises like `require_ready_plan`.

    Raises:
        InvalidInput: also for a plan that is one part of answering questions.
    """
    label, plan = plans.require_ready_plan(call, name)
    if question_step_of(plan) is not None:
        words = message("plan.answersQuestions", "The plan {label} answers questions: it cannot annotate", label=label)
        fix = message("fix.activateToAsk", "Choose a pipeline; to use this plan, activate it and ask a question")
        raise InvalidInput(words, fix=fix)
    return AnnotatorChoice(label, plan=plan)


def choose_unsaved_plan(call: Call, plan: AnnotationPlan) -> AnnotatorChoice:
    """A plan that was sent with the request; the caller must be allowed to use its components.

    Raises like `validate_unsaved_plan`.
    """
    return AnnotatorChoice("", plan=plans.validate_unsaved_plan(call, plan))


def choose_formatter(call: Call, tool: AnnotatorChoice, named: str) -> Formatter:
    """The formatter for the response: the one that the request names, else the plan's.

    Raises:
        InvalidInput: neither names a formatter.
        NotFound, AccessDenied: the formatter does not exist, or the caller may not use it.
    """
    if named:
        require_component(call.access, "formatter", named)
        get_registry().validate("formatter", named, {})
        return Formatter(name=named)
    if tool.formatter is None:
        raise InvalidInput(
            message("wrong.noFormatter", "No formatter is specified for the response"),
            fix="Add a formatter to the plan, or name one (formatter=json)",
        )
    return tool.formatter


def start_annotation(
    call: Call,
    tool: AnnotatorChoice,
    options: dict[str, Any],
    *,
    documents: Sequence[dict[str, Any]] = (),
    upload_id: str | None = None,
    formatter: Formatter | None = None,
) -> Job:
    """Start an interactive job that annotates documents without storing them.

    Args:
        upload_id: a file of the caller to read documents from; None = use `documents`.
        formatter: writes the result into a file; None = the result is the documents.

    Raises:
        InvalidInput: a text is not valid, the texts exceed `MOST_CHARACTERS` in total, or `debug`, which is not
            supported, is set.
    """
    if options.get("debug"):
        debug = message("wrong.debug", "Debug responses are not available: the response would be the same without it")
        fix = message("fix.debug", "Omit the parameter debug")
        raise InvalidInput(debug, fix=fix, details=[{"field": "debug", "message": debug}])
    if sum(len(document["text"]) for document in documents) > MOST_CHARACTERS:
        text = message("annotate.large", "The text to annotate is over {count:,} characters", count=MOST_CHARACTERS)
        raise InvalidInput(text, fix=message("fix.annotateCorpus", "Import it and annotate the corpus"))
    try:
        check_json_value(list(documents), TEXT)
    except InvalidContent as error:
        raise InvalidInput(error.message, fix=error.fix) from error
    project = project_of(call)
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="annotate_documents",
        arguments={
            "project_name": project.name if project is not None else None,
            "annotator": tool.annotator,
            "plan": tool.plan.stored() if tool.plan is not None else None,
            "documents": list(documents),
            "upload_id": upload_id,
            "formatter": formatter.model_dump(mode="json") if formatter is not None else None,
            "options": options,
        },
        project=project,
        created_by=call.username,
        description=message("start.annotateText", "Annotating a text with {annotator}", annotator=tool.label),
        queue="interactive",
    )


def start_corpus_annotation(
    call: ProjectCall,
    name: str,
    *,
    overwrite: bool,
    chosen: Selection | None = None,
    total: int = 0,
    dataset_only: bool = False,
    annotator_project: str = "",
    mail_in: str | None = None,
) -> Job:
    """Start a job that annotates the corpus and can be undone.

    Args:
        chosen: annotate only the documents it finds, `total` of them; None = all.
        dataset_only: annotate only segments with a confirmed annotation or category; only with `chosen`.
        annotator_project: the annotator's project, which the caller must be allowed to read; empty = this one.
        mail_in: language of the e-mail at the end; None = no e-mail.
    """
    annotator = find_annotator(call_in_annotator_project(call, annotator_project), name)
    if isinstance(annotator, Experiment) and has_found_topics(annotator):
        require_label_writing(call)  # the topics become labels
    arguments: dict[str, Any] = {"project_name": call.project.name, "annotator": name, "overwrite": overwrite}
    if chosen is not None:
        arguments |= {"search": chosen.to_json(), "dataset_only": dataset_only}
    if annotator_project:
        arguments["annotator_project"] = annotator_project
    annotator_label = annotator.label
    text = (
        message("start.annotateCorpus", "Annotating the corpus with {annotator}", annotator=annotator_label)
        if chosen is None
        else message(
            "start.annotate",
            "Annotating {count:,} documents with {annotator}",
            one="Annotating {count:,} document with {annotator}",
            count=total,
            annotator=annotator_label,
        )
    )
    return start_job(
        call.unit,
        type="CORPUS_ANNOTATE",
        function="annotate_corpus",
        arguments=arguments,
        project=call.project,
        created_by=call.username,
        description=text,
        queue="heavy",
        undoable=True,
        parameters={key: value for key, value in arguments.items() if key not in ("project_name", "search")},
        mail_in=mail_in,
    )


def call_in_annotator_project(call: ProjectCall, project_name: str) -> ProjectCall:
    """The call in an annotator's project: unchanged if empty or its own, else as `call_in_readable_project`."""
    return (
        call if not project_name or project_name == call.project.name else call_in_readable_project(call, project_name)
    )


def call_in_readable_project(call: Call, project_name: str) -> ProjectCall:
    """A copy of the call in another project, for reading only.

    Raises:
        NotFound: the project does not exist, or the caller may not read it.
    """
    project = find_project(call.session, project_name)
    rights = call.access.rights_on(project) if project else None
    if project is None or rights is None or not rights.read:
        raise NotFound(message("none.project", "There is no project {name}", name=project_name))
    return ProjectCall(**{one.name: getattr(call, one.name) for one in fields(Call)}, project=project)
