"""open suggestions contain the key of their values in the facets, so that one index scan counts all facets."""

import json
from collections import defaultdict
from hashlib import blake2b

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

BATCH = 2_000
ORDERS = {"priority": "priority DESC", "confidence": "confidence", "created_at": "created_at"}
_JSON = sa.JSON().with_variant(postgresql.JSONB(), "postgresql")
_SUGGESTIONS = sa.table(
    "suggestions", *map(sa.column, ("id", "project_id", "suggester", "confidence_band", "open", "facet_key"))
)
_LABELS = sa.table("suggestion_labels", sa.column("suggestion_id"), sa.column("label_name"))
_FACETS = sa.table(
    "suggestion_facets",
    *map(sa.column, ("project_id", "key", "suggester", "confidence_band")),
    sa.column("labels", _JSON),
)


def upgrade() -> None:
    reference = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "suggestion_facets",
        sa.Column("project_id", reference, nullable=False),
        sa.Column("key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("suggester", sa.String(length=255), nullable=False),
        sa.Column("confidence_band", sa.Integer(), nullable=False),
        sa.Column("labels", _JSON, nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_suggestion_facets_project_id_projects"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("project_id", "key", name=op.f("pk_suggestion_facets")),
        sqlite_with_rowid=False,
    )
    op.add_column("suggestions", sa.Column("facet_key", sa.BigInteger(), server_default="0", nullable=False))
    for name in ("priority", "confidence", "created_at", "counts"):
        op.drop_index(f"ix_suggestions_open_{name}", "suggestions")
    _fill()
    # Not in a batch: a copy of the table would delete the labels of its rows.
    op.drop_column("suggestions", "confidence_band")
    for name, column in ORDERS.items():
        columns = (sa.text(one) for one in ("project_id", "open", column, "id", "facet_key", "document_id"))
        op.create_index(f"ix_suggestions_by_{name}", "suggestions", list(columns))
    op.create_index("ix_suggestions_by_facets", "suggestions", ["project_id", "open", "facet_key", "document_id"])


def _fill() -> None:
    """Store the values of the suggestions that are open now."""
    connection = op.get_bind()
    labels: dict[int, list[str]] = defaultdict(list)
    for identifier, name in connection.execute(sa.select(_LABELS.c.suggestion_id, _LABELS.c.label_name)):
        labels[identifier].append(name)
    columns = _SUGGESTIONS.c
    query = sa.select(columns.id, columns.project_id, columns.suggester, columns.confidence_band)
    facets: dict[tuple[int, int], dict[str, object]] = {}
    states = []
    for identifier, project_id, suggester, band in connection.execute(query.where(columns.open.is_(sa.true()))):
        names = sorted(labels[identifier])
        digest = blake2b(json.dumps([suggester, band, names]).encode(), digest_size=7).digest()
        key = int.from_bytes(digest) or 1
        states.append({"suggestion": identifier, "key": key})
        values = {"suggester": suggester, "confidence_band": band, "labels": names}
        facets[project_id, key] = {"project_id": project_id, "key": key} | values
    store = sa.update(_SUGGESTIONS).where(columns.id == sa.bindparam("suggestion"))
    for at in range(0, len(states), BATCH):
        connection.execute(store.values(facet_key=sa.bindparam("key")), states[at : at + BATCH])
    if facets:
        connection.execute(sa.insert(_FACETS), list(facets.values()))
