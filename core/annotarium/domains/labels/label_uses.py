"""What else a label is part of. Higher domains connect what they know: a lower floor does not ask them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.signals import QuerySignal
from annotarium.domains.labels.schemas import LabelUse

label_use_query = QuerySignal[[ProjectCall, Sequence[str]], LabelUse]()
"""Uses of labels, given their names; domains that know of such uses connect to it."""


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
