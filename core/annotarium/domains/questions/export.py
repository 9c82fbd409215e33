"""Export of questions with known answers and judgements: as a list in JSON, as SQuAD or as BEIR.

SQuAD and BEIR contain the documents too. Everything is read in batches, each in its own transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import orjson

from annotarium.access.call import ProjectCall
from annotarium.access.rights import Access
from annotarium.content.questions import QUESTION_FIELD, alt_texts_to_answers, is_question
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.questions import beir_format, repository, squad_format
from annotarium.files.zip_writer import ArchiveWriter

Format = Literal["json", "squad", "beir"]
CONTENT_TYPES: dict[str, str] = {"json": "application/json", "squad": "application/json", "beir": "application/zip"}
FILENAMES: dict[str, str] = {"json": "questions.json", "squad": "squad.json", "beir": "beir.zip"}
_BATCH = 100
QuestionJson = dict[str, Any]


@dataclass(frozen=True)
class QuestionExport:
    """What a user exports; read after the request's own transaction.

    Attributes:
        question_ids: the questions, in their order.
    """

    access: Access
    project_id: int
    question_ids: Sequence[int]

    def chunks(self, format: Format) -> Iterator[bytes]:
        """The bytes of the file."""
        if format == "json":
            return _json_array(_question_lines(self))
        return _json_object(self) if format == "squad" else _archive(self)

    def read(self, action: Callable[[ProjectCall], Any]) -> Any:
        """Call with a transaction of its own."""
        with unit_of_work(actor=self.access.username, write=False) as unit:
            project = unit.session.get_one(Project, self.project_id)
            return action(ProjectCall(unit=unit, access=self.access, project=project))

    def questions(self, ids: Sequence[int] | None = None) -> Iterator[QuestionJson]:
        """The questions in the shape that an import of JSON reads."""
        ids = self.question_ids if ids is None else ids
        for first in range(0, len(ids), _BATCH):
            part = ids[first : first + _BATCH]
            yield from self.read(partial(_load_questions, ids=part))

    def documents(self) -> Iterator[dict[str, Any]]:
        """Id, identifier, title, text and metadata of the readable documents that are no questions."""
        after = 0
        while True:
            rows = self.read(partial(repository.page_of_documents, after=after, size=_BATCH))
            if not rows:
                return
            after = rows[-1].id
            for row in rows:
                if not is_question(row.metadata):
                    yield row._asdict()


def _load_questions(call: ProjectCall, ids: Sequence[int]) -> list[QuestionJson]:
    rows = repository.questions_by_id(call, ids)
    alt_texts = repository.alt_texts_of(call, list(rows))
    judgements: dict[int, list[dict[str, Any]]] = {}
    for question_id, identifier, start, end, grade in repository.judgements_with_documents(call, list(rows)):
        one = {"documentIdentifier": identifier, "start": start, "end": end, "grade": grade}
        judgements.setdefault(question_id, []).append(one)
    return [
        {
            "identifier": rows[one].identifier,
            "text": rows[one].text,
            "answers": alt_texts_to_answers(alt_texts.get(one, ())),
            "metadata": {name: value for name, value in rows[one].metadata.items() if name != QUESTION_FIELD},
            "judgements": judgements.get(one, []),
        }
        for one in ids
        if one in rows
    ]


def _question_lines(export: QuestionExport) -> Iterator[bytes]:
    return (orjson.dumps(question) for question in export.questions())


def _json_array(lines: Iterator[bytes]) -> Iterator[bytes]:
    separator = b"["
    for line in lines:
        yield separator + line
        separator = b",\n"
    yield b"[]" if separator == b"[" else b"]"


def _json_object(export: QuestionExport) -> Iterator[bytes]:
    """SQuAD: the questions of an article are read when it is written."""
    own: dict[str, list[int]] = {}
    others: list[int] = []
    for number, question in zip(export.question_ids, export.questions(), strict=False):
        name = squad_format.relevant_document(question)
        own.setdefault(name, []).append(number) if name is not None else others.append(number)

    def articles() -> Iterator[bytes]:
        for document in export.documents():
            asked = export.questions(own.pop(document["identifier"], []))
            yield orjson.dumps(squad_format.article_of(document, asked))
        left = others + [number for numbers in own.values() for number in numbers]
        if left:
            yield orjson.dumps(squad_format.article_of_others(export.questions(left)))

    yield orjson.dumps({"version": squad_format.VERSION})[:-1] + b',"data":'
    yield from _json_array(articles())
    yield b"}"


def _archive(export: QuestionExport) -> Iterator[bytes]:
    archive = ArchiveWriter()
    with archive.member(beir_format.CORPUS) as member:
        for document in export.documents():
            member.write(beir_format.corpus_line(document))
            yield archive.take()
    with archive.member(beir_format.QUERIES) as member:
        for question in export.questions():
            member.write(beir_format.query_line(question))
            yield archive.take()
    with archive.member(beir_format.QRELS) as member:
        member.write(beir_format.judgement_rows([beir_format.HEADER]))
        for question in export.questions():
            judged = sorted(question["judgements"], key=lambda one: one["grade"])
            rows = [
                (question["identifier"], *(one[name] for name in ("documentIdentifier", "grade", "start", "end")))
                for one in judged
            ]
            member.write(beir_format.judgement_rows(rows))
            yield archive.take()
    archive.close()
    yield archive.take()
