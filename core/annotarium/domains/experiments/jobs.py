"""Jobs of experiments."""

from __future__ import annotations

from contextlib import closing
from typing import Any

from annotarium.db.identifiers import now_ms
from annotarium.db.models import Experiment
from annotarium.domains.experiments import service
from annotarium.domains.experiments.training_progress import SAVE, TOTAL
from annotarium.domains.experiments.training_tasks import TrainingResult, read_training_data
from annotarium.hooks import get_hooks
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.job_creation import start_job
from annotarium.registry.model_store import gazetteer_versions, save_model
from annotarium_schemas.messages import message

REPORT_HISTORY_LIMIT = 10
"""Number of reports kept per experiment (C-034)."""


@job_function("train_experiment")
def train_experiment(
    context: JobContext,
    project_name: str,
    experiment: str,
    annotate_corpus: bool = False,
    mail_in: str | None = None,
) -> None:
    """Train, evaluate and publish the model of an experiment.

    Idempotent: every run starts from the annotations.
    """
    started = now_ms()
    with context.open(project_name, write=False) as call:
        row = service.experiments.require(call, experiment)
        project, owner_id = call.project, row.id
        task = read_training_data(call, row, context.progress)
    with closing(task):  # training takes long: no transaction is open
        trained = task.fit(context.progress)
    context.progress(SAVE, TOTAL, message("doing.save", "Saving the model"))
    timestamp, report = now_ms(), trained.report_json()
    save_model(
        trained.learner,
        project_id=project.id,
        owner=service.KIND,
        owner_id=owner_id,
        timestamp=timestamp,
        facts=trained.facts | {"report": report},
    )
    with context.open(project_name, write=True) as call:
        row = service.experiments.require(call, experiment)
        _store_training_result(row, trained, report, timestamp, timestamp - started)
        call.unit.emit("experiments", {"type": "trained", "name": row.name}, project=project_name)
        if annotate_corpus:
            start_job(
                call.unit,
                type="CORPUS_ANNOTATE",
                function="annotate_corpus",
                arguments={"project_name": project_name, "annotator": row.name, "overwrite": True, "tidy": True},
                project=call.project,
                created_by=context.username,
                description=message(
                    "start.annotateCorpus", "Annotating the corpus with {annotator}", annotator=row.label
                ),
                queue="heavy",
                mail_in=mail_in,
            )
    get_hooks().call("model_trained", project=project_name, experiment=experiment, report=row.report or {})
    context.finish(message=trained.summary, result={"quality": row.quality})


def _store_training_result(
    row: Experiment, trained: TrainingResult, report: dict[str, Any] | None, timestamp: int, duration: int
) -> None:
    row.models, row.timestamp, row.duration = 1, timestamp, duration
    dictionaries = trained.facts.get("gazetteers")
    row.uptodate = dictionaries is None or dictionaries == gazetteer_versions(row.project_id)
    row.job_id = None
    row.classes, row.report, row.quality = trained.labels, report, trained.quality
    entry = {
        "timestamp": timestamp,
        "quality": row.quality,
        "report": report,
        "duration": duration,
        "classes": trained.labels,
        "parameters": trained.facts["parameters"],
        "trainingSize": trained.facts.get("measuredTrainingSize", trained.facts["trainingSize"]),
    }
    row.history = [*row.history, entry][-REPORT_HISTORY_LIMIT:]
