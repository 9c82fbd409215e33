"""Questions that refer to the one before them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotarium_engines.answers.extractive_answerer import ExtractiveAnswerer, ExtractiveAnswererParameters
from annotarium_engines.answers.follow_ups import earlier_question, refers_back
from annotarium_engines.answers.question_search import QuestionSearch, QuestionSearchParameters
from annotarium_plugins.base.follow_up import Turn
from annotarium_plugins.base.rag_context_builder import Passage

TOWER = Turn("Who designed the Eiffel Tower in Paris?", "Stephen Sauvestre designed it. [1]")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("And when was it built?", "en"),
        ("How high is it?", "en"),
        ("Why?", "en"),
        ("Et quand a-t-elle été construite ?", "fr"),
        ("¿Y cuándo se construyó?", "es"),
        ("Wann wurde er gebaut?", "de"),
        ("它有多高？", "zh"),
        ("ومتى بني؟", "ar"),
    ],
)
def test_elliptic_questions(question: str, language: str) -> None:
    assert refers_back(question, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("When did the Millbrook Canal company open its first lock in Calder?", "en"),
        ("Which architect designed the town hall?", "en"),
        ("Quel architecte a dessiné la mairie de Lyon ?", "fr"),
        ("北京天安门广场是在哪一年建成并且开放的？", "zh"),
    ],
)
def test_complete_questions(question: str, language: str) -> None:
    assert not refers_back(question, language)


def test_a_chain_of_follow_ups_reaches_the_first_question() -> None:
    turns = [Turn("Who was Ada Lovelace?"), TOWER, Turn("And when was it built?")]
    assert earlier_question(turns, "How high is it?", "en") == f"And when was it built? {TOWER.question}"
    assert earlier_question([], "How high is it?", "en") == ""
    assert earlier_question(turns, "Which architect designed the town hall?", "en") == ""


def search(question: str, turns: Sequence[Turn] = (TOWER,), language: str = "en") -> list[str]:
    builder = QuestionSearch(QuestionSearchParameters())
    return builder.build_follow_up(turns, question, language).query.split()


def test_the_search_is_completed() -> None:
    assert {"built", "eiffel", "tower", "paris"} <= set(search("And when was it built?"))
    alone = search("Which architect designed the town hall?")
    assert "eiffel" not in alone and alone == search("Which architect designed the town hall?", ())
    assert len(search("And " + "tower " * 500)) <= 64
    assert search("它呢？", [Turn("谁设计了埃菲尔铁塔？")], "zh")[-1] == "谁设计了埃菲尔铁塔"


def test_an_extractive_answer_prefers_the_words_of_the_question() -> None:
    text = (
        "Stephen Sauvestre designed the Eiffel Tower in Paris. The tower was built from 1887 to 1889. It rains often."
    )
    passages = [Passage("s", "d", "", text, 0, len(text), 1.0)]
    answerer = ExtractiveAnswerer(ExtractiveAnswererParameters())
    (answer,) = answerer.stream_follow_up([TOWER], "And when was it built?", "", passages, "en")
    assert answer.text == "The tower was built from 1887 to 1889." and answer.citations[0].quote == answer.text
    (none,) = answerer.stream_follow_up([TOWER], "Which king of Norway signed the treaty?", "", passages, "en")
    assert not none.told
