"""What a bulk action acts on: all hits of a search, or hits picked by hand. It is passed in the parameters of a job.

The caller's rights are applied each time the search runs, as in any search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import parse_id
from annotarium.search import repository
from annotarium.search.engine import SearchEngine
from annotarium.search.index_and_search_types import IndexKey, Kind, SearchSpec
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.search_spec_builder import build_search_spec

SegmentPosition = tuple[int, int]
"""Document id and start of a segment."""


@dataclass(frozen=True)
class Selection:
    """A search without ranking and paging, or the ids of hits (all other fields are then ignored).

    `kind` is the kind of items searched. The documents of a selection of segments are those with at least one of them.
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
        """Return JSON values for the parameters of a job."""
        return asdict(self) | {"selected_facets": list(self.selected_facets), "ids": list(self.ids)}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Selection:
        """Read what `to_json` returned."""
        return cls(**values | {"selected_facets": tuple(values["selected_facets"]), "ids": tuple(values["ids"])})

    @property
    def everything(self) -> bool:
        """Whether the selection is not restricted in any way: the whole project."""
        return not (self.query.strip() or self.query_filter.strip() or self.selected_facets or self.dataset or self.ids)


def hit_ids(call: ProjectCall, selection: Selection) -> Iterator[str]:
    """Return the ids of the current hits; items deleted meanwhile are left out. Iterating needs no open transaction.

    Raises:
        QuerySyntaxError, AccessDenied, InvalidInput: as for the search itself, before the first id.
    """
    if selection.ids:
        return iter(_selected_hits(call, selection))
    engine, key, spec = _open_search(call, selection)
    return engine.scan_ids(key, spec)


def count_hits(call: ProjectCall, selection: Selection) -> int:
    """Count the hits."""
    if selection.ids:
        return len(_selected_hits(call, selection))
    engine, key, spec = _open_search(call, selection)
    return engine.search(key, spec).total


def document_ids(call: ProjectCall, selection: Selection) -> Iterator[int]:
    """Yield the ids of the documents found, each once; for segments, of the documents that contain one."""
    return _distinct_documents(hit_ids(call, selection))


def count_documents(call: ProjectCall, selection: Selection) -> int:
    """Count what `document_ids` yields."""
    if selection.kind == "documents":
        return count_hits(call, selection)
    return sum(1 for _ in document_ids(call, selection))


def segment_positions(call: ProjectCall, selection: Selection) -> Iterator[SegmentPosition]:
    """Yield the positions of the found segments, ordered by document and start."""
    return iter(
        sorted(
            {position for position in map(_parse_segment_position, hit_ids(call, selection)) if position is not None}
        )
    )


def _selected_hits(call: ProjectCall, selection: Selection) -> list[str]:
    """Return those of the hits picked by hand that exist and that the caller may see, each once."""
    hits = {hit: position for hit in selection.ids if (position := _parse_segment_position(hit)) is not None}
    there = repository.filter_readable_documents(call, {document for document, _ in hits.values()})
    if selection.kind == "segments":
        starts = repository.existing_segment_starts(call.session, there, {start for _, start in hits.values()})
        return [hit for hit, (document, start) in hits.items() if start in starts.get(document, ())]
    return list({document: hit for hit, (document, _) in reversed(hits.items()) if document in there}.values())[::-1]


def _open_search(call: ProjectCall, selection: Selection) -> tuple[SearchEngine, IndexKey, SearchSpec]:
    engine, key = open_index(call.project, selection.kind)
    params = SearchParams(
        query=selection.query,
        simple=selection.simple,
        query_filter=selection.query_filter,
        selected_facets=selection.selected_facets,
        dataset=selection.dataset,
        invert=selection.invert,
        size=0,
    )
    return engine, key, build_search_spec(params, selection.kind, call.access, call.project, engine.facet_names(key))


def _parse_segment_position(hit: str) -> SegmentPosition | None:
    document, _, start = hit.partition("-")
    number, position = parse_id(document), parse_id(start or "0")
    return None if number is None or position is None else (number, position)


def _distinct_documents(hits: Iterator[str]) -> Iterator[int]:
    known: set[int] = set()
    for hit in hits:
        position = _parse_segment_position(hit)
        if position is not None and position[0] not in known:
            known.add(position[0])
            yield position[0]
