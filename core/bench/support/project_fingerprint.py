"""Hashes the content of a project without ids, so that two projects can be compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from sqlalchemy import Select, select
from sqlalchemy.orm import aliased

from annotarium.db.models import (
    Annotation,
    Category,
    Document,
    History,
    Label,
    LabelSet,
    Project,
    Relation,
    RelationName,
    Segment,
)
from annotarium.db.unit_of_work import unit_of_work

_IDS = frozenset({"id", "project_id", "document_id", "label_id", "label_set_id", "name_id", "source_id", "target_id"})
_IDS |= {"job_id", "entity_id", "batch_id", "act_id", "origin_group_id"}


def fingerprint_project(name: str) -> dict[str, Any]:
    """Return a number per table that is the same for the same rows in any order; `counts` has the number of rows per
    table.
    """
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    with unit_of_work(actor="", write=False) as unit:
        project = unit.session.scalars(select(Project.id).where(Project.name == name)).one()
        for table, query in _queries_by_table(project).items():
            total = number = 0
            for row in unit.session.execute(query.execution_options(yield_per=2_000)):
                words = json.dumps([_without_ids(value) for value in row], sort_keys=True)
                total += int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest())
                number += 1
            found[table], counts[table] = total % (1 << 64), number
    return found | {"counts": counts}


def _without_ids(value: Any) -> Any:
    """Remove ids: history states contain row ids, which differ in another project."""
    return {key: one for key, one in value.items() if key not in _IDS} if isinstance(value, dict) else value


def _columns_without_ids(table: Any) -> Iterator[Any]:
    return (column for column in table.__table__.c if column.name not in _IDS)


def _queries_by_table(project: int) -> dict[str, Select[Any]]:
    source, target = aliased(Annotation), aliased(Annotation)
    own = {table: select(*_columns_without_ids(table)) for table in (Label, LabelSet, RelationName, Document)}
    hanging = {
        table: select(*_columns_without_ids(table), Document.identifier).join(
            Document, Document.id == table.document_id
        )
        for table in (Annotation, Category, Segment, History, Relation)
    }
    for labelled in (Annotation, Category):
        hanging[labelled] = hanging[labelled].add_columns(Label.name).join(Label, Label.id == labelled.label_id)
    hanging[Relation] = (
        hanging[Relation]
        .join(RelationName, RelationName.id == Relation.name_id)
        .join(source, source.id == Relation.source_id)
        .join(target, target.id == Relation.target_id)
        .add_columns(RelationName.name, source.start, source.end, source.created_by, target.start, target.end)
    )
    return {
        str(table.__tablename__): query.where(table.project_id == project) for table, query in (own | hanging).items()
    }
