"""Which rows of each table go into an archive: those its creator may read.

Tables without a rule are not archived. A test requires a rule for each table, so that access is decided explicitly.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import ColumnElement, exists, false, true

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import (
    readable_documents,
    readable_labelling_clause,
    reads_all_documents,
    reads_all_labelling,
)
from annotarium.db.models import (
    Annotation,
    Category,
    Comment,
    CommentThread,
    Document,
    Label,
    Lexicon,
    LexiconTerm,
    PassageJudgement,
    Plan,
    Preference,
    Relation,
    RelationName,
)
from annotarium.domains.answers.service import is_feedback_visible_to
from annotarium.domains.searches.service import is_visible_to

ReadingRule = Callable[[ProjectCall], ColumnElement[bool]]


def _everyone_rule(_call: ProjectCall) -> ColumnElement[bool]:
    """All rows, for everyone who may read the project, or the document of the row."""
    return true()


def _labelling_rule(model: type[Annotation] | type[Category]) -> ReadingRule:
    def rule(call: ProjectCall) -> ColumnElement[bool]:
        if reads_all_labelling(call.access):
            return true()  # including deleted rows, which history refers to
        return readable_labelling_clause(call.access, call.project, model) & model.deleted_at.is_(None)

    return rule


def _relations_rule(call: ProjectCall) -> ColumnElement[bool]:
    return true() if reads_all_labelling(call.access) else _live_relations_clause(call)


def _live_relations_clause(call: ProjectCall) -> ColumnElement[bool]:
    """Live relations between live annotations that the caller may read."""
    ends = [
        exists().where(Annotation.id == end, Annotation.deleted_at.is_(None))
        for end in (Relation.source_id, Relation.target_id)
    ]
    seen = readable_labelling_clause(call.access, call.project, Relation) & Relation.deleted_at.is_(None)
    return seen & ends[0] & ends[1]


def _comment_threads_rule(call: ProjectCall) -> ColumnElement[bool]:
    """Threads on documents and spans, and those on annotations that the archive contains."""
    seen = exists().where(Annotation.id == CommentThread.annotation_id, _labelling_rule(Annotation)(call))
    return CommentThread.annotation_id.is_(None) | seen


def _comments_rule(call: ProjectCall) -> ColumnElement[bool]:
    own = exists().where(CommentThread.id == Comment.thread_id, _comment_threads_rule(call))
    return Comment.deleted_at.is_(None) & own


def _history_rule(call: ProjectCall) -> ColumnElement[bool]:
    """All rows or none: history has former states of all users' work, so only callers who may read all of it get it."""
    return true() if reads_all_labelling(call.access) else false()


def _labels_rule(call: ProjectCall) -> ColumnElement[bool]:
    return true() if reads_all_labelling(call.access) else Label.deleted_at.is_(None)


def _lexicons_rule(_call: ProjectCall) -> ColumnElement[bool]:
    return Lexicon.deleted_at.is_(None)


def _terms_rule(call: ProjectCall) -> ColumnElement[bool]:
    """Live terms of the lexicons that the archive contains."""
    own = exists().where(Lexicon.id == LexiconTerm.lexicon_id, _lexicons_rule(call))
    return LexiconTerm.deleted_at.is_(None) & own


def _relation_names_rule(call: ProjectCall) -> ColumnElement[bool]:
    if reads_all_labelling(call.access):
        return true()
    used = exists().where(Relation.name_id == RelationName.id, _live_relations_clause(call))
    return RelationName.deleted_at.is_(None) | used


def _plans_rule(_call: ProjectCall) -> ColumnElement[bool]:
    return Plan.deleted_at.is_(None)


def _preferences_rule(call: ProjectCall) -> ColumnElement[bool]:
    return Preference.user_id == call.access.user_id


def _term_candidates_rule(call: ProjectCall) -> ColumnElement[bool]:
    """Their examples quote documents and other users' labelling."""
    return true() if reads_all_labelling(call.access) else false()


def _answer_feedback_rule(call: ProjectCall) -> ColumnElement[bool]:
    """Answers quote documents: for callers who may read all of them."""
    if not (call.access.can("useSearch") and reads_all_documents(call.access)):
        return false()
    return is_feedback_visible_to(call)


def _saved_searches_rule(call: ProjectCall) -> ColumnElement[bool]:
    return is_visible_to(call) if call.access.can("useSearch") else false()


def _judgements_rule(call: ProjectCall) -> ColumnElement[bool]:
    """Judgements whose question and document the archive contains."""
    ends = [
        exists().where(Document.id == end, readable_documents(call.access, call.project))
        for end in (PassageJudgement.question_id, PassageJudgement.document_id)
    ]
    return ends[0] & ends[1]


READING_RULES: dict[str, ReadingRule] = {
    "alt_texts": _everyone_rule,
    "annotations": _labelling_rule(Annotation),
    "answer_feedback": _answer_feedback_rule,
    "categories": _labelling_rule(Category),
    "comment_threads": _comment_threads_rule,
    "comments": _comments_rule,
    "document_layouts": _everyone_rule,
    "experiments": _everyone_rule,
    "gazetteers": _everyone_rule,
    "history": _history_rule,
    "label_sets": _everyone_rule,
    "labels": _labels_rule,
    "lexicons": _lexicons_rule,
    "passage_judgements": _judgements_rule,
    "plans": _plans_rule,
    "preferences": _preferences_rule,
    "relation_names": _relation_names_rule,
    "relations": _relations_rule,
    "saved_searches": _saved_searches_rule,
    "segments": _everyone_rule,
    "suggesters": _everyone_rule,
    "suggestions": _everyone_rule,
    "term_candidates": _term_candidates_rule,
    "terms": _terms_rule,
    "vectorizations": _everyone_rule,
}
"""By table, which rows the caller may read. Tables of documents are restricted to readable documents in addition."""


def readable_rows(call: ProjectCall, table: str) -> ColumnElement[bool]:
    """SQL condition for the rows of a table that the caller may read; false for tables without a rule."""
    rule = READING_RULES.get(table)
    return rule(call) if rule is not None else false()


def may_export_models(call: ProjectCall) -> bool:
    """Whether files of trained models are exported; this always requires `exportModels`."""
    return call.access.can("exportModels")
