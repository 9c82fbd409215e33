"""reviewed documents, imported authors, names of deleted projects."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

IMPORTED = ("documents", "annotations", "categories", "relations", "history")
FIRST_MOMENT_MS = 1_735_689_600_000
"""Of identifiers: their upper bits count milliseconds from here."""
SAME_MOMENT_MS = 60_000


def upgrade() -> None:
    for table in IMPORTED:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column("imported_at", sa.BigInteger(), nullable=True))
            batch_op.add_column(sa.Column("imported_by", sa.String(length=255), nullable=True))
    _take_back_flags()
    _free_names()


def _take_back_flags() -> None:
    """Documents that count as annotated to the end only because they came with an empty list of annotations.

    Such a document had no annotation when it came: those that it has were made here, which the history says. One that
    tells when it was made came in an export of ours, or in an archive: those say the flag in so many words.
    """
    columns = "id created_at reviewed"
    documents = sa.table("documents", *map(sa.column, columns.split()))
    annotations = sa.table("annotations", sa.column("id"), sa.column("document_id"))
    history = sa.table("history", *map(sa.column, ("entity", "entity_id", "action")))
    made_here = sa.exists().where(
        history.c.entity_id == annotations.c.id, history.c.entity == "annotation", history.c.action == "created"
    )
    came_with_it = sa.exists().where(annotations.c.document_id == documents.c.id, sa.not_(made_here))
    written = documents.c.id.op(">>")(sa.literal_column("22")) + sa.literal_column(str(FIRST_MOMENT_MS))
    dated = sa.func.abs(documents.c.created_at - written) >= SAME_MOMENT_MS
    statement = sa.update(documents).values(reviewed=sa.false())
    op.execute(statement.where(documents.c.reviewed == sa.true(), sa.not_(dated), sa.not_(came_with_it)))


def _free_names() -> None:
    """Deleted projects keep no name that another may have. Imports that were not finished free theirs themselves."""
    projects = sa.table("projects", *map(sa.column, ("id", "name", "deleted_at", "deleted_by")))
    unfinished = sa.func.coalesce(projects.c.deleted_by, "").like("import %")
    renamed = projects.c.name + "~" + sa.cast(projects.c.id, sa.String)
    statement = sa.update(projects).values(name=renamed)
    op.execute(
        statement.where(projects.c.deleted_at.is_not(None), sa.not_(projects.c.name.contains("~")), sa.not_(unfinished))
    )
