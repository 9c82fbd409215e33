"""Creates the project of an archive: settings, tables, documents, models.

The project stays invisible (marked as deleted by its import) until it is complete and its counts match the manifest.
Then it becomes visible, or replaces the project it restores, in one transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from sqlalchemy import Table

from annotarium.access.call import Call
from annotarium.content.validation import InvalidContent
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Document, Project
from annotarium.domains.lexicons.service import derive_relations
from annotarium.domains.projects.archive import repository
from annotarium.domains.projects.archive.archive_format import (
    EXCLUDED_SETTINGS,
    GROUPS,
    PAGED_TABLES,
    PEOPLE,
    ArchivedTable,
    document_tables,
    project_tables,
)
from annotarium.domains.projects.archive.document_and_plan_checks import Rows, check_document, check_plan, check_term
from annotarium.domains.projects.archive.linked_documents import JUDGEMENTS, LinkedDocuments
from annotarium.domains.projects.archive.messages import incomplete_message, table_label, with_row_number
from annotarium.domains.projects.archive.model_files import place_model
from annotarium.domains.projects.archive.project_name_references import archived_project_name, rename_project_references
from annotarium.domains.projects.archive.row_encoding import (
    IdMap,
    MissingReference,
    checked_value,
    decode_row,
    without_trained_model,
)
from annotarium.domains.projects.archive.unpacking import Unpacked, read_json_lines
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

BATCH_DOCUMENTS, BATCH_CHARACTERS = 100, 2_000_000
_LINE_LIMIT = 1 << 30
"""Maximum size in bytes of one line, which has a document with all its rows."""
_ROWS = 500
OpenCall = Callable[[], AbstractContextManager[Call]]
ReportProgress = Callable[[int, int, str], None]
_DOCUMENTS = repository.table_of(Document)
_PROJECTS = repository.table_of(Project)
_ROW_CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {"plans": check_plan, "terms": check_term}
"""Checks of whole rows, by table."""


class ProjectRestorer:
    """Writes the rows and models of an unpacked archive into an invisible project.

    Args:
        name: the final name of the project.

    Attributes:
        left_out: number of rows left out by table, because they refer to a user or row that does not exist here, or
            are of
            an unknown table. Unknown origin groups are counted as `origins`; their documents are imported.
    """

    def __init__(
        self, archive: Unpacked, project_id: int, name: str, open_call: OpenCall, tell: ReportProgress
    ) -> None:
        self.archive, self.project_id, self._name = archive, project_id, name
        self._open, self._tell = open_call, tell
        self._known = IdMap({}, {}, brought_by="", brought_at=0)
        self._linked = LinkedDocuments()
        self._checks = _ROW_CHECKS | {JUDGEMENTS: self._linked.check_judgement}
        self._counts: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()

    def run(self) -> None:
        """Write all rows and models, in several transactions. The project stays invisible.

        Raises:
            InvalidContent: the archive has invalid content.
        """
        with self._open() as call:
            repository.delete_project_rows(call.session, self.project_id, project_tables())
            names = repository.user_and_group_names(call.session)
            people, groups = _ids_by_name(names[PEOPLE]), _ids_by_name(names[GROUPS])
            self._known = IdMap(people, groups, brought_by=call.username, brought_at=now_ms())
        for archived in project_tables():
            if archived.linked:
                self._linked.want(archived, self._rows(archived))
            else:
                self._table(archived)
        self._leave_out(self.archive.tables, (one.table.name for one in project_tables()))
        derive_relations(self._open, self.project_id)
        self._documents()
        self._linked.add_to(self._known)
        for archived in project_tables():
            if archived.linked:
                self._table(archived)
        self._check_counts()
        self._models()

    @property
    def known(self) -> IdMap:
        """The map from archived to new ids."""
        return self._known

    def _rows(self, archived: ArchivedTable) -> Iterator[Any]:
        return read_json_lines(self.archive.tables.get(archived.table.name), _LINE_LIMIT)

    def _table(self, archived: ArchivedTable) -> None:
        table = archived.table
        rows: list[dict[str, Any]] = []
        for number, row in enumerate(self._rows(archived), start=1):
            self._counts[table.name] += 1
            if isinstance(row, dict) and "models" in table.c and not self._has_model(row.get("id")):
                row = without_trained_model(row)
            try:
                decoded = decode_row(row, table, self._known, self.project_id)
                rename_project_references(decoded, table, archived_project_name(self.archive.manifest), self._name)
                if table.name in self._checks:
                    self._checks[table.name](decoded)
                rows.append(decoded)
            except MissingReference:
                self.left_out[table.name] += 1
            except InvalidContent as error:
                raise with_row_number(table.name, number, error) from error
            if len(rows) >= _ROWS:
                self._insert(table, rows)
                rows = []
        self._insert(table, rows)

    def _leave_out(self, given: Iterable[str], known: Iterable[str]) -> None:
        """Count tables that this release does not know."""
        for name in set(given) - set(known):
            self.left_out[name[:60]] += 1

    def _has_model(self, old_id: Any) -> bool:
        return any(owner == old_id for _, owner, _ in self.archive.models)

    def _insert(self, table: Table, rows: list[dict[str, Any]]) -> None:
        if rows:
            with self._open() as call:
                repository.insert_all(call.session, table, rows)
        if table.name in PAGED_TABLES:
            self._known.forget([table.name])  # nothing refers to them, and they may be millions

    def _documents(self) -> None:
        total = self.archive.manifest["counts"].get("documents", 0)
        total = total if isinstance(total, int) else 0
        documents: list[dict[str, Any]] = []
        parts: Rows = {}
        size = 0
        for number, line in enumerate(read_json_lines(self.archive.documents, _LINE_LIMIT), start=1):
            try:
                row, own = self._document(line)
            except InvalidContent as error:
                raise with_row_number(_DOCUMENTS.name, number, error) from error
            documents.append(row)
            for name, rows in own.items():
                parts.setdefault(name, []).extend(rows)
            size += len(row["text"])
            if len(documents) >= BATCH_DOCUMENTS or size >= BATCH_CHARACTERS:
                self._write(documents, parts)
                documents, parts, size = [], {}, 0
                done = self._counts["documents"]
                self._tell(
                    done,
                    max(total, done),
                    message(
                        "done.restored", "{count:,} documents restored", one="{count:,} document restored", count=done
                    ),
                )
        self._write(documents, parts)

    def _document(self, line: Any) -> tuple[dict[str, Any], Rows]:
        if not isinstance(line, dict) or not isinstance(line.get("document"), dict):
            raise InvalidContent(
                message("archive.noDocument", "A line of the archive is not a document"),
                message("fix.exportAgain", "Export it again"),
            )
        given = line["document"]
        row = decode_row(given, _DOCUMENTS, self._known, self.project_id)
        self._linked.note(given.get("id"), row)
        self._counts["documents"] += 1
        if given.get("origin_group_id") is not None and row["origin_group_id"] is None:
            self.left_out["origins"] += 1
        parts: Rows = {}
        for archived in document_tables():
            table = archived.table
            rows = line.get(table.name, [])
            if not isinstance(rows, list):
                raise InvalidContent(
                    message(
                        "archive.noList", "In a document, these are not lists: {what}", what=table_label(table.name)
                    )
                )
            self._counts[table.name] += len(rows)
            parts[table.name] = list(self._children(rows, table, given.get("id"), row["id"]))
        self._leave_out(line, ("document", *(one.table.name for one in document_tables())))
        self._known.forget(one.table.name for one in document_tables())
        self._known.forget([_DOCUMENTS.name])
        check_document(row, parts, limit=get_settings().document_limit)
        return row, parts

    def _children(self, rows: list[Any], table: Table, old_id: Any, new: int) -> Iterator[dict[str, Any]]:
        self._known.add(_DOCUMENTS.name, old_id, new)
        for number, one in enumerate(rows, start=1):
            row = one | {"document_id": old_id} if isinstance(one, dict) else one
            try:
                yield decode_row(row, table, self._known, self.project_id)
            except MissingReference:
                self.left_out[table.name] += 1
            except InvalidContent as error:
                raise with_row_number(table.name, number, error) from error

    def _write(self, documents: list[dict[str, Any]], parts: Rows) -> None:
        if not documents:
            return
        with self._open() as call:
            repository.insert_all(call.session, _DOCUMENTS, documents)
            for archived in document_tables():
                repository.insert_all(call.session, archived.table, parts.get(archived.table.name, []))

    def _check_counts(self) -> None:
        for name, count in self.archive.manifest["counts"].items():
            known = name == "documents" or any(
                name == one.table.name for one in (*project_tables(), *document_tables())
            )
            if known and self._counts[name] != count:
                raise InvalidContent(
                    incomplete_message(name, self._counts[name], count), message("fix.exportAgain", "Export it again")
                )

    def _models(self) -> None:
        tables = [one.table.name for one in project_tables() if "models" in one.table.c]
        for (kind, old_id, _), folder in self.archive.models.items():
            owner = next((found for name in tables if (found := self._known.find(name, old_id))), None)
            if owner is not None:
                place_model(folder, self.project_id, kind, owner)


def _ids_by_name(names: dict[int, str]) -> dict[str, int]:
    return {name: identifier for identifier, name in names.items()}


def new_invisible_project(settings: dict[str, Any], *, old_name: str, new_name: str, **given: Any) -> Project:
    """An invisible project with the settings of an archive; not added to a session.

    Args:
        old_name: name of the project in the archive.
        new_name: its final name here.
        given: values of columns that are not taken from the archive.

    Raises:
        InvalidContent: a setting is invalid.
    """
    values: dict[str, Any] = {}
    for column in _PROJECTS.c:
        if column.name not in EXCLUDED_SETTINGS and settings.get(column.name) is not None:
            values[column.name] = checked_value(settings[column.name], column)
    rename_project_references(values, _PROJECTS, old_name, new_name)
    values |= {"id": new_id(), "deleted_at": now_ms()} | given
    return Project(**values)
