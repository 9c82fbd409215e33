"""What else a label is part of. Higher domains register what they know: a lower floor does not ask them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.domains.labels.schemas import LabelUse

UseFinder = Callable[[ProjectCall, Sequence[str]], Sequence[LabelUse]]
"""Uses of labels, given their names."""

_use_finders: list[UseFinder] = []


def register_use_finder(finder: UseFinder) -> None:
    """Register a finder, once per process."""
    if finder not in _use_finders:
        _use_finders.append(finder)


def find(call: ProjectCall, names: Sequence[str]) -> list[LabelUse]:
    """All that the registered domains know."""
    return [use for finder in _use_finders for use in finder(call, names)]


def mentions(value: Any, names: Collection[str], *, about_labels: bool = False) -> bool:
    """Whether parameters name one of the labels: as a value or key below a parameter with `label` in its name."""
    if isinstance(value, dict):
        return any(
            (about_labels and key in names)
            or mentions(item, names, about_labels=about_labels or "label" in str(key).lower())
            for key, item in value.items()
        )
    if isinstance(value, list):
        return any(mentions(item, names, about_labels=about_labels) for item in value)
    return about_labels and isinstance(value, str) and value in names
