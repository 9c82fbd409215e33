"""Writes the judgements of an import in batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotarium.access.call import ProjectCall
from annotarium.content.questions import is_question
from annotarium.domains.questions import repository
from annotarium.domains.questions.question_items import ReadJudgement
from annotarium.importing.outcome import REFUSED, UNCHANGED
from annotarium_schemas.messages import message

WRITTEN = "written"


@dataclass(frozen=True)
class JudgementOutcome:
    """`WRITTEN`, `UNCHANGED`, or `REFUSED` for a reason."""

    outcome: str
    problem: str = ""


def write_judgements(call: ProjectCall, given: Sequence[ReadJudgement]) -> list[JudgementOutcome]:
    """Write judgements in the open transaction; of several for one passage, the last one holds.

    Returns:
        One outcome for each, in order. Refused: there is no such question or document that the caller may read, or the
        passage is outside the document.
    """
    names = {name for one in given for name in (one.question, one.document)}
    documents = repository.passage_documents(call, sorted(names))
    outcomes: list[JudgementOutcome] = []
    wanted: dict[tuple[int, int, int, int], tuple[int, int]] = {}
    for place, one in enumerate(given):
        question, document = documents.get(one.question), documents.get(one.document)
        problem = ""
        if question is None or not is_question(question.metadata):
            problem = message("none.question", "There is no saved question {name}", name=one.question[:255])
        elif document is None or is_question(document.metadata):
            problem = message("none.document", "There is no document {name} in this project", name=one.document[:255])
        else:
            start, end = (0, document.length) if one.start is None or one.end is None else (one.start, one.end)
            if not start < end <= document.length:
                words = "{start}-{end} is outside the document of {length:,} characters"
                problem = message("wrong.outside", words, start=start, end=end, length=document.length)
            else:
                wanted[question.id, document.id, start, end] = (one.grade, place)
        outcomes.append(JudgementOutcome(REFUSED if problem else UNCHANGED, problem))
    for place in _write(call, wanted):
        outcomes[place] = JudgementOutcome(WRITTEN)
    return outcomes


def _write(call: ProjectCall, wanted: dict[tuple[int, int, int, int], tuple[int, int]]) -> list[int]:
    """Insert or change judgements; returns the places of those that were not so already."""
    present = repository.grades_of_passages(call, sorted({key[0] for key in wanted}))
    changed = {key: grade for key, (grade, _) in wanted.items() if key in present and present[key][1] != grade}
    fresh = {key: grade for key, (grade, _) in wanted.items() if key not in present}
    repository.update_grades(call, {present[key][0]: grade for key, grade in changed.items()})
    repository.insert_judgements(call, fresh)
    if changed or fresh:
        arg = {"type": "judged", "count": len(changed) + len(fresh), "by": call.username}
        call.unit.emit("questions", arg, project=call.project.name)
    return [wanted[key][1] for key in (*changed, *fresh)]
