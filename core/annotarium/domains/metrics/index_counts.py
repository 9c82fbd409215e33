"""Counts taken from the search index: metadata values, dataset and split, co-occurrence of labels."""

from __future__ import annotations

from dataclasses import replace

from annotarium.access.call import ProjectCall
from annotarium.content.questions import QUESTION_FIELD
from annotarium.content.repository import find_terms
from annotarium.domains.metrics.schemas import Coverage, DocumentFacets, MetadataCount, Overlaps, TermCount, TermMetrics
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import KINDS, FacetSpec, Kind
from annotarium.search.index_entries import (
    CATEGORIES,
    LABELS,
    METADATA,
    TERMS,
    creator_facet_name,
    parse_term_reference,
)
from annotarium.search.indexer import open_index
from annotarium.search.metadata_facets import project_metadata_facets
from annotarium.search.params import SearchParams
from annotarium.search.query import MatchAll
from annotarium.search.query.ast import Exists
from annotarium.search.search_rights import may_read_facet, username_if_restricted
from annotarium.search.search_spec_builder import build_search_spec

OVERLAPPING_LABELS = 12
"""Number of labels in the co-occurrence matrix; each row takes one search."""
COVERED_METADATA = 50
"""Maximum number of metadata in the coverage; each takes one search."""
_ALL_VALUES = 1_000_000_000

Counted = tuple[int, dict[str, int]]
"""Total number of items, and number of items by value of the facet."""


class IndexCounter:
    """Counts the documents or segments that the caller may read."""

    def __init__(self, call: ProjectCall, kind: Kind) -> None:
        self._call, self._kind = call, kind
        self._engine, self._key = open_index(call.project, kind, reader=call.username)
        self.facets = self._engine.facet_names(self._key)

    def count(
        self,
        *,
        dataset: str = "",
        facet: str = "",
        selection: FacetSelection | None = None,
        has: str = "",
        most: int = _ALL_VALUES,
    ) -> Counted:
        """Count items that match all given conditions, in total and by value of `facet`.

        Args:
            dataset: part of the dataset, as in `SearchParams.dataset`; empty = the whole corpus.
            facet: field to count by.
            selection: a facet value that items have.
            has: a field in which items have any value.
            most: number of values to count, the most frequent ones.
        """
        params = SearchParams(size=0, dataset=dataset, extra=[selection] if selection else [])
        counted = (FacetSpec(facet, size=most),) if facet else ()
        spec = build_search_spec(
            params, self._kind, self._call.access, self._call.project, self.facets, counted=counted
        )
        found = self._engine.search(self._key, replace(spec, filter=Exists(has) if has else MatchAll()))
        return found.total, {bucket.key: bucket.doc_count for one in found.facets for bucket in one.buckets}


def metadata_name_or_default(call: ProjectCall, facet: str) -> str:
    """The requested metadata name without its prefix, else the first metadata facet of the project, else empty."""
    return facet.removeprefix(METADATA) or next((one.name for one in project_metadata_facets(call.project)), "")


def document_facets(call: ProjectCall, facet: str, dataset: str = "") -> DocumentFacets:
    """Number of documents and segments by value of a metadata field, most documents first."""
    name = metadata_name_or_default(call, facet)
    if not name or not may_read_facet(call.access, f"{METADATA}{name}"):
        return DocumentFacets(metadata=name)
    counts = {kind: IndexCounter(call, kind).count(dataset=dataset, facet=f"{METADATA}{name}")[1] for kind in KINDS}
    values = sorted(
        counts["documents"].keys() | counts["segments"].keys(),
        key=lambda value: (-counts["documents"].get(value, 0), value),
    )
    rows = [
        {"_id": one, "documentCount": counts["documents"].get(one, 0), "segmentCount": counts["segments"].get(one, 0)}
        for one in values
    ]
    return DocumentFacets(metadata=name, facets=[MetadataCount.model_validate(row) for row in rows])


def metadata_coverage(call: ProjectCall) -> list[Coverage]:
    """Number of documents with a value, for each metadata field the caller may read."""
    documents = IndexCounter(call, "documents")
    names = [name for name in documents.facets if name.startswith(METADATA) and may_read_facet(call.access, name)]
    found = {name: documents.count(has=name)[0] for name in names[:COVERED_METADATA]}
    rows = ({"_id": name.removeprefix(METADATA), "documentCount": count} for name, count in found.items() if count)
    return [Coverage.model_validate(row) for row in rows]


def count_saved_questions(call: ProjectCall) -> int:
    """Number of documents that are saved questions."""
    documents = IndexCounter(call, "documents")
    name = f"{METADATA}{QUESTION_FIELD}"
    return documents.count(selection=FacetSelection(name, "true", "+"))[0] if name in documents.facets else 0


def count_documents_by_split(call: ProjectCall) -> dict[str, int]:
    """Number of documents of the dataset in `train` and in `test`."""
    return IndexCounter(call, "documents").count(dataset="$inDataset", facet="split")[1]


def count_label_co_occurrences(call: ProjectCall, kind: Kind) -> Overlaps:
    """How often labels occur together: on spans of one segment, or as categories of one document."""
    facet = LABELS if kind == "segments" else CATEGORIES
    if not may_read_facet(call.access, facet):
        return Overlaps()
    restricted = username_if_restricted(call.access, call.project)
    shown = facet if restricted is None else creator_facet_name(facet, restricted)
    pieces = IndexCounter(call, kind)
    alone = pieces.count(facet=shown)[1]
    labels = sorted(alone, key=lambda name: (-alone[name], name))[:OVERLAPPING_LABELS]
    rows = [pieces.count(facet=shown, selection=FacetSelection(facet, name, "+"))[1] for name in labels]
    return Overlaps(labels=labels, counts=[[row.get(name, 0) for name in labels] for row in rows])


def count_terms(call: ProjectCall, most: int) -> TermMetrics:
    """The terms in most documents; empty for callers who may not read the labelling of others.

    Args:
        most: maximum number of terms.
    """
    if not may_read_facet(call.access, TERMS) or username_if_restricted(call.access, call.project) is not None:
        return TermMetrics()
    documents, segments = IndexCounter(call, "documents"), IndexCounter(call, "segments")
    with_terms, by_document = documents.count(facet=TERMS, has=TERMS, most=most)
    if not with_terms:
        return TermMetrics()
    segments_with_terms, by_segment = segments.count(facet=TERMS, has=TERMS)
    frequent = sorted(by_document, key=lambda value: (-by_document[value], value))[:most]
    references = [parse_term_reference(value) for value in frequent]
    known = find_terms(call.session, call.project.id, references)
    forms = {pair: term.preferred_form for pair, term in known.items()}
    return TermMetrics(
        documents=with_terms,
        segments=segments_with_terms,
        terms=[
            TermCount(
                lexicon=lexicon,
                identifier=identifier,
                preferred_form=forms.get((lexicon, identifier)) or identifier,
                document_count=by_document[value],
                segment_count=by_segment.get(value, 0),
            )
            for value, (lexicon, identifier) in zip(frequent, references, strict=True)
        ],
    )
