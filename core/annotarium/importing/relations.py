"""Relations of an import: each must link two annotations of its document, or it is left out with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from annotarium.content.validation import SAMPLE_LENGTH, InvalidContent, check_json_value, check_name
from annotarium.db.timestamps import from_iso
from annotarium_schemas.documents import Document, Relation
from annotarium_schemas.messages import Message, message

_REPORTED_MAX = 5
"""Number of left-out relations that the report names one by one; of the others it gives the number."""


class ImportedRelation(NamedTuple):
    """A relation ready to be written; `source` and `target` are indexes in the document's list of annotations."""

    name: str
    source: int
    target: int
    properties: dict[str, Any] | None
    created_by: str | None
    created_at: int | None
    modified_at: int | None


def importable_relations(document: Document) -> tuple[list[ImportedRelation], list[str]]:
    """Return the valid relations of a document, without duplicates, and notes about the others."""
    given = document.relations or []
    if not given:
        return [], []
    identifiers = [one.identifier for one in document.annotations]
    times = Counter(identifiers)
    positions = {
        identifier: position for position, identifier in enumerate(identifiers) if identifier and times[identifier] == 1
    }
    links: dict[tuple[str, int, int], ImportedRelation] = {}
    errors: list[str] = []
    for relation in given:
        fault = next(_errors(relation, positions, times, links), None)
        if fault is not None:
            errors.append(_left_out_message(relation, fault))
            continue
        made = _imported_relation(relation, positions)
        links[made[:3]] = made
    notes = errors[:_REPORTED_MAX]
    if len(errors) > _REPORTED_MAX:
        more = len(errors) - _REPORTED_MAX
        notes.append(
            message(
                "note.relations",
                "{count:,} more relations were left out",
                one="{count:,} more relation was left out",
                count=more,
            )
        )
    return list(links.values()), notes


def _left_out_message(relation: Relation, fault: str) -> Message:
    return message(
        "note.relation",
        "The relation {name} from {source} to {target} was left out: {fault}",
        name=_quoted(relation.name),
        source=_quoted(relation.source),
        target=_quoted(relation.target),
        fault=fault,
    )


def _quoted(name: str) -> str:
    return repr(name[:SAMPLE_LENGTH])


def _errors(
    relation: Relation,
    positions: dict[str, int],
    times: Counter[str | None],
    links: dict[tuple[str, int, int], ImportedRelation],
) -> Iterator[str]:
    """Yield the errors of a relation, the most basic ones first."""
    try:
        check_name(relation.name.strip(), message("what.ofName", "its name"))
        check_json_value(relation.properties, message("what.property", "a property"))
        for date in (relation.created_date, relation.modified_date):
            if date is not None:
                from_iso(date)
    except InvalidContent as error:
        yield error.message
    except ValueError:
        yield message("fault.date", "one of its dates is not valid")
    for end in (relation.source, relation.target):
        if times[end] > 1:
            yield message(
                "fault.twins",
                "{count:,} annotations have the name {name}",
                one="{count:,} annotation has the name {name}",
                count=times[end],
                name=_quoted(end),
            )
        elif end not in positions:
            yield message("fault.noEnd", "there is no annotation {name}", name=_quoted(end))
    if relation.source == relation.target:
        yield message("fault.sameEnds", "both its ends are the same annotation")
    elif (relation.name.strip(), positions.get(relation.source), positions.get(relation.target)) in links:
        yield message("fault.same", "it is a duplicate")


def _imported_relation(relation: Relation, positions: dict[str, int]) -> ImportedRelation:
    created, modified = (
        from_iso(date) if date is not None else None for date in (relation.created_date, relation.modified_date)
    )
    ends = positions[relation.source], positions[relation.target]
    return ImportedRelation(relation.name.strip(), *ends, relation.properties, relation.created_by, created, modified)
