"""Known answers: a question that was saved with its answers is answered by them, not by an answerer.

A saved question is the same if it has the same words in the same order, apart from their endings and from articles. A
name, a number, an interrogative or a negation that differs makes another question, so nothing else may differ.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.questions import QUESTION_FILTER, alt_texts_to_answers
from annotarium.domains.segments import repository
from annotarium.search.index_entries import segment_id
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.text_analysis import fold_words, get_analyser

CANDIDATES = 20
"""Saved questions that are compared: those that a search with the words of the question finds first."""
MAX_PASSAGES, MAX_READ, LONGEST_PASSAGE = 10, 50, 5_000
"""Judged passages that are shown, read, and their longest length in code points."""
SAME, SAME_WORDS = 1.0, 0.9
"""Scores: the same words; the same apart from endings and articles."""
_ARTICLES: dict[str, frozenset[str]] = {
    "en": frozenset(("the", "a", "an")),
    "fr": frozenset(("le", "la", "les", "l", "un", "une", "des")),
    "es": frozenset(("el", "la", "los", "las", "un", "una")),
    "de": frozenset(("der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer")),
    "it": frozenset(("il", "lo", "la", "i", "gli", "le", "l", "un", "uno", "una")),
    "pt": frozenset(("o", "a", "os", "as", "um", "uma")),
    "nl": frozenset(("de", "het", "een")),
}


@dataclass(frozen=True)
class KnownAnswer:
    """A saved question that matches, with its answers.

    Attributes:
        score: how well it matches, above 0, up to 1.
        passages: judged as relevant and containing the first answer, best first, as dicts of `Passage`.
    """

    identifier: str
    question: str
    answers: Sequence[str]
    score: float
    passages: Sequence[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """The value of `answerDetails.knownAnswer`."""
        return {
            "identifier": self.identifier,
            "question": self.question,
            "answers": list(self.answers),
            "score": self.score,
        }

    def answer(self) -> dict[str, Any]:
        """The answer in the shape in which an answerer gives it; `passage` counts from 1 in `passages`."""
        text = self.answers[0]
        citations = [
            {
                "passage": number,
                "start": (start := one["text"].index(text)),
                "end": start + len(text),
                "quote": text,
                "answer_start": 0,
                "answer_end": len(text),
            }
            for number, one in enumerate(self.passages, start=1)
        ]
        return {"text": text, "told": True, "supported": True, "citations": citations, "score": self.score}

    def context_passages(self, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The passages to show: the judged ones, then those that the search found."""
        own = {one["segment_id"] for one in self.passages}
        return [*self.passages, *(one for one in found if one["segment_id"] not in own)]


def find_known_answer(call: ProjectCall, question: str) -> KnownAnswer | None:
    """Return the saved question that matches best and has an answer, if the caller may read one."""
    rows = repository.question_rows(call, _candidates(call, question))
    scored = [(question_similarity(question, row.text, call.project.lang), row) for row in rows]
    for score, row in sorted((one for one in scored if one[0] > 0), key=lambda one: -one[0]):
        answers = alt_texts_to_answers(repository.alt_texts_of_document(call, row.id))
        if answers:
            return KnownAnswer(row.identifier, row.text, answers, score, _judged_passages(call, row.id, answers[0]))
    return None


def _candidates(call: ProjectCall, question: str) -> list[int]:
    words = re.findall(r"\w+", question)
    if not words:
        return []
    engine, key = open_index(call.project, "documents", reader=call.username)
    params = SearchParams(query=" ".join(words), simple=True, query_filter=QUESTION_FILTER, size=CANDIDATES)
    spec = build_search_spec(params, "documents", call.access, call.project, engine.facet_names(key))
    return [int(hit.id) for hit in engine.search(key, spec).hits]


def question_similarity(one: str, other: str, language: str) -> float:
    """Return how similar two questions are, 0 for different ones."""
    first, second = fold_words(one), fold_words(other)
    if first == second:
        return SAME if first else 0.0
    articles = _ARTICLES.get(language, frozenset())
    analyser = get_analyser(language)
    stems, others = ([analyser.term(word) for word in words if word not in articles] for words in (first, second))
    return SAME_WORDS if stems and stems == others else 0.0


def _judged_passages(call: ProjectCall, question_id: int, answer: str) -> list[dict[str, Any]]:
    rows = repository.relevant_passages(call, question_id, MAX_READ, LONGEST_PASSAGE)
    return [
        {
            "segment_id": segment_id(row.document_id, row.start),
            "document_id": row.document_identifier,
            "title": row.document_title,
            "text": row.text,
            "start": row.start,
            "end": row.end,
            "score": row.grade,
        }
        for row in rows
        if answer in row.text
    ][:MAX_PASSAGES]
