"""Rules of terms from the corpus: listing candidates, accepting them into a lexicon, refusing them."""

from __future__ import annotations

from typing import Any, Literal

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import reads_all_documents, reads_all_labelling
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Job, TermCandidate
from annotarium.db.timestamps import iso
from annotarium.domains.corpus_terms import repository
from annotarium.domains.corpus_terms.extraction import form_key
from annotarium.domains.corpus_terms.schemas import (
    AcceptedCandidate,
    CandidateAcceptance,
    CandidateExample,
    CandidateRead,
    CandidateRefusal,
    Candidates,
    SimilarTerm,
)
from annotarium.domains.lexicons.terms import create_term, read_term, update_term
from annotarium.errors import AccessDenied
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.serializers import STARTED, job_to_json
from annotarium_schemas.lexicons import TermRead, TermUpdate, TermWrite
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchTotal

ANNOTATION, SEQUENCE = "annotation", "sequence"
FUNCTION = "find_term_candidates"
_KINDS = {"annotations": ANNOTATION, "phrases": SEQUENCE, "all": None}
_ALTERNATIVE = "alternative"


def list_candidates(
    call: ProjectCall, source: Literal["annotations", "phrases", "all"], *, first: int, size: int, refresh: bool
) -> Candidates:
    """Open candidates, the most frequent first.

    Args:
        refresh: find them again. The first call does so in any case.

    Raises:
        AccessDenied: documents or labelling of others are hidden from the caller, which candidates would reveal.
    """
    _require_all_visible(call)
    job = repository.latest_job(call.session, call.project.id, FUNCTION)
    if job is None or (refresh and job.status != STARTED):
        job = _start_search(call)
    kind, project_id = _KINDS[source], call.project.id
    rows = repository.page_of_candidates(call.session, project_id, kind, first, size)
    return Candidates(
        candidates=[_build_candidate(row) for row in rows],
        total=SearchTotal(value=repository.count_candidates(call.session, project_id, kind)),
        computed_at=iso(job.completed_at),
        job=job_to_json(job, call.project) if job.status == STARTED else None,
    )


def _require_all_visible(call: ProjectCall) -> None:
    if not (reads_all_labelling(call.access) and reads_all_documents(call.access)):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message(
                "denied.candidates", "Candidates for terms quote documents and labelling that you may not see"
            ),
        )


def _start_search(call: ProjectCall) -> Job:
    return start_job(
        call.unit,
        type="PROCESS_CANDIDATES",
        function=FUNCTION,
        arguments={"project_name": call.project.name},
        project=call.project,
        created_by=call.username,
        description=message("start.candidates", "Finding candidates for terms"),
        queue="long",
    )


def _build_candidate(row: TermCandidate) -> CandidateRead:
    examples = [_build_example(one) for one in row.examples]
    return CandidateRead(
        text=row.form,
        count=row.occurrences,
        documents=row.documents,
        source="annotations" if row.kind == ANNOTATION else "phrases",
        label_name=row.label_name or None,
        example=examples[0] if examples else None,
        examples=examples,
        similar=[SimilarTerm.model_validate(one) for one in row.similar],
    )


def _build_example(stored: dict[str, Any]) -> CandidateExample:
    before, text = stored["before"], stored["text"]
    return CandidateExample(
        document_identifier=stored["documentIdentifier"],
        document_title=stored["documentTitle"],
        text=f"{before}{text}{stored['after']}",
        start=len(before),
        end=len(before) + len(text),
    )


def accept_candidate(call: ProjectCall, body: CandidateAcceptance) -> AcceptedCandidate:
    """Add the form to a lexicon, as a new term or as another form of a term. It need not be a candidate.

    Raises:
        NotFound: there is no such lexicon or term. Conflict: the lexicon only takes imports.
    """
    before = None
    if body.identifier is None:
        term = create_term(call, body.lexicon, TermWrite(preferred_form=body.text), overwrite=False)
    else:
        before = TermRead.model_validate(read_term(call, body.lexicon, body.identifier, term_only=True))
        term = _add_form(call, body.lexicon, before, body.text)
    _answer(call, body.text, repository.ACCEPTED)
    return AcceptedCandidate(term=term, before=before)


def _add_form(call: ProjectCall, lexicon: str, term: TermRead, text: str) -> TermRead:
    """Add a form; the term stays as it is if it has the form already."""
    properties = term.properties or {}
    alternatives, forms = _list_of(properties, "altForms"), _list_of(properties, "forms")
    if text == term.preferred_form or text in alternatives:
        return term
    changed: dict[str, Any] = {"altForms": [*alternatives, text]}
    if forms:  # complete if present; a term with only `altForms` needs none
        changed["forms"] = [*forms, {"form": text, "type": _ALTERNATIVE, "language": call.project.lang}]
    return update_term(call, lexicon, TermUpdate(identifier=term.identifier, set=changed))


def _list_of(properties: dict[str, Any], name: str) -> list[Any]:
    found = properties.get(name)
    return found if isinstance(found, list) else []


def refuse_candidate(call: ProjectCall, body: CandidateRefusal) -> None:
    """Remember that a form is no term, or forget it."""
    _answer(call, body.text, repository.REFUSED if body.refused else repository.OPEN)


def _answer(call: ProjectCall, text: str, state: str) -> None:
    key = form_key(text)
    if not key:  # too long to be a candidate
        return
    row = repository.find_candidate(call.session, call.project.id, key)
    if row is None:
        if state == repository.OPEN:
            return
        row = TermCandidate(id=new_id(), project_id=call.project.id, key=key, form=text, kind=SEQUENCE)
        call.session.add(row)
    row.state, row.answered_by, row.answered_at = state, call.username, now_ms()
    event = {"type": "candidate", "text": text, "state": state, "by": call.username}
    call.unit.emit("lexicons", event, project=call.project.name)
