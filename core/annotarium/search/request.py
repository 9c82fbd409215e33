"""From what a caller asks to what an engine is asked: query languages, facets, and the caller's rights.

Rights are compiled in here once, for hits, counts and facets alike (readUserAnnot, readFacet, groups of origin).
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from pydantic.alias_generators import to_camel

from annotarium.access.rights import Access
from annotarium.access.visibility import readable_creators, readable_modes, reads_all_labelling
from annotarium.db.authors import plain_author
from annotarium.db.models import Project
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.search.entries import (
    CATEGORIES,
    DATASET,
    DOCUMENT,
    LABELS,
    METADATA,
    NO_ORIGIN,
    PERSONAL_FACETS,
    personal_facet,
)
from annotarium.search.facet_selections import FacetSelection, parse_selections
from annotarium.search.facet_values import kind_of
from annotarium.search.metafacets import Metafacet, metafacets, metafacets_by_name
from annotarium.search.query import Boolean, Boost, MatchAll, Node, Phrase, Term, parse_advanced, parse_simple
from annotarium.search.spec import (
    TITLE_ORDER,
    Facet,
    FacetSpec,
    Kind,
    SearchHits,
    SearchSpec,
    SearchType,
    Sort,
    ValueKind,
    Vector,
)
from annotarium.settings import get_settings
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchQuery, SearchRequest, SegmentSearchQuery

MAX_PAGE_SIZE = 10_000
MAX_OFFSET = 2**31 - MAX_PAGE_SIZE
FACET_VALUES = 50
_FIELDS = {"annotations": LABELS, "categories": CATEGORIES}
_TEXTS = ("text", "title")
_MAX_MARKED, _SHORT_WORD = 20_000, 4
HIDDEN_FACETS = frozenset({DOCUMENT, "documentIdentifier", "identifier", "origin", TITLE_ORDER})
DATE_FACETS = ("activity", "createdDate")
SORTS = frozenset({"createdDate", "modifiedDate", "activity"})
"""Dates that hits may be ordered by."""
_DATASET = {"$inDataset": "true", "$outDataset": "false"}


@dataclass
class SearchParams:
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
    vector_weight: float = 1.0
    """See `SearchSpec`; nobody asks for one, `with_vector` knows it."""
    sort: str = ""
    """One of `SORTS`, `title` or a metadata, `-` before it for the highest first; empty = the best first."""
    facet_names: Sequence[str] = ()
    """Only these facets; empty = all."""
    facet_find: str = ""
    facet_size: int = 0
    """Values of a facet; 0 = `FACET_VALUES`."""
    histograms: Sequence[str] = ()
    extra: list[FacetSelection] = field(default_factory=list)


def params_from_query(query: SearchQuery) -> SearchParams:
    """A search asked in query parameters.

    Raises:
        InvalidInput: an answer to a question is asked for.
    """
    if isinstance(query, SegmentSearchQuery):
        for name in ("answer_question", "answerer", "async_answer"):
            refuse_answer(to_camel(name), params=bool(getattr(query, name)))
    return SearchParams(
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
        sort=query.sort,
        facet_names=query.facet_names,
        facet_find=query.facet_find,
        facet_size=query.facet_size,
        histograms=query.histograms,
    )


def refuse_answer(parameter: str, *, params: bool) -> None:
    """Refuse a parameter that asks for an answer to a question: none are given yet, and silence would look like one."""
    if params:
        words = message(
            "none.answers", "Questions are not answered yet: {parameter} asks for an answer", parameter=parameter
        )
        fix = message("fix.noAnswer", "Leave out {parameter}; the search itself works without it", parameter=parameter)
        raise InvalidInput(words, fix=fix, details=[{"field": parameter, "message": words}])


def params_from_request(request: SearchRequest) -> SearchParams:
    """A search asked in JSON. Errors as `params_from_query`."""
    search, filtering, answers = request.search, request.search.filtering, request.question_answering
    for name in ("enabled", "context", "context_only", "generator") if answers is not None else ():
        refuse_answer(f"questionAnswering.{to_camel(name)}", params=bool(getattr(answers, name)))
    return SearchParams(
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
        sort=search.sort,
        facet_names=request.output.facet_names,
        facet_find=request.output.facet_find,
        facet_size=request.output.facet_size,
        histograms=request.output.histograms,
    )


def build_spec(
    params: SearchParams,
    kind: Kind,
    access: Access,
    project: Project,
    facet_names: Sequence[str],
    *,
    vector: Vector | None = None,
    like: bool = False,
    counted: Sequence[FacetSpec] = (),
) -> SearchSpec:
    """The engine's search. `params.vectorizer` names vectors of the index, empty = there are none (`with_vector`).

    Without a `vector` of the question (no words, or no vectors) a search by meaning is a full text one.
    `like`: the search compares with an item, which brings its own vector. `counted`: facets the server itself counts.

    Raises:
        QuerySyntaxError: a query or filter that cannot be read (only in the advanced language).
        AccessDenied: hybrid without the right, or a selection on a facet that the caller may not see.
        InvalidInput: paging out of bounds, or a search by vectors where there are none.
    """
    if not 0 <= params.size <= MAX_PAGE_SIZE or params.from_ < 0:
        raise InvalidInput(
            message("search.size", "size must be from 0 to {most} and from not negative", most=MAX_PAGE_SIZE)
        )
    require_search_type(access, params)
    query = parse_simple(params.query) if params.simple else parse_advanced(params.query)
    filters = [parse_advanced(params.query_filter, "queryFilter")] if params.query_filter.strip() else []
    excluded: list[Node] = []
    for name, value, must, is_query in params.filters:
        node = _filter_node(name, value, is_query)
        (filters if must else excluded).append(node)
    by_meaning = vector is not None or (like and bool(params.vectorizer))
    if params.search_type == "vector" and not (by_meaning or like or params.vectorizer):
        raise InvalidInput(
            message("search.noVectors", "There are no vectors to search in"),
            fix="Use the full text search, or vectorise the project first",
        )
    facet_access = _FacetAccess(access, restricted_to(access, project))
    selections = [
        _permitted_selection(selection, kind, facet_names, facet_access)
        for selection in _selections(params, facet_names)
    ] + _dataset(params, facet_access)
    return SearchSpec(
        query=_with_index_fields(query, kind, facet_access),
        filter=_with_index_fields(_all_of(filters, excluded), kind, facet_access),
        selections=selections,
        scope=origin_selections(access),
        invert=params.invert,
        facets=[
            *_facet_specs(params, facet_names, project, facet_access),
            *_histograms(params, facet_names, facet_access),
            *counted,
        ],
        from_=min(params.from_, MAX_OFFSET),  # beyond it nothing is found, and no engine counts further
        size=params.size,
        sort=_sort(params, facet_names, facet_access),
        search_type=params.search_type if by_meaning else "text",
        vector=vector,
        vectorizer=params.vectorizer,
        vector_weight=params.vector_weight,
        default_fields=("text", "title") if kind == "documents" else ("text",),
    )


def check_query(params: SearchParams) -> None:
    """Raise `QuerySyntaxError` when a query or filter cannot be read."""
    if not params.simple:
        parse_advanced(params.query)
    parse_advanced(params.query_filter, "queryFilter")
    for name, value, _, is_query in params.filters:
        _filter_node(name, value, is_query)


def require_search_type(access: Access, params: SearchParams) -> None:
    """Raise `AccessDenied` unless the caller may search in this way (C-060)."""
    if params.search_type == "hybrid" and not access.can("useHybridSearch"):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.useHybridSearch", "The permission useHybridSearch is missing"),
        )


def require_search(access: Access, params: SearchParams) -> None:
    """Raise `AccessDenied` for more than a list, page by page in some order, unless the caller may search (P-019)."""
    narrowed = params.query.strip() or params.vector_query.strip() or params.selected_facets or params.filters
    if narrowed or params.dataset or params.invert or params.facet_find or not _names_a_document(params.query_filter):
        access.require("useSearch")


def _names_a_document(query_filter: str) -> bool:
    """Whether a filter asks for nothing, or for one document by its identifier, which is read without a search, too."""
    if not query_filter.strip():
        return True
    node = parse_advanced(query_filter, "queryFilter")
    return isinstance(node, Phrase | Term) and node.field == "identifier"


def similarity_fields(fields: str) -> tuple[str, ...]:
    """The texts a search for similar items compares; empty = those of the kind.

    Raises:
        InvalidInput: another field.
    """
    names = tuple(dict.fromkeys(name.strip() for name in fields.split(",") if name.strip()))
    unknown = [name for name in names if name not in _TEXTS]
    if unknown:
        raise InvalidInput(
            message("search.like", "Similar items are found by text or title, not by {name}", name=unknown[0]),
            fix="Use fields=text",
        )
    return names


def query_of_words(text: str) -> Node:
    """A query whose highlights are the words of a text."""
    words = dict.fromkeys(re.findall(r"\w+", text[:_MAX_MARKED]))
    return Boolean(should=tuple(Term(word) for word in words if len(word) >= _SHORT_WORD))


def restricted_to(access: Access, project: Project) -> str | None:
    """The caller's name when something of others' labelling is hidden from the caller, else None.

    The index does not know creator and creation mode of a label together: such a caller counts the own labelling.
    """
    return None if reads_all_labelling(access) else access.username


def origin_selections(access: Access) -> list[FacetSelection]:
    """Only documents without origin or of the caller's groups, when documents are guarded one by one."""
    if not get_settings().document_level_access or access.reads_all_projects:
        return []
    return [FacetSelection("origin", name) for name in (NO_ORIGIN, *sorted(access.group_names))]


