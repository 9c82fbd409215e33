"""What suggesters and experiments listen to; `connect` is called in every process that writes (jobs.run)."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.changes import on_labelling
from annotarium.content.training_data import on_training_data_changed
from annotarium.domains.experiments.service import mark_outdated
from annotarium.domains.labels.service import register_use_finder
from annotarium.domains.suggesters.label_uses import find_label_uses
from annotarium.domains.suggesters.service import add_answers, mark_suggesters_outdated


def _on_answers(call: ProjectCall, answers: int) -> None:
    mark_outdated(call)
    add_answers(call, answers)


def _on_training_data_changed(call: ProjectCall) -> None:
    mark_outdated(call)
    mark_suggesters_outdated(call)


def connect() -> None:
    """Hear of annotations and categories that changed, of texts and segments that did, and of labels that may go;
    however often it is called."""
    on_labelling(_on_answers)
    on_training_data_changed(_on_training_data_changed)
    register_use_finder(find_label_uses)
