"""Rules of experiments on saved questions: names, parameters, launching, reports."""

from __future__ import annotations

from typing import Any, cast

from annotarium.access.call import ProjectCall
from annotarium.content.free_names import first_free_name
from annotarium.content.labels import label_slug
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.identifiers import new_id
from annotarium.db.models import Job, RankingExperiment
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.jobs.service import mail_language, request_cancel
from annotarium.domains.projects import service as projects
from annotarium.domains.ranking_experiments import repository
from annotarium.domains.ranking_experiments.answers_run import estimate_answers, require_answerers
from annotarium.domains.ranking_experiments.configurations import expand_grid, require_configurations
from annotarium.domains.ranking_experiments.questions_with_answers import answered_question_ids
from annotarium.domains.ranking_experiments.repository import Sorting
from annotarium.domains.ranking_experiments.schemas import (
    ChangedDefault,
    CostEstimate,
    NewRankingExperiment,
    QuestionFigures,
    QuestionFiguresPage,
    RankingExperimentPatch,
    RankingExperimentRead,
)
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName
from annotarium.domains.trainables.service import next_free_label
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium.jobs.job_creation import start_job
from annotarium.search.search_defaults import search_defaults
from annotarium_schemas.messages import message
from annotarium_schemas.ranking_experiments import (
    AnswersGrid,
    ExperimentParameters,
    ExperimentReport,
    Kind,
    RankingGrid,
)
from annotarium_schemas.search import SearchDefaults

TOPIC = "ranking_experiments"
_LABELS = {"ranking": "Ranking", "answers": "Answers"}
MAX_EXPERIMENTS = 500
"""Maximum number of experiments of a project."""


def list_experiments(call: ProjectCall) -> list[RankingExperimentRead]:
    """All experiments in creation order."""
    rows = repository.list_experiments(call)
    running = _running(call, rows)
    state = repository.judgement_state(call)
    return convert_readable_rows(rows, lambda row: _read_model(row, running, state))


def read_experiment(call: ProjectCall, name: str) -> RankingExperimentRead:
    """One experiment with its report."""
    row = require_experiment(call, name)
    return _read_model(row, _running(call, [row]), repository.judgement_state(call))


def require_experiment(call: ProjectCall, name: str) -> RankingExperiment:
    """The experiment of that name; raises `NotFound`."""
    row = repository.find_experiment(call, name)
    if row is None:
        raise NotFound(
            message("none.rankingExperiment", "There is no search experiment {name} in this project", name=name)
        )
    return row


def _running(call: ProjectCall, rows: Any) -> set[str]:
    return repository.active_jobs(call.session, [row.job_id for row in rows if row.job_id])


def _read_model(row: RankingExperiment, running: set[str], state: list[int]) -> RankingExperimentRead:
    report = row.report or {}
    best = report.get("best")
    figures: list[dict[str, Any]] = report.get("configurations") or []
    names = report.get("figures") or [""]
    quality = next((one.get(names[0]) for one in figures if one.get("key") == best), None)
    return RankingExperimentRead(
        name=row.name,
        label=row.label,
        kind=cast(Kind, row.kind),
        parameters=ExperimentParameters.model_validate(row.parameters),
        job_id=row.job_id if row.job_id in running else None,
        running=row.job_id in running,
        uptodate=row.uptodate and report.get("judgements") == state,
        timestamp=row.timestamp,
        duration=row.duration,
        favorite=row.favorite,
        email_notification=row.email_notification,
        quality=quality,
        best=best,
        report=ExperimentReport.model_validate(row.report) if row.report else None,
        created_by=row.created_by,
        created_date=iso(row.created_at) or "",
        modified_date=iso(row.modified_at) or "",
    )


def create_experiment(call: ProjectCall, body: NewRankingExperiment) -> EngineName:
    """Create an experiment; it is not launched.

    Raises:
        InvalidInput: it has too many configurations. Conflict: the project has too many experiments.
    """
    parameters = _checked_parameters(body.kind, body.parameters)
    return EngineName(name=_add(call, body.kind, body.label or _LABELS[body.kind], parameters, body.email_notification))


def clone_experiment(call: ProjectCall, name: str) -> EngineName:
    """Create an experiment with the parameters of another one, without its report."""
    row = require_experiment(call, name)
    return EngineName(name=_add(call, row.kind, row.label, dict(row.parameters), row.email_notification))


