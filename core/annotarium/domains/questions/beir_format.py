"""BEIR: `corpus.jsonl`, `queries.jsonl` and `qrels/*.tsv`, usually in one zip.

A judgement of the format is about a whole document. Two further columns, which other readers of the format ignore, have
the range of a passage. Lists of judgements as TREC writes them (question, 0, document, grade) are read too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import orjson

from annotarium.content.questions import UNANSWERABLE_FIELD
from annotarium.domains.questions.question_items import (
    MaybeJudgement,
    ReadJudgement,
    metadata_of,
    parse_grade,
    parse_judgements,
    passage_document,
    question_document,
    text_of,
)
from annotarium_plugins.base.converter import ItemError
from annotarium_schemas.messages import message

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels/test.tsv"
HEADER = ("query-id", "corpus-id", "score", "start", "end")
_LONGEST_LINE = 64 << 20
_LONGEST_ROW = 10_000
WHOLE_PASSAGE = 3_000
"""Code points up to which a document is one segment: the passages of most corpora are that short."""


def read_lines(path: Path, *, corpus: bool) -> Iterator[MaybeJudgement]:
    """Yield the documents, or the questions with their judgements, of a JSON lines file."""
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), start=1):
            place = f"line {number}"
            if not line.strip():
                continue
            value = _parse_line(line)
            if value is None:
                yield ItemError(place, message("question.noJsonLine", "The line is not a JSON object"))
            elif corpus:
                yield _document(place, value)
            else:
                yield from read_question(place, value)


def _parse_line(line: bytes) -> dict[str, Any] | None:
    if len(line) > _LONGEST_LINE:
        return None
    try:
        value = orjson.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def _document(place: str, value: dict[str, Any]) -> MaybeJudgement:
    identifier, text, title = text_of(value.get("_id")), value.get("text"), text_of(value.get("title"))
    if not identifier:
        return ItemError(place, message("question.noIdentifier", "It has no _id"))
    text = text if isinstance(text, str) else ""
    if not text.strip():
        text = title  # some corpora have documents that are only a title
    if not text.strip():
        return ItemError(identifier, message("question.emptyDocument", "The document has no text"))
    whole = [(0, len(text))] if len(text) <= WHOLE_PASSAGE else []
    return passage_document(identifier, title, text, metadata_of(value.get("metadata")), whole)


def read_question(place: str, value: dict[str, Any]) -> Iterator[MaybeJudgement]:
    """Yield a question of a JSON object, and its judgements.

    Its keys are those of the lists of questions (`identifier`, `text` or `question`, `answers` or `altTexts`,
    `metadata`, `judgements`) or of BEIR (`_id`, `metadata.answers`).
    """
    metadata = metadata_of(value.get("metadata"))
    identifier = text_of(value.get("identifier")) or text_of(value.get("_id")) or text_of(value.get("id"))
    answers = value.get("answers")
    if answers is None and "answers" in metadata and "_id" in value:
        answers = metadata.pop("answers")
    if answers is None:
        answers = _answers_of_alt_texts(value.get("altTexts"))
    if isinstance(answers, list):
        answers = [one.get("text") if isinstance(one, dict) else one for one in answers]
    question = question_document(
        identifier or place,
        identifier,
        value.get("text", value.get("question")),
        answers,
        metadata,
        unanswerable=metadata.get(UNANSWERABLE_FIELD) is True,
    )
    yield question
    if not isinstance(question, ItemError):
        yield from parse_judgements(question.identifier, question.identifier, value.get("judgements"))


def _answers_of_alt_texts(given: Any) -> list[Any]:
    named = [one for one in given if isinstance(one, dict)] if isinstance(given, list) else []
    return [one.get("text") for one in named if text_of(one.get("name")).startswith("answer")]


def read_judgements(path: Path) -> Iterator[MaybeJudgement]:
    """Yield the judgements of a tab-separated file, with or without a header."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = csv.reader(file, delimiter="\t")
        for number in range(1, 1 << 62):
            try:
                row = next(rows, None)
            except csv.Error:
                yield ItemError(f"line {number}", message("question.wrongLine", "The line cannot be read"))
                continue
            if row is None:
                return
            read = _parse_row(f"line {number}", row)
            if read is not None and not (number == 1 and isinstance(read, ItemError)):
                yield read


def _parse_row(place: str, row: list[str]) -> ReadJudgement | ItemError | None:
    if len(row) == 1:  # TREC separates by spaces
        row = row[0][:_LONGEST_ROW].split()
    if not row:
        return None
    if len(row) == 4:
        row = [row[0], row[2], row[3]]
    grade = parse_grade(row[2]) if len(row) in (3, len(HEADER)) else None
    if grade is None or not row[0] or not row[1]:
        words = "The line does not consist of question, document and grade"
        return ItemError(place, message("question.wrongRow", words))
    if len(row) == 3:
        return ReadJudgement(place, row[0], row[1], None, None, grade)
    if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in row[3:]):
        return ItemError(place, message("question.wrongRange", "The range of the passage is not two numbers"))
    return ReadJudgement(place, row[0], row[1], int(row[3]), int(row[4]), grade)


# --- writing ----------------------------------------------------------------------------------------------------------


def corpus_line(document: dict[str, Any]) -> bytes:
    """The line of a document."""
    values = {"_id": document["identifier"], "title": document["title"], "text": document["text"]}
    return orjson.dumps(values | {"metadata": document["metadata"]}) + b"\n"


def query_line(question: dict[str, Any]) -> bytes:
    """The line of a question, with its known answers in its metadata."""
    metadata = question["metadata"] | ({"answers": question["answers"]} if question["answers"] else {})
    return orjson.dumps({"_id": question["identifier"], "text": question["text"], "metadata": metadata}) + b"\n"


def judgement_rows(rows: Iterable[Iterable[Any]]) -> bytes:
    """Rows of the table of judgements; of one document, the best grade comes last, which is what other readers take."""
    target = io.StringIO()
    writer = csv.writer(target, delimiter="\t", lineterminator="\n")
    writer.writerows(rows)
    return target.getvalue().encode()
