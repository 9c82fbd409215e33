"""Answers compared with known answers, citations with judged passages."""

from __future__ import annotations

import math

import pytest

from annotarium.domains.ranking_experiments.answer_quality import (
    answer_tokens,
    citation_figures,
    contains_answer,
    exact_match,
    text_figures,
    token_f1,
)
from annotarium.domains.ranking_experiments.judged_passages import FoundRange, Judgement


@pytest.mark.parametrize(
    ("text", "answer", "language", "same"),
    [
        ("The Denver Broncos!", "denver broncos", "en", True),
        ("a 1889", "1889.", "en", True),
        ("Los Broncos de Denver", "broncos de denver", "es", True),
        ("the Broncos", "broncos", "es", False),
        ("丹佛野马", "丹佛野马。", "zh", True),
        ("丹佛 野马", "丹佛野马", "zh", True),
        ("الفريق", "فريق", "ar", True),
        ("الفَرِيق", "فريق", "ar", True),
        ("Straße", "strasse", "de", True),
        ("l’eau", "eau", "fr", True),
        ("eighty-nine", "eighty nine", "en", True),
    ],
)
def test_what_is_the_same(text: str, answer: str, language: str, same: bool) -> None:
    assert bool(exact_match(text, ["something else", answer], language)) is same


def test_f1_counts_tokens() -> None:
    """SQuAD: 2 of 3 tokens are right, 2 of 2 are found."""
    assert token_f1("the lock gates closed", ["lock gates"], "en") == pytest.approx(0.8)
    assert token_f1("oak oak", ["oak"], "en") == pytest.approx(2 / 3), "a token counts once"
    assert token_f1("pine", ["oak"], "en") == 0
    assert token_f1("丹佛野马队", ["丹佛野马"], "zh") == pytest.approx(2 * 4 / 9)
    assert token_f1("", ["the"], "en") == 1, "nothing is left of both"


def test_contained() -> None:
    assert contains_answer("They were made of solid oak.", ["solid oak"], "en") == 1
    assert contains_answer("solid, but of oak", ["solid oak"], "en") == 0
    assert contains_answer("anything", ["the"], "en") == 0


def test_questions_without_an_answer() -> None:
    assert text_figures("", told=False, answers=[], language="en") == (1, 1, 1)
    assert text_figures("Oak.", told=True, answers=[], language="en") == (0, 0, 0)
    assert text_figures("Oak.", told=False, answers=["oak"], language="en") == (0, 0, 0)
    assert text_figures("Oak.", told=True, answers=["oak"], language="en") == (1, 1, 1)


def test_citations() -> None:
    judged = [Judgement("d", 0, 10, 2), Judgement("e", 0, 10, 1), Judgement("f", 0, 10, 0)]
    cited = [FoundRange("d", 0, 10), FoundRange("f", 0, 10)]
    assert citation_figures(cited, judged) == (0.5, 0.5)
    precision, recall = citation_figures([], judged)
    assert math.isnan(precision) and recall == 0
    assert all(map(math.isnan, citation_figures(cited, judged[2:])))


def test_scripts_without_spaces_are_single_tokens() -> None:
    assert answer_tokens("ヘルシンキ 1952年", "ja") == ["ヘ", "ル", "シ", "ン", "キ", "1952", "年"]
