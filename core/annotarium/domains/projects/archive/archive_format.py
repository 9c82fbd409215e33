"""What an archive holds: which tables, in which files, and what their references point to. Worked out from the tables.

A zip with JSON lines, the manifest last because it counts and hashes the rest:

    documents.jsonl         one document a line: {"document": row, "<table>": [rows of that document]}
    tables/<table>.jsonl    rows of what belongs to the project as a whole (labels, experiments, ...)
    models/<kind>-<id>/<time>/...   files of trained models; the id is that of the row they belong to
    image                   the project's picture
    project.json            settings
    manifest.json           format, version, who, when, counts, SHA-256 of each file

A row is an object of its columns, None left out. Ids hold within the archive only. Users and groups travel by name.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Column, Table

from annotarium.db.models import Base, Document, Project

PROJECT_FORMAT, MODELS_FORMAT = "annotarium-project", "annotarium-models"
VERSION = 1
"""Grows when older releases can no longer read what is written."""
MANIFEST, SETTINGS, DOCUMENTS, IMAGE = "manifest.json", "project.json", "documents.jsonl", "image"
TABLES_FOLDER, MODELS_FOLDER = "tables/", "models/"
EXTENSION = ".spa"

PEOPLE, GROUPS, PROJECTS = "users", "groups", "projects"
# What has a project and stays behind: rights and running work belong to the installation.
EXCLUDED_TABLES = frozenset(
    {"user_shares", "group_shares", "left_shares", "jobs", "job_items", "job_mails", "outbox", "uploads", "audit"}
)
RECOMPUTED_COLUMNS: dict[str, dict[str, Any]] = {
    "vectorizations": {
        "model": 0,
        "building": 0,
        "dimension": 0,
        "learned_from": 0,
        "tried": "",
        "probe": {},
        "remade": 0,
    }
}
"""Columns that say what the search index holds: an archive has no index."""
HISTORY = "history"
EXCLUDED_SETTINGS = frozenset({"id", "owner_id", "group_id", "image_id", "deleted_at", "deleted_by", "version", "name"})


class ArchivedTable(NamedTuple):
    """A table of archives. `parent` = the column that leads to the project: `project_id`, or a reference to a table
    that has it."""

    table: Table
    parent: Column[object]
    per_document: bool


def referred_table(column: Column[object]) -> str | None:
    """The table a column refers to, by its foreign key or by the name it has in all tables; None for plain values."""
    for key in column.foreign_keys:
        return key.column.table.name
    return {"project_id": PROJECTS, "document_id": Document.__tablename__, "label_id": "labels"}.get(column.name)


@cache
def archived_tables() -> dict[str, ArchivedTable]:
    """Tables of archives by name, those that are referred to first. New tables of a project come in by themselves."""
    found: dict[str, ArchivedTable] = {}
    for table in Base.metadata.sorted_tables:
        if table.name in EXCLUDED_TABLES or table.name in (Project.__tablename__, Document.__tablename__):
            continue
        parent = table.c.get("project_id")
        if parent is None:
            parents = (column for column in table.c if referred_table(column) in found)
            parent = next(parents, None)
        if parent is not None:
            found[table.name] = ArchivedTable(table, parent, "document_id" in table.c)
    found[HISTORY] = found.pop(HISTORY)  # it refers to all the others, without foreign keys
    return found


def document_tables() -> list[ArchivedTable]:
    """Tables whose rows hang on a document."""
    return [one for one in archived_tables().values() if one.per_document]


def project_tables() -> list[ArchivedTable]:
    """Tables whose rows hang on the project as a whole."""
    return [one for one in archived_tables().values() if not one.per_document]
