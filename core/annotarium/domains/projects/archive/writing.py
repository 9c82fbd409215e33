"""Writes archives. Each batch is read in its own transaction, to limit memory and block no other transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from annotarium import __version__
from annotarium.access.call import ProjectCall
from annotarium.access.rights import Access
from annotarium.access.visibility import reads_all_labelling
from annotarium.content.project_images import image_path
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Document, Project
from annotarium.db.timestamps import iso
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.projects.archive import repository
from annotarium.domains.projects.archive.archive_format import (
    DOCUMENTS,
    EXCLUDED_SETTINGS,
    HISTORY,
    IMAGE,
    MANIFEST,
    MODELS_FOLDER,
    MODELS_FORMAT,
    PAGED_TABLES,
    PROJECT_FORMAT,
    SETTINGS,
    TABLES_FOLDER,
    VERSION,
    ArchivedTable,
    document_tables,
    project_tables,
)
from annotarium.domains.projects.archive.model_files import newest_model
from annotarium.domains.projects.archive.row_encoding import Row, encode_row, without_trained_model
from annotarium.files.zip_writer import ArchiveWriter, MemberWriter
from annotarium.registry.model_signatures import LOCAL_MARKER_FILES

BATCH = 50
"""Number of documents read at a time."""
_CHUNK = 1 << 18
_PAGE = 500
"""Number of rows of a paged table read at a time."""


@dataclass
class ArchiveExport:
    """An export: what to write, and its state.

    Attributes:
        models: include the files of trained models.
        history: include the history of documents, if the caller may read all users' labelling.
        experiments: for a model archive, names of the rows of `engines`; None for a whole project.
        engines: for a model archive, the table of the rows: experiments or gazetteers.
    """

    access: Access
    project_id: int
    models: bool = True
    history: bool = True
    experiments: Collection[str] | None = None
    engines: str = "experiments"
    counts: Counter[str] = field(default_factory=Counter)
    trained: list[int] = field(default_factory=list)
    names: dict[str, dict[int, str]] = field(default_factory=dict)

    def open(self) -> Any:
        """A read-only transaction, as a context manager."""
        return unit_of_work(actor=self.access.username, write=False)


def write_archive(export: ArchiveExport) -> Iterator[bytes]:
    """The bytes of an archive, in chunks. Opens its own transactions."""
    archive = ArchiveWriter()
    with export.open() as unit:
        export.names = repository.user_and_group_names(unit.session)
    if export.experiments is None:
        yield from _write_documents(export, archive)
        for archived in project_tables():
            yield from _write_table(export, archive, archived)
    else:
        (engines,) = [one for one in project_tables() if one.table.name == export.engines]
        yield from _write_table(export, archive, engines)
    for owner_id in export.trained:
        yield from _write_model_files(export, archive, owner_id)
    if export.experiments is None:
        yield from _write_image(export, archive)
    yield from _write_settings_and_manifest(export, archive)
    archive.close()
    yield archive.take()


def _open_project_call(export: ArchiveExport, unit: Any) -> ProjectCall:
    project = unit.session.get_one(Project, export.project_id)
    return ProjectCall(unit=unit, access=export.access, project=project)


def _write_documents(export: ArchiveExport, archive: ArchiveWriter) -> Iterator[bytes]:
    history = export.history and reads_all_labelling(export.access)
    tables = [one for one in document_tables() if history or one.table.name != HISTORY]
    after = 0
    with archive.member(DOCUMENTS) as member:
        while True:
            with export.open() as unit:
                call = _open_project_call(export, unit)
                rows = repository.page_of_documents(call, after, BATCH)
                if not rows:
                    break
                after = rows[-1]["id"]
                lines = _document_lines(export, call, rows, tables)
            for line in lines:
                member.write(orjson.dumps(line) + b"\n")
            yield archive.take()


def _document_lines(
    export: ArchiveExport, call: ProjectCall, rows: Iterable[Any], tables: list[ArchivedTable]
) -> list[Row]:
    lines: dict[int, Row] = {row["id"]: {"document": encode_row(row, _DOCUMENTS, export.names)} for row in rows}
    export.counts["documents"] += len(lines)
    for archived in tables:
        name = str(archived.table.name)
        for row in repository.rows_of_documents(call, archived, list(lines)):
            encoded = encode_row(row, archived.table, export.names)
            encoded.pop("document_id", None)
            lines[row["document_id"]].setdefault(name, []).append(encoded)
            export.counts[name] += 1
    return list(lines.values())


_DOCUMENTS = repository.table_of(Document)


def _write_paged_table(export: ArchiveExport, archive: ArchiveWriter, archived: ArchivedTable) -> Iterator[bytes]:
    table, after = archived.table, 0
    with archive.member(f"{TABLES_FOLDER}{table.name}.jsonl") as member:
        while True:
            with export.open() as unit:
                call = _open_project_call(export, unit)
                page = repository.page_of_project_rows(call, archived, after, _PAGE)
                lines = [orjson.dumps(encode_row(row, table, export.names)) for row in page]
            if not page:
                break
            after = page[-1]["id"]
            member.write(b"\n".join(lines) + b"\n")
            export.counts[str(table.name)] += len(lines)
            yield archive.take()


def _write_table(export: ArchiveExport, archive: ArchiveWriter, archived: ArchivedTable) -> Iterator[bytes]:
    table = archived.table
    if table.name in PAGED_TABLES:
        yield from _write_paged_table(export, archive, archived)
        return
    with archive.member(f"{TABLES_FOLDER}{table.name}.jsonl") as member:
        with export.open() as unit:
            rows = [
                encode_row(row, table, export.names)
                for row in repository.rows_of_project(_open_project_call(export, unit), archived)
                if export.experiments is None or row["name"] in export.experiments
            ]
        for row in rows:
            owner_id = row.get("id", 0)
            if "models" in table.c:
                if export.models and newest_model(export.project_id, owner_id) is not None:
                    export.trained.append(owner_id)
                else:
                    row = without_trained_model(row)
            member.write(orjson.dumps(row) + b"\n")
            export.counts[str(table.name)] += 1
    yield archive.take()


def _write_model_files(export: ArchiveExport, archive: ArchiveWriter, owner_id: int) -> Iterator[bytes]:
    folder = newest_model(export.project_id, owner_id)
    if folder is None:  # retrained or deleted in the meantime: the archive has the row without files
        return
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.name not in LOCAL_MARKER_FILES):
        name = f"{MODELS_FOLDER}{folder.parent.name}/{folder.name}/{path.relative_to(folder).as_posix()}"
        yield from _write_file(archive, name, path)


def _write_image(export: ArchiveExport, archive: ArchiveWriter) -> Iterator[bytes]:
    with export.open() as unit:
        image = repository.image_of(unit.session, _open_project_call(export, unit).project.image_id)
    if image is not None and image_path(image.id).is_file():
        yield from _write_file(archive, IMAGE, image_path(image.id))


def _write_file(archive: ArchiveWriter, name: str, path: Path) -> Iterator[bytes]:
    with archive.member(name) as member, path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            member.write(chunk)
            yield archive.take()


def _write_settings_and_manifest(export: ArchiveExport, archive: ArchiveWriter) -> Iterator[bytes]:
    with export.open() as unit:
        row = repository.settings_row(unit.session, export.project_id)
    kept = {str(name): value for name, value in row.items() if name not in EXCLUDED_SETTINGS and value is not None}
    if export.experiments is None:
        with archive.member(SETTINGS) as member:
            _write_json(member, kept)
    manifest = {
        "format": PROJECT_FORMAT if export.experiments is None else MODELS_FORMAT,
        "version": VERSION,
        "application": f"annotarium {__version__}",
        "created": iso(now_ms()),
        "createdBy": export.access.username,
        "project": {name: row[name] for name in ("name", "label", "nature", "lang")},
        "models": len(export.trained),
        "counts": dict(export.counts),
        "files": archive.files,
    }
    with archive.member(MANIFEST) as member:
        _write_json(member, manifest)
    yield archive.take()


def _write_json(member: MemberWriter, value: Any) -> None:
    member.write(orjson.dumps(value, option=orjson.OPT_INDENT_2))
