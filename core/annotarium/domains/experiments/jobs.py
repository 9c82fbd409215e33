"""Jobs of experiments."""

from __future__ import annotations

from typing import Any

from annotarium.db.identifiers import now_ms
from annotarium.db.models import Experiment
from annotarium.domains.experiments import service
from annotarium.domains.experiments.models import save_model
from annotarium.domains.experiments.topics import FoundTopics, find_topics
from annotarium.domains.experiments.training import TrainedModel, build_learner, collect_training_set, train
from annotarium.hooks import get_hooks
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.queue import start_job
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.messages import message

REPORT_HISTORY_LIMIT = 10
"""C-034."""


@job_function("train_experiment")
def train_experiment(
    context: JobContext,
    project_name: str,
    experiment: str,
    annotate_corpus: bool = False,
    mail_in: str | None = None,
) -> None:
    """Train, measure, publish the model; idempotent, since a run starts from the annotations each time."""
    started = now_ms()
    found: FoundTopics | None = None
    with context.open(project_name, write=False) as call:
        row = service.experiments.require(call, experiment)
        engine, parameters = row.engine, row.parameters
        group_field, train_on_all = row.group_field, row.train_on_all
        project, owner_id = call.project, row.id
        learner = build_learner(engine, parameters)
        if isinstance(learner, TopicLearner):
            found = find_topics(
                call,
                learner,
                engine,
                parameters,
                before=row.report,
                group_field=group_field,
                train_on_all=train_on_all,
                progress=context.progress,
            )
        else:
            data = collect_training_set(call.session, call.project, group_field=group_field, progress=context.progress)
    trained = found or train(
        engine,
        parameters,
        data,
        project,
        group_field=group_field,
        train_on_all=train_on_all,
        progress=context.progress,
    )
    context.progress(96, 100, message("doing.save", "Saving the model"))
    timestamp, report = now_ms(), trained.report_json()
    save_model(
        trained.learner,
        project_id=project.id,
        kind=service.KIND,
        owner_id=owner_id,
        timestamp=timestamp,
        facts=trained.facts | {"report": report},
    )
    with context.open(project_name, write=True) as call:
        row = service.experiments.require(call, experiment)
        _publish(row, trained, report, timestamp, timestamp - started)
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


def _publish(
    row: Experiment, trained: TrainedModel | FoundTopics, report: dict[str, Any] | None, timestamp: int, duration: int
) -> None:
    row.models, row.timestamp, row.duration = 1, timestamp, duration
    row.uptodate, row.job_id = True, None
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
