"""Registers suggesters and experiments as listeners of changes; `connect` is called in every process that writes."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import register_labelling_listener
from annotarium.content.training_data_listeners import register_training_data_listener
from annotarium.domains.experiments.service import mark_experiments_outdated
from annotarium.domains.labels.service import register_use_finder
from annotarium.domains.suggesters.label_uses import find_label_uses
from annotarium.domains.suggesters.service import count_answers_and_retrain, mark_suggesters_outdated


def _on_answers(call: ProjectCall, answers: int) -> None:
    mark_experiments_outdated(call)
    count_answers_and_retrain(call, answers)


def _on_training_data_changed(call: ProjectCall) -> None:
    mark_experiments_outdated(call)
    mark_suggesters_outdated(call)


def connect() -> None:
    """Register the listeners for changed labelling, changed texts and segments, and labels about to be deleted.
    Idempotent.
    """
    register_labelling_listener(_on_answers)
    register_training_data_listener(_on_training_data_changed)
    register_use_finder(find_label_uses)
