"""Serialised history entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.fragments import fragment_texts
from annotarium.content.labelling.repository import TABLES
from annotarium.content.labelling.suggestion_skipping import SUGGESTION, public_suggestion_id
from annotarium.content.relations import repository as relations
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Document, History
from annotarium.db.timestamps import iso
from annotarium.domains.history import repository
from annotarium.domains.history.schemas import HistoryEntry, Kind

_LONGEST = 200
"""Maximum length of a shown text in characters; the database stores it in full."""
_NAMES = {"creation_mode": "creationMode", "created_by": "createdBy"}
_ENDS = {"source_id": "source", "target_id": "target"}
_KINDS: dict[str, Kind] = {"undo": "undo", "redo": "redo", "restore": "restore"}


class HistorySerializer:
    """Serialises the changes of one document; loads label and relation names once."""

    def __init__(self, call: ProjectCall, document: Document) -> None:
        self._call = call
        self._document = document
        self._labels = repository.label_names(call)
        self._names: dict[int, str] | None = None
        self._ends: dict[int, str] = {}

    def entries(self, changes: Sequence[History], may_restore: Callable[[History], bool]) -> list[HistoryEntry]:
        """The entries of the changes, in the same order, without rows that cannot be read."""
        gone = repository.find_undone_changes(self._call, self._document.id, [change.id for change in changes])
        jobs = repository.job_descriptions(self._call, [change.job_id for change in changes if change.job_id])
        return convert_readable_rows(changes, lambda change: self._entry(change, gone, jobs, may_restore(change)))

    def entry(self, change: History) -> HistoryEntry:
        """The entry of one change; never restorable."""
        return self.entries([change], lambda _: False)[0]

    def _entry(self, change: History, gone: set[int], jobs: Mapping[str, str], restorable: bool) -> HistoryEntry:
        return HistoryEntry(
            identifier=str(change.id),
            act=str(change.act_id or change.id),
            entity=change.entity,
            entity_identifier=_public_entity_id(change),
            action=change.action,
            kind=_KINDS.get(change.kind or ""),
            by=remove_imported_prefix(change.actor),
            imported_by=change.imported_by,
            imported_date=iso(change.imported_at),
            date=iso(change.at) or "",
            job_id=change.job_id,
            job_description=jobs.get(change.job_id or "") or None,
            before=self.state(change.entity, change.before),
            after=self.state(change.entity, change.after),
            undoes=str(change.batch_id) if change.batch_id is not None else None,
            taken_back=change.id in gone,
            restorable=restorable,
        )

    def state(self, entity: str, fields: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """The public form of a stored state: published field names, label names instead of ids, shortened texts."""
        if fields is None:
            return None
        if entity == SUGGESTION:
            return self._suggestion(fields)
        if entity not in TABLES:
            return {name: _short(value) for name, value in fields.items()}
        shown = {_NAMES.get(name, name): value for name, value in fields.items() if value is not None}
        if isinstance(shown.get("createdBy"), str):
            shown["createdBy"] = remove_imported_prefix(shown["createdBy"])
        if entity == "relation":
            return self._relation(shown)
        label_id = shown.pop("label_id", None)
        shown["labelName"] = self._labels.get(label_id, "") if isinstance(label_id, int) else ""
        start, end = fields.get("start"), fields.get("end")
        if isinstance(start, int) and isinstance(end, int):
            shown["text"] = _short(self._document.text[start:end])
        if fields.get("fragments"):
            shown["fragmentsText"] = [_short(text) for text in fragment_texts(self._document.text, fields["fragments"])]
        return shown

    def _suggestion(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        start, end = fields["start"], fields["end"]
        proposals = [*fields["annotations"], *fields["categories"]]
        name = proposals[0]["labelName"] if proposals else ""
        return {"start": start, "end": end, "labelName": name, "text": _short(self._document.text[start:end])}

    def _relation(self, shown: dict[str, Any]) -> dict[str, Any]:
        if self._names is None:
            self._names = relations.names_by_id(self._call.session, self._call.project.id)
        unknown = {shown[end] for end in _ENDS if end in shown} - self._ends.keys()
        if unknown:
            self._ends |= relations.annotation_texts_by_id(self._call.session, unknown)
        shown["name"] = self._names.get(shown.pop("name_id", 0), "")
        for name, end in _ENDS.items():
            identifier = shown.pop(name, 0)
            shown[end] = str(identifier)
            shown[f"{end}Text"] = _short(self._ends.get(identifier, ""))
        return shown


def _public_entity_id(change: History) -> str:
    return public_suggestion_id(change.entity_id) if change.entity == SUGGESTION else str(change.entity_id)


def _short(value: Any) -> Any:
    return value[:_LONGEST] + "\u2026" if isinstance(value, str) and len(value) > _LONGEST else value
