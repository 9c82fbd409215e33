"""What models learn from, besides the labelling that people give: texts, segments, split, label sets.

Lower floors do not know who learned: whoever did registers here (as with `labelling.changes`).
"""

from __future__ import annotations

from collections.abc import Callable

from annotarium.access.call import ProjectCall

TrainingDataListener = Callable[[ProjectCall], None]
"""Called inside the transaction."""

_listeners: list[TrainingDataListener] = []


def register_training_data_listener(listener: TrainingDataListener) -> None:
    """Register a listener, once per process."""
    if listener not in _listeners:
        _listeners.append(listener)


def notify_training_data_changed(call: ProjectCall) -> None:
    """Tell that a project has other documents, segments, parts or label sets than before."""
    for listener in _listeners:
        listener(call)
