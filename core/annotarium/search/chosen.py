"""What a bulk action acts on: everything a search finds, or hits picked by hand. It travels in the arguments of a job.

The rights of whoever asks are compiled into the search each time it runs, like those of any search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import parse_id
from annotarium.search import repository
from annotarium.search.engine import SearchEngine
from annotarium.search.indexer import open_index
from annotarium.search.request import Asked, build_spec
from annotarium.search.spec import IndexKey, Kind, SearchSpec

PLACE = tuple[int, int]
"""Document id and start of a segment."""


@dataclass(frozen=True)
class Chosen:
    """A search without ranking and pages, or ids of hits (then nothing else counts).

    `kind` says what was searched; the documents of segments are those that hold one of them.
    """

    kind: Kind = "documents"
    query: str = ""
    simple: bool = False
    query_filter: str = ""
    selected_facets: tuple[str, ...] = ()
    dataset: str = ""
    invert: bool = False
    ids: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """JSON values for the arguments of a job."""
        return asdict(self) | {"selected_facets": list(self.selected_facets), "ids": list(self.ids)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Chosen:
        """What `to_json` made."""
        return cls(**values | {"selected_facets": tuple(values["selected_facets"]), "ids": tuple(values["ids"])})

    @property
    def everything(self) -> bool:
        """Whether nothing narrows it: the whole project."""
        return not (self.query.strip() or self.query_filter.strip() or self.selected_facets or self.dataset or self.ids)


def hit_ids(call: ProjectCall, chosen: Chosen) -> Iterator[str]:
    """Ids of the hits as of now; what is deleted meanwhile is left out. Reading them needs no open transaction.

    Raises:
        QuerySyntaxError, AccessDenied, InvalidInput: like the search itself, before the first id.
    """
    if chosen.ids:
        return iter(_picked(call, chosen))
    engine, key, spec = _opened(call, chosen)
    return engine.scan_ids(key, spec)


def count_hits(call: ProjectCall, chosen: Chosen) -> int:
    """How many hits there are."""
    if chosen.ids:
        return len(_picked(call, chosen))
    engine, key, spec = _opened(call, chosen)
    return engine.search(key, spec).total


def document_ids(call: ProjectCall, chosen: Chosen) -> Iterator[int]:
    """Ids of the documents found, each once; for segments, of the documents that hold one."""
    return _distinct(hit_ids(call, chosen))


def count_documents(call: ProjectCall, chosen: Chosen) -> int:
    """How many documents `document_ids` gives."""
    if chosen.kind == "documents":
        return count_hits(call, chosen)
    return sum(1 for _ in document_ids(call, chosen))


def places(call: ProjectCall, chosen: Chosen) -> Iterator[PLACE]:
    """Where the found segments begin, ordered by document and start."""
    return iter(sorted({place for place in map(_place, hit_ids(call, chosen)) if place is not None}))


def _picked(call: ProjectCall, chosen: Chosen) -> list[str]:
    """Those of the hits picked by hand that are there, within the caller's reach, each once."""
    hits = {hit: place for hit in chosen.ids if (place := _place(hit)) is not None}
    there = repository.readable_among(call, {document for document, _ in hits.values()})
    if chosen.kind == "segments":
        starts = repository.segments_among(call.session, there, {start for _, start in hits.values()})
        return [hit for hit, (document, start) in hits.items() if start in starts.get(document, ())]
    return list({document: hit for hit, (document, _) in reversed(hits.items()) if document in there}.values())[::-1]


def _opened(call: ProjectCall, chosen: Chosen) -> tuple[SearchEngine, IndexKey, SearchSpec]:
    engine, key = open_index(call.project, chosen.kind)
    asked = Asked(
        query=chosen.query,
        simple=chosen.simple,
        query_filter=chosen.query_filter,
        selected_facets=chosen.selected_facets,
        dataset=chosen.dataset,
        invert=chosen.invert,
        size=0,
    )
    return engine, key, build_spec(asked, chosen.kind, call.access, call.project, engine.facet_names(key))


def _place(hit: str) -> PLACE | None:
    document, _, start = hit.partition("-")
    number, place = parse_id(document), parse_id(start or "0")
    return None if number is None or place is None else (number, place)


def _distinct(hits: Iterator[str]) -> Iterator[int]:
    known: set[int] = set()
    for hit in hits:
        place = _place(hit)
        if place is not None and place[0] not in known:
            known.add(place[0])
            yield place[0]
