"""which suggestions are open is stored, so that lists of them are paged and counted by the database."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

BATCH = 400
_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")


def _table(name: str, columns: str, **typed: Any) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns.split()), *(sa.column(key, kind) for key, kind in typed.items()))


SUGGESTIONS = _table(
    "suggestions", "id project_id document_id confidence open confidence_band", annotations=_JSON, categories=_JSON
)
SUGGESTION_LABELS = _table("suggestion_labels", "suggestion_id label_name project_id spans")
LABELS = _table("labels", "id name project_id label_set_id deleted_at")
LABEL_SETS = _table("label_sets", "id exclusive_classes")
PROJECTS = _table("projects", "id nature exclusive_classes")
ANNOTATIONS = _table("annotations", "document_id label_id start end status deleted_at")
CATEGORIES = _table("categories", "document_id label_id start end status deleted_at")


def upgrade() -> None:
    key = sa.BigInteger()
    with op.batch_alter_table("suggestions", schema=None) as batch_op:
        batch_op.add_column(sa.Column("open", sa.Boolean(), server_default=sa.false(), nullable=False))
        batch_op.add_column(sa.Column("confidence_band", sa.Integer(), server_default="0", nullable=False))
        batch_op.drop_index("ix_suggestions_project_id_priority")
        batch_op.create_index("ix_suggestions_open_priority", ["project_id", "open", "priority"])
        batch_op.create_index("ix_suggestions_open_confidence", ["project_id", "open", "confidence"])
        batch_op.create_index("ix_suggestions_open_created_at", ["project_id", "open", "created_at"])
        counts = ["project_id", "open", "suggester", "confidence_band", "document_id"]
        batch_op.create_index("ix_suggestions_open_counts", counts)
    reference = key.with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "suggestion_labels",
        sa.Column("suggestion_id", reference, nullable=False),
        sa.Column("label_name", sa.String(length=255), nullable=False),
        sa.Column("project_id", reference, nullable=False),
        sa.Column("spans", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["suggestion_id"],
            ["suggestions.id"],
            name=op.f("fk_suggestion_labels_suggestion_id_suggestions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("suggestion_id", "label_name", name=op.f("pk_suggestion_labels")),
        sqlite_with_rowid=False,
    )
    index = "ix_suggestion_labels_project_id_label_name"
    op.create_index(index, "suggestion_labels", ["project_id", "label_name", "spans"], unique=False)
    _fill()


def _fill() -> None:
    """Compute the state of the present suggestions: a proposal is open until it is accepted or rejected."""
    connection = op.get_bind()
    labels = _shown_labels(connection)
    names = ("id", "project_id", "document_id", "annotations", "categories", "confidence")
    query = sa.select(*(SUGGESTIONS.c[name] for name in names)).order_by(SUGGESTIONS.c.id)
    rows = list(connection.execute(query))
    for part in _parts(rows):
        judged, decided = _judged(connection, sorted({row[2] for row in part}))
        for identifier, project_id, document_id, spans, categories, confidence in part:
            counts: dict[str, int] = defaultdict(int)
            for item in _readable(categories, "labelName"):
                name = item["labelName"]
                open_ = name in labels[project_id] and (document_id, None, None, name) not in judged
                if open_ and (document_id, labels[project_id][name]) not in decided:
                    counts[name] += 0
            for item in _readable(spans, "labelName", "start", "end"):
                name = item["labelName"]
                place = (document_id, item["start"], item["end"], name)
                if name in labels[project_id] and place not in judged:
                    counts[name] += 1
            band = int(min(confidence, 0.999) * 10)
            state = {"open": bool(counts), "confidence_band": band}
            connection.execute(sa.update(SUGGESTIONS).where(SUGGESTIONS.c.id == identifier).values(**state))
            for name, number in counts.items():
                values = {"suggestion_id": identifier, "label_name": name, "project_id": project_id, "spans": number}
                connection.execute(sa.insert(SUGGESTION_LABELS).values(**values))


def _shown_labels(connection: sa.Connection) -> dict[int, dict[str, int | None]]:
    """By project: its live labels, each with its label set if that is exclusive."""
    query = (
        sa.select(LABELS.c.project_id, LABELS.c.name, LABELS.c.label_set_id, LABEL_SETS.c.exclusive_classes)
        .add_columns(PROJECTS.c.nature, PROJECTS.c.exclusive_classes)
        .select_from(LABELS.join(LABEL_SETS, LABEL_SETS.c.id == LABELS.c.label_set_id))
        .join(PROJECTS, PROJECTS.c.id == LABELS.c.project_id)
        .where(LABELS.c.deleted_at.is_(None))
    )
    found: dict[int, dict[str, int | None]] = defaultdict(dict)
    for project_id, name, label_set, exclusive, nature, everywhere in connection.execute(query):
        found[project_id][name] = label_set if exclusive or (nature == "classification" and everywhere) else None
    return found


def _judged(connection: sa.Connection, documents: Sequence[int]) -> tuple[set[Any], set[Any]]:
    judged, decided = set(), set()
    for table in (ANNOTATIONS, CATEGORIES):
        place = (table.c.document_id, table.c.start, table.c.end)
        query = sa.select(*place, LABELS.c.name, LABELS.c.label_set_id, table.c.status)
        query = query.join(LABELS, LABELS.c.id == table.c.label_id)
        given = (table.c.deleted_at.is_(None), table.c.status.is_not(None), table.c.document_id.in_(documents))
        for row in connection.execute(query.where(*given)).mappings():
            judged.add((row["document_id"], row["start"], row["end"], row["name"]))
            if table is CATEGORIES and row["start"] is None and row["status"] == "OK":
                decided.add((row["document_id"], row["label_set_id"]))
    return judged, decided


def _readable(proposals: Any, *fields: str) -> Iterator[dict[str, Any]]:
    found = proposals if isinstance(proposals, list) else ()
    return (
        one for one in found if isinstance(one, dict) and all(type(one.get(field)) in (str, int) for field in fields)
    )


def _parts(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (rows[at : at + BATCH] for at in range(0, len(rows), BATCH))
