"""Labelling all occurrences of words: in a document immediately, in what a search finds or in the corpus as a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling.propagation import RIGHT, BatchCounts, count_in_batches
from annotarium.domains.annotations import propagation, repository
from annotarium.domains.annotations.occurrences import OccurrenceQuery
from annotarium.domains.annotations.propagation import Copies, SpansToLabel
from annotarium.domains.annotations.schemas import OccurrenceExample, OccurrenceLabelling, OccurrencesLabelled
from annotarium.domains.annotations.service import build_annotation_read_model
from annotarium.domains.labels.service import require_label
from annotarium.errors import NotFound
from annotarium.jobs.serializers import job_to_json
from annotarium.search.selection import Selection
from annotarium_schemas.messages import message

_EXAMPLES = 20
_CONTEXT = 60
"""Length of the text before and after an example, in code points."""


class FoundPlaces(NamedTuple):
    """What was found for a label, in a reading transaction before it is written."""

    label_id: int
    counted: OccurrencesLabelled
    document_id: int | None
    copies: Copies
    """The spans to label in the document; empty for other scopes."""


def find_places(call: ProjectCall, body: OccurrenceLabelling) -> FoundPlaces:
    """Find the occurrences that do not have the label yet; writes nothing.

    Raises:
        AccessDenied: the scope is not one document and the caller may not annotate the corpus.
        NotFound: the label or the document does not exist.
    """
    label = require_label(call, body.label_name)
    query = _query(body)
    if body.scope == "document":
        return _find_in_document(call, label.id, query, body)
    require_permission(call, RIGHT)
    return FoundPlaces(label.id, _count(call, label.id, query, body), None, {})


def label_occurrences(call: ProjectCall, body: OccurrenceLabelling) -> OccurrencesLabelled:
    """Label the occurrences that do not have the label yet; with `dry_run` only count them and show some.

    What `find_places` found before is written, less what somebody else has labelled since.

    Raises:
        AccessDenied: the scope is not one document, or the document has very many occurrences, and the caller may not
            annotate the corpus.
        NotFound: the label or the document does not exist.
    """
    found: FoundPlaces = call.prepared or find_places(call, body)
    if body.dry_run or not found.counted.created:
        return found.counted
    label = require_label(call, body.label_name)
    if label.id != found.label_id:
        found = find_places(call, body)
    answer = found.counted
    if found.document_id is None:
        require_permission(call, RIGHT)
        _start_job(call, body, answer, _search(body))
    elif answer.created > propagation.DIRECT_MAX:
        require_permission(call, RIGHT)
        _start_job(call, body, answer, Selection(ids=(str(found.document_id),)))
    else:
        made = propagation.create_copies(
            call, _template(label.id), propagation.still_to_label(call, label.id, found.copies)
        )
        identifier = body.document_identifier or ""
        answer.annotations = [build_annotation_read_model(one, identifier, body.label_name) for one in made]
        answer.existing, answer.created = answer.occurrences - len(made), len(made)
    return answer


def _query(body: OccurrenceLabelling) -> OccurrenceQuery:
    return OccurrenceQuery(body.text, body.whole_words, body.case_sensitive, body.fold_accents)


def _search(body: OccurrenceLabelling) -> Selection | None:
    return body.search.selection() if body.scope == "found" and body.search is not None else None


def _template(label_id: int) -> dict[str, Any]:
    values = {"label_id": label_id, "status": "OK", "creation_mode": "manual", "score": None}
    return values | {"properties": None, "terms": None}


def _find_in_document(
    call: ProjectCall, label_id: int, query: OccurrenceQuery, body: OccurrenceLabelling
) -> FoundPlaces:
    identifier = body.document_identifier or ""
    document_id = repository.find_document_id(call, identifier)
    if document_id is None:
        raise NotFound(message("none.document", "There is no document {name} in this project", name=identifier))
    spans = propagation.find_spans_to_label(call, label_id, query, [document_id])
    answer = OccurrencesLabelled(
        scope="document",
        documents=spans.documents,
        occurrences=spans.occurrences,
        existing=spans.occurrences - spans.free,
        created=spans.free,
    )
    if body.dry_run:
        _add_examples(answer, spans)
        _count_partial_matches(call, label_id, query, answer, iter([document_id]))
    return FoundPlaces(label_id, answer, document_id, spans.copies)


def _count(call: ProjectCall, label_id: int, query: OccurrenceQuery, body: OccurrenceLabelling) -> OccurrencesLabelled:
    answer = OccurrencesLabelled(scope=body.scope, documents=0, occurrences=0)
    search = _search(body)

    def count(document_ids: Sequence[int]) -> BatchCounts:
        spans = propagation.find_spans_to_label(call, label_id, query, document_ids)
        if body.dry_run:
            _add_examples(answer, spans)
        return BatchCounts(spans.documents, spans.occurrences, spans.free)

    count_in_batches(answer, propagation.candidate_document_ids(call, query, search), count)
    if body.dry_run:
        parts = replace(query, whole_words=False)
        _count_partial_matches(call, label_id, query, answer, propagation.candidate_document_ids(call, parts, search))
    return answer


def _count_partial_matches(
    call: ProjectCall, label_id: int, query: OccurrenceQuery, answer: OccurrencesLabelled, ids: Iterator[int]
) -> None:
    counted = propagation.count_partial_matches(call, label_id, query, ids)
    answer.inside_words, answer.inside_words_at_least = counted


def _add_examples(answer: OccurrencesLabelled, spans: SpansToLabel) -> None:
    for document_id, (text, places) in spans.copies.items():
        for start, end in places[: _EXAMPLES - len(answer.examples)]:
            answer.examples.append(
                OccurrenceExample(
                    document_identifier=spans.identifiers[document_id],
                    before=text[max(0, start - _CONTEXT) : start],
                    text=text[start:end],
                    after=text[end : end + _CONTEXT],
                )
            )


def _start_job(
    call: ProjectCall, body: OccurrenceLabelling, answer: OccurrencesLabelled, search: Selection | None
) -> None:
    job = propagation.start_propagation_job(call, body.label_name, _template(0), _query(body), answer, search)
    answer.job = job_to_json(job, call.project)
    answer.created = 0
