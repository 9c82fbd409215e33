"""From what a caller asks to what an engine is asked: query languages, facets, and the caller's rights.

Rights are compiled in here once, for hits, counts and facets alike (readUserAnnot, readFacet, groups of origin).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from annotarium.access.rights import Access
from annotarium.access.visibility import readable_creators
from annotarium.db.models import Project
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.search.content import CATEGORIES, DOCUMENT, LABELS, METADATA, NO_ORIGIN, PERSONAL, personal
from annotarium.search.query import Boolean, Boost, MatchAll, Node, parse_advanced, parse_simple
from annotarium.search.selection import Selection, parse_selections
from annotarium.search.spec import Facet, FacetSpec, Kind, SearchSpec, SearchType
from annotarium.settings import get_settings
from annotarium_schemas.search import SearchQuery, SearchRequest

MAX_SIZE = 10_000
FACET_VALUES = 50
HIDDEN_FACETS = frozenset({DOCUMENT, "documentIdentifier", "identifier", "origin"})
DATE_FACETS = ("activity", "createdDate")
_DATASET = {"$inDataset": "true", "$outDataset": "false"}


@dataclass
class Asked:
    """One search as asked for, whatever style it came in."""

    query: str = ""
    simple: bool = False
    query_filter: str = ""
    selected_facets: Sequence[str] = ()
    filters: Sequence[tuple[str, str, bool, bool]] = ()
    """(field, value, must, is_query)"""
    dataset: str = ""
    invert: bool = False
    from_: int = 0
    size: int = 10
    facets: bool = False
    search_type: SearchType = "text"
    vectorizer: str = ""
    vector_query: str = ""
    extra: list[Selection] = field(default_factory=list)


def asked_by_query(query: SearchQuery) -> Asked:
    """A search asked in query parameters."""
    return Asked(
        query=query.query,
        simple=query.simple_query,
        query_filter=query.query_filter,
        selected_facets=query.selected_facets,
        invert=query.invert_search,
        from_=query.from_,
        size=query.size if query.return_hits else 0,
        facets=query.facet,
        search_type=query.search_type,
        vectorizer=query.vectorizer,
        vector_query=query.vector_query,
    )


def asked_by_request(request: SearchRequest) -> Asked:
    """A search asked in JSON."""
    search, filtering = request.search, request.search.filtering
    return Asked(
        query=search.query,
        simple=not search.advanced,
        query_filter=filtering.query_filter,
        selected_facets=filtering.selected_facets,
        filters=[
            (item.field, item.value, item.filter_selector == "must", item.filter_type == "query")
            for item in filtering.filters
            if item.value.strip()
        ],
        dataset=filtering.dataset_selector,
        invert=search.invert,
        from_=search.from_,
        size=search.size if request.output.return_hits else 0,
        facets=request.output.facets,
        search_type=search.type,
        vectorizer=search.vector.vectorizer,
        vector_query=search.vector.query,
    )


def build_spec(asked: Asked, kind: Kind, access: Access, project: Project, facet_names: Sequence[str]) -> SearchSpec:
    """The engine's search.

    Raises:
        QuerySyntaxError: a query or filter that cannot be read (only in the advanced language).
        AccessDenied: hybrid without the right, or a selection on a facet that the caller may not see.
    """
    if not 0 <= asked.size <= MAX_SIZE or asked.from_ < 0:
        raise InvalidInput(f"size must be from 0 to {MAX_SIZE} and from not negative")
    if asked.search_type == "hybrid" and not access.can("useHybridSearch"):
        raise AccessDenied("Authorization has been denied.", cause="The permission useHybridSearch is missing")
    query = parse_simple(asked.query) if asked.simple else parse_advanced(asked.query)
    filters = [parse_advanced(asked.query_filter)] if asked.query_filter.strip() else []
    excluded: list[Node] = []
    for name, value, must, is_query in asked.filters:
        text = value if is_query else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
        node = parse_advanced(text if name == "text" else f"{name}:({text})")
        (filters if must else excluded).append(node)
    restricted = restricted_to(access, project)
    selections = [_seen(selection, facet_names, access, restricted) for selection in _selections(asked)]
    return SearchSpec(
        query=_rename(query, kind, restricted),
        filter=_rename(_all_of(filters, excluded), kind, restricted),
        selections=[*selections, *origin_selections(access)],
        invert=asked.invert,
        facets=_facet_specs(facet_names, access, restricted) if asked.facets else (),
        from_=asked.from_,
        size=asked.size,
        search_type=asked.search_type,
        vectorizer=asked.vectorizer,
        default_fields=("text", "title") if kind == "documents" else ("text",),
    )


def restricted_to(access: Access, project: Project) -> str | None:
    """The caller's name when the caller reads no other person's labelling, else None."""
    return None if readable_creators(access) is None else access.username


def origin_selections(access: Access) -> list[Selection]:
    """Only documents without origin or of the caller's groups, when documents are guarded one by one."""
    if not get_settings().document_level_access or access.reads_all_projects:
        return []
    return [Selection("origin", name) for name in (NO_ORIGIN, *sorted(access.group_names))]


