"""What counts as labelled: the one rule for the dataset, in Python and in SQL.

An annotation or category is *confirmed* if it is not rejected and a person made or accepted it: its status is OK, or it
has no status and was not created automatically (imported gold data mostly has no status). A document or segment with a
confirmed one belongs to the dataset, from which learners are trained.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, or_

from annotarium.db.models import Annotation, Category


def is_confirmed(status: str | None, creation_mode: str) -> bool:
    """Whether a person made or accepted the annotation or category."""
    return status == "OK" or (status is None and creation_mode != "automatic")


def confirmed_clause(table: type[Annotation] | type[Category]) -> ColumnElement[bool]:
    """`is_confirmed` in SQL, for rows that are not deleted."""
    return and_(
        table.deleted_at.is_(None),
        or_(table.status == "OK", and_(table.status.is_(None), table.creation_mode != "automatic")),
    )


def counted_clause(table: type[Annotation] | type[Category]) -> ColumnElement[bool]:
    """What counts as an annotation or category wherever a number of them is told: neither deleted nor rejected."""
    return and_(table.deleted_at.is_(None), or_(table.status.is_(None), table.status != "KO"))
