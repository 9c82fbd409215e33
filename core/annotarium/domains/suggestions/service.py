"""Rules of suggestions: which are open, their order and facets. Answers are ordinary annotations and categories."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import find_suggestion
from annotarium.content.labelling.suggestion_skipping import public_suggestion_id, skip_suggestion_with_history
from annotarium.db.identifiers import parse_id
from annotarium.db.models import Suggestion
from annotarium.db.timestamps import iso
from annotarium.domains.segments.service import text_ranges_in_context
from annotarium.domains.suggestions import repository
from annotarium.errors import InvalidInput, NotFound
from annotarium.search.facet_selections import FacetSelection, parse_selections
from annotarium_schemas.answers import Ack, OperationCount
from annotarium_schemas.messages import message

SORTS = (*repository.SORTS, "random")
FACETS = ("label", "suggester", "confidence")
CONTEXT = (5, 2)
"""Number of segments before and after a suggestion, as the widest zoom level shows (C-025)."""


def parse_public_id(identifier: str) -> int | None:
    """The internal id from a published identifier (24 digits), None if malformed."""
    return parse_id(identifier[8:], 16) if len(identifier) == 24 else None


def _unanswered_suggestions(
    call: ProjectCall, sort: str
) -> list[tuple[Suggestion, list[dict[str, Any]], list[dict[str, Any]]]]:
    """Suggestions with their unanswered annotations and categories; suggestions without any are left out.

    In an exclusive label set, a confirmed category answers all proposals of the set. Nothing is stored for that: if the
    category is removed, the proposals are open again.
    """
    order = sort if sort != "random" else "newest"
    rows = list(repository.list_suggestions(call, order))
    if sort == "random":
        random.Random(call.username).shuffle(rows)  # seeded by the user, so that the order is stable from page to page
    labels = repository.exclusive_label_set_by_label(call)
    documents = sorted({row.document_id for row in rows})
    judged, decided = (
        repository.judged_labelling_keys(call.session, documents),
        repository.decided_label_sets(call.session, documents),
    )
    found = []
    for row in rows:
        annotations = [
            item
            for item in _well_formed_proposals(row.annotations, "labelName", "start", "end")
            if item["labelName"] in labels
            and (row.document_id, item["start"], item["end"], item["labelName"]) not in judged
        ]
        categories = [
            item
            for item in _well_formed_proposals(row.categories, "labelName")
            if item["labelName"] in labels
            and (row.document_id, None, None, item["labelName"]) not in judged
            and (row.document_id, labels[item["labelName"]]) not in decided
        ]
        if annotations or categories:
            found.append((row, annotations, categories))
    return found


def _well_formed_proposals(proposals: Iterable[Any], *fields: str) -> Iterator[dict[str, Any]]:
    """The proposals that have all fields: one damaged row must not break the list."""
    return (one for one in proposals if isinstance(one, dict) and all(type(one.get(name)) in _PLAIN for name in fields))


_PLAIN = (str, int)


def _facet_values(row: Suggestion, proposals: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    band = f"{int(min(row.confidence, 0.999) * 10) / 10:.1f}"
    return {"label": {item["labelName"] for item in proposals}, "suggester": {row.suggester}, "confidence": {band}}


def _matches_selections(values: dict[str, set[str]], selections: Sequence[FacetSelection]) -> bool:
    bare: dict[str, list[bool]] = {}
    for selection in selections:
        hit = selection.value in values.get(selection.facet, set())
        if (selection.selector == "-" and hit) or (selection.selector == "+" and not hit):
            return False
        if not selection.selector:
            bare.setdefault(selection.facet, []).append(hit)
    return all(any(hits) for hits in bare.values())


def list_suggestions(
    call: ProjectCall, *, from_: int, size: int, sort: str, filter_: str, facets: bool, html: bool = False
) -> dict[str, Any]:
    """One page of open suggestions with facets and the exact total.

    Args:
        filter_: facet selections on `FACETS`.
        facets: compute the facets.
        html: add the HTML version of each segment.

    Raises:
        InvalidInput: the sort or a facet does not exist.
    """
    if sort not in SORTS:
        raise InvalidInput(
            message("none.sort", "There is no sort order {name}", name=sort), fix=f"Use one of {', '.join(SORTS)}"
        )
    selections = parse_selections(filter_)
    for selection in selections:
        if selection.facet not in FACETS:
            raise InvalidInput(
                message("none.facet", "There is no facet {name}", name=selection.facet),
                fix=f"Use one of {', '.join(FACETS)}",
            )
    matching = []
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for row, spans, categories in _unanswered_suggestions(call, sort):
        values = _facet_values(row, [*spans, *categories])
        for name in FACETS:
            others = [one for one in selections if one.facet != name or one.selector]
            if _matches_selections(values, others):
                counts[name].update(values[name])
        if _matches_selections(values, selections):
            matching.append((row, spans, categories))
    page = matching[from_ : from_ + size]
    around = text_ranges_in_context(
        call,
        [(row.document_id, row.start, row.end) for row, _, _ in page],
        before=CONTEXT[0],
        after=CONTEXT[1],
        html=html,
    )
    items = [
        _to_json(row, spans, categories, around[(row.document_id, row.start)])
        for row, spans, categories in page
        if (row.document_id, row.start) in around
    ]
    answer: dict[str, Any] = {
        "suggestions": items,
        "total": {"value": len(matching), "relation": "eq"},
    }
    if facets:
        answer["aggregations"] = [
            {"name": name, "buckets": [{"key": key, "doc_count": n} for key, n in counter.most_common(50)]}
            for name, counter in counts.items()
            if counter
        ]
    return answer


def _to_json(
    row: Suggestion, annotations: list[dict[str, Any]], categories: list[dict[str, Any]], segment: dict[str, Any]
) -> dict[str, Any]:
    """A suggestion segment as JSON: a superset of `Document` (conflicts 12). Whole documents have no context."""
    identifier = public_suggestion_id(row.id)
    proposals = {"suggestion": True, "selected": True, "creationMode": "automatic", "createdBy": row.suggester}
    return {
        "_id": identifier,
        "identifier": identifier,
        "documentIdentifier": segment["documentIdentifier"],
        "documentTitle": segment["documentTitle"],
        "title": segment["documentTitle"],
        "start": row.start,
        "end": row.end,
        "text": segment["text"],
        **({"html": segment["html"]} if "html" in segment else {}),
        "labelName": (annotations or categories)[0]["labelName"],
        "annotations": [item | proposals for item in annotations],
        "categories": [
            {"identifier": f"{identifier}-{number}"} | item | proposals for number, item in enumerate(categories, 1)
        ],
        "confidence": row.confidence,
        "priority": row.priority,
        "suggester": row.suggester,
        "createdDate": iso(row.created_at),
        "before": segment["before"],
        "after": segment["after"],
    }


def clear_suggestions(call: ProjectCall) -> OperationCount:
    """Delete all suggestions and return their number."""
    number = repository.clear(call.session, call.project.id)
    call.unit.emit("suggestions", {"type": "cleared", "by": call.username}, project=call.project.name)
    return OperationCount(count=number, operation="delete", unit="suggestion")


def skip_suggestion(call: ProjectCall, identifier: str) -> Ack:
    """Remove a suggestion from the list without an answer; can be undone."""
    number = parse_public_id(identifier)
    row = find_suggestion(call, number) if number is not None else None
    if row is None:
        raise NotFound(
            message("none.suggestion", "There is no suggestion {name}", name=identifier),
            fix="It was answered or skipped already: reload",
        )
    skip_suggestion_with_history(call, row)
    return Ack()
