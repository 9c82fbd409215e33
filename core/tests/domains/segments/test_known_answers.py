"""Known answers: a question that was saved with its answers is answered by them."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.saved_questions import judge, save

from annotarium.domains.segments.known_answers import question_similarity

TEXT = "The canal is 66 km long. Its lock gates were made of oak by local carpenters."
QUESTION = "What were the lock gates made of?"


@pytest.fixture
def canal(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT))
    save(corpus, QUESTION, "local oak", "oak", identifier="q1")
    return corpus


def ask(corpus: Corpus, question: str = QUESTION, **parameters: Any) -> dict[str, Any]:
    """Ask with query parameters and in JSON; both give the same."""
    answers = []
    asked = {"query": question, "answerQuestion": True, "searchKnownAnswer": True, **parameters}
    answers.append(corpus.post("/segments/_search", params=asked))
    body = {"search": {"query": question}, "questionAnswering": {"enabled": True, "searchKnownAnswer": True}}
    answers.append(corpus.post("/segments/_do_search", json=body))
    one, other = (answer["answerDetails"] for answer in answers)
    assert (one["text"], one["knownAnswer"]) == (other["text"], other["knownAnswer"])
    found: dict[str, Any] = one
    return found


def test_the_known_answer_is_given_with_the_judged_passage(canal: Corpus) -> None:
    judge(canal, "q1", 25, 50, 1)  # does not contain the answer
    canal.patch("/questions/q1", json={"answers": ["oak"]})
    judge(canal, "q1", 25, len(TEXT), 2)
    answer = ask(canal, "what were lock gates made of")
    assert answer["knownAnswer"] == {"identifier": "q1", "question": QUESTION, "answers": ["oak"], "score": 0.9}
    assert (answer["text"], answer["told"], answer["supported"], answer["answerer"]) == ("oak", True, True, "")
    (citation,) = answer["citations"]
    passage = answer["passages"][citation["passage"] - 1]
    assert (passage["documentIdentifier"], passage["start"], passage["end"]) == ("d1", 25, len(TEXT))
    assert passage["text"][citation["start"] : citation["end"]] == citation["quote"] == "oak"


def test_another_question_is_answered_from_the_documents(canal: Corpus) -> None:
    assert ask(canal)["knownAnswer"]["answers"] == ["local oak", "oak"]
    for question in ("What were the lock gates not made of?", "Who made the lock gates?", "How long is the canal?"):
        assert ask(canal, question)["knownAnswer"] is None
    canal.patch("/questions/q1", json={"answers": []})
    answer = ask(canal)
    assert answer["knownAnswer"] is None
    assert "oak" in answer["text"]
    canal.delete("/questions/q1")
    assert ask(canal)["knownAnswer"] is None


def test_without_the_option_nothing_is_looked_up(canal: Corpus) -> None:
    answer = canal.post("/segments/_search", params={"query": QUESTION, "answerQuestion": True})["answerDetails"]
    assert answer["knownAnswer"] is None
    assert answer["text"] != "local oak"


def test_saved_questions_are_no_passages(canal: Corpus) -> None:
    """A question repeats the words of the question best, but answers nothing."""
    passages = ask(canal, "Which lock gates were made of what?")["passages"]
    assert {one["documentIdentifier"] for one in passages} == {"d1"}


@pytest.mark.parametrize(
    ("language", "one", "other", "score"),
    [
        ("en", "Where was Ines born?", "where was INES born", 1.0),
        ("en", "Where were the films made?", "Where were films made?", 0.9),
        ("en", "When was Ines born?", "Where was Ines born?", 0),
        ("en", "Did Ines beat Paul?", "Did Paul beat Ines?", 0),
        ("en", "Who won in 1951?", "Who won in 1952?", 0),
        ("en", "Who is Marie?", "Who is Maria?", 0),
        ("fr", "Où est née l’actrice ?", "Où est née une actrice ?", 0.9),
        ("zh", "黑豹队的防守丢了多少分？", "黑豹队的防守丢了多少分", 1.0),
        ("zh", "黑豹队的防守丢了多少分？", "黑豹队的进攻丢了多少分？", 0),
        ("ar", "كم نقطة تخلى عنها دفاع البانثرز؟", "كم نقطة تخلى عنها دفاع البانثرز", 1.0),
        ("en", "?", "!", 0),
    ],
)
def test_similarity_of_questions(language: str, one: str, other: str, score: float) -> None:
    assert question_similarity(one, other, language) == score
