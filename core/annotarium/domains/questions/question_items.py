"""What a file of questions contains: documents, questions (documents too) and judgements. Made in the process that
reads files.

That process sends documents. Judgements travel as the text of one, a JSON array a line (`JudgementBatch`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

import orjson

from annotarium.content.questions import (
    MAX_ANSWERS,
    MAX_GRADE,
    QUESTION_FIELD,
    UNANSWERABLE_FIELD,
    answers_to_alt_texts,
)
from annotarium.domains.questions.schemas import LONGEST_ANSWER, LONGEST_QUESTION
from annotarium_plugins.base.converter import ItemError
from annotarium_schemas.documents import AltText, Document, Sentence
from annotarium_schemas.messages import message

BATCH = 500
"""Judgements in one batch."""
TITLE_LENGTH = 200
"""Code points of a question that are its title."""


class ReadJudgement(NamedTuple):
    """A judgement in a file: `start` and `end` are code points, both None for the whole text of the document."""

    place: str
    question: str
    document: str
    start: int | None
    end: int | None
    grade: int


class JudgementBatch(Document):
    """Judgements in the place of a document."""

    @classmethod
    def of(cls, judgements: Sequence[ReadJudgement]) -> JudgementBatch:
        """Return a batch with these judgements."""
        return cls(text="\n".join(orjson.dumps(list(one)).decode() for one in judgements))


Item = Document | ItemError
MaybeJudgement = Item | ReadJudgement


def in_batches(items: Iterable[MaybeJudgement]) -> Iterator[Item]:
    """Collect the judgements among the items into batches."""
    waiting: list[ReadJudgement] = []
    for item in items:
        if not isinstance(item, ReadJudgement):
            yield item
            continue
        waiting.append(item)
        if len(waiting) >= BATCH:
            yield JudgementBatch.of(waiting)
            waiting = []
    if waiting:
        yield JudgementBatch.of(waiting)


def identifier_of_question(text: str) -> str:
    """Return the identifier of a question whose file states none: the same for the same text."""
    return f"question-{sha256(text.strip().encode()).hexdigest()[:16]}"


def question_document(
    place: str,
    identifier: str,
    text: Any,
    answers: Any,
    metadata: dict[str, Any] | None = None,
    *,
    unanswerable: bool = False,
) -> Document | ItemError:
    """Return the document of a question, or why there is none.

    Args:
        place: names the item in the report.
        identifier: empty = made from the text.
        answers: known answers; empty and repeated ones are left out.
    """
    if not isinstance(text, str) or not text.strip():
        return ItemError(place, message("question.noText", "The question has no text"))
    if not isinstance(answers, list) or not all(isinstance(one, str) for one in answers):
        return ItemError(place, message("question.noAnswers", "The known answers of the question are not texts"))
    kept = list(dict.fromkeys(one for one in answers if one.strip()))
    if len(text) > LONGEST_QUESTION:
        words = "A question has at most {most:,} characters, this one {size:,}"
        return ItemError(place, message("wrong.longQuestion", words, most=LONGEST_QUESTION, size=len(text)))
    if len(kept) > MAX_ANSWERS or any(len(one) > LONGEST_ANSWER for one in kept):
        words = "A question has at most {count:,} known answers of at most {most:,} characters"
        return ItemError(place, message("question.manyAnswers", words, count=MAX_ANSWERS, most=LONGEST_ANSWER))
    own = {name: value for name, value in (metadata or {}).items() if name not in (QUESTION_FIELD, UNANSWERABLE_FIELD)}
    facts: dict[str, Any] = own | {QUESTION_FIELD: True}
    if unanswerable and not kept:
        facts[UNANSWERABLE_FIELD] = True
    return Document(
        identifier=identifier or identifier_of_question(text),
        title=text[:TITLE_LENGTH],
        text=text,
        metadata=facts,
        alt_texts=[AltText(name=name, text=answer) for name, answer in answers_to_alt_texts(kept)],
    )


def passage_document(
    identifier: str, title: str, text: str, metadata: dict[str, Any], ranges: Iterable[tuple[int, int]] = ()
) -> Document:
    """Return a document whose segments are these ranges; without any, the importing project segments it."""
    return Document(
        identifier=identifier,
        title=title,
        text=text,
        metadata=metadata,
        sentences=[Sentence(start=start, end=end) for start, end in ranges] or None,
    )


def parse_grade(value: Any) -> int | None:
    """Return the grade for a number of a file, None for what is none. Negative ones are not relevant."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    if number != number:
        return None
    return int(min(max(number, 0), MAX_GRADE))


def parse_judgements(place: str, question: str, given: Any) -> Iterator[ReadJudgement | ItemError]:
    """Read the judgements that a question of a JSON file states, as `JudgementPut` writes them."""
    if given is None:
        return
    if not isinstance(given, list):
        yield ItemError(place, message("question.noJudgements", "The judgements of the question are not a list"))
        return
    for number, one in enumerate(given, start=1):
        name = f"{place} judgement {number}"
        read = _parse_judgement(name, question, one)
        yield read or ItemError(name, message("question.wrongJudgement", "The judgement names no passage and grade"))


def _parse_judgement(place: str, question: str, one: Any) -> ReadJudgement | None:
    if not isinstance(one, dict) or not isinstance(one.get("documentIdentifier"), str):
        return None
    grade, start, end = parse_grade(one.get("grade", 1)), one.get("start"), one.get("end")
    whole = start is None and end is None
    numbers = all(
        isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31 for value in (start, end)
    )
    if grade is None or not (whole or numbers):
        return None
    return ReadJudgement(place, question, one["documentIdentifier"], start, end, grade)


def text_of(value: Any) -> str:
    """Return an identifier or title of a file as text; empty for what is none."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value)


def metadata_of(value: Any) -> dict[str, Any]:
    """Return the metadata of a file that documents can have: texts, numbers, booleans and lists of them."""
    given = value.items() if isinstance(value, dict) else ()
    return {name: one for name, one in given if one is None or all(map(_is_plain, _listed(one)))}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float | bool)
