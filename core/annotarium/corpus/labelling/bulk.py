"""Counting and clearing annotations or categories by label and creator."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import repository
from annotarium.corpus.labelling.changes import record_bulk
from annotarium.corpus.labelling.repository import Labelled
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Annotation
from annotarium_schemas.answers import CreatorCount, OperationCount


def unit_of(table: Labelled) -> str:
    """`annotation` or `category`."""
    return "annotation" if table is Annotation else "category"


def clear(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> OperationCount:
    """Delete all rows with one of the labels and one of the creators (empty = any); restorable."""
    documents = repository.documents_matching(call, table, labels, creators)
    moment = now_ms()
    count = repository.delete_matching(call, table, labels, creators, moment)
    arg = {"labels": list(labels), "createdBy": list(creators), "moment": moment, "entity": unit_of(table)}
    record_bulk(call, documents, "clear", count=count, arg=arg)
    return OperationCount(count=count, operation="delete", unit=unit_of(table))


def count(call: ProjectCall, table: Labelled, labels: Sequence[str], creators: Sequence[str]) -> OperationCount:
    """How many rows `clear` would delete."""
    number = repository.count_matching(call, table, labels, creators)
    return OperationCount(count=number, operation="count", unit=unit_of(table))


def count_creators(call: ProjectCall, table: Labelled) -> list[CreatorCount]:
    """Live rows per creator."""
    return [CreatorCount(created_by=name, count=number) for name, number in repository.count_creators(call, table)]
