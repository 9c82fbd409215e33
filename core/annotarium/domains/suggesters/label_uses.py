"""Finds experiments, suggesters and suggestions that name a label, before the label is deleted or merged."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.domains.experiments.service import experiments_of_project
from annotarium.domains.labels.schemas import LabelUse
from annotarium.domains.labels.service import mentions
from annotarium.domains.suggesters import repository
from annotarium.domains.suggesters.service import suggesters


def find_label_uses(call: ProjectCall, names: Sequence[str]) -> list[LabelUse]:
    """Experiments trained on the labels or naming them, suggesters naming them, number of suggestions of them."""
    wanted = frozenset(names)
    found = [
        LabelUse(kind="experiment", name=row.name, label=row.label)
        for row in experiments_of_project(call)
        if wanted.intersection(row.classes or ()) or mentions(row.parameters, wanted)
    ]
    found += [
        LabelUse(kind="suggester", name=row.name, label=row.label)
        for row in suggesters.all(call)
        if mentions(row.parameters, wanted)
    ]
    waiting = repository.count_suggestions_with_labels(call.session, call.project.id, list(names))
    if waiting:
        found.append(LabelUse(kind="suggestions", name="suggestions", label="", count=waiting))
    return found
