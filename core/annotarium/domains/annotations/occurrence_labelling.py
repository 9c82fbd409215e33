"""Labelling all occurrences of words: in a document immediately, in what a search finds or in the corpus as a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling.propagation import RIGHT, BatchCounts, count_in_batches
from annotarium.domains.annotations import propagation, repository
from annotarium.domains.annotations.occurrences import OccurrenceQuery
from annotarium.domains.annotations.propagation import SpansToLabel
from annotarium.domains.annotations.schemas import OccurrenceExample, OccurrenceLabelling, OccurrencesLabelled
from annotarium.domains.annotations.service import build_annotation_read_model
from annotarium.domains.labels.service import require_label
from annotarium.errors import NotFound
from annotarium.jobs.serializers import job_to_json
from annotarium.search.selection import Selection
from annotarium_schemas.messages import message

DIRECT_MAX = 2_000
"""Maximum number of annotations made in the request; more of them are made by a job."""
_EXAMPLES = 20
_CONTEXT = 60
"""Length of the text before and after an example, in code points."""


def label_occurrences(call: ProjectCall, body: OccurrenceLabelling) -> OccurrencesLabelled:
    """Label the occurrences that do not have the label yet; with `dry_run` only count them and show some.

    Raises:
        AccessDenied: the scope is not one document, or the document has very many occurrences, and the caller may not
            annotate the corpus.
        NotFound: the label or the document does not exist.
    """
    label = require_label(call, body.label_name)
    query = OccurrenceQuery(body.text, body.whole_words, body.case_sensitive, body.fold_accents)
    if body.scope == "document":
        return _label_document(call, label.id, query, body)
    require_permission(call, RIGHT)
    search = body.search.selection() if body.scope == "found" and body.search is not None else None
    answer = _count(call, label.id, query, body, search)
    if not body.dry_run and answer.created:
        _start_job(call, query, body, answer, search)
    return answer


def _template(label_id: int) -> dict[str, Any]:
    values = {"label_id": label_id, "status": "OK", "creation_mode": "manual", "score": None}
    return values | {"properties": None, "terms": None}


def _label_document(
    call: ProjectCall, label_id: int, query: OccurrenceQuery, body: OccurrenceLabelling
) -> OccurrencesLabelled:
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
    elif spans.free > DIRECT_MAX:
        require_permission(call, RIGHT)
        _start_job(call, query, body, answer, Selection(ids=(str(document_id),)))
    else:
        made = propagation.create_copies(call, _template(label_id), spans.copies)
        answer.annotations = [build_annotation_read_model(one, identifier, body.label_name) for one in made]
    return answer


def _count(
    call: ProjectCall, label_id: int, query: OccurrenceQuery, body: OccurrenceLabelling, search: Selection | None
) -> OccurrencesLabelled:
    answer = OccurrencesLabelled(scope=body.scope, documents=0, occurrences=0)

    def count(document_ids: Sequence[int]) -> BatchCounts:
        spans = propagation.find_spans_to_label(call, label_id, query, document_ids)
        if body.dry_run:
            _add_examples(answer, spans)
        return BatchCounts(spans.documents, spans.occurrences, spans.free)

    count_in_batches(answer, propagation.candidate_document_ids(call, query, search), count, writing=not body.dry_run)
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
    call: ProjectCall,
    query: OccurrenceQuery,
    body: OccurrenceLabelling,
    answer: OccurrencesLabelled,
    search: Selection | None,
) -> None:
    job = propagation.start_propagation_job(call, body.label_name, _template(0), query, answer, search)
    answer.job = job_to_json(job, call.project)
    answer.created = 0
