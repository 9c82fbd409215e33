"""SQL of experiments on saved questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents_by_id
from annotarium.content.questions import ANSWER, alt_texts_to_answers, is_question, is_unanswerable
from annotarium.db.bulk_insert import insert_rows
from annotarium.db.identifiers import new_ids
from annotarium.db.models import AltText, Document, Job, PassageJudgement, RankingExperiment, RankingResult
from annotarium.domains.ranking_experiments.judged_passages import JudgedQuestion, Judgement

Sorting = Literal["worst", "best", "difference"]
_RESULT = ("question_id", "figures", "answers", "quality", "difference")


def list_experiments(call: ProjectCall) -> Sequence[RankingExperiment]:
    """All experiments of the project in creation order."""
    query = select(RankingExperiment).where(RankingExperiment.project_id == call.project.id)
    return call.session.scalars(query.order_by(RankingExperiment.id)).all()


def find_experiment(call: ProjectCall, name: str) -> RankingExperiment | None:
    own = RankingExperiment.project_id == call.project.id
    return call.session.scalar(select(RankingExperiment).where(own, RankingExperiment.name == name))


def names_and_labels(call: ProjectCall) -> list[tuple[str, str]]:
    """Names and labels of all experiments of the project."""
    query = select(RankingExperiment.name, RankingExperiment.label)
    rows = call.session.execute(query.where(RankingExperiment.project_id == call.project.id))
    return [(name, label) for name, label in rows]


def active_jobs(session: Session, job_ids: Iterable[str]) -> set[str]:
    """Return those of the jobs that have not ended."""
    return set(session.scalars(select(Job.id).where(Job.id.in_(list(job_ids)), Job.status == "STARTED")))


def judgement_state(call: ProjectCall) -> list[int]:
    """Number of judgements and when one was changed last (ms): a mark that is another one after most changes."""
    own = PassageJudgement.project_id == call.project.id
    query = select(func.count(), func.coalesce(func.max(PassageJudgement.modified_at), 0)).where(own)
    count, changed = call.session.execute(query).one()
    return [int(count), int(changed)]


def judged_question_ids(call: ProjectCall) -> list[int]:
    """Ids of the readable questions with a relevant passage, in creation order."""
    within = readable_documents_by_id(call.access, call.project)
    judged = select(PassageJudgement.question_id).where(
        PassageJudgement.project_id == call.project.id, PassageJudgement.grade > 0
    )
    return list(call.session.scalars(select(Document.id).where(within, Document.id.in_(judged)).order_by(Document.id)))


def question_ids_with_answers(call: ProjectCall) -> list[int]:
    """Ids of the readable documents with known answers, in creation order."""
    named = AltText.name.like(f"{ANSWER}%")
    own = select(AltText.document_id).where(AltText.project_id == call.project.id, named)
    within = readable_documents_by_id(call.access, call.project)
    return list(call.session.scalars(select(Document.id).where(within, Document.id.in_(own)).order_by(Document.id)))


def load_questions(call: ProjectCall, ids: Sequence[int], *, answers: bool = False) -> list[JudgedQuestion]:
    """Questions by id, in this order, with the judgements of documents that the caller may read.

    Documents that are no questions (any more) are left out.

    Args:
        answers: also read the known answers.
    """
    found: dict[int, JudgedQuestion] = {}
    within = readable_documents_by_id(call.access, call.project)
    columns = (Document.id, Document.identifier, Document.text, Document.metadata_)
    for number, identifier, text, metadata in call.session.execute(
        select(*columns).where(within, Document.id.in_(ids))
    ):
        if is_question(metadata):
            found[number] = JudgedQuestion(number, identifier, text, unanswerable=is_unanswerable(metadata))
    _load_judgements(call, found)
    if answers:
        rows = call.session.execute(
            select(AltText.document_id, AltText.name, AltText.text).where(AltText.document_id.in_(list(found)))
        )
        named: dict[int, list[tuple[str, str]]] = {}
        for number, name, text in rows:
            named.setdefault(number, []).append((name, text))
        for number, alt_texts in named.items():
            found[number].answers.extend(alt_texts_to_answers(alt_texts))
    return [found[one] for one in ids if one in found]


def _load_judgements(call: ProjectCall, questions: dict[int, JudgedQuestion]) -> None:
    judged = (
        select(
            PassageJudgement.question_id,
            Document.identifier,
            PassageJudgement.start,
            PassageJudgement.end,
            PassageJudgement.grade,
        )
        .join(Document, Document.id == PassageJudgement.document_id)
        .where(PassageJudgement.question_id.in_(list(questions)), readable_documents_by_id(call.access, call.project))
        .order_by(PassageJudgement.id)
    )
    for question, document, start, end, grade in call.session.execute(judged):
        questions[question].judgements.append(Judgement(document, start, end, grade))


def replace_results(call: ProjectCall, row: RankingExperiment, results: Sequence[dict[str, Any]]) -> None:
    """Replace the results of an experiment; writers wait meanwhile, so the rows are inserted in bulk."""
    delete_results(call.session, row.id)
    fixed = (call.project.id, row.id)
    rows = [
        (number, *fixed, *(one[name] for name in _RESULT))
        for number, one in zip(new_ids(len(results)), results, strict=True)
    ]
    insert_rows(call.session, RankingResult, ("id", "project_id", "experiment_id", *_RESULT), rows)


def delete_results(session: Session, experiment_id: int) -> None:
    """Delete the results of an experiment."""
    session.execute(delete(RankingResult).where(RankingResult.experiment_id == experiment_id))


def list_results(
    call: ProjectCall, row: RankingExperiment, *, sort: Sorting, start: int, size: int
) -> tuple[list[tuple[RankingResult, str, str]], int]:
    """A page of results with identifier and text of their questions, and the number of all.

    Questions that are deleted, or that the caller may not read, are left out.
    """
    order = {
        "worst": RankingResult.quality.asc(),
        "best": RankingResult.quality.desc(),
        "difference": func.abs(RankingResult.difference).desc(),
    }[sort]
    query = (
        select(RankingResult, Document.identifier, Document.text)
        .join(Document, Document.id == RankingResult.question_id)
        .where(RankingResult.experiment_id == row.id, readable_documents_by_id(call.access, call.project))
    )
    total = call.session.scalar(select(func.count()).select_from(query.subquery())) or 0
    found = call.session.execute(query.order_by(order, RankingResult.id).offset(start).limit(size))
    return [(result, identifier, text) for result, identifier, text in found], int(total)
