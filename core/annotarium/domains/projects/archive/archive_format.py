"""The content of an archive: tables, files and references. Derived from the database schema.

A zip file with JSON lines. The manifest comes last, because it has the counts and hashes of the other files:

    documents.jsonl         one document per line: {"document": row, "<table>": [rows of that document]}
    tables/<table>.jsonl    rows that belong to the project (labels, experiments, ...) or to several documents
    models/<kind>-<id>/<time>/...   files of trained models; the id is that of the row they belong to
    image                   the project's picture
    project.json            settings
    manifest.json           format, version, who, when, counts, SHA-256 of each file

A row is an object of its columns, without None values. Ids are valid within the archive only. Users and groups are
referenced by name.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Column, Table

from annotarium.db.models import Base, Document, Project

PROJECT_FORMAT, MODELS_FORMAT = "annotarium-project", "annotarium-models"
VERSION = 1
"""Format version, incremented when older releases cannot read the new format."""
MANIFEST, SETTINGS, DOCUMENTS, IMAGE = "manifest.json", "project.json", "documents.jsonl", "image"
TABLES_FOLDER, MODELS_FOLDER = "tables/", "models/"
EXTENSION = ".spa"

PEOPLE, GROUPS, PROJECTS = "users", "groups", "projects"
# Tables with a project that are not archived: rights and running jobs belong to the installation, others are derived.
EXCLUDED_TABLES = frozenset(
    {
        "user_shares",
        "group_shares",
        "left_shares",
        "invitations",
        "invitation_uses",
        "jobs",
        "job_items",
        "job_mails",
        "outbox",
        "uploads",
        "audit",
        "suggestion_facets",
        "suggestion_labels",
        "term_relations",
    }
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
    },
    "suggestions": {"open": False, "facet_key": 0},
    "terms": {"broader_count": 0, "narrower_count": 0, "import_id": 0},
    "gazetteers": {"uptodate": False, "lexicon_versions": {}},
}
"""Columns that describe the search index or this installation, with the values to archive instead: an archive has no
index. Those of suggestions are computed again when the project becomes visible, those of terms after its tables were
read. A gazetteer is synchronised again, because the version marks of its lexicons are of this installation."""
PAGED_TABLES = frozenset({"terms"})
"""Tables of a project that may have millions of rows, to which no other archived table refers: they are read and
written page by page."""
HISTORY = "history"
EXCLUDED_SETTINGS = frozenset({"id", "owner_id", "group_id", "image_id", "deleted_at", "deleted_by", "version", "name"})


class ArchivedTable(NamedTuple):
    """A table in archives. `parent` is the column that leads to the project: `project_id`, or a reference to a table
    that has one. Rows of a document refer to it by `document_id`; those that refer to others, or to several, are
    linked: they are restored after all documents.
    """

    table: Table
    parent: Column[object]
    per_document: bool
    linked: bool = False


def referred_table(column: Column[object]) -> str | None:
    """The table a column refers to, by its foreign key or by a column name that is used in all tables; None for plain
    values.
    """
    for key in column.foreign_keys:
        return key.column.table.name
    return {"project_id": PROJECTS, "document_id": Document.__tablename__, "label_id": "labels"}.get(column.name)


@cache
def archived_tables() -> dict[str, ArchivedTable]:
    """Archived tables by name, referenced tables first. New tables of a project are included automatically."""
    found: dict[str, ArchivedTable] = {}
    for table in Base.metadata.sorted_tables:
        if table.name in EXCLUDED_TABLES or table.name in (Project.__tablename__, Document.__tablename__):
            continue
        parent = table.c.get("project_id")
        if parent is None:
            parents = (column for column in table.c if referred_table(column) in found)
            parent = next(parents, None)
        if parent is not None:
            documents = sum(referred_table(column) == Document.__tablename__ for column in table.c)
            own = documents == 1 and "document_id" in table.c
            found[table.name] = ArchivedTable(table, parent, own, linked=documents > 0 and not own)
    found[HISTORY] = found.pop(HISTORY)  # it refers to all other tables, but without foreign keys
    return found


def document_tables() -> list[ArchivedTable]:
    """Archived tables whose rows belong to a document."""
    return [one for one in archived_tables().values() if one.per_document]


def project_tables() -> list[ArchivedTable]:
    """Archived tables whose rows belong to the project as a whole."""
    return [one for one in archived_tables().values() if not one.per_document]
