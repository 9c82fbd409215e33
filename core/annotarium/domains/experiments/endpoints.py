"""Endpoints of a project's experiments."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.experiments import evaluation_forecast, service
from annotarium.domains.experiments.schemas import ExperimentPatch, ExperimentRead, MeasurementForecast, NewExperiment
from annotarium.domains.jobs.schemas import Language, SherpaJobBean
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName, GeneratedLabelHint, InputLabel
from annotarium.http.routing import DomainRouter
from annotarium.jobs.serializers import job_to_json

router = DomainRouter(tags=["experiments"])


@router.get("/projects/{project_name}/experiments", response_model_exclude_none=True)
@guarded(project="read")
def list_experiments(call: ProjectCall, tags: str = "") -> list[ExperimentRead]:
    """List the experiments; with `tags` (comma-separated), those that have all of them."""
    return service.list_experiments(call, [tag for tag in tags.split(",") if tag])


@router.post("/projects/{project_name}/experiments")
@guarded(project="write", idempotent=True)
def create_experiment(call: ProjectCall, body: NewExperiment) -> EngineName:
    """Create an experiment."""
    return service.create_experiment(call, body)


@router.delete("/projects/{project_name}/experiments")
@guarded(project="write")
def delete_experiments(call: ProjectCall, names: str) -> DeleteResponse:
    """Delete several experiments; names are separated by commas."""
    return service.delete_experiments(call, [name for name in names.split(",") if name])


@router.post("/projects/{project_name}/experiments/_label_hint")
@guarded(project="read")
def label_hint(call: ProjectCall, body: InputLabel) -> GeneratedLabelHint:
    """Suggest an unused label similar to the requested one."""
    return service.experiments.label_hint(call, body.label)


@router.get("/projects/{project_name}/experiments/_measurement", response_model_exclude_none=True)
@guarded(project="read")
def forecast_measurement(
    call: ProjectCall, group_field: Annotated[str, Query(alias="groupField", max_length=255)] = ""
) -> MeasurementForecast:
    """Forecast how a training started now would be evaluated."""
    return evaluation_forecast.forecast_evaluation(call, group_field)


@router.get("/projects/{project_name}/experiments/{experiment_name}", response_model_exclude_none=True)
@guarded(project="read")
def read_experiment(call: ProjectCall, experiment_name: str) -> ExperimentRead:
    """Read one experiment with its report."""
    return service.read_experiment(call, experiment_name)


@router.patch("/projects/{project_name}/experiments/{experiment_name}", response_model_exclude_none=True)
@guarded(project="write")
def update_experiment(call: ProjectCall, experiment_name: str, body: ExperimentPatch) -> ExperimentRead:
    """Change an experiment."""
    return service.update_experiment(call, experiment_name, body)


@router.delete("/projects/{project_name}/experiments/{experiment_name}")
@guarded(project="write")
def delete_experiment(call: ProjectCall, experiment_name: str) -> DeleteResponse:
    """Delete an experiment with its model."""
    return service.delete_experiments(call, [experiment_name])


@router.post("/projects/{project_name}/experiments/{experiment_name}/_restore", response_model_exclude_none=True)
@guarded(project="write", idempotent=True)
def restore_experiment(call: ProjectCall, experiment_name: str) -> ExperimentRead:
    """Restore an experiment that was deleted lately, with its model (extension)."""
    return service.restore_experiment(call, experiment_name)


@router.post(
    "/projects/{project_name}/experiments/{experiment_name}/_launch", responses={200: {"model": SherpaJobBean}}
)
@guarded(project="write")
def launch(
    call: ProjectCall,
    experiment_name: str,
    annotate_corpus: Annotated[bool, Query(alias="annotateCorpus")] = False,
    language: Language = "en",
) -> dict[str, Any]:
    """Start the training; returns its job."""
    job = service.launch(call, experiment_name, annotate_corpus=annotate_corpus, language=language)
    call.session.flush()
    return job_to_json(job, call.project)


@router.post("/projects/{project_name}/experiments/{experiment_name}/_cancel", status_code=204)
@guarded(project="write")
def cancel(call: ProjectCall, experiment_name: str) -> None:
    """Cancel the training."""
    service.cancel(call, experiment_name)


@router.delete("/projects/{project_name}/models", status_code=204)
@guarded("importModels", project="write")
def delete_models(call: ProjectCall) -> None:
    """Delete the trained models of all experiments of the project."""
    service.delete_all_models(call)
