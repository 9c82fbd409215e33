"""Unanswered proposals: what they are, and how the database follows the labelling.

A suggestion is open while one of its proposals is unanswered. A proposal is answered by an annotation or category that
a user confirmed or rejected at the same position with the same label; in an exclusive label set, a confirmed category
answers all proposals of the set. Proposals of deleted labels are not shown.

The state is stored with each suggestion (`Suggestion.open`, `SuggestionLabel`) and computed again inside the
transaction that changes labelling (`refresh_touched`, before each commit), labels or exclusiveness
(`note_changed_label_rules`). Undo thus opens what it reverts without a rule of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import inspect
from sqlalchemy.orm import Session

from annotarium.content.suggestions import repository
from annotarium.db.models import Label, LabelSet, Project
from annotarium.db.unit_of_work import UnitOfWork

BANDS = 10
_BATCH = 500
_CHANGED_RULES = "suggestions.changed_label_rules"
"""Key of `Session.info`: projects whose labels or label sets changed in this transaction."""
_RULES: tuple[tuple[type[Label | LabelSet | Project], tuple[str, ...]], ...] = (
    (Label, ("deleted_at", "label_set_id")),
    (LabelSet, ("exclusive_classes",)),
    (Project, ("exclusive_classes",)),
)
"""Columns that decide which proposals are shown."""
_PLAIN = (str, int)

Proposals = list[dict[str, Any]]


def confidence_band(confidence: float) -> int:
    """The tenth a confidence lies in: 0 to 9."""
    return int(min(confidence, 0.999) * BANDS)


@dataclass(frozen=True, slots=True)
class Judgements:
    """What decides which proposals of some suggestions are unanswered.

    Attributes:
        labels: live labels by name, each with its label set if that is exclusive, else None.
        judged: (document id, start, end, label name) of what users confirmed or rejected.
        decided: (document id, label set id) with a confirmed category.
    """

    labels: dict[str, int | None]
    judged: set[tuple[int, int | None, int | None, str]]
    decided: set[tuple[int, int]]

    def unanswered(self, document_id: int, annotations: Any, categories: Any) -> tuple[Proposals, Proposals]:
        """The unanswered spans and categories of a suggestion."""
        spans = [
            item
            for item in _well_formed_proposals(annotations, "labelName", "start", "end")
            if item["labelName"] in self.labels
            and (document_id, item["start"], item["end"], item["labelName"]) not in self.judged
        ]
        whole = [
            item
            for item in _well_formed_proposals(categories, "labelName")
            if item["labelName"] in self.labels
            and (document_id, None, None, item["labelName"]) not in self.judged
            and (document_id, self.labels[item["labelName"]]) not in self.decided
        ]
        return spans, whole


def _well_formed_proposals(proposals: Iterable[Any], *fields: str) -> Iterator[dict[str, Any]]:
    """The proposals that have all fields: one damaged row must not break the list."""
    return (one for one in proposals if isinstance(one, dict) and all(type(one.get(name)) in _PLAIN for name in fields))


def load_judgements(session: Session, project: Project, ids: Sequence[int]) -> Judgements:
    """What decides about the proposals of these suggestions."""
    labels = repository.exclusive_label_set_by_label(session, project)
    judged: set[tuple[int, int | None, int | None, str]] = set()
    decided: set[tuple[int, int]] = set()
    for part in repository.batches(ids, _BATCH):
        judged |= repository.judged_labelling_keys(session, part)
        decided |= repository.decided_label_sets(session, part)
    return Judgements(labels, judged, decided)


def refresh(session: Session, project: Project, ids: Sequence[int]) -> None:
    """Compute again which of these suggestions are open, and with which labels."""
    session.flush()
    for part in repository.batches(ids, _BATCH):
        rows = repository.lock_suggestions(session, part)
        known = load_judgements(session, project, part)
        stored = repository.stored_labels(session, part)
        changed_labels: dict[int, dict[str, int]] = {}
        changed_states = []
        for row in rows:
            labels = _labels_of(*known.unanswered(row.document_id, row.annotations, row.categories))
            if labels != stored.get(row.id, {}):
                changed_labels[row.id] = labels
            state = (bool(labels), confidence_band(row.confidence))
            if state != (row.open, row.confidence_band):
                changed_states.append((row.id, *state))
        repository.store_labels(session, project.id, changed_labels)
        repository.store_states(session, changed_states)


def _labels_of(spans: Proposals, categories: Proposals) -> dict[str, int]:
    """Labels of proposals with the number of spans."""
    labels: dict[str, int] = {item["labelName"]: 0 for item in categories}
    for item in spans:
        labels[item["labelName"]] = labels.get(item["labelName"], 0) + 1
    return labels


def refresh_project(session: Session, project_id: int) -> None:
    """Compute the state of all suggestions of a project again, unless it is deleted."""
    project = repository.find_project(session, project_id)
    if project is not None:
        refresh(session, project, repository.ids_of_project(session, project_id))


def refresh_touched(unit: UnitOfWork) -> None:
    """Follow what a transaction changed; called before its commit.

    What the search index has to read again (`UnitOfWork.touched`) is also what may answer proposals.
    """
    session = unit.session
    whole = set(session.info.pop(_CHANGED_RULES, ()))
    whole |= {row.project_id for row in unit.touched if row.operation == "project"}
    for project_id in whole:
        if repository.has_suggestions(session, project_id):
            refresh_project(session, project_id)
    touched: dict[int, list[tuple[int | None, int | None, int]]] = {}
    for row in unit.touched:
        if row.operation in ("facets", "document") and row.document_id is not None and row.project_id not in whole:
            touched.setdefault(row.project_id, []).append((row.start, row.end, row.document_id))
    for project_id, ranges in touched.items():
        ids = _ids_at(session, project_id, ranges)
        project = repository.find_project(session, project_id) if ids else None
        if project is not None:
            refresh(session, project, ids)


def _ids_at(session: Session, project_id: int, ranges: list[tuple[int | None, int | None, int]]) -> list[int]:
    """Suggestions where something changed. One annotation, which is the most frequent change, costs one query."""
    start, end, document_id = ranges[0]
    if len(ranges) == 1 and start is not None and end is not None:
        return repository.ids_in_range(session, document_id, start, end)
    if not repository.has_suggestions(session, project_id):
        return []
    documents = list({document_id for _, _, document_id in ranges})
    return [one for part in repository.batches(documents, _BATCH) for one in repository.ids_on_documents(session, part)]


def note_changed_label_rules(session: Session, *_: Any) -> None:
    """Remember projects whose labels or label sets changed; called after each flush of a session."""
    for row in session.dirty:
        for model, names in _RULES:
            if isinstance(row, model) and any(inspect(row).attrs[name].history.has_changes() for name in names):
                project_id = row.id if isinstance(row, Project) else row.project_id
                session.info.setdefault(_CHANGED_RULES, set()).add(project_id)
