"""Rules of segments: search, similar segments, context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.layouts.service import html_versions
from annotarium.content.output_fields import add_html_field, parse_fields
from annotarium.domains.segments import repository
from annotarium.domains.segments.answering import search_reranked
from annotarium.domains.segments.repository import SegmentState
from annotarium.domains.segments.serializers import SEGMENT_FIELDS, segment_to_json
from annotarium.errors import InvalidInput, NotFound
from annotarium.search.highlight import Highlighter
from annotarium.search.index_and_search_types import SearchHits, SearchSpec
from annotarium.search.index_entries import parse_segment_id, segment_id
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams, query_to_highlight_words
from annotarium.search.query import Node
from annotarium.search.query_vectors import resolve_search
from annotarium.search.search_defaults import default_of_request, with_defaults
from annotarium.search.search_rights import require_search, require_search_type
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.serializers import search_result_to_json
from annotarium.search.similar_items import prepare_similarity_search
from annotarium_schemas.messages import message

MAX_CONTEXT = 10_000
"""Maximum number of segments on one side of a context; the same as the maximum page of a search."""


def search_segments(
    call: ProjectCall,
    params: SearchParams,
    *,
    with_highlights: bool,
    fields: Iterable[str] = (),
    html: bool = False,
    configured: bool = False,
) -> dict[str, Any]:
    """`SegmentHits`: hits loaded from the database, facets, exact total, and a result id.

    Args:
        fields: see `parse_fields`.
        html: add the HTML version of each segment.
        configured: see `search_reranked`.
    """
    engine, key = open_index(call.project, "segments", reader=call.username)
    require_search(call.access, params)
    default = default_of_request(call.session, call.access, call.project, params)
    if default is not None:
        params, configured = with_defaults(params, default), True
    require_search_type(call.access, params)
    resolved = resolve_search(call.session, call.project, params)
    names = engine.facet_names(key)
    spec = build_search_spec(resolved.params, "segments", call.access, call.project, names, vector=resolved.vector)
    wanted = add_html_field(parse_fields(fields, SEGMENT_FIELDS), html)
    hits = search_reranked(call, engine, key, spec, params, configured=configured)
    return _answer(call, hits, spec, spec.query if with_highlights else None, wanted)


def similar_segments(
    call: ProjectCall,
    params: SearchParams,
    *,
    segment: str,
    text: str,
    fields: str,
    with_highlights: bool,
    output: Iterable[str] = (),
    html: bool = False,
) -> dict[str, Any]:
    """Segments similar to a segment or a text (S-025). `with_highlights` marks the words they share with it.

    Raises:
        InvalidInput: neither a segment nor a text is given, or segments do not have one of the fields.
        NotFound: the segment does not exist or the caller may not read it.
    """
    text = text.strip()
    if not segment and not text:
        raise InvalidInput(message("wrong.noSegmentToCompare", "Specify a segment (segid) or a text to compare with"))
    if segment:
        position = parse_segment_id(segment)
        state = repository.load_segments(call, [position], labelling=False).get(position) if position else None
        if state is None:
            raise NotFound(message("none.segment", "There is no segment {name} in this project", name=segment))
        own_text = state.text
    engine, key, spec = prepare_similarity_search(
        call, "segments", params, text=text, of_item=bool(segment), compared=fields
    )
    hits = engine.similar(key, segment, spec, text=None if segment else text)
    if segment and spec.search_type == "vector" and not hits.total:  # the segment has no vector yet: vectorize its text
        spec = replace(spec, vector=resolve_search(call.session, call.project, params, text=own_text).vector)
        hits = engine.similar(key, segment, spec)
    shared = query_to_highlight_words(own_text if segment else text) if with_highlights else None
    return _answer(call, hits, spec, shared, add_html_field(parse_fields(output, SEGMENT_FIELDS), html))


def _answer(
    call: ProjectCall, found: SearchHits, spec: SearchSpec, marked: Node | None, wanted: frozenset[str]
) -> dict[str, Any]:
    keys = [parsed for hit in found.hits if (parsed := parse_segment_id(hit.id))]
    states = repository.load_segments(call, keys, labelling=not wanted.isdisjoint(("annotations", "categories")))
    marker = Highlighter(call.project.lang, marked) if marked is not None else None
    looks = _html_by_segment(call, states) if "html" in wanted else {}
    hits = []
    for hit in found.hits:
        parsed = parse_segment_id(hit.id)
        state = states.get(parsed) if parsed else None
        if state is None:
            continue
        segment = {name: value for name, value in segment_to_json(state).items() if name in wanted}
        if parsed in looks:
            segment["html"] = looks[parsed]
        item: dict[str, Any] = {"_id": hit.id, "score": hit.score, "segment": segment}
        ranks = {"textRank": hit.text_rank, "vectorRank": hit.vector_rank}
        item |= {name: rank for name, rank in ranks.items() if rank is not None}
        if marker is not None:
            spans = marker.spans(state.text)
            item["highlights"] = {"text": [{"start": span.start, "end": span.end} for span in spans]}
        hits.append(item)
    return search_result_to_json(found, hits, spec, call.project)


def _segments_to_json(
    call: ProjectCall, states: Mapping[tuple[int, int], SegmentState], *, html: bool
) -> dict[tuple[int, int], dict[str, Any]]:
    looks = _html_by_segment(call, states) if html else {}
    return {key: segment_to_json(state) | ({"html": looks[key]} if html else {}) for key, state in states.items()}


def _html_by_segment(
    call: ProjectCall, states: Mapping[tuple[int, int], SegmentState]
) -> dict[tuple[int, int] | None, str]:
    fragments = [(document_id, start, state.text) for (document_id, start), state in states.items()]
    return dict(zip(states, html_versions(call.session, call.project, fragments), strict=True))


def context(
    call: ProjectCall,
    *,
    document: str,
    start: int,
    before: tuple[int, int],
    after: tuple[int, int],
    output: str,
    annotations: bool,
    html: bool = False,
) -> dict[str, Any]:
    """Segments around the one at `start`; `before` and `after` are (skip, count), counted away from it.

    A count of -1 means all, up to `MAX_CONTEXT`. `output` is `segments`, `merged_segments` or `all`.

    Raises:
        NotFound: there is no such document.
    """
    document_id = repository.find_document_id(call, document)
    if document_id is None:
        raise NotFound(message("none.document", "There is no document {name} in this project", name=document))
    sides = {}
    for side, (skip, count) in (("before", before), ("after", after)):
        starts = repository.neighbours(
            call, document_id, start, before=side == "before", skip=skip, count=MAX_CONTEXT if count < 0 else count
        )
        states = repository.load_consecutive_segments(call, document_id, starts, labelling=annotations)
        segments = [segment_to_json(states[(document_id, at)]) for at in sorted(starts) if (document_id, at) in states]
        looks = _html_by_segment(call, states) if html else {}
        for segment in segments if html else ():
            segment["html"] = looks[document_id, segment["start"]]
        block: dict[str, Any] = {"size": len(segments)}
        if output in ("segments", "all"):
            block["segments"] = segments
        if output in ("merged_segments", "all") and segments:
            block["merged"] = _merged(call, segments, document_id, html=html)
        sides[side] = block
    return sides


def text_ranges_in_context(
    call: ProjectCall, fragments: Sequence[tuple[int, int, int]], *, before: int, after: int, html: bool = False
) -> dict[tuple[int, int], dict[str, Any]]:
    """Text ranges (document id, start, end) as segments with their context, by (document id, start).

    `before` and `after` are maximum numbers of segments. The segments are in text order and have no labelling. With
    `html`, the ranges and segments have their HTML version.
    """
    near = repository.neighbours_of_ranges(call, fragments, before=before, after=after)
    around = {(document_id, start): sides for (document_id, start, _), sides in zip(fragments, near, strict=True)}
    keys = {(document_id, at) for (document_id, _), sides in around.items() for side in sides for at in side}
    states = repository.load_segments(call, sorted(keys), labelling=False)
    found = {}
    loaded = repository.load_text_ranges(call, fragments)
    context, own = _segments_to_json(call, states, html=html), _segments_to_json(call, loaded, html=html)
    for document_id, start in loaded:
        sides = {}
        for side, starts in zip(("before", "after"), around[(document_id, start)], strict=True):
            shown = [(document_id, at) for at in starts if (document_id, at) in states]
            sides[side] = {"size": len(shown), "segments": [context[key] for key in shown]}
        found[(document_id, start)] = own[(document_id, start)] | sides
    return found


def _merged(call: ProjectCall, segments: list[dict[str, Any]], document_id: int, *, html: bool) -> dict[str, Any]:
    first, last = segments[0], segments[-1]
    text = repository.document_slice(call, document_id, first["start"], last["end"])
    look = html_versions(call.session, call.project, [(document_id, first["start"], text)]) if html else []
    return (
        first
        | ({"html": look[0]} if look else {})
        | {
            "identifier": segment_id(document_id, first["start"]),
            "end": last["end"],
            "text": text,
            "annotations": [annotation for segment in segments for annotation in segment["annotations"]],
            "categories": [category for segment in segments for category in segment["categories"]],
        }
    )
