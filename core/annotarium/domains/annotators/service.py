"""Rules of annotators."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.access.repository import find_project
from annotarium.corpus.plans.active import plan_of
from annotarium.corpus.plans.repository import list_plans
from annotarium.corpus.plans.types import ANNOTATION, is_favorite, type_of
from annotarium.db.models import Experiment, Job, Plan, Suggester
from annotarium.domains.annotators import repository
from annotarium.domains.annotators.schemas import AnnotatorRead
from annotarium.errors import InvalidInput, NotFound
from annotarium.jobs.queue import start_job
from annotarium.search.chosen import Chosen
from annotarium_schemas.said import say


def annotators_by_type(call: ProjectCall) -> dict[str, list[AnnotatorRead]]:
    """Annotators of the project by type; types without any are there, empty."""
    trained = repository.trained_experiments(call.session, call.project)
    default = _default(list(trained))
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
    plans = [
        AnnotatorRead(name=row.name, label=row.label, engine="plan", favorite=is_favorite(row.tags))
        for row in _annotation_plans(call)
    ]
    return {"learner": learners, "gazetteer": [], "suggester": suggesters, "plan": plans}


def _annotation_plans(call: ProjectCall) -> list[Plan]:
    rows = list_plans(call.session, call.project.id)
    return [row for row in rows if type_of(row.tags, plan_of(row)) == ANNOTATION]


def _default(trained: list[Experiment]) -> Experiment | None:
    return next((row for row in trained if row.favorite), trained[0] if trained else None)


def find_annotator(call: ProjectCall, name: str | None) -> Experiment | Suggester | Plan:
    """The annotator of that name; without a name the default one (favourite, else the newest model)."""
    trained = list(repository.trained_experiments(call.session, call.project))
    if name is None:
        found: Experiment | Suggester | Plan | None = _default(trained)
    else:
        candidates: list[Experiment | Suggester | Plan] = [
            *trained,
            *repository.trained_suggesters(call.session, call.project),
            *_annotation_plans(call),
        ]
        found = next((row for row in candidates if row.name == name), None)
    if found is None:
        raise NotFound(
            f"There is no annotator {name} in this project" if name else "This project has no annotator yet",
            fix="Train an experiment first",
        )
    return found


def start_annotation(
    call: ProjectCall, name: str | None, documents: list[dict[str, Any]], options: dict[str, Any]
) -> Job:
    """Annotate documents that are not stored, as a job that somebody waits for."""
    if sum(len(document["text"]) for document in documents) > 2_000_000:
        raise InvalidInput("The text to annotate is over 2,000,000 characters", fix="Import it and annotate the corpus")
    annotator = find_annotator(call, name)
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="annotate_documents",
        arguments={
            "project_name": call.project.name,
            "annotator": annotator.name,
            "documents": documents,
            "options": options,
        },
        project=call.project,
        created_by=call.username,
        description=say("start.annotateText", "Annotating a text with {annotator}", annotator=annotator.label),
        queue="interactive",
    )


def start_corpus_annotation(
    call: ProjectCall,
    name: str,
    *,
    overwrite: bool,
    chosen: Chosen | None = None,
    total: int = 0,
    dataset_only: bool = False,
    annotator_project: str = "",
) -> Job:
    """Annotate the corpus as a job, which can be undone.

    Args:
        chosen: only the documents it finds, `total` of them; None = all.
        dataset_only: only segments that carry a confirmed annotation or category.
        annotator_project: the project of the annotator, empty = this one. The caller has to read it.
    """
    annotator = find_annotator(annotator_call(call, annotator_project), name)
    arguments: dict[str, Any] = {"project_name": call.project.name, "annotator": name, "overwrite": overwrite}
    if chosen is not None:
        arguments |= {"search": chosen.to_json(), "dataset_only": dataset_only}
    if annotator_project:
        arguments["annotator_project"] = annotator_project
    name_said = annotator.label
    words = (
        say("start.annotateCorpus", "Annotating the corpus with {annotator}", annotator=name_said)
        if chosen is None
        else say("start.annotate", "Annotating {count:,} documents with {annotator}", count=total, annotator=name_said)
    )
    return start_job(
        call.unit,
        type="CORPUS_ANNOTATE",
        function="annotate_corpus",
        arguments=arguments,
        project=call.project,
        created_by=call.username,
        description=words,
        queue="heavy",
        undoable=True,
        parameters={key: value for key, value in arguments.items() if key not in ("project_name", "search")},
    )


def annotator_call(call: ProjectCall, project_name: str) -> ProjectCall:
    """The call in the project of an annotator; empty or the same name = as it is.

    Raises:
        NotFound: there is no such project, or the caller does not read it.
    """
    if not project_name or project_name == call.project.name:
        return call
    project = find_project(call.session, project_name)
    rights = call.access.rights_on(project) if project else None
    if project is None or rights is None or not rights.read:
        raise NotFound(f"There is no project {project_name}")
    return replace(call, project=project)
