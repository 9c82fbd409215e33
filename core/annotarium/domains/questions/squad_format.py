"""SQuAD 1.1 and 2.0: articles of paragraphs, and questions about a paragraph with the answers that stand in it.

An article is a document whose segments are its paragraphs; `BREAK` separates them. Offsets of answers count code points
of a paragraph. A relevant passage is the paragraph that holds an answer. What the format cannot express is written as
further keys (`identifier`, `metadata`, `judgements`), which other readers of the format ignore.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotarium.content.questions import UNANSWERABLE_FIELD
from annotarium.domains.questions.question_items import (
    MaybeJudgement,
    ReadJudgement,
    metadata_of,
    parse_judgements,
    passage_document,
    question_document,
    text_of,
)
from annotarium_plugins.base.converter import ItemError
from annotarium_schemas.messages import message

BREAK = "\n\n"
VERSION = "v2.0"
RELEVANT = 1
"""The grade of a passage that holds an answer."""


class SquadReader:
    """Reads SQuAD files. It knows the names of former files: the same names in another one (a translation) get the name
    of the file in front.
    """

    def __init__(self) -> None:
        self._seen: set[str] = set()

    def read(self, articles: Any, filename: str) -> Iterator[MaybeJudgement]:
        """Yield the documents, questions and judgements of the value of `data`."""
        names = _Names(self._seen, filename)
        for number, article in enumerate(articles, start=1):
            place = f"data[{number}]"
            paragraphs = article.get("paragraphs") if isinstance(article, dict) else None
            if not isinstance(paragraphs, list):
                yield ItemError(place, message("question.noParagraphs", "The article has no paragraphs"))
                continue
            yield from _read_article(place, article, paragraphs, names)
        names.keep()


class _Names:
    """Names of documents and questions in one file."""

    def __init__(self, seen: set[str], filename: str) -> None:
        self._seen, self._own = seen, set[str]()
        self._prefix = filename.rpartition("/")[2].rpartition(".json")[0] or filename

    def of(self, name: str, *, made: bool = False) -> str:
        """The name to use: with the file's name if another file has it. `made`: it may be counted up in the file."""
        name = f"{self._prefix}/{name}" if name in self._seen else name
        chosen, number = name, 1
        while made and chosen in self._own:
            number += 1
            chosen = f"{name} {number}"
        self._own.add(chosen)
        return chosen

    def keep(self) -> None:
        """Note the names for the next files."""
        self._seen |= self._own


def _read_article(
    place: str, article: dict[str, Any], paragraphs: Sequence[Any], names: _Names
) -> Iterator[MaybeJudgement]:
    contexts = [_text(one.get("context")) if isinstance(one, dict) else "" for one in paragraphs]
    starts, text = [0], BREAK.join(contexts)
    for context in contexts[:-1]:
        starts.append(starts[-1] + len(context) + len(BREAK))
    title = text_of(article.get("title"))
    document = ""
    if text.strip():
        given = text_of(article.get("identifier"))
        document = names.of(given or title or place, made=not given)
        ranges = [(start, start + len(one)) for start, one in zip(starts, contexts, strict=False) if one.strip()]
        yield passage_document(document, title or document, text, metadata_of(article.get("metadata")), ranges)
    for number, (paragraph, context, start) in enumerate(zip(paragraphs, contexts, starts, strict=False), start=1):
        asked = paragraph.get("qas") if isinstance(paragraph, dict) else None
        passage = ReadJudgement("", "", document, start, start + len(context), RELEVANT)
        for index, one in enumerate(asked if isinstance(asked, list) else (), start=1):
            yield from _read_question(f"{place}.paragraphs[{number}].qas[{index}]", one, context, passage, names)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _read_question(
    place: str, one: Any, context: str, passage: ReadJudgement, names: _Names
) -> Iterator[MaybeJudgement]:
    if not isinstance(one, dict):
        yield ItemError(place, message("question.noObject", "The question is not an object"))
        return
    answers = one.get("answers", [])
    texts = (
        [answer.get("text") if isinstance(answer, dict) else answer for answer in answers]
        if isinstance(answers, list)
        else answers
    )
    identifier = text_of(one.get("id"))
    unanswerable = one.get("is_impossible") is True
    question = question_document(
        place,
        names.of(identifier) if identifier else "",
        one.get("question"),
        texts,
        metadata_of(one.get("metadata")),
        unanswerable=unanswerable,
    )
    yield question
    if isinstance(question, ItemError):
        return
    if "judgements" in one:
        yield from parse_judgements(place, question.identifier, one["judgements"])
    elif passage.document and not unanswerable and isinstance(answers, list):
        if any(_holds(context, answer) for answer in answers):
            yield passage._replace(place=place, question=question.identifier)
        elif answers:
            words = "No known answer stands in the paragraph: it is not judged as relevant"
            yield ItemError(place, message("question.answerElsewhere", words))


def _holds(context: str, answer: Any) -> bool:
    """Whether the paragraph has the answer at its offset, or, where the offset is wrong, anywhere."""
    if not isinstance(answer, dict) or not isinstance(answer.get("text"), str) or not answer["text"].strip():
        return False
    start = answer.get("answer_start")
    at_its_place = isinstance(start, int) and start >= 0 and context.startswith(answer["text"], start)
    return at_its_place or answer["text"].strip() in context


# --- writing ----------------------------------------------------------------------------------------------------------


def article_of(document: dict[str, Any], questions: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The article of a document.

    Args:
        document: identifier, title, text, metadata.
        questions: questions to write with it, as `json_format` writes them: each in the first paragraph of the document
            that it judges as relevant, else in the first one.
    """
    text: str = document["text"]
    contexts = text.split(BREAK)
    asked: list[list[dict[str, Any]]] = [[] for _ in contexts]
    for question in questions:
        index, begin = _paragraph_of(text, document["identifier"], question)
        asked[index].append(_question_json(question, contexts[index], begin))
    return {
        "title": document["title"],
        "identifier": document["identifier"],
        "metadata": document["metadata"],
        "paragraphs": [{"context": one, "qas": own} for one, own in zip(contexts, asked, strict=True)],
    }


def article_of_others(questions: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """An article without text, for questions without a relevant passage."""
    return {"title": "", "paragraphs": [{"context": "", "qas": [_question_json(one, "", 0) for one in questions]}]}


def relevant_document(question: dict[str, Any]) -> str | None:
    """Identifier of the document with which a question is written: that of its first passage with the best grade."""
    best = max(question["judgements"], key=lambda one: one["grade"], default=None)
    return None if best is None or not best["grade"] else str(best["documentIdentifier"])


def _paragraph_of(text: str, identifier: str, question: dict[str, Any]) -> tuple[int, int]:
    """Index of the paragraph, and where in it the relevant passage begins."""
    own = [one for one in question["judgements"] if one["documentIdentifier"] == identifier and one["grade"]]
    start = min((one["start"] for one in own), default=0)
    before = text[:start].split(BREAK)
    return len(before) - 1, len(before[-1])


def _question_json(question: dict[str, Any], context: str, begin: int) -> dict[str, Any]:
    answers = []
    for answer in question["answers"]:
        place = context.find(answer, begin)
        answers.append({"text": answer, "answer_start": place if place >= 0 else context.find(answer)})
    metadata = question["metadata"]
    return {
        "id": question["identifier"],
        "question": question["text"],
        "answers": answers,
        "is_impossible": metadata.get(UNANSWERABLE_FIELD) is True,
        "metadata": metadata,
        "judgements": question["judgements"],
    }
