"""Registers suggesters and experiments as listeners of changes; `connect` is called in every process that writes."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import labelling_changed
from annotarium.content.training_data import training_data_changed
from annotarium.domains.experiments.service import mark_experiments_outdated
from annotarium.domains.labels.service import label_use_query
from annotarium.domains.suggesters.label_uses import find_label_uses
from annotarium.domains.suggesters.service import count_answers_and_retrain, mark_suggesters_outdated


def _on_answers(call: ProjectCall, answers: int) -> None:
    mark_experiments_outdated(call)
    count_answers_and_retrain(call, answers)


def _on_training_data_changed(call: ProjectCall) -> None:
    mark_experiments_outdated(call)
    mark_suggesters_outdated(call)


def connect() -> None:
    """Hear of annotations and categories that changed, of texts and segments that did, and of labels that may go;
    however often it is called."""
    labelling_changed.connect(_on_answers)
    training_data_changed.connect(_on_training_data_changed)
    label_use_query.connect(find_label_uses)
