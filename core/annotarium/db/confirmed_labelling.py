"""What counts as labelled: the one rule for the dataset, in Python and in SQL.

An annotation or category is *confirmed* when it is not rejected and a person stands behind it: its status is OK, or
it has no status and was not made automatically (imported gold data mostly carries no status). A document or segment
is in the dataset when it carries a confirmed one; learners train on those.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, or_

from annotarium.db.models import Annotation, Category


def is_confirmed(status: str | None, creation_mode: str) -> bool:
    """Whether a person stands behind it."""
    return status == "OK" or (status is None and creation_mode != "automatic")


def confirmed_clause(table: type[Annotation] | type[Category]) -> ColumnElement[bool]:
    """`is_confirmed` of a live row, in SQL."""
    return and_(
        table.deleted_at.is_(None),
        or_(table.status == "OK", and_(table.status.is_(None), table.creation_mode != "automatic")),
    )