def _selections(asked: Asked) -> list[Selection]:
    selections = parse_selections(list(asked.selected_facets))
    if asked.dataset in _DATASET:
        selections.append(Selection("inDataset", _DATASET[asked.dataset], "+"))
    return [*selections, *asked.extra]


def may_read_facet(access: Access, name: str) -> bool:
    """`readFacet:{facet}`; a facet of one person counts as the facet it restricts."""
    return access.can(f"readFacet:{name.partition('(')[0]}")


def _seen(selection: Selection, names: Sequence[str], access: Access, restricted: str | None) -> Selection:
    if selection.facet not in names and f"{METADATA}{selection.facet}" in names:
        selection = replace(selection, facet=f"{METADATA}{selection.facet}")
    if not may_read_facet(access, selection.facet):
        raise AccessDenied("Authorization has been denied.", cause=f"The facet {selection.facet} is not open to you")
    return replace(selection, facet=_restrict(selection.facet, restricted))


def _restrict(name: str, restricted: str | None) -> str:
    """The facet a caller without readUserAnnot really sees behind a facet name."""
    if restricted is None:
        return name
    base = name.partition("(")[0]
    return personal(base, restricted) if base in (LABELS, CATEGORIES) else name


def _all_of(filters: list[Node], excluded: list[Node]) -> Node:
    if not filters and not excluded:
        return MatchAll()
    return Boolean(must=tuple(filters), must_not=tuple(excluded))


def _rename(node: Node, kind: Kind, restricted: str | None) -> Node:
    """Field names of the query language -> fields of the index."""
    if isinstance(node, Boolean):
        parts = (
            (_rename(child, kind, restricted) for child in part) for part in (node.must, node.should, node.must_not)
        )
        return Boolean(*(tuple(part) for part in parts))
    if isinstance(node, Boost):
        return replace(node, node=_rename(node.node, kind, restricted))
    if isinstance(node, MatchAll) or node.field is None:
        return node
    return replace(node, field=_index_field(node.field, kind, restricted))


def _index_field(name: str, kind: Kind, restricted: str | None) -> str:
    if name == "identifier" and kind == "documents":
        return "documentIdentifier"
    if name in ("annotations", "categories"):
        return _restrict(LABELS if name == "annotations" else CATEGORIES, restricted)
    return name


def is_mere_reader(access: Access) -> bool:
    """Whether the role Reader hides the dataset facet; somebody who reads everybody's labelling is more than that."""
    return "Reader" in access.roles and readable_creators(access) is not None


def _facet_specs(names: Sequence[str], access: Access, restricted: str | None) -> list[FacetSpec]:
    specs = [FacetSpec(name, kind="dates") for name in DATE_FACETS if may_read_facet(access, name)]
    for name in names:
        base, personal_facet = name.partition("(")[0], "(" in name
        if name in HIDDEN_FACETS or not may_read_facet(access, name):
            continue
        if restricted is not None and base in PERSONAL and name != personal(base, restricted):
            continue
        if base in PERSONAL and personal_facet and name != personal(base, access.username):
            continue
        if name == "inDataset" and is_mere_reader(access):
            continue
        specs.append(FacetSpec(name, size=FACET_VALUES))
    return specs


def aggregation(facet: Facet) -> dict[str, Any]:
    """A facet on the wire; values beyond the size add up in a last bucket (W-015)."""
    buckets: list[dict[str, Any]] = []
    for bucket in facet.buckets:
        item: dict[str, Any] = {"key": bucket.key, "doc_count": bucket.doc_count}
        if bucket.from_ is not None:
            item["from"] = bucket.from_
        if bucket.to is not None:
            item["to"] = bucket.to
        buckets.append(item)
    if facet.sum_other_doc_count:
        buckets.append({"key": f"sum_other_doc_count_{facet.name}", "doc_count": facet.sum_other_doc_count})
    return {"name": facet.name, "buckets": buckets}
