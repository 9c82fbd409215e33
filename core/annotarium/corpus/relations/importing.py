"""Relations that an import brings: each leads between two annotations of its document, or is left out with a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from annotarium.corpus.gate import SAMPLE, Refused, check_name, check_value
from annotarium.db.times import from_iso
from annotarium_schemas.documents import Document, Relation
from annotarium_schemas.said import Said, say

_NAMED = 5
"""Relations left out that the report names; of the others it says how many."""


class Link(NamedTuple):
    """A relation ready to be written; `source` and `target` are places in the document's list of annotations."""

    name: str
    source: int
    target: int
    properties: dict[str, Any] | None
    created_by: str | None
    created_at: int | None
    modified_at: int | None


def links_of(document: Document) -> tuple[list[Link], list[str]]:
    """The relations of a document that can be, and words about the others."""
    given = document.relations or []
    if not given:
        return [], []
    identifiers = [one.identifier for one in document.annotations]
    times = Counter(identifiers)
    places = {
        identifier: place for place, identifier in enumerate(identifiers) if identifier and times[identifier] == 1
    }
    links: dict[tuple[str, int, int], Link] = {}
    faults: list[str] = []
    for relation in given:
        fault = next(_faults(relation, places, times, links), None)
        if fault is not None:
            faults.append(_left_out(relation, fault))
            continue
        made = _link(relation, places)
        links[made[:3]] = made
    notes = faults[:_NAMED]
    if len(faults) > _NAMED:
        more = len(faults) - _NAMED
        notes.append(say("note.relations", "{count:,} more relations were left out", count=more))
    return list(links.values()), notes


def _left_out(relation: Relation, fault: str) -> Said:
    return say(
        "note.relation",
        "The relation {name} from {source} to {target} was left out: {fault}",
        name=_quoted(relation.name),
        source=_quoted(relation.source),
        target=_quoted(relation.target),
        fault=fault,
    )


def _quoted(name: str) -> str:
    return repr(name[:SAMPLE])


def _faults(
    relation: Relation,
    places: dict[str, int],
    times: Counter[str | None],
    links: dict[tuple[str, int, int], Link],
) -> Iterator[str]:
    """What is wrong with a relation, the first thing first."""
    try:
        check_name(relation.name.strip(), say("what.ofName", "its name"))
        check_value(relation.properties, say("what.property", "a property"))
        for date in (relation.created_date, relation.modified_date):
            if date is not None:
                from_iso(date)
    except Refused as error:
        yield error.message
    except ValueError:
        yield say("fault.date", "a date of it is none")
    for end in (relation.source, relation.target):
        if times[end] > 1:
            yield say("fault.twins", "{count:,} annotations are called {name}", count=times[end], name=_quoted(end))
        elif end not in places:
            yield say("fault.noEnd", "there is no annotation {name}", name=_quoted(end))
    if relation.source == relation.target:
        yield say("fault.sameEnds", "both its ends are the same annotation")
    elif (relation.name.strip(), places.get(relation.source), places.get(relation.target)) in links:
        yield say("fault.same", "another one says the same")


def _link(relation: Relation, places: dict[str, int]) -> Link:
    created, modified = (
        from_iso(date) if date is not None else None for date in (relation.created_date, relation.modified_date)
    )
    ends = places[relation.source], places[relation.target]
    return Link(relation.name.strip(), *ends, relation.properties, relation.created_by, created, modified)
