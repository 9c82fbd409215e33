"""Sentences of every language against a hand-written reference, and properties that hold for any text."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium_plugins.builtin.segmenters.fixed_window import FixedWindowSegmenter, FixedWindowSegmenterParameters
from annotarium_plugins.builtin.segmenters.paragraph import ParagraphSegmenter, ParagraphSegmenterParameters
from annotarium_plugins.builtin.segmenters.rule_sentence import RuleSentenceSegmenter, RuleSentenceSegmenterParameters
from annotarium_plugins.graphemes import is_border, next_border, previous_border
from annotarium_plugins.testing.samples import LANGUAGES
from annotarium_plugins.testing.segmenter import check_ranges

GOLD = Path(__file__).parent / "gold"
FLOOR = 0.97
Range = tuple[int, int]


def gold(language: str) -> tuple[str, list[Range]]:
    """Return the text of a language and its sentences."""
    text, pause, ranges = "", "", []
    for line in (GOLD / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        if line in ("¶", "↵"):
            pause = "\n\n" if line == "¶" else "\n"
            continue
        text += pause if text else ""
        ranges.append((len(text), len(text) + len(line)))
        text += line
        pause = "" if language in ("zh", "ja") else " "
    return text, ranges


def sentences(text: str, language: str) -> list[Range]:
    return RuleSentenceSegmenter(RuleSentenceSegmenterParameters()).segment(text, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_boundaries_of_hard_sentences(language: str) -> None:
    """C-056: the languages of documents. F1 of the positions where sentences begin."""
    text, expected = gold(language)
    assert len(expected) >= 30
    wanted = {start for start, _ in expected} - {0}
    found = {start for start, _ in sentences(text, language)} - {0}
    right = len(wanted & found)
    f1 = 2 * right / (len(wanted) + len(found))
    wrong = [text[max(0, place - 20) : place + 20] for place in sorted(wanted ^ found)]
    assert f1 >= FLOOR, f"{language}: {f1:.3f} {wrong}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_megabyte_takes_less_than_a_second(language: str) -> None:
    text, _ = gold(language)
    text = ((text + "\n\n") * (1_000_000 // len(text) + 1))[:1_000_000]
    start = time.process_time()
    ranges = sentences(text, language)
    seconds = time.process_time() - start
    check_ranges(text, ranges)
    assert seconds < 1, f"{seconds:.2f} s"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "unit", ["1. Bb ", "Dr. ", "u. a. ", ".” ", "。」", "‼\ufe0f ", "\n1. ", "“", "d'A. ", "!?" * 9, "कहा "]
)
def test_time_is_linear_for_hostile_repeats(language: str, unit: str) -> None:
    """The time per character does not grow with the length of a repeated text."""

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        sentences(text, language)
        return time.process_time() - start

    longest = seconds(600_000)
    assert longest < 1.5 or longest < 30 * seconds(60_000), longest


_CLUSTERS = ["e\u0301", "👩\u200d👧", "🇫🇷", "‼\ufe0f", "क्षि", "\r\n", "\u1100\u1161"]
_WORDS = ["Dr", "He", "said", "a.b", "[1]", "سلام", "他说", ". ", "! ", "? ", "\n\n"]
_PIECES = st.sampled_from([*_CLUSTERS, *_WORDS, *"。」「”“\"'()….।؟«» \n\u2029と各35i"])
_TEXTS = st.lists(_PIECES, max_size=60).map("".join)


@settings(max_examples=300)
@given(text=_TEXTS, language=st.sampled_from(LANGUAGES))
def test_sentences_are_disjoint_and_cover_all_words(text: str, language: str) -> None:
    ranges = sentences(text, language)
    check_ranges(text, ranges)
    inside = {place for start, end in ranges for place in range(start, end)}
    assert all(place in inside for place, mark in enumerate(text) if not mark.isspace()), (
        "what is written is in a segment"
    )
    assert all(is_border(text, place) for one in ranges for place in one)


@settings(max_examples=200)
@given(text=_TEXTS, size=st.integers(1, 20), unit=st.sampled_from(["words", "characters"]))
def test_windows_are_disjoint_and_cover_all_words(text: str, size: int, unit: str) -> None:
    parameters = FixedWindowSegmenterParameters.model_validate({"unit": unit, "size": size})
    ranges = FixedWindowSegmenter(parameters).segment(text, "en")
    check_ranges(text, ranges)
    inside = {place for start, end in ranges for place in range(start, end)}
    assert all(place in inside for place, mark in enumerate(text) if not mark.isspace())
    assert all(is_border(text, place) for one in ranges for place in one)


@given(text=_TEXTS)
def test_paragraphs_cover_all_words(text: str) -> None:
    ranges = ParagraphSegmenter(ParagraphSegmenterParameters()).segment(text, "en")
    check_ranges(text, ranges)
    inside = {place for start, end in ranges for place in range(start, end)}
    assert all(place in inside for place, mark in enumerate(text) if not mark.isspace())


@pytest.mark.parametrize(
    "character",
    [
        "e\u0301",
        "👩\u200d👩\u200d👧\u200d👦",
        "👍🏽",
        "🇫🇷",
        "1\ufe0f\u20e3",
        "क्षि",
        "각",
        "\u1100\u1161\u11a8",
        "か\u3099",
        "\r\n",
        "❤\ufe0f",
        "ท\u0e33",
    ],
)
def test_grapheme_cluster_borders(character: str) -> None:
    text = f"a{character}b"
    borders = [place for place in range(len(text) + 1) if is_border(text, place)]
    assert borders == [0, 1, 1 + len(character), 2 + len(character)]
    assert next_border(text, 2) == (2 if len(character) == 1 else 1 + len(character))
    assert previous_border(text, len(character)) == 1


def test_regional_indicators_are_paired_from_the_start() -> None:
    text = "x" + "🇫🇷" * 3
    assert [place for place in range(len(text) + 1) if is_border(text, place)] == [0, 1, 3, 5, 7]