def _selections(params: SearchParams, names: Sequence[str]) -> list[FacetSelection]:
    return [*parse_selections(list(params.selected_facets), names), *params.extra]


def may_read_facet(access: Access, name: str) -> bool:
    """`readFacet:{facet}`; a facet of one person counts as the facet it restricts."""
    return access.can(f"readFacet:{name.partition('(')[0]}")


@dataclass(frozen=True)
class _FacetAccess:
    """Which facets a caller reads, by selection and by field of a query alike.

    A caller without `readUserAnnot` reads labels through the facets of the own work, the dataset through the own part
    of it, and nothing else that tells about other people's work.
    """

    access: Access
    restricted: str | None

    def facet(self, name: str) -> str | None:
        """The facet behind a facet name; None when it is not open to the caller."""
        return self.field(name) if may_read_facet(self.access, name) else None

    def field(self, name: str) -> str | None:
        """The facet behind a field of a query; None when it tells about work that the caller may not see."""
        base, bracket, creator = name.partition("(")
        if self.restricted is None or base not in PERSONAL_FACETS:
            return name
        if base not in (LABELS, CATEGORIES, DATASET):
            return None
        if not bracket:
            return personal_facet(base, self.restricted)
        others = readable_creators(self.access) if readable_modes(self.access) is None else ()
        open_to_caller = others is None or plain_author(creator.removesuffix(")")) in {self.restricted, *others}
        return name if open_to_caller else None


