"""Notification that training data changed other than by labelling: texts, segments, split, label sets.

This layer does not import its listeners: those that train models register here (as with `labelling.changes`).
"""

from __future__ import annotations

from collections.abc import Callable

from annotarium.access.call import ProjectCall

TrainingDataListener = Callable[[ProjectCall], None]
"""Called inside the transaction."""

_listeners: list[TrainingDataListener] = []


def register_training_data_listener(listener: TrainingDataListener) -> None:
    """Register a listener for the process."""
    if listener not in _listeners:
        _listeners.append(listener)


def notify_training_data_changed(call: ProjectCall) -> None:
    """Notify the listeners that documents, segments, split parts or label sets of a project changed."""
    for listener in _listeners:
        listener(call)
