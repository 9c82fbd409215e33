"""Finds gazetteers whose parameters name a label, before the label is deleted or merged."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.domains.gazetteers.service import KIND, gazetteers
from annotarium.domains.labels.schemas import LabelUse
from annotarium.domains.labels.service import mentions


def find_label_uses(call: ProjectCall, names: Sequence[str]) -> list[LabelUse]:
    """The gazetteers that name one of the labels."""
    wanted = frozenset(names)
    return [
        LabelUse(kind=KIND, name=row.name, label=row.label)
        for row in gazetteers.all(call)
        if mentions(row.parameters, wanted)
    ]
