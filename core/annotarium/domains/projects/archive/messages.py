"""Names of archived tables in messages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from annotarium.content.validation import InvalidContent
from annotarium_schemas.messages import Message, join_messages, message

_NAMES = {
    "alt_texts": message("table.altTexts", "alternative texts"),
    "annotations": message("table.annotations", "annotations"),
    "answer_feedback": message("table.answerFeedback", "feedback on answers"),
    "categories": message("table.categories", "categories"),
    "document_layouts": message("table.layouts", "layouts"),
    "documents": message("table.documents", "documents"),
    "experiments": message("table.experiments", "experiments"),
    "gazetteers": message("table.gazetteers", "gazetteers"),
    "history": message("table.history", "entries of the history"),
    "label_sets": message("table.labelSets", "label sets"),
    "labels": message("table.labels", "labels"),
    "lexicons": message("table.lexicons", "lexicons"),
    "origins": message("table.origins", "originating groups"),
    "passage_judgements": message("table.judgements", "judgements of passages"),
    "plans": message("table.plans", "plans"),
    "preferences": message("table.preferences", "preferences"),
    "ranking_experiments": message("table.rankingExperiments", "search experiments"),
    "ranking_results": message("table.rankingResults", "results of search experiments"),
    "relation_names": message("table.relationNames", "relation names"),
    "relations": message("table.relations", "relations"),
    "saved_searches": message("table.searches", "saved searches"),
    "segments": message("table.segments", "segments"),
    "suggesters": message("table.suggesters", "suggesters"),
    "suggestions": message("table.suggestions", "suggestions"),
    "term_candidates": message("table.termCandidates", "candidates for terms"),
    "terms": message("table.terms", "terms"),
    "vectorizations": message("table.vectors", "vectors"),
}


def table_label(table: str) -> str:
    """The name of a table's rows for users; tables of other releases keep their technical name."""
    return _NAMES.get(table, table)


def counts_message(numbers: Mapping[str, int]) -> Message:
    """A list of tables with the number of rows."""
    return join_messages(
        message("table.number", "{what} ({count:,})", what=table_label(name), count=numbers[name])
        for name in sorted(numbers)
    )


@cache
def field_label(table: str, column: str) -> Message:
    """The name of a column for users."""
    return message("table.field", "{what}: {field}", what=table_label(table), field=column)


def with_row_number(table: str, number: int, error: InvalidContent) -> InvalidContent:
    """Add the number of the row (from 1, in its file) to an error."""
    row = message("archive.row", "Row {number} of its {what}", number=number, what=table_label(table))
    return InvalidContent(join_messages([row, error.message], ": "), error.fix)


def incomplete_message(table: str, there: int, count: int) -> Message:
    """Message for an archive with too few or too many rows of a table."""
    words = "The archive is incomplete: it has {there:,} instead of {number:,} of its {what}"
    return message("archive.notWhole", words, there=there, number=count, what=table_label(table))
