"""SQL of suggesters and of the suggestions they write."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Text, and_, bindparam, cast, delete, func, insert, or_, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import counting_clauses
from annotarium.content.suggestions.repository import find_project
from annotarium.content.suggestions.unanswered import refresh
from annotarium.db.compiled_statements import CompiledStatement
from annotarium.db.models import Annotation, Category, Document, Label, Suggester, Suggestion

PROPOSED_BY = "suggester"
"""The property of an annotation or category that answers a suggestion: the name of the suggester."""
# These run for every answer of a user, so they are built only once.
_OF_PROJECT = and_(Suggester.project_id == bindparam("project"), Suggester.active.is_(True))
_ACTIVE, _ANY_ACTIVE = (
    select(Suggester).where(_OF_PROJECT),
    CompiledStatement(select(Suggester.id).where(_OF_PROJECT).limit(1)),
)


def active_suggesters(session: Session, project_id: int) -> Sequence[Suggester]:
    """Active suggesters, which retrain as answers come in. Flushes the session."""
    session.flush()
    if _ANY_ACTIVE.first(session, {"project": project_id}) is None:
        return []
    return session.scalars(_ACTIVE, {"project": project_id}).all()


def replace_suggestions(session: Session, project_id: int, suggester: str, rows: Sequence[dict[str, Any]]) -> None:
    """Replace all suggestions of a suggester."""
    delete_suggestions(session, project_id, suggester)
    project = find_project(session, project_id)
    if rows and project is not None:
        session.execute(insert(Suggestion), list(rows))
        refresh(session, project, sorted(row["id"] for row in rows))


def delete_suggestions(session: Session, project_id: int, suggester: str) -> None:
    session.execute(delete(Suggestion).where(Suggestion.project_id == project_id, Suggestion.suggester == suggester))


def delete_suggestions_in_test_part(session: Session, project_id: int) -> None:
    """Delete suggestions on test documents: labelling made with the help of a model would bias its evaluation."""
    tested = select(Document.id).where(Document.project_id == project_id, Document.split == "test")
    session.execute(
        delete(Suggestion).where(Suggestion.project_id == project_id, Suggestion.document_id.in_(tested)),
        execution_options={"synchronize_session": False},
    )


def count_decisions(call: ProjectCall) -> tuple[Counter[str], Counter[str]]:
    """By name of the suggester: proposals that people accepted, and that they rejected.

    An answer names its suggester in its properties (`PROPOSED_BY`). Answers that are older than the suggester belong to
    a deleted one of the same name.
    """
    counts: dict[str, Counter[str]] = {"OK": Counter(), "KO": Counter()}
    for table in (Annotation, Category):
        proposed_by = and_(
            Suggester.project_id == call.project.id,
            Suggester.name == table.properties[PROPOSED_BY].as_string(),
            Suggester.created_at <= table.created_at,
        )
        query = select(Suggester.name, table.status, func.count()).select_from(table).join(Suggester, proposed_by)
        query = query.where(
            *counting_clauses(call, table), table.status.in_(list(counts)), table.properties.is_not(None)
        )
        for name, status, count in call.session.execute(query.group_by(Suggester.name, table.status)):
            counts[str(status)][name] += count
    return counts["OK"], counts["KO"]


def label_names(session: Session, project_id: int) -> Sequence[str]:
    """Names of the labels of a project, sorted."""
    query = select(Label.name).where(Label.project_id == project_id, Label.deleted_at.is_(None))
    return session.scalars(query.order_by(Label.name)).all()


def count_suggestions_with_labels(session: Session, project_id: int, label_names: Sequence[str]) -> int:
    """Number of suggestions that propose one of the labels."""
    wanted = []
    for name in label_names:
        # The JSON text differs between databases: with or without a space, and with or without escapes beyond ASCII.
        needles = {
            f'"labelName":{gap}{json.dumps(name, ensure_ascii=escaped)}'
            for gap in ("", " ")
            for escaped in (True, False)
        }
        for column in (Suggestion.annotations, Suggestion.categories):
            wanted += [cast(column, Text).contains(needle, autoescape=True) for needle in needles]
    query = select(func.count(Suggestion.id)).where(Suggestion.project_id == project_id, or_(*wanted))
    return session.scalars(query).one()
