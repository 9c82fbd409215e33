"""Index entries of a document and of its segments: texts, facets, dates. All names of facets are defined here.

Facets (both kinds): `label`, `label(<creator>)`, `classificationLabel`, `classificationLabel(<creator>)`, `createdBy`,
`status` (OK, KO, undefined), `creationMode`, `inDataset` (true, false), `inDataset(<creator>)` (true), `split`,
`origin`, `metadata.<name>`, `documentIdentifier`, `documentTitle` (for sorting); of the terms that annotations link to
`term` (`<lexicon>:<identifier>`), `termIdentifier` and `termForm` (preferred forms). Documents
also have `relation`, the names of relations between their annotations, and `reviewed` (true, false). Rejected labelling
counts for `status`, `creationMode` and `createdBy` only. Dates: `createdDate`, `modifiedDate`, `activity` (the newest
labelling).
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.identifiers import parse_id
from annotarium.search.index_and_search_types import TITLE_ORDER, IndexDoc, IndexPatch
from annotarium.search.repository import IndexableDocument, LabellingItem, LinkedTerm
from annotarium.search.text_analysis import Tokens

Facets = dict[str, list[str]]
Layers = ChainMap[str, list[str]]
"""Facets in layers that items share (see `IndexDoc.facets`)."""
METADATA = "metadata."
DOCUMENT = "document"
"""Facet of segments: the id of their document."""
NO_ORIGIN = "-"
LABELS = "label"
CATEGORIES = "classificationLabel"
DATASET = "inDataset"
RELATIONS = "relation"
TERMS = "term"
TERM_IDENTIFIERS = "termIdentifier"
TERM_FORMS = "termForm"
"""The query field `term` searches in all three."""
REVIEWED = "reviewed"
"""Facet of documents: whether somebody annotated them to the end."""
PERSONAL_FACETS = (
    LABELS,
    CATEGORIES,
    "createdBy",
    "status",
    "creationMode",
    DATASET,
    RELATIONS,
    TERMS,
    TERM_IDENTIFIERS,
    TERM_FORMS,
)
"""Facets that reveal other people's work (readUserAnnot)."""


def segment_id(document_id: int, start: int) -> str:
    """Return the identifier of a segment, in the index and in the API."""
    return f"{document_id}-{start}"


def parse_segment_id(identifier: str) -> tuple[int, int] | None:
    """Return `(document id, start)` of a segment identifier, None when it is malformed."""
    document, _, start = identifier.partition("-")
    number, place = parse_id(document), parse_id(start)
    return None if number is None or place is None else (number, place)


def creator_facet_name(facet: str, creator: str) -> str:
    """Return the name of a facet restricted to one creator (W-015)."""
    return f"{facet}({creator})"


def metadata_facet_values(value: Any) -> list[str]:
    """Return the facet values of a metadata value; booleans as `true` and `false`, none for an empty value."""
    if isinstance(value, list):
        return [text for item in value for text in metadata_facet_values(item)]
    if value is None or value == "":
        return []
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(value)]


def _metadata_facets(state: IndexableDocument) -> Facets:
    return {
        f"{METADATA}{name}": metadata_facet_values(value)
        for name, value in json_object_or_empty(state.metadata).items()
    }


_LabelKey = tuple[str, str | None, str, str, tuple[LinkedTerm, ...]]
_label_key: Callable[[LabellingItem], _LabelKey] = attrgetter("label", "status", "mode", "creator", "terms")
_CACHED_FACETS = 4_096
_facet_cache: dict[tuple[tuple[_LabelKey, ...], tuple[_LabelKey, ...]], Facets] = {}


def _cached_labelling_facets(annotations: Iterable[LabellingItem], categories: Iterable[LabellingItem]) -> Facets:
    """Return the facets of labelling, which must not be changed: equal labelling, as of most segments, shares one
    object.
    """
    key = tuple(map(_label_key, annotations)), tuple(map(_label_key, categories))
    facets = _facet_cache.get(key)
    if facets is None:
        if len(_facet_cache) >= _CACHED_FACETS:
            _facet_cache.clear()
        facets = _facet_cache[key] = _compute_labelling_facets(*key)
    return facets


def _compute_labelling_facets(annotations: Iterable[_LabelKey], categories: Iterable[_LabelKey]) -> Facets:
    found: dict[str, set[str]] = {LABELS: set(), CATEGORIES: set(), "createdBy": set(), "status": set()}
    found["creationMode"] = set()
    in_dataset = False
    for facet, items in ((LABELS, annotations), (CATEGORIES, categories)):
        for label, status, mode, creator, terms in items:
            found["createdBy"].add(creator)
            found["status"].add(status or "undefined")
            found["creationMode"].add(mode)
            if status != "KO":
                found[facet].add(label)
                if terms:
                    _add_terms(found, terms)
                found.setdefault(creator_facet_name(facet, creator), set()).add(label)
                if is_confirmed(status, mode):
                    in_dataset = True
                    found[creator_facet_name(DATASET, creator)] = {"true"}
    facets = {name: sorted(values) for name, values in found.items()}
    facets[DATASET] = ["true" if in_dataset else "false"]
    return facets


def term_reference(lexicon: str, identifier: str) -> str:
    """Return the value of the facet `term` for a term."""
    return f"{lexicon}:{identifier}"


def parse_term_reference(reference: str) -> tuple[str, str]:
    """Return `(lexicon, identifier)` of a value of the facet; names of lexicons contain no colon."""
    lexicon, _, identifier = reference.partition(":")
    return lexicon, identifier


