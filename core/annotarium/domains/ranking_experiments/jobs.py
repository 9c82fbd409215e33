"""The jobs that run an experiment, and compare two searches."""

from __future__ import annotations

from typing import Any

from annotarium.db.identifiers import now_ms
from annotarium.domains.ranking_experiments import repository, service
from annotarium.domains.ranking_experiments.answers_run import run_answers
from annotarium.domains.ranking_experiments.comparison import checked_searches, compare_on_questions
from annotarium.domains.ranking_experiments.ranking_run import measuring_progress, run_ranking
from annotarium.domains.ranking_experiments.report import Outcome
from annotarium.domains.ranking_experiments.schemas import ComparedSearches
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import Message, message
from annotarium_schemas.ranking_experiments import ExperimentParameters


@job_function("run_ranking_experiment", interrupted="restarts")
def run_ranking_experiment(context: JobContext, project_name: str, experiment: str) -> None:
    """Measure all configurations and publish the report; nothing of it is visible before the end."""
    started = now_ms()
    with context.open(project_name, write=False) as call:
        row = service.require_experiment(call, experiment)
        kind, given = row.kind, dict(row.parameters)
        state = repository.judgement_state(call)
    run: Any = run_answers if kind == "answers" else run_ranking
    outcome: Outcome = run(context, project_name, ExperimentParameters.model_validate(given))
    report = outcome.report | {"judgements": state}
    with context.open(project_name, write=True) as call:
        row = service.require_experiment(call, experiment)
        row.report, row.uptodate, row.job_id = report, row.parameters == given, None
        row.timestamp, row.duration = now_ms(), now_ms() - started
        repository.replace_results(call, row, outcome.results)
        service.notify(call, row.name, "measured")
    context.finish(message=_summary(report["judged"]), result={"best": report["best"]})


@job_function("compare_searches", interrupted="restarts")
def compare_searches(context: JobContext, project_name: str, searches: dict[str, Any]) -> None:
    """Compare two searches on the judged questions; the result of the job is the comparison."""
    with context.open(project_name, write=False) as call:
        given = checked_searches(call, ComparedSearches.model_validate(searches))
        ids = repository.judged_question_ids(call)

    def report_progress(number: int) -> None:
        context.progress(number, len(ids), measuring_progress(number, len(ids)))

    found = compare_on_questions(ids, given, lambda: context.open(project_name, write=False), report_progress)
    result = found.model_dump(mode="json", by_alias=True, exclude_none=True)
    context.finish(message=_summary(found.judged), result=result)


def _summary(count: int) -> Message:
    return message(
        "done.measuredQuestions", "Measured on {count:,} questions", one="Measured on {count:,} question", count=count
    )
