"""What of each table goes into an archive: what its maker reads in the studio, and nothing else.

A table without a rule here is not archived, and a test asks for one: who adds a table decides who reads its rows.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import ColumnElement, exists, false, true

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import reads_all_labelling, visible_clause
from annotarium.db.models import Annotation, Category, Label, Plan, Preference, Relation, RelationName
from annotarium.domains.searches.service import is_visible_to

ReadingRule = Callable[[ProjectCall], ColumnElement[bool]]


def _by_all(_call: ProjectCall) -> ColumnElement[bool]:
    """Whoever reads the project, or the document that the row hangs on, reads it."""
    return true()


def _labelled(model: type[Annotation] | type[Category]) -> ReadingRule:
    def rule(call: ProjectCall) -> ColumnElement[bool]:
        if reads_all_labelling(call.access):
            return true()  # what was deleted comes along too, for its history
        return visible_clause(call.access, call.project, model) & model.deleted_at.is_(None)

    return rule


def _relations(call: ProjectCall) -> ColumnElement[bool]:
    return true() if reads_all_labelling(call.access) else _live_relations(call)


def _live_relations(call: ProjectCall) -> ColumnElement[bool]:
    """Live relations between live annotations, all of which the caller reads."""
    ends = [
        exists().where(Annotation.id == end, Annotation.deleted_at.is_(None))
        for end in (Relation.source_id, Relation.target_id)
    ]
    seen = visible_clause(call.access, call.project, Relation) & Relation.deleted_at.is_(None)
    return seen & ends[0] & ends[1]


def _history(call: ProjectCall) -> ColumnElement[bool]:
    """It holds former states of everybody's work: for those who read all of it."""
    return true() if reads_all_labelling(call.access) else false()


def _labels(call: ProjectCall) -> ColumnElement[bool]:
    return true() if reads_all_labelling(call.access) else Label.deleted_at.is_(None)


def _relation_names(call: ProjectCall) -> ColumnElement[bool]:
    if reads_all_labelling(call.access):
        return true()
    used = exists().where(Relation.name_id == RelationName.id, _live_relations(call))
    return RelationName.deleted_at.is_(None) | used


def _plans(_call: ProjectCall) -> ColumnElement[bool]:
    return Plan.deleted_at.is_(None)


def _preferences(call: ProjectCall) -> ColumnElement[bool]:
    return Preference.user_id == call.access.user_id


def _saved_searches(call: ProjectCall) -> ColumnElement[bool]:
    return is_visible_to(call) if call.access.can("useSearch") else false()


READING_RULES: dict[str, ReadingRule] = {
    "alt_texts": _by_all,
    "annotations": _labelled(Annotation),
    "categories": _labelled(Category),
    "document_layouts": _by_all,
    "experiments": _by_all,
    "history": _history,
    "label_sets": _by_all,
    "labels": _labels,
    "plans": _plans,
    "preferences": _preferences,
    "relation_names": _relation_names,
    "relations": _relations,
    "saved_searches": _saved_searches,
    "segments": _by_all,
    "suggesters": _by_all,
    "suggestions": _by_all,
    "vectorizations": _by_all,
}
"""Which rows of a table the caller reads, by table; of tables on documents, of documents that the caller sees."""


def readable_rows(call: ProjectCall, table: str) -> ColumnElement[bool]:
    """True for the rows of a table that the caller reads; none of a table that has no rule."""
    rule = READING_RULES.get(table)
    return rule(call) if rule is not None else false()


def reads_models(call: ProjectCall) -> bool:
    """Whether files of trained models come along: `exportModels` is asked for wherever they leave."""
    return call.access.can("exportModels")
