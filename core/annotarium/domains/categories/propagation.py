"""Giving a category to everything that says the same: sentences of the document at once, of the corpus as a job."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.changes import record_changes
from annotarium.corpus.labelling.likeness import Likeness
from annotarium.db.models import Category, Job, Label
from annotarium.domains.categories import repository
from annotarium.domains.categories.repository import Target
from annotarium.domains.categories.schemas import CategoryPropagated, CategoryPropagation
from annotarium.domains.categories.service import Place, decided_places, give_at, read_category, require_category
from annotarium.domains.documents.service import require_right
from annotarium.domains.jobs.service import job_bean
from annotarium.domains.labels.service import require_label
from annotarium.errors import Conflict, InvalidInput
from annotarium.jobs.queue import start_job
from annotarium.search import chosen as found
from annotarium.search.chosen import Chosen
from annotarium_schemas.said import say

FUNCTION = "propagate_category"
RIGHT = "annotateCorpus"
BATCH = 50
_COUNTING_SECONDS = 3.0
_SHORT = 40


@dataclass
class Alike:
    """What some documents hold: places that are like the source, and those that can be given the category."""

    documents: int = 0
    occurrences: int = 0
    free: list[tuple[Target, Place]] = field(default_factory=list)


def propagate(call: ProjectCall, identifier: str, body: CategoryPropagation) -> CategoryPropagated:
    """Give the category of a sentence or document to the others that are like it, or count them.

    Where somebody decided already, for this category or against it, or for another one of an exclusive set, it stays.

    Raises:
        Conflict: the category was rejected.
        InvalidInput: sentences are meant, and the category is one of a whole document.
        AccessDenied: the corpus is meant and the caller may not annotate it.
    """
    row, document, label_name = require_category(call, identifier)
    if row.status == "KO":
        raise Conflict(
            say("wrong.rejectedCategory", "The category was rejected"), fix="Accept it before it is given to others"
        )
    label = require_label(call, label_name)
    sentences = row.start is not None
    if body.scope == "document" and not sentences:
        raise InvalidInput(
            say("wrong.wholeDocument", "A category of a whole document is given to other documents"),
            fix="Choose the whole corpus",
        )
    likeness = _likeness(call, row, body)
    if body.scope == "document":
        alike = places_like(call, label, likeness, [row.document_id], sentences=sentences)
        answer = _answer(body, alike)
        if not body.dry_run:
            made = give(call, label, alike)
            answer.categories = [read_category(one, document, label.name) for one in made]
        return answer
    require_right(call, RIGHT)
    answer = _count(call, label, likeness, sentences=sentences)
    if body.dry_run or answer.created == 0:
        return answer
    answer.job = job_bean(_start(call, label, likeness, answer, sentences=sentences), call.project)
    answer.created = 0
    return answer


def _likeness(call: ProjectCall, row: Category, body: CategoryPropagation) -> Likeness:
    _, text = repository.texts(call, [row.document_id])[0]
    source = text if row.start is None else text[row.start : row.end]
    return Likeness(source, call.project.lang, body.case_sensitive, body.min_share if body.similar else None)


def _answer(body: CategoryPropagation, alike: Alike) -> CategoryPropagated:
    return CategoryPropagated(
        scope=body.scope,
        documents=alike.documents,
        occurrences=alike.occurrences,
        existing=alike.occurrences - len(alike.free),
        created=len(alike.free),
    )


def places_like(
    call: ProjectCall, label: Label, likeness: Likeness, document_ids: Sequence[int], *, sentences: bool
) -> Alike:
    """What documents hold that is like the source: themselves, or sentences of theirs."""
    cut = repository.sentences(call, document_ids) if sentences else {}
    alike = Alike()
    places: list[tuple[Target, Place]] = []
    for target, text in repository.texts(call, document_ids):
        if sentences:
            own: list[Place] = [
                (start, end) for start, end in cut.get(target.document_id, []) if likeness.holds(text[start:end])
            ]
        else:
            own = [(None, None)] if likeness.holds(text) else []
        places += [(target, place) for place in own]
        alike.documents += bool(own)
    alike.occurrences = len(places)
    decided = decided_places(call, label, list({target.document_id for target, _ in places}))
    alike.free = [(target, place) for target, place in places if (target.document_id, *place) not in decided]
    return alike


def give(call: ProjectCall, label: Label, alike: Alike) -> list[Category]:
    """Give the category to the free places; one that was only suggested is confirmed."""
    made = []
    changes = []
    for target, place in alike.free:
        row, own = give_at(call, target, label, place)
        made.append(row)
        changes += own
    record_changes(call, changes)
    return made


def candidates(call: ProjectCall, likeness: Likeness) -> Iterator[int]:
    """Ids of documents that may hold what is like the source, by the index where it knows words."""
    return found.document_ids(call, Chosen(query=likeness.query() or ""))


def _count(call: ProjectCall, label: Label, likeness: Likeness, *, sentences: bool) -> CategoryPropagated:
    answer = CategoryPropagated(scope="corpus", documents=0, occurrences=0)
    ids = candidates(call, likeness)
    until = time.monotonic() + _COUNTING_SECONDS
    while batch := list(islice(ids, BATCH)):
        alike = places_like(call, label, likeness, batch, sentences=sentences)
        answer.documents += alike.documents
        answer.occurrences += alike.occurrences
        answer.created += len(alike.free)
        if time.monotonic() > until:
            answer.at_least = next(ids, None) is not None
            break
    answer.existing = answer.occurrences - answer.created
    return answer


def _description(text: str, label: str, counted: CategoryPropagated, *, sentences: bool, alike: bool) -> str:
    on = (
        say("number.sentences", "{count:,} sentences", count=counted.created)
        if sentences
        else say("number.documents", "{count:,} documents", count=counted.created)
    )
    if counted.at_least:
        on = say("number.atLeast", "at least {number}", number=on)
    values = {"text": text, "label": label, "on": on}
    if alike:
        return say("start.categoriseLike", "Adding the category {label} to {on} like \u201c{text}\u201d", **values)
    return say("start.categoriseEqual", "Adding the category {label} to {on} equal to \u201c{text}\u201d", **values)


def _start(call: ProjectCall, label: Label, likeness: Likeness, counted: CategoryPropagated, *, sentences: bool) -> Job:
    text = " ".join(likeness.text.split())
    short = text if len(text) <= _SHORT else text[:_SHORT] + "\u2026"
    return start_job(
        call.unit,
        type="ADD_CATEGORY",
        function=FUNCTION,
        arguments={
            "project_name": call.project.name,
            "label": label.name,
            "likeness": likeness.to_json(),
            "sentences": sentences,
            "total": counted.documents,
        },
        project=call.project,
        created_by=call.username,
        description=_description(short, label.label, counted, sentences=sentences, alike=likeness.share is not None),
        total_steps=counted.documents,
        undoable=True,
    )
