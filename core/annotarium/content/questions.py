"""Saved questions: documents whose metadata `question` is true, with known answers as alternative texts.

A document has one alternative text of each name, so the answers are called `answer`, `answer 2`, `answer 3` and so on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

QUESTION_FIELD, UNANSWERABLE_FIELD = "question", "unanswerable"
"""Names of metadata. `unanswerable`: no document answers the question."""
QUESTION_FILTER = f"+metadata.{QUESTION_FIELD}:true"
"""The filter, in the advanced query language, that finds all saved questions of a project."""
ANSWER = "answer"
_ANSWER_NAME = re.compile(rf"{ANSWER}(?: ([1-9]\d{{0,8}}))?")
MAX_ANSWERS = 100
"""Known answers of a question."""
MAX_GRADE = 3
"""Grades of judgements are 0 (not relevant) to this one (most relevant)."""


def is_question(metadata: Mapping[str, Any] | None) -> bool:
    """Return whether a document with these metadata is a saved question."""
    value = (metadata or {}).get(QUESTION_FIELD)
    return value is True or value == "true"


def is_unanswerable(metadata: Mapping[str, Any] | None) -> bool:
    """Return whether a question with these metadata has no answer in the documents."""
    value = (metadata or {}).get(UNANSWERABLE_FIELD)
    return value is True or value == "true"


def answers_to_alt_texts(answers: Sequence[str]) -> list[tuple[str, str]]:
    """Return the alternative texts, as (name, text), of known answers."""
    return [(ANSWER if number == 1 else f"{ANSWER} {number}", text) for number, text in enumerate(answers, start=1)]


def is_answer_name(name: str) -> bool:
    """Return whether an alternative text of this name is a known answer."""
    return _ANSWER_NAME.fullmatch(name) is not None


def alt_texts_to_answers(alt_texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return the known answers among alternative texts, given as (name, text), in the order of their numbers."""
    found = [(int(match[1] or 1), text) for name, text in alt_texts if (match := _ANSWER_NAME.fullmatch(name))]
    return [text for _, text in sorted(found, key=lambda one: one[0])]
