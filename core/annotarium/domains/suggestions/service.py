"""Rules of suggestions: which are open, their order and facets. Answers are ordinary annotations and categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import find_suggestion
from annotarium.content.labelling.suggestion_skipping import public_suggestion_id, skip_suggestion_with_history
from annotarium.content.suggestions.repository import open_suggestions
from annotarium.content.suggestions.unanswered import load_judgements
from annotarium.db.identifiers import parse_id
from annotarium.db.models import Suggestion
from annotarium.db.timestamps import iso
from annotarium.domains.segments.service import text_ranges_in_context
from annotarium.domains.suggestions import repository
from annotarium.domains.suggestions.repository import FacetCell
from annotarium.errors import InvalidInput, NotFound
from annotarium.search.facet_selections import FacetSelection, parse_selections
from annotarium_schemas.answers import Ack, OperationCount
from annotarium_schemas.messages import message

SORTS = (*repository.SORTS, repository.RANDOM)
FACETS = ("label", "suggester", "confidence")
FACET_VALUES = 50
"""Maximum number of values of a facet."""
CONTEXT = (5, 2)
"""Number of segments before and after a suggestion, as the widest zoom level shows (C-025)."""


def parse_public_id(identifier: str) -> int | None:
    """The internal id from a published identifier (24 digits), None if malformed."""
    return parse_id(identifier[8:], 16) if len(identifier) == 24 else None


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
    clauses = open_suggestions(call)
    cells = repository.count_by_facets(call, clauses)
    matching = select_cells(cells, selections)
    total = sum(cell.number for cell in matching)
    keys = [cell.key for cell in matching] if selections else None
    page = repository.page_of_suggestions(call, clauses, sort, keys=keys, first=from_, size=size) if total else ()
    answer: dict[str, Any] = {
        "suggestions": _page_to_json(call, page, html=html),
        "total": {"value": total, "relation": "eq"},
    }
    if facets:
        answer["aggregations"] = _aggregations(cells, selections, matching)
    return answer


def select_cells(cells: Sequence[FacetCell], selections: Sequence[FacetSelection]) -> Sequence[FacetCell]:
    """The cells that match facet selections: values of a facet without `+` or `-` are alternatives."""
    if not selections:
        return cells
    required = [(one.facet, one.value) for one in selections if one.selector == "+"]
    excluded = [(one.facet, one.value) for one in selections if one.selector == "-"]
    alternatives: dict[str, set[str]] = {}
    for one in selections:
        if not one.selector:
            alternatives.setdefault(one.facet, set()).add(one.value)
    return [
        cell
        for cell in cells
        if all(cell.has(*one) for one in required)
        and not any(cell.has(*one) for one in excluded)
        and all(not values.isdisjoint(cell.values(facet)) for facet, values in alternatives.items())
    ]


def _page_to_json(call: ProjectCall, page: Sequence[Suggestion], *, html: bool) -> list[dict[str, Any]]:
    known = load_judgements(call.session, call.project, [row.id for row in page])
    around = text_ranges_in_context(
        call,
        [(row.document_id, row.start, row.end) for row in page],
        before=CONTEXT[0],
        after=CONTEXT[1],
        html=html,
    )
    items = []
    for row in page:
        spans, categories = known.unanswered(row.document_id, row.annotations, row.categories)
        segment = around.get((row.document_id, row.start))
        if segment is not None and (spans or categories):
            items.append(_to_json(row, spans, categories, segment))
    return items


def _aggregations(
    cells: Sequence[FacetCell], selections: Sequence[FacetSelection], matching: Sequence[FacetCell]
) -> list[dict[str, Any]]:
    """The facets of the open suggestions: each counts what the selections on the others leave.

    Args:
        matching: the cells that match all selections.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for name, counter in counts.items():
        others = [one for one in selections if one.facet != name or one.selector]
        for cell in matching if others == selections else select_cells(cells, others):
            for value in cell.values(name):
                counter[value] += cell.number
    return [
        {"name": name, "buckets": [{"key": key, "doc_count": number} for key, number in _most_frequent(counter)]}
        for name, counter in counts.items()
        if counter
    ]


def _most_frequent(counter: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:FACET_VALUES]


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