def _add_terms(found: dict[str, set[str]], terms: Iterable[LinkedTerm]) -> None:
    for lexicon, identifier, form in terms:
        found.setdefault(TERMS, set()).add(term_reference(lexicon, identifier))
        found.setdefault(TERM_IDENTIFIERS, set()).add(identifier)
        found.setdefault(TERM_FORMS, set()).add(form or identifier)


def _common_facets(state: IndexableDocument) -> Facets:
    facets = _metadata_facets(state)
    facets["documentIdentifier"] = [state.identifier]
    facets[TITLE_ORDER] = [state.title] if state.title else []
    facets["origin"] = [state.origin or NO_ORIGIN]
    if state.split:
        facets["split"] = [state.split]
    return facets


Dates = dict[str, float | list[float]]


def _entry_dates(
    state: IndexableDocument, items: Iterable[LabellingItem], made: dict[int, Dates] | None = None
) -> Dates:
    """Return the dates of an item.

    Args:
        made: cache of the dates of the document's other items, by their newest labelling; most items share them.
    """
    newest = max([item.modified_at for item in items], default=0)
    if made is not None and newest in made:
        return made[newest]
    dates: Dates = {"createdDate": state.created_at, "modifiedDate": state.modified_at}
    dates["activity"] = [newest] if newest else []
    if made is not None:
        made[newest] = dates
    return dates


def _layer_facets(*parts: Facets) -> Layers:
    return ChainMap(*parts)


def document_facets(state: IndexableDocument, common: Facets | None = None) -> Layers:
    """Return the facets of a document; `common` is the result of `_common_facets`, if the caller has it."""
    own = _common_facets(state) if common is None else dict(common)
    if state.relations:
        own[RELATIONS] = state.relations
    own[REVIEWED] = ["true" if state.reviewed else "false"]
    return _layer_facets(own, _cached_labelling_facets(state.annotations, state.categories))


class SegmentLabellingFinder:
    """Finds the labelling that overlaps a segment."""

    def __init__(self, state: IndexableDocument, *, document_categories: bool) -> None:
        self._annotations = sorted(state.annotations, key=lambda item: item.start or 0)
        self._sentence = [item for item in state.categories if item.start is not None]
        self._document = [item for item in state.categories if item.start is None] if document_categories else []

    def at(self, start: int, end: int) -> tuple[list[LabellingItem], list[LabellingItem]]:
        """Return annotations and categories that overlap [start, end)."""
        annotations = [item for item in self._annotations if _overlaps_range(item, start, end)]
        return annotations, [item for item in self._sentence if _overlaps_range(item, start, end)] + self._document

    def sweep(
        self, segments: Iterable[tuple[int, int]]
    ) -> Iterator[tuple[int, int, list[LabellingItem], list[LabellingItem]]]:
        """Yield the result of `at` for ascending segments, in linear time."""
        open_items: list[LabellingItem] = []
        position = 0
        for start, end in segments:
            while position < len(self._annotations) and (self._annotations[position].start or 0) < end:
                open_items.append(self._annotations[position])
                position += 1
            open_items = [item for item in open_items if (item.end or 0) > start]
            categories = self._document
            if self._sentence:
                categories = [item for item in self._sentence if _overlaps_range(item, start, end)] + categories
            yield start, end, [item for item in open_items if (item.start or 0) < end], categories


def _overlaps_range(item: LabellingItem, start: int, end: int) -> bool:
    return (item.start or 0) < end and (item.end or 0) > start


def document_entry(state: IndexableDocument, words: Tokens) -> IndexDoc:
    """Return the index entry of a document; `words` are the tokens of its text."""
    return IndexDoc(
        id=str(state.id),
        title=state.title,
        text=state.text or "",
        tokens=words,
        facets=document_facets(state),
        dates=_entry_dates(state, [*state.annotations, *state.categories]),
    )


def segment_entries(
    state: IndexableDocument, words: Tokens, parts: Iterable[Tokens] | None = None
) -> Iterator[IndexDoc]:
    """Yield the index entries of a document's segments; `words` are the tokens of its text, `parts` those of its
    segments.
    """
    text = state.text or ""
    common = _common_facets(state)
    common[DOCUMENT] = [str(state.id)]
    made: dict[int, Dates] = {}
    cut = iter(parts) if parts is not None else (words.part(start, end) for start, end in state.segments)
    for start, end, spans, categories in SegmentLabellingFinder(state, document_categories=True).sweep(state.segments):
        yield IndexDoc(
            id=segment_id(state.id, start),
            title=state.title,
            text=text[start:end],
            tokens=next(cut),
            facets=_layer_facets(common, _cached_labelling_facets(spans, categories)),
            dates=_entry_dates(state, [*spans, *categories], made),
            numbers={"start": start},
        )


def facet_patches(
    state: IndexableDocument, ranges: list[tuple[int, int]] | None
) -> tuple[IndexPatch, list[IndexPatch]]:
    """Return new facets of a document and of the segments that overlap one of the ranges (None = all segments)."""
    items = [*state.annotations, *state.categories]
    common = _common_facets(state)
    patch = IndexPatch(
        str(state.id), facets=document_facets(state, common), dates=_entry_dates(state, items), complete=True
    )
    common[DOCUMENT] = [str(state.id)]
    touched = [
        (start, end)
        for start, end in state.segments
        if ranges is None or any(start < last and end > first for first, last in ranges)
    ]
    sweep = SegmentLabellingFinder(state, document_categories=True).sweep(touched)
    return patch, [
        IndexPatch(
            segment_id(state.id, start),
            facets=_layer_facets(common, _cached_labelling_facets(spans, categories)),
            dates=_entry_dates(state, [*spans, *categories]),
            complete=True,
        )
        for start, _, spans, categories in sweep
    ]