def _permitted_selection(
    selection: FacetSelection, kind: Kind, names: Sequence[str], facet_access: _FacetAccess
) -> FacetSelection:
    selection = replace(selection, facet=_full_name(selection.facet, names))
    if facet_access.facet(selection.facet) is None:
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.facet", "The facet {name} is not open to you", name=selection.facet),
        )
    if kind == "documents" and selection.facet == "identifier":
        return replace(selection, facet="documentIdentifier")
    return _personal_selection(selection, facet_access)


def _dataset(params: SearchParams, facet_access: _FacetAccess) -> list[FacetSelection]:
    """The dataset filter (C-062): open to everybody, within what the caller may know of the dataset."""
    value = _DATASET.get(params.dataset)
    return [_personal_selection(FacetSelection(DATASET, value, "+"), facet_access)] if value else []


def _personal_selection(selection: FacetSelection, facet_access: _FacetAccess) -> FacetSelection:
    facet = facet_access.field(selection.facet) or selection.facet
    if facet != selection.facet and selection.facet == DATASET:
        # Only pieces with own work have a value there: `false` means without it.
        inside = (selection.value == "true") != (selection.selector == "-")
        return FacetSelection(facet, "true", "+" if inside else "-")
    return replace(selection, facet=facet)


def _filter_node(name: str, value: str, is_query: bool) -> Node:
    text = value if is_query else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return parse_advanced(text if name == "text" else f"{escaped_field(name)}:({text})", "filters")


def _all_of(filters: list[Node], excluded: list[Node]) -> Node:
    if not filters and not excluded:
        return MatchAll()
    return Boolean(must=tuple(filters), must_not=tuple(excluded))


def _with_index_fields(node: Node, kind: Kind, facet_access: _FacetAccess) -> Node:
    """Field names of the query language -> fields of the index; a field the caller may not read matches nothing."""
    if isinstance(node, Boolean):
        parts = (
            (_with_index_fields(child, kind, facet_access) for child in part)
            for part in (node.must, node.should, node.must_not)
        )
        return Boolean(*(tuple(part) for part in parts))
    if isinstance(node, Boost):
        return replace(node, node=_with_index_fields(node.node, kind, facet_access))
    if isinstance(node, MatchAll) or node.field is None or node.field in _TEXTS:
        return node
    name = _FIELDS.get(node.field, node.field)
    if node.field == "identifier" and kind == "documents":
        name = "documentIdentifier"
    field = facet_access.field(name)
    return Boolean(must_not=(MatchAll(),)) if field is None else replace(node, field=field)


