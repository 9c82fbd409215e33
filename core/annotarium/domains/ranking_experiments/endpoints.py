"""Endpoints of experiments that measure searches and answers on saved questions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from annotarium.access.call import ProjectCall
from annotarium.access.guard import Rule, guarded, open_call, with_access_rule
from annotarium.access.request_limits import WAITS
from annotarium.domains.jobs.schemas import Language, SherpaJobBean
from annotarium.domains.ranking_experiments import comparison, export, service
from annotarium.domains.ranking_experiments.schemas import (
    ChangedDefault,
    ComparedSearches,
    CostEstimate,
    MakeDefault,
    NewRankingExperiment,
    QuestionFiguresPage,
    RankingExperimentPatch,
    RankingExperimentRead,
    SearchComparison,
)
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json

router = DomainRouter(tags=["experiments"])
ALL = "/projects/{project_name}/ranking_experiments"
ONE = ALL + "/{experiment_name}"
COMPARE = Rule(("useSearch",), project="read", write=False)
START_COMPARISON = Rule(("useSearch",), project="read", effect="read")


@router.get(ALL, response_model_exclude_none=True)
@guarded(project="read")
def list_ranking_experiments(call: ProjectCall) -> list[RankingExperimentRead]:
    """List the experiments with their reports."""
    return service.list_experiments(call)


@router.post(ALL)
@guarded(project="write", idempotent=True)
def create_ranking_experiment(call: ProjectCall, body: NewRankingExperiment) -> EngineName:
    """Create an experiment."""
    return service.create_experiment(call, body)


@router.get(ONE, response_model_exclude_none=True)
@guarded(project="read")
def read_ranking_experiment(call: ProjectCall, experiment_name: str) -> RankingExperimentRead:
    """Read one experiment with its report."""
    return service.read_experiment(call, experiment_name)


@router.patch(ONE, response_model_exclude_none=True)
@guarded(project="write")
def update_ranking_experiment(
    call: ProjectCall, experiment_name: str, body: RankingExperimentPatch
) -> RankingExperimentRead:
    """Change an experiment."""
    return service.update_experiment(call, experiment_name, body)


@router.delete(ONE)
@guarded(project="write")
def delete_ranking_experiment(call: ProjectCall, experiment_name: str) -> DeleteResponse:
    """Delete an experiment with its report."""
    return service.delete_experiment(call, experiment_name)


@router.get(ONE + "/questions", response_model_exclude_none=True)
@guarded(project="read")
def read_question_figures(
    call: ProjectCall,
    experiment_name: str,
    from_: Annotated[int, Query(alias="from", ge=0, lt=2**31)] = 0,
    size: Annotated[int, Query(ge=1, le=1_000)] = 50,
    sort: Literal["worst", "best", "difference"] = "worst",
) -> QuestionFiguresPage:
    """Read the figures of single questions."""
    return service.read_question_figures(call, experiment_name, start=from_, size=size, sort=sort)


@router.post(ONE + "/_launch", responses={200: {"model": SherpaJobBean}})
@guarded(project="write")
def launch_ranking_experiment(call: ProjectCall, experiment_name: str, language: Language = "en") -> dict[str, Any]:
    """Start the run; returns its job."""
    job = service.launch(call, experiment_name, language=language)
    call.session.flush()
    return job_to_json(job, call.project)


@router.post(ONE + "/_cancel", status_code=204)
@guarded(project="write")
def cancel_ranking_experiment(call: ProjectCall, experiment_name: str) -> None:
    """Cancel the run."""
    row = service.require_experiment(call, experiment_name)
    service.cancel(call, row)
    service.notify(call, row.name, "cancelled")


@router.post(ONE + "/_clone")
@guarded(project="write", idempotent=True)
def clone_ranking_experiment(call: ProjectCall, experiment_name: str) -> EngineName:
    """Create a copy of an experiment without its report."""
    return service.clone_experiment(call, experiment_name)


@router.get(ONE + "/_estimate")
@guarded(project="read")
def estimate_ranking_experiment(call: ProjectCall, experiment_name: str) -> CostEstimate:
    """Estimate what a run would do: above all the number of calls to servers, which may cost money."""
    return service.estimate(call, experiment_name)


@router.post(ONE + "/_make_default")
@guarded("changeProjectConfig", project="write", owner=True)
def make_default_search(call: ProjectCall, experiment_name: str, body: MakeDefault) -> ChangedDefault:
    """Make a configuration the project's default of searching. To undo it, set `searchDefaults` of the project's
    settings to the former one.
    """
    return service.make_default(call, experiment_name, body.configuration)


@router.get(
    ONE + "/_export",
    response_class=Response,
    responses={200: {"content": {"application/json": {}, "text/csv": {}}, "description": "The report as a file"}},
)
@guarded(project="read")
def export_ranking_experiment(
    call: ProjectCall, experiment_name: str, format_: Annotated[Literal["json", "csv"], Query(alias="format")] = "json"
) -> Response:
    """Export the report with the figures of all questions."""
    return export.export_report(call, experiment_name, format_)


@router.post(ALL + "/_compare", response_model=SearchComparison, response_model_exclude_none=True)
@with_access_rule(COMPARE, WAITS)
async def compare_searches(
    request: Request,
    body: ComparedSearches,
    project_name: Annotated[str, Path(description="Name of the project")],
) -> SearchComparison:
    """Compare two searches on the judged questions; with many of them, a job does."""

    def run() -> SearchComparison:
        with open_call(request, COMPARE) as call:
            assert isinstance(call, ProjectCall)
            found = comparison.compare_directly(call, body)
        if found is None:
            with open_call(request, START_COMPARISON) as call:
                assert isinstance(call, ProjectCall)
                found = SearchComparison(job_id=comparison.start_comparison(call, body).id)
        return found

    return await run_in_threadpool(run)
