"""What of each table goes into an archive: what its maker reads in the studio, and nothing else.

A table without a rule here is not archived, and a test asks for one: who adds a table decides who reads its rows.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import ColumnElement, exists, false, true

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_labelling_clause, reads_all_labelling
from annotarium.db.models import Annotation, Category, Label, Plan, Preference, Relation, RelationName
from annotarium.domains.searches.service import is_visible_to

ReadingRule = Callable[[ProjectCall], ColumnElement[bool]]


def _everyone_rule(_call: ProjectCall) -> ColumnElement[bool]:
    """Whoever reads the project, or the document that the row hangs on, reads it."""
    return true()


def _labelling_rule(model: type[Annotation] | type[Category]) -> ReadingRule:
    def rule(call: ProjectCall) -> ColumnElement[bool]:
        if reads_all_labelling(call.access):
            return true()  # what was deleted comes along too, for its history
        return readable_labelling_clause(call.access, call.project, model) & model.deleted_at.is_(None)

    return rule


def _relations_rule(call: ProjectCall) -> ColumnElement[bool]:
    return true() if reads_all_labelling(call.access) else _live_relations_clause(call)


def _live_relations_clause(call: ProjectCall) -> ColumnElement[bool]:
    """Live relations between live annotations, all of which the caller reads."""
    ends = [
        exists().where(Annotation.id == end, Annotation.deleted_at.is_(None))
        for end in (Relation.source_id, Relation.target_id)
    ]
    seen = readable_labelling_clause(call.access, call.project, Relation) & Relation.deleted_at.is_(None)
    return seen & ends[0] & ends[1]


def _history_rule(call: ProjectCall) -> ColumnElement[bool]:
    """It holds former states of everybody's work: for those who read all of it."""
    return true() if reads_all_labelling(call.access) else false()


def _labels_rule(call: ProjectCall) -> ColumnElement[bool]:
    return true() if reads_all_labelling(call.access) else Label.deleted_at.is_(None)


def _relation_names_rule(call: ProjectCall) -> ColumnElement[bool]:
    if reads_all_labelling(call.access):
        return true()
    used = exists().where(Relation.name_id == RelationName.id, _live_relations_clause(call))
    return RelationName.deleted_at.is_(None) | used


def _plans_rule(_call: ProjectCall) -> ColumnElement[bool]:
    return Plan.deleted_at.is_(None)


def _preferences_rule(call: ProjectCall) -> ColumnElement[bool]:
    return Preference.user_id == call.access.user_id


def _saved_searches_rule(call: ProjectCall) -> ColumnElement[bool]:
    return is_visible_to(call) if call.access.can("useSearch") else false()


READING_RULES: dict[str, ReadingRule] = {
    "alt_texts": _everyone_rule,
    "annotations": _labelling_rule(Annotation),
    "categories": _labelling_rule(Category),
    "document_layouts": _everyone_rule,
    "experiments": _everyone_rule,
    "history": _history_rule,
    "label_sets": _everyone_rule,
    "labels": _labels_rule,
    "plans": _plans_rule,
    "preferences": _preferences_rule,
    "relation_names": _relation_names_rule,
    "relations": _relations_rule,
    "saved_searches": _saved_searches_rule,
    "segments": _everyone_rule,
    "suggesters": _everyone_rule,
    "suggestions": _everyone_rule,
    "vectorizations": _everyone_rule,
}
"""Which rows of a table the caller reads, by table; of tables on documents, of documents that the caller sees."""


def readable_rows(call: ProjectCall, table: str) -> ColumnElement[bool]:
    """True for the rows of a table that the caller reads; none of a table that has no rule."""
    rule = READING_RULES.get(table)
    return rule(call) if rule is not None else false()


def may_export_models(call: ProjectCall) -> bool:
    """Whether files of trained models come along: `exportModels` is asked for wherever they leave."""
    return call.access.can("exportModels")
