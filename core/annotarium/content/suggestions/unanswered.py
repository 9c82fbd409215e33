"""Unanswered proposals: what they are, and how the database follows the labelling.

A suggestion is open while one of its proposals is unanswered. A proposal is answered by an annotation or category that
a user confirmed or rejected at the same position with the same label; in an exclusive label set, a confirmed category
answers all proposals of the set. Proposals of deleted labels are not shown.

The state is stored with each suggestion (`Suggestion.open`, `SuggestionLabel`) and computed again inside the
transaction that changes labelling (`refresh_touched`, before each commit), labels or exclusiveness
(`note_flushed_rows`). Undo thus opens what it reverts without a rule of its own.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import get_history

from annotarium.access.call import ProjectCall
from annotarium.content.suggestions import repository
from annotarium.content.suggestions.repository import FacetValues
from annotarium.db.models import Label, LabelSet, Project, Suggestion
from annotarium.db.unit_of_work import UnitOfWork

BANDS = 10
_BATCH = 500
_CHANGED_RULES = "suggestions.changed_label_rules"
"""Key of `Session.info`: projects whose labels or label sets changed in this transaction."""
_ADDED = "suggestions.added"
"""Key of `Session.info`: pairs of project and suggestion, of those that the session inserted."""
_RULES: dict[type[Any], tuple[str, ...]] = {
    Label: ("deleted_at", "label_set_id"),
    LabelSet: ("exclusive_classes",),
    Project: ("exclusive_classes",),
}
"""Columns that decide which proposals are shown."""
_PLAIN = (str, int)

Proposals = list[dict[str, Any]]


def confidence_band(confidence: float) -> int:
    """The tenth a confidence lies in: 0 to 9."""
    return int(min(confidence, 0.999) * BANDS)


def facet_key(values: FacetValues) -> int:
    """The key under which the values of a suggestion in the facets are stored: 56 bits, never 0."""
    digest = blake2b(json.dumps(values).encode(), digest_size=7).digest()
    return int.from_bytes(digest) or 1


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
        facets: dict[int, FacetValues] = {}
        for row in rows:
            labels = _labels_of(*known.unanswered(row.document_id, row.annotations, row.categories))
            if labels != stored.get(row.id, {}):
                changed_labels[row.id] = labels
            values = FacetValues(row.suggester, confidence_band(row.confidence), tuple(sorted(labels)))
            state = (True, facet_key(values)) if labels else (False, 0)
            if state != (row.open, row.facet_key):
                changed_states.append((row.id, *state))
                facets |= {state[1]: values} if labels else {}
        repository.store_labels(session, project.id, changed_labels)
        repository.store_facets(session, project.id, facets)
        repository.store_states(session, changed_states)


def open_span_texts(call: ProjectCall) -> Counter[str]:
    """Number of unanswered span proposals by text. Reads every open suggestion."""
    rows = repository.open_suggestion_rows(call)
    known = load_judgements(call.session, call.project, [row.id for row in rows])
    found: Counter[str] = Counter()
    for row in rows:
        spans, _ = known.unanswered(row.document_id, row.annotations, row.categories)
        found.update(str(item.get("text", "")) for item in spans)
    return found


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
    added: dict[int, set[int]] = {}
    for project_id, identifier in session.info.pop(_ADDED, ()):
        added.setdefault(project_id, set()).add(identifier)
    for project_id in touched.keys() | added.keys():
        ids = sorted({*_ids_at(session, project_id, touched.get(project_id, [])), *added.get(project_id, ())})
        project = repository.find_project(session, project_id) if ids else None
        if project is not None:
            refresh(session, project, ids)


def _ids_at(session: Session, project_id: int, ranges: list[tuple[int | None, int | None, int]]) -> list[int]:
    """Suggestions where something changed. One annotation, which is the most frequent change, costs one query."""
    if len(ranges) == 1:
        start, end, document_id = ranges[0]
        if start is not None and end is not None:
            return repository.ids_in_range(session, document_id, start, end)
    if not ranges or not repository.has_suggestions(session, project_id):
        return []
    documents = list({document_id for _, _, document_id in ranges})
    return [one for part in repository.batches(documents, _BATCH) for one in repository.ids_on_documents(session, part)]


def note_flushed_rows(session: Session, *_: Any) -> None:
    """Remember new suggestions, and projects whose labels or label sets changed; called after each flush."""
    for row in session.new:
        if isinstance(row, Suggestion):
            session.info.setdefault(_ADDED, set()).add((row.project_id, row.id))
    for row in session.dirty:
        names = _RULES.get(type(row), ())
        if any(get_history(row, name).has_changes() for name in names):
            project_id = row.id if isinstance(row, Project) else row.project_id
            session.info.setdefault(_CHANGED_RULES, set()).add(project_id)
