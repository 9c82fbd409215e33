"""Copying an annotation to all equal occurrences: in its document immediately, in the corpus as a job."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling.changes import Change, history_snapshot_of_row, record_changes
from annotarium.content.labelling.propagation import BATCH, RIGHT, BatchCounts, count_in_batches, shorten
from annotarium.db.identifiers import new_ids
from annotarium.db.models import Annotation, Job
from annotarium.db.row_marks import creation_marks
from annotarium.domains.annotations import occurrences as occurrences_in
from annotarium.domains.annotations import repository
from annotarium.domains.annotations.occurrences import OccurrenceQuery, Span, occurrences, uncovered_spans
from annotarium.domains.annotations.schemas import Propagated, Propagation
from annotarium.domains.annotations.service import build_annotation_read_model, require_annotation
from annotarium.domains.labels.service import require_label
from annotarium.errors import InvalidInput
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.serializers import job_to_json
from annotarium.search import selection as found
from annotarium.search.selection import Selection
from annotarium.search.text_analysis import get_analyser
from annotarium_schemas.messages import message

FUNCTION = "propagate_annotation"
_LONGEST_QUERY = 300
"""Maximum length in code points of a text that is searched in the index; longer ones are searched in the texts."""

_SECONDS_INSIDE_WORDS = 1.0
DIRECT_MAX = 2_000
"""Maximum number of annotations made in the request; more of them are made by a job."""


Copies = dict[int, tuple[str, list[Span]]]
"""Text and spans to label, by document id."""


class FoundOccurrences(NamedTuple):
    """What was found for an annotation to copy, in a reading transaction before it is written."""

    label_id: int
    text: str
    counted: Propagated
    copies: Copies
    """The spans to label in the document; empty for the corpus."""


def find_occurrences(call: ProjectCall, identifier: str, body: Propagation) -> FoundOccurrences:
    """Find the equal occurrences that do not have the label of an annotation yet; writes nothing.

    Raises:
        AccessDenied: the scope is the corpus and the caller may not annotate it.
        InvalidInput: the annotation is discontinuous.
    """
    source = require_annotation(call, identifier)
    require_label(call, source.label)
    row = source.row
    if row.fragments:
        raise InvalidInput(
            "An annotation in several pieces cannot be copied to other places",
            cause=message(
                "wrong.apart", "Its fragments are separate, and other occurrences may have other text between them"
            ),
            fix="Annotate the other places one by one",
        )
    query = OccurrenceQuery(row.text, body.whole_words, body.case_sensitive)
    if body.scope == "document":
        spans = find_spans_to_label(call, row.label_id, query, [row.document_id])
        counted = Propagated(scope="document", documents=1, occurrences=spans.occurrences)
        counted.existing, counted.created = spans.occurrences - spans.free, spans.free
        return FoundOccurrences(row.label_id, row.text, counted, spans.copies)
    require_permission(call, RIGHT)
    return FoundOccurrences(row.label_id, row.text, _count_corpus_occurrences(call, row.label_id, query), {})


def propagate(call: ProjectCall, identifier: str, body: Propagation) -> Propagated:
    """Copy an annotation to the equal occurrences that do not have its label yet; with `dry_run` only count them.

    What `find_occurrences` found before is written, less what somebody else has labelled since.

    Raises:
        AccessDenied: the scope is the corpus, or the document has very many occurrences, and the caller may not
            annotate the corpus.
    """
    found_before: FoundOccurrences = call.prepared or find_occurrences(call, identifier, body)
    if body.dry_run:
        return found_before.counted
    source = require_annotation(call, identifier)
    require_label(call, source.label)
    row = source.row
    if (row.label_id, row.text) != (found_before.label_id, found_before.text):
        found_before = find_occurrences(call, identifier, body)
    answer = found_before.counted
    query = OccurrenceQuery(row.text, body.whole_words, body.case_sensitive)
    search = Selection(ids=(str(row.document_id),)) if body.scope == "document" else None
    if search is not None and answer.created <= DIRECT_MAX:
        made = create_copies(call, _template_for_copies(row), still_to_label(call, row.label_id, found_before.copies))
        answer.annotations = [build_annotation_read_model(one, source.document, source.label) for one in made]
        answer.existing, answer.created = answer.occurrences - len(made), len(made)
    elif answer.created:
        require_permission(call, RIGHT)
        job = start_propagation_job(call, source.label, _template_for_copies(row), query, answer, search)
        answer.job, answer.created = job_to_json(job, call.project), 0
    return answer


def _template_for_copies(row: Annotation) -> dict[str, Any]:
    # Copying an annotation that was only suggested confirms the copies.
    values = {"label_id": row.label_id, "status": row.status or "OK", "creation_mode": "manual"}
    return values | {"score": None, "properties": row.properties, "terms": row.terms}


def unlabelled_spans(
    call: ProjectCall, label_id: int, positions: Mapping[int, Sequence[Span]]
) -> dict[int, list[Span]]:
    """The spans that do not have the label yet, by document id."""
    taken = repository.spans_with_label(call, list(positions), label_id)
    return {document_id: uncovered_spans(many, taken.get(document_id, [])) for document_id, many in positions.items()}


def create_copies(
    call: ProjectCall, template: Mapping[str, Any], positions: Mapping[int, tuple[str, Sequence[Span]]]
) -> list[Annotation]:
    """Annotations at places of documents, given with their texts, each with its history row."""
    marks = creation_marks(call.username)
    changes: list[Change] = []
    made: list[Annotation] = []
    for document_id, (text, spans) in positions.items():
        for identifier, (start, end) in zip(new_ids(len(spans)), spans, strict=True):
            values = {"id": identifier, "project_id": call.project.id, "document_id": document_id, **template}
            values |= {"start": start, "end": end, "text": text[start:end]} | marks
            call.unit.append(Annotation, values)
            row = Annotation(**values)
            made.append(row)
            changes.append(Change(row, "created", None, history_snapshot_of_row(row)))
    record_changes(call, changes)
    return made


def candidate_document_ids(call: ProjectCall, query: OccurrenceQuery, search: Selection | None = None) -> Iterator[int]:
    """Ids of documents that may contain the text: from the index if it has words, otherwise from the database.

    With `search`, the documents that it finds.
    """
    if search is not None:
        return found.document_ids(call, search)
    words = (
        query.whole_words and len(query.text) <= _LONGEST_QUERY and get_analyser(call.project.lang).terms(query.text)
    )
    if words:
        quoted = query.text.replace("\\", "\\\\").replace('"', '\\"')
        return found.document_ids(call, Selection(query=f'text:"{quoted}"'))
    exactly = query.case_sensitive and not query.fold_accents
    return repository.documents_containing(call, query.text if exactly else None)


def count_partial_matches(
    call: ProjectCall, label_id: int, query: OccurrenceQuery, ids: Iterator[int]
) -> tuple[int, bool]:
    """Number of occurrences inside longer words without the label in documents; True if not all could be read in the
    time.
    """
    total = 0
    until = time.monotonic() + _SECONDS_INSIDE_WORDS
    while batch := list(islice(ids, BATCH)):
        taken = repository.spans_with_label(call, batch, label_id)
        for document_id, _, text in repository.texts(call, batch):
            total += occurrences_in.count_partial_matches(text, query, taken.get(document_id, []))
        if time.monotonic() > until:
            return total, next(ids, None) is not None
    return total, False


class SpansToLabel(NamedTuple):
    """Occurrences that do not have the label yet, among all in some documents."""

    copies: Copies
    """Text and spans to label, by document id."""
    documents: int
    """Number of documents with occurrences."""
    occurrences: int
    identifiers: dict[int, str]
    """Identifiers of the documents with occurrences, by id."""

    @property
    def free(self) -> int:
        """Number of spans to label."""
        return sum(len(spans) for _, spans in self.copies.values())


def parts_of_copies(copies: Copies, most: int) -> Iterator[Copies]:
    """The spans to label in parts of at most so many."""
    part: Copies = {}
    room = most
    for document_id, (text, spans) in copies.items():
        first = 0
        while first < len(spans):
            taken = spans[first : first + room]
            part[document_id] = (text, taken)
            first, room = first + len(taken), room - len(taken)
            if room == 0:
                yield part
                part, room = {}, most
    if part:
        yield part


def still_to_label(call: ProjectCall, label_id: int, copies: Copies) -> Copies:
    """Those of the spans found earlier whose document can be read still and that nobody labelled meanwhile."""
    there = repository.readable_ids(call, list(copies))
    free = unlabelled_spans(call, label_id, {one: copies[one][1] for one in copies if one in there})
    return {document_id: (copies[document_id][0], spans) for document_id, spans in free.items() if spans}


def find_spans_to_label(
    call: ProjectCall, label_id: int, query: OccurrenceQuery, document_ids: Sequence[int]
) -> SpansToLabel:
    """Find occurrences in documents that do not have the label yet."""
    texts: dict[int, str] = {}
    identifiers: dict[int, str] = {}
    positions: dict[int, list[Span]] = {}
    for document_id, identifier, text in repository.texts(call, document_ids):
        spans = list(occurrences(text, query))
        if spans:
            texts[document_id], positions[document_id], identifiers[document_id] = text, spans, identifier
    free = unlabelled_spans(call, label_id, positions)
    copies = {document_id: (texts[document_id], spans) for document_id, spans in free.items() if spans}
    return SpansToLabel(copies, len(positions), sum(map(len, positions.values())), identifiers)


def _count_corpus_occurrences(call: ProjectCall, label_id: int, query: OccurrenceQuery) -> Propagated:
    def count(document_ids: Sequence[int]) -> BatchCounts:
        spans = find_spans_to_label(call, label_id, query, document_ids)
        return BatchCounts(spans.documents, spans.occurrences, spans.free)

    answer = Propagated(scope="corpus", documents=0, occurrences=0)
    count_in_batches(answer, candidate_document_ids(call, query), count)
    return answer


def _job_description(text: str, label: str, counted: Propagated) -> str:
    values: dict[str, Any] = {"text": text, "label": label, "count": counted.created}
    if counted.at_least:
        words = "Labelling at least {count:,} occurrences of “{text}” as {label}"
        return message(
            "start.labelAtLeast", words, one="Labelling at least {count:,} occurrence of “{text}” as {label}", **values
        )
    return message(
        "start.labelAt",
        "Labelling {count:,} occurrences of “{text}” as {label}",
        one="Labelling {count:,} occurrence of “{text}” as {label}",
        **values,
    )


def start_propagation_job(
    call: ProjectCall,
    label: str,
    template: Mapping[str, Any],
    query: OccurrenceQuery,
    counted: Propagated,
    search: Selection | None = None,
) -> Job:
    """Start the job that labels all occurrences in the corpus, or with `search` in the documents that it finds."""
    values = {name: value for name, value in template.items() if name != "label_id"}
    arguments: dict[str, Any] = {"project_name": call.project.name, "label": label, "template": values}
    arguments |= {"wanted": query.to_json(), "total": counted.documents}
    if search is not None:
        arguments["search"] = search.to_json()
    return start_job(
        call.unit,
        type="CORPUS_ANNOTATE",
        function=FUNCTION,
        arguments=arguments,
        project=call.project,
        created_by=call.username,
        description=_job_description(shorten(query.text), label, counted),
        total_steps=counted.documents,
        undoable=True,
    )
