"""Assigning a category to all equal or similar texts: sentences of the document immediately, the corpus as a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling.changes import record_changes
from annotarium.content.labelling.propagation import RIGHT, BatchCounts, count_in_batches, shorten
from annotarium.db.models import Category, Job, Label
from annotarium.domains.categories import repository
from annotarium.domains.categories.repository import CategoryTarget
from annotarium.domains.categories.schemas import CategoryPropagated, CategoryPropagation
from annotarium.domains.categories.service import (
    Position,
    assign_category_at,
    build_category_read_model,
    decided_positions,
    require_category,
)
from annotarium.domains.categories.similarity import SimilarityCriterion
from annotarium.domains.labels.service import require_label
from annotarium.errors import Conflict, InvalidInput
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.serializers import job_to_json
from annotarium.search import selection as found
from annotarium.search.selection import Selection
from annotarium_schemas.messages import message

FUNCTION = "propagate_category"
DIRECT_MAX = 500
"""Maximum number of categories made in the request; more of them are made by a job."""
TargetPosition = tuple[CategoryTarget, Position]


@dataclass
class SimilarPositions:
    """How many similar positions documents have; `free`: the positions that can get the category."""

    documents: int = 0
    occurrences: int = 0
    free: list[TargetPosition] = field(default_factory=list)


class FoundSimilar(NamedTuple):
    """What was found for a category to copy, in a reading transaction before it is written."""

    label_id: int
    criterion: SimilarityCriterion
    counted: CategoryPropagated
    similar: SimilarPositions
    """The positions in the document; none for the corpus."""


def find_positions(call: ProjectCall, identifier: str, body: CategoryPropagation) -> FoundSimilar:
    """Find the equal or similar sentences or documents that can get a category; writes nothing.

    Raises:
        Conflict: the category was rejected.
        InvalidInput: the scope is the document, but the category is of a whole document.
        AccessDenied: the scope is the corpus and the caller may not annotate it.
    """
    row, _, label_name = require_category(call, identifier)
    if row.status == "KO":
        raise Conflict(
            message("wrong.rejectedCategory", "The category was rejected"), fix="Accept it before it is given to others"
        )
    label = require_label(call, label_name)
    sentences = row.start is not None
    if body.scope == "document" and not sentences:
        raise InvalidInput(
            message("wrong.wholeDocument", "A category of a whole document can be assigned only to other documents"),
            fix="Choose the whole corpus",
        )
    criterion = _similarity_criterion(call, row, body)
    if body.scope == "document":
        similar = find_similar(call, label, criterion, [row.document_id], sentences=sentences)
        return FoundSimilar(label.id, criterion, _build_propagation_answer(body, similar), similar)
    require_permission(call, RIGHT)
    counted = _count_similar_in_corpus(call, label, criterion, sentences=sentences)
    return FoundSimilar(label.id, criterion, counted, SimilarPositions())


def propagate(call: ProjectCall, identifier: str, body: CategoryPropagation) -> CategoryPropagated:
    """Assign the category of a sentence or document to similar ones; with `dry_run` only count them.

    Positions where someone has decided already stay: for or against it, or for another category of an exclusive set.
    What `find_positions` found before is written, less what somebody else has decided since.

    Raises:
        Conflict: the category was rejected.
        AccessDenied: the scope is the corpus, or the document has very many positions, and the caller may not annotate
            the corpus.
    """
    found_before: FoundSimilar = call.prepared or find_positions(call, identifier, body)
    if body.dry_run:
        return found_before.counted
    row, document, label_name = require_category(call, identifier)
    label = require_label(call, label_name)
    if row.status == "KO" or label.id != found_before.label_id:
        found_before = find_positions(call, identifier, body)
    answer, sentences = found_before.counted, row.start is not None
    if body.scope == "document" and answer.created <= DIRECT_MAX:
        free = still_free(call, label, found_before.similar.free)
        made = assign_to_positions(call, label, free)
        answer.categories = [build_category_read_model(one, document, label.name) for one in made]
        answer.existing, answer.created = answer.occurrences - len(made), len(made)
    elif answer.created:
        require_permission(call, RIGHT)
        only = row.document_id if body.scope == "document" else None
        job = _start_propagation_job(call, label, found_before.criterion, answer, sentences=sentences, only=only)
        answer.job, answer.created = job_to_json(job, call.project), 0
    return answer


def _similarity_criterion(call: ProjectCall, row: Category, body: CategoryPropagation) -> SimilarityCriterion:
    _, text = repository.texts(call, [row.document_id])[0]
    source = text if row.start is None else text[row.start : row.end]
    return SimilarityCriterion(source, call.project.lang, body.case_sensitive, body.min_share if body.similar else None)


def _build_propagation_answer(body: CategoryPropagation, similar: SimilarPositions) -> CategoryPropagated:
    return CategoryPropagated(
        scope=body.scope,
        documents=similar.documents,
        occurrences=similar.occurrences,
        existing=similar.occurrences - len(similar.free),
        created=len(similar.free),
    )


def find_similar(
    call: ProjectCall, label: Label, criterion: SimilarityCriterion, document_ids: Sequence[int], *, sentences: bool
) -> SimilarPositions:
    """Find positions in these documents that match the criterion: whole documents, or their sentences."""
    cut = repository.sentences(call, document_ids) if sentences else {}
    similar = SimilarPositions()
    positions: list[TargetPosition] = []
    for target, text in repository.texts(call, document_ids):
        if sentences:
            own: list[Position] = [
                (start, end) for start, end in cut.get(target.document_id, []) if criterion.matches(text[start:end])
            ]
        else:
            own = [(None, None)] if criterion.matches(text) else []
        positions += [(target, position) for position in own]
        similar.documents += bool(own)
    similar.occurrences = len(positions)
    decided = decided_positions(call, label, list({target.document_id for target, _ in positions}))
    similar.free = [
        (target, position) for target, position in positions if (target.document_id, *position) not in decided
    ]
    return similar


def still_free(call: ProjectCall, label: Label, positions: Sequence[TargetPosition]) -> list[TargetPosition]:
    """Those of the positions found earlier that can be read still and that nobody has decided meanwhile."""
    document_ids = list({target.document_id for target, _ in positions})
    readable = {target.document_id for target in repository.find_category_targets(call, document_ids)}
    cut = repository.sentences(call, document_ids) if any(start is not None for _, (start, _) in positions) else {}
    there: set[tuple[int, int | None, int | None]] = set()
    there |= {(document_id, start, end) for document_id, spans in cut.items() for start, end in spans}
    there |= {(document_id, None, None) for document_id in readable}
    there -= decided_positions(call, label, document_ids)
    return [
        (target, position)
        for target, position in positions
        if target.document_id in readable and (target.document_id, *position) in there
    ]


def assign_to_positions(call: ProjectCall, label: Label, positions: Sequence[TargetPosition]) -> list[Category]:
    """Assign the category to positions that are free; replaces suggested categories there."""
    duplicates: dict[tuple[int, int | None, int | None], list[Category]] = {}
    document_ids = list({target.document_id for target, _ in positions})
    for row in repository.categories_of_label_set(call, document_ids, label):
        if row.label_id == label.id:
            duplicates.setdefault((row.document_id, row.start, row.end), []).append(row)
    made = []
    changes = []
    for target, position in positions:
        own = duplicates.get((target.document_id, *position), [])
        row, changed = assign_category_at(call, target, label, position, own)
        made.append(row)
        changes += changed
    record_changes(call, changes)
    return made


def candidate_document_ids(call: ProjectCall, criterion: SimilarityCriterion, only: int | None = None) -> Iterator[int]:
    """Ids of documents that may contain matches: from the index if the criterion has words, otherwise all.

    With `only`, this document.
    """
    if only is not None:
        return iter([only])
    return found.document_ids(call, Selection(query=criterion.query() or ""))


def _count_similar_in_corpus(
    call: ProjectCall, label: Label, criterion: SimilarityCriterion, *, sentences: bool
) -> CategoryPropagated:
    def count(document_ids: Sequence[int]) -> BatchCounts:
        similar = find_similar(call, label, criterion, document_ids, sentences=sentences)
        return BatchCounts(similar.documents, similar.occurrences, len(similar.free))

    answer = CategoryPropagated(scope="corpus", documents=0, occurrences=0)
    count_in_batches(answer, candidate_document_ids(call, criterion), count)
    return answer


def _job_description(text: str, label: str, counted: CategoryPropagated, *, sentences: bool, similar: bool) -> str:
    on = (
        message("number.sentences", "{count:,} sentences", one="{count:,} sentence", count=counted.created)
        if sentences
        else message("number.documents", "{count:,} documents", one="{count:,} document", count=counted.created)
    )
    if counted.at_least:
        on = message("number.atLeast", "at least {number}", number=on)
    values = {"text": text, "label": label, "on": on}
    if similar:
        return message("start.categoriseLike", "Adding the category {label} to {on} similar to “{text}”", **values)
    return message(
        "start.categoriseEqual", "Adding the category {label} to {on} with the same text as “{text}”", **values
    )


def _start_propagation_job(
    call: ProjectCall,
    label: Label,
    criterion: SimilarityCriterion,
    counted: CategoryPropagated,
    *,
    sentences: bool,
    only: int | None,
) -> Job:
    short = shorten(" ".join(criterion.text.split()))
    return start_job(
        call.unit,
        type="ADD_CATEGORY",
        function=FUNCTION,
        arguments={
            "project_name": call.project.name,
            "label": label.name,
            "likeness": criterion.to_json(),
            "sentences": sentences,
            "total": counted.documents,
        }
        | ({} if only is None else {"only": only}),
        project=call.project,
        created_by=call.username,
        description=_job_description(
            short, label.label, counted, sentences=sentences, similar=criterion.share is not None
        ),
        total_steps=counted.documents,
        undoable=True,
    )