def _add(call: ProjectCall, kind: str, label: str, parameters: dict[str, Any], mailed: bool) -> str:
    known = repository.names_and_labels(call)
    if len(known) >= MAX_EXPERIMENTS:
        raise Conflict(
            message(
                "limit.rankingExperiments", "A project has at most {most:,} search experiments", most=MAX_EXPERIMENTS
            ),
            fix=message("fix.deleteExperiments", "Delete experiments that are not needed any more"),
        )
    free = next_free_label(label, (one for _, one in known))
    name = first_free_name(label_slug(free)[:200], {one for one, _ in known}.__contains__)
    row = RankingExperiment(
        id=new_id(),
        project_id=call.project.id,
        name=name,
        label=free,
        kind=kind,
        parameters=parameters,
        email_notification=mailed,
        created_by=call.username,
        modified_by=call.username,
    )
    call.session.add(row)
    notify(call, name, "created")
    return name


def _checked_parameters(kind: Kind, given: ExperimentParameters) -> dict[str, Any]:
    other = given.answers if kind == "ranking" else given.ranking
    if other is not None:
        problem = message("wrong.experimentKind", "These are not the parameters of an experiment of this kind")
        raise InvalidInput(problem, details=[{"field": "parameters", "message": problem}])
    if kind == "ranking":
        grid = given.ranking or RankingGrid()
        expand_grid(grid)
        return {"ranking": grid.model_dump(mode="json")}
    return {"answers": (given.answers or AnswersGrid()).model_dump(mode="json")}


def update_experiment(call: ProjectCall, name: str, body: RankingExperimentPatch) -> RankingExperimentRead:
    """Change an experiment; other parameters make its report outdated."""
    row = require_experiment(call, name)
    if body.parameters is not None:
        parameters = _checked_parameters(cast(Kind, row.kind), body.parameters)
        row.uptodate = row.uptodate and parameters == row.parameters
        row.parameters = parameters
    for field in ("label", "favorite", "email_notification"):
        value = getattr(body, field)
        if value is not None and value != "":
            setattr(row, field, value)
    mark_modified(row, call.username)
    notify(call, name)
    return _read_model(row, _running(call, [row]), repository.judgement_state(call))


def delete_experiment(call: ProjectCall, name: str) -> DeleteResponse:
    """Delete an experiment with its report; its run is cancelled."""
    row = require_experiment(call, name)
    cancel(call, row)
    repository.delete_results(call.session, row.id)
    call.session.delete(row)
    notify(call, name, "deleted")
    return DeleteResponse(removed_count=1)


def cancel(call: ProjectCall, row: RankingExperiment) -> None:
    """Cancel the run of an experiment, if there is one."""
    if row.job_id and _running(call, [row]):
        request_cancel(call, row.job_id)
    row.job_id = None


def launch(call: ProjectCall, name: str, *, language: str = "en") -> Job:
    """Start the run as a job; if the experiment requests it, the caller gets an e-mail when it ends.

    Raises:
        Conflict: it is running. InvalidInput: there is nothing to measure with, or a configuration cannot run.
        AccessDenied: the caller may not use a component.
    """
    row = require_experiment(call, name)
    if _running(call, [row]):
        raise Conflict(
            message("experiment.already", "{what} is already running", what=row.label),
            fix=message("fix.waitOrCancel", "Wait until it ends, or stop it first"),
        )
    require_runnable(call, row)
    job = start_job(
        call.unit,
        type="EXPERIMENT_TRAINING",
        function="run_ranking_experiment",
        arguments={"project_name": call.project.name, "experiment": row.name},
        project=call.project,
        created_by=call.username,
        description=message("start.measureSearches", "Measuring {name}", name=row.label),
        queue="heavy",
        parameters={"kind": row.kind} | row.parameters,
        mail_in=mail_language(language, wanted=row.email_notification),
    )
    row.job_id = job.id
    notify(call, name, "started")
    return job


def require_runnable(call: ProjectCall, row: RankingExperiment) -> None:
    """Raise an error that says what is missing to run an experiment."""
    parameters = ExperimentParameters.model_validate(row.parameters)
    if row.kind == "answers":
        require_answerers(call, parameters.answers or AnswersGrid())
        if not answered_question_ids(call):
            raise InvalidInput(
                message("none.answeredQuestions", "No saved question has a known answer"),
                fix=message("fix.answerQuestions", "Add answers to some saved questions, then launch it again"),
            )
        return
    grid = parameters.ranking or RankingGrid()
    require_configurations(call, grid)
    if not repository.judged_question_ids(call):
        raise InvalidInput(
            message("none.judgedQuestions", "No question has a passage that was judged as relevant"),
            fix=message("fix.judgeQuestions", "Judge passages of some saved questions, then launch it again"),
        )


