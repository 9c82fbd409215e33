"""Rules of annotators."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Experiment, Job, Suggester
from annotarium.domains.annotators import repository
from annotarium.domains.annotators.schemas import AnnotatorRead
from annotarium.errors import InvalidInput, NotFound
from annotarium.jobs.queue import start_job


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
    return {"learner": learners, "gazetteer": [], "suggester": suggesters, "plan": []}


def _default(trained: list[Experiment]) -> Experiment | None:
    return next((row for row in trained if row.favorite), trained[0] if trained else None)


def find_annotator(call: ProjectCall, name: str | None) -> Experiment | Suggester:
    """The annotator of that name; without a name the default one (favourite, else the newest model)."""
    trained = list(repository.trained_experiments(call.session, call.project))
    if name is None:
        found: Experiment | Suggester | None = _default(trained)
    else:
        candidates: list[Experiment | Suggester] = [
            *trained,
            *repository.trained_suggesters(call.session, call.project),
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
        description=f"Annotating a text with {annotator.label}",
        queue="interactive",
    )


def start_corpus_annotation(call: ProjectCall, name: str, *, overwrite: bool) -> Job:
    """Annotate the whole corpus as a job."""
    annotator = find_annotator(call, name)
    return start_job(
        call.unit,
        type="CORPUS_ANNOTATE",
        function="annotate_corpus",
        arguments={"project_name": call.project.name, "annotator": name, "overwrite": overwrite},
        project=call.project,
        created_by=call.username,
        description=f"Annotating the corpus with {annotator.label}",
        queue="heavy",
    )