def _listed_facets(names: Sequence[str], project: Project) -> Sequence[str]:
    """Names of facets, of the metadata only those the project chose, in its order; all when it chose none."""
    wanted = [f"{METADATA}{one.name}" for one in metafacets(project)]
    if not wanted:
        return names
    return [*(name for name in names if not name.startswith(METADATA)), *(name for name in wanted if name in names)]


def _facet_specs(
    params: SearchParams, names: Sequence[str], project: Project, facet_access: _FacetAccess
) -> list[FacetSpec]:
    if not params.facets:
        return []
    named = [_full_name(name, names) for name in params.facet_names]
    dates = [name for name in DATE_FACETS if not named or name in named]
    specs = [FacetSpec(name, kind="dates") for name in dates if may_read_facet(facet_access.access, name)]
    size = params.facet_size or FACET_VALUES
    for name in [name for name in names if name in named] if named else _listed_facets(names, project):
        hidden = name in HIDDEN_FACETS or name in facet_access.access.hidden_facets or name.startswith(f"{DATASET}(")
        if not hidden and facet_access.facet(name) == name:
            specs.append(FacetSpec(name, size=size, find=params.facet_find))
    return specs


def _histograms(params: SearchParams, names: Sequence[str], facet_access: _FacetAccess) -> list[FacetSpec]:
    wanted = dict.fromkeys(_full_name(name, names) for name in params.histograms)
    may = [name for name in wanted if name in SORTS or name.startswith(METADATA)]
    return [FacetSpec(name, kind="histogram") for name in may if may_read_facet(facet_access.access, name)]


def _sort(params: SearchParams, names: Sequence[str], facet_access: _FacetAccess) -> Sort | None:
    if not params.sort:
        return None
    given = params.sort.removeprefix("-")
    name = _full_name(given, names)
    if given == "title":
        name = TITLE_ORDER
    elif name.startswith(METADATA):
        if facet_access.facet(name) is None:
            raise AccessDenied(
                "Authorization has been denied.",
                cause=message("denied.facet", "The facet {name} is not open to you", name=name),
            )
    elif name not in SORTS:
        known = ", ".join(sorted(SORTS))
        raise InvalidInput(
            message("search.sort", "Hits are not ordered by {name}", name=given),
            fix=f"Use one of {known}, title, metadata.{{name}}",
        )
    return Sort(name, descending=params.sort.startswith("-"))


def _full_name(name: str, names: Sequence[str]) -> str:
    """Metadata may be named without its prefix."""
    full = f"{METADATA}{name}"
    return full if name not in names and full in names else name


def escaped_field(name: str) -> str:
    """The name of a field as the query language wants it."""
    return re.sub(r"[^\w.]", r"\\\g<0>", name)


def facet_to_json(facet: Facet, wanted: Metafacet | None = None) -> dict[str, Any]:
    """A facet on the wire; values beyond the size add up in a last bucket (W-015). `to_insert`: what the project says
    of
    a metadata."""
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
    kind = kind_of(bucket.key for bucket in facet.buckets) if facet.name.startswith(METADATA) else None
    if wanted is not None and wanted.type:
        kind = None if wanted.type == "text" else cast(ValueKind, wanted.type)
    more = {"title": wanted.title if wanted else "", "valueKind": kind}
    return {"name": facet.name, "buckets": buckets} | {name: value for name, value in more.items() if value}


def search_result_to_json(
    found: SearchHits, hits: Sequence[dict[str, Any]], spec: SearchSpec, project: Project
) -> dict[str, Any]:
    """An answer of a search: hits, their number (`gte`: there may be more), facets, histograms; a best score only where
    there is a hit."""
    wanted = {f"{METADATA}{name}": one for name, one in metafacets_by_name(project).items()}
    drawn = [{**facet_to_json(facet), "valueKind": facet.bars_of} for facet in found.facets if facet.bars_of]
    answer = {
        "hits": list(hits),
        "total": {"value": found.total, "relation": "eq" if found.exact else "gte"},
        "size": spec.size,
        "resultID": secrets.token_hex(8),
        "searchType": spec.search_type,
        "aggregations": [facet_to_json(one, wanted.get(one.name)) for one in found.facets if not one.bars_of],
    }
    best = {} if found.max_score is None else {"max_score": found.max_score}
    return answer | best | ({"histograms": drawn} if drawn else {})
