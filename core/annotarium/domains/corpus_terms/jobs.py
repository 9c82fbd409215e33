"""The job that finds candidates for terms."""

from __future__ import annotations

from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import new_id
from annotarium.domains.corpus_terms import counting, repository
from annotarium.domains.corpus_terms.counting import Candidate, FormCounter
from annotarium.domains.corpus_terms.extraction import find_sequences, form_key
from annotarium.domains.corpus_terms.service import ANNOTATION, FUNCTION, SEQUENCE
from annotarium.domains.lexicons.service import iter_terms, lexicon_versions
from annotarium.jobs.context import JobContext, job_function
from annotarium.search.repository import count_documents
from annotarium_schemas.messages import Message, message

_STEPS = 100


@job_function(FUNCTION, interrupted="restarts")
def find_term_candidates(context: JobContext, project_name: str) -> None:
    """Find candidates in annotations and texts, and replace the open ones. Answered candidates stay.

    Idempotent: every run starts from the corpus, and writes once at its end.
    """
    with context.open(project_name, write=False) as call:
        candidates = [*_annotation_candidates(context, call), *_sequence_candidates(context, call)]
        candidates = _without_repeats(candidates)
        answered = repository.answered_keys(call.session, call.project.id, [one.key for one in candidates])
        candidates = [one for one in candidates if one.key not in answered]
        terms = iter_terms(call, list(lexicon_versions(call)))
    context.progress(70, _STEPS, message("doing.compareTerms", "Comparing with the terms of the lexicons"))
    candidates = counting.compare_with_terms(candidates, terms)
    with context.open(project_name, write=False) as call:
        _add_examples(context, call, candidates)
    with context.open(project_name, write=True) as call:
        rows = [_row(call.project.id, one) for one in candidates]
        repository.replace_open_candidates(call.session, call.project.id, rows)
        event = {"type": "candidates", "count": len(rows)}
        call.unit.emit("lexicons", event, project=project_name)
    text = message("done.candidates", "{count:,} candidates", one="{count:,} candidate", count=len(rows))
    context.finish(message=text, result={"candidates": len(rows)})


def _annotation_candidates(context: JobContext, call: ProjectCall) -> list[Candidate]:
    context.progress(0, _STEPS, message("doing.readForCandidates", "Reading annotations"))
    counter = FormCounter()
    for number, (text, label, document_id, start, end) in enumerate(
        repository.iterate_unlinked_annotations(call), start=1
    ):
        key = form_key(text)
        if key:
            counter.add(key, document_id, start, end, label)
        if number % 1_000 == 0:
            context.progress(0, _STEPS, message("doing.readForCandidates", "Reading annotations"))
    found = counter.most_frequent(1, 1, counting.MAX_CANDIDATES)
    return [Candidate(key, ANNOTATION, count) for key, count in found.items()]


def _sequence_candidates(context: JobContext, call: ProjectCall) -> list[Candidate]:
    counter, total = FormCounter(), max(1, count_documents(call.session, call.project.id))
    for number, (document_id, _, _, text) in enumerate(repository.iterate_texts(call), start=1):
        for one in find_sequences(text, call.project.lang):
            counter.add(one.key, document_id, one.start, one.end)
        context.progress(round(60 * number / total), _STEPS, _documents_message(number))
    least = (counting.MIN_OCCURRENCES, counting.MIN_DOCUMENTS)
    found = counting.without_parts(counter.most_frequent(*least, 3 * counting.MAX_CANDIDATES))
    return [Candidate(key, SEQUENCE, count) for key, count in list(found.items())[: counting.MAX_CANDIDATES]]


def _documents_message(number: int) -> Message:
    return message("done.documents", "{count:,} documents", one="{count:,} document", count=number)


def _without_repeats(candidates: list[Candidate]) -> list[Candidate]:
    """One candidate per form: a labelled span precedes a sequence of words."""
    found: dict[str, Candidate] = {}
    for one in candidates:
        found.setdefault(one.key, one)
    return list(found.values())


def _add_examples(context: JobContext, call: ProjectCall, candidates: list[Candidate]) -> None:
    positions = counting.positions_by_document(candidates)
    for document in repository.iterate_texts(call):
        counting.add_examples(document, positions)
        context.progress(80, _STEPS, message("doing.examples", "Collecting examples"))


def _row(project_id: int, candidate: Candidate) -> dict[str, Any]:
    fixed = {"id": new_id(), "project_id": project_id, "state": repository.OPEN, "answered_by": "", "answered_at": 0}
    return fixed | candidate.row()