def read_question_figures(call: ProjectCall, name: str, *, start: int, size: int, sort: Sorting) -> QuestionFiguresPage:
    """A page of the questions of a report: the worst or best for the best configuration first, or those with the
    greatest difference between it and the baseline.
    """
    row = require_experiment(call, name)
    report = row.report or {}
    keys = [str(one["key"]) for one in report.get("configurations") or []]
    names = [str(one) for one in report.get("figures") or []]
    found, total = repository.list_results(call, row, sort=sort, start=start, size=size)
    known = _known_answers(call, row, [result.question_id for result, _, _ in found])
    questions = [
        QuestionFigures(
            identifier=identifier,
            text=text,
            known=known.get(result.question_id, []),
            figures={
                key: {figure: value / 10_000 for figure, value in zip(names, values, strict=False) if value is not None}
                for key, values in zip(keys, result.figures, strict=False)
            },
            answers=dict(zip(keys, result.answers, strict=False)),
            difference=result.difference / 10_000,
        )
        for result, identifier, text in found
    ]
    return QuestionFiguresPage(questions=questions, total=total)


def estimate(call: ProjectCall, name: str) -> CostEstimate:
    """What a run would do now, above all how many calls to servers. Raises as `launch` for what cannot run."""
    row = require_experiment(call, name)
    return _estimate(call, cast(Kind, row.kind), ExperimentParameters.model_validate(row.parameters))


def estimate_new(call: ProjectCall, body: NewRankingExperiment) -> CostEstimate:
    """What a run of an experiment would do that does not exist yet; raises as `estimate`."""
    _checked_parameters(body.kind, body.parameters)
    return _estimate(call, body.kind, body.parameters)


def _estimate(call: ProjectCall, kind: Kind, parameters: ExperimentParameters) -> CostEstimate:
    if kind == "answers":
        return estimate_answers(call, parameters.answers or AnswersGrid())
    grid = parameters.ranking or RankingGrid()
    configurations, questions = len(require_configurations(call, grid)), len(repository.judged_question_ids(call))
    return CostEstimate(
        questions=questions,
        configurations=configurations,
        searches=questions * (configurations + grid.learned),
        answers=0,
        calls=0,
        limited=False,
    )


def make_default(call: ProjectCall, name: str, key: str) -> ChangedDefault:
    """Make a configuration of a report the project's default of searching; returns the former default, to undo it.

    Raises:
        InvalidInput: there is no such configuration; it is a plan or an answerer; it is worse than the baseline.
        Conflict: the experiment has no report.
    """
    row = require_experiment(call, name)
    if row.report is None:
        raise Conflict(
            message("none.report", "The experiment has no report yet"),
            fix=message("fix.launchFirst", "Launch it first"),
        )
    report = ExperimentReport.model_validate(row.report)
    by_key = {one.key: one for one in report.configurations}
    chosen = by_key.get(key)
    if chosen is None:
        raise _wrong_configuration(message("none.configuration", "The report has no configuration {name}", name=key))
    if row.kind != "ranking" or chosen.settings.plan:
        problem = message("wrong.defaultPlan", "A plan or an answerer is no default of searching")
        fix = message("fix.activatePlan", "Activate the plan instead: then it derives the searches for questions")
        raise _wrong_configuration(problem, fix)
    baseline = by_key.get(report.baseline)
    if baseline is not None and (chosen.ndcg or 0.0) < (baseline.ndcg or 0.0):
        raise _wrong_configuration(message("wrong.worseDefault", "This configuration finds less than text search"))
    settings = chosen.settings
    defaults = SearchDefaults(
        search_type=settings.search_type,
        vectorizer=settings.vectorizer,
        vector_weight=settings.vector_weight,
        reranker=settings.reranker,
        reranker_parameters=settings.reranker_parameters,
        experiment=row.name,
        configuration=key,
    )
    former = projects.set_search_defaults(call, defaults)
    mark_modified(call.project, call.username)
    projects.notify_project_changed(call)
    return ChangedDefault(search_defaults=search_defaults(call.project), former=former)


def _wrong_configuration(problem: str, fix: str | None = None) -> InvalidInput:
    return InvalidInput(problem, fix=fix, details=[{"field": "configuration", "message": problem}])


def _known_answers(call: ProjectCall, row: RankingExperiment, ids: list[int]) -> dict[int, list[str]]:
    if row.kind != "answers":
        return {}
    return {one.id: one.answers for one in repository.load_questions(call, ids, answers=True)}


def notify(call: ProjectCall, name: str, type: str = "changed") -> None:
    """Send an event to the clients of the project."""
    call.unit.emit(TOPIC, {"type": type, "name": name, "by": call.username}, project=call.project.name)
