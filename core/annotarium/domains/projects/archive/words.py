"""What is in an archive, as people call it: its tables have names of their own."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from annotarium.corpus.gate import Refused
from annotarium_schemas.said import Said, joined, say

_NAMES = {
    "alt_texts": say("table.altTexts", "alternative texts"),
    "annotations": say("table.annotations", "annotations"),
    "categories": say("table.categories", "categories"),
    "document_layouts": say("table.layouts", "layouts"),
    "documents": say("table.documents", "documents"),
    "experiments": say("table.experiments", "experiments"),
    "history": say("table.history", "entries of the history"),
    "label_sets": say("table.labelSets", "label sets"),
    "labels": say("table.labels", "labels"),
    "origins": say("table.origins", "groups of origin"),
    "plans": say("table.plans", "plans"),
    "preferences": say("table.preferences", "preferences"),
    "relation_names": say("table.relationNames", "names of relations"),
    "relations": say("table.relations", "relations"),
    "saved_searches": say("table.searches", "saved searches"),
    "segments": say("table.segments", "segments"),
    "suggesters": say("table.suggesters", "suggesters"),
    "suggestions": say("table.suggestions", "suggestions"),
    "vectorizations": say("table.vectors", "vectors"),
}


def called(table: str) -> str:
    """The rows of a table in words; what another release wrote keeps its name."""
    return _NAMES.get(table, table)


def counted(numbers: Mapping[str, int]) -> Said:
    """How many rows of which tables."""
    return joined(
        say("table.number", "{what} ({count:,})", what=called(name), count=numbers[name]) for name in sorted(numbers)
    )


@cache
def place(table: str, column: str) -> Said:
    """Where a value stands."""
    return say("table.field", "{what}: {field}", what=called(table), field=column)


def numbered(table: str, number: int, error: Refused) -> Refused:
    """What is wrong with a row, and which one it is: its place in its file, counted from 1."""
    row = say("archive.row", "Row {number} of its {what}", number=number, what=called(table))
    return Refused(joined([row, error.message], ": "), error.fix)


def not_whole(table: str, there: int, count: int) -> Said:
    """An archive that lacks rows, or has too many."""
    words = "The archive is not whole: it has {there:,} and should have {number:,} of its {what}"
    return say("archive.notWhole", words, there=there, number=count, what=called(table))
