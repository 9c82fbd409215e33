"""Segmenters for paragraphs, windows, whole documents and patterns."""

import time

import pytest
from pydantic import ValidationError

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.segmenters.document import DocumentSegmenter
from annotarium_plugins.builtin.segmenters.fixed_window import FixedWindowSegmenter
from annotarium_plugins.builtin.segmenters.paragraph import ParagraphSegmenter
from annotarium_plugins.builtin.segmenters.regex import RegexSegmenter


def cut(cls, text, **parameters):
    segmenter = cls(cls.parameters_model(**parameters))
    return [text[start:end] for start, end in segmenter.segment(text, "en")]


def test_document_is_one_segment_with_its_white_space():
    """C-059: `documents_as_segments`."""
    assert cut(DocumentSegmenter, " a\n\nb ") == [" a\n\nb "]


def test_paragraphs_are_segments():
    text = "One\nstill one.\n \t\nTwo\r\n\r\nThree\u2029Four\n"
    assert cut(ParagraphSegmenter, text) == ["One\nstill one.", "Two", "Three", "Four"]
    assert cut(ParagraphSegmenter, "One\nTwo\r\nThree", separator="line") == ["One", "Two", "Three"]


def test_windows_are_segments():
    assert cut(FixedWindowSegmenter, " a b  c\nd e ", size=2) == ["a b", "c\nd", "e"]
    assert cut(FixedWindowSegmenter, "今天天气很好", unit="characters", size=4) == ["今天天气", "很好"]
    assert cut(FixedWindowSegmenter, "one two three", unit="characters", size=8) == ["one two", "three"]


def test_windows_do_not_split_combining_characters_or_emojis():
    text = "aaae\u0301aaa"
    assert cut(FixedWindowSegmenter, text, unit="characters", size=4)[0] == "aaa"
    family = "ab👩\u200d👩\u200d👧cd"
    assert family[2:7] in cut(FixedWindowSegmenter, family, unit="characters", size=6)[1]


def test_pattern_finds_separators_or_segments():
    assert cut(RegexSegmenter, "a--b----c", pattern="-+") == ["a", "b", "c"]
    assert cut(RegexSegmenter, "Q1: a\nQ2: b", pattern=r"^Q\d.*$", use="segment") == ["Q1: a", "Q2: b"]
    assert cut(RegexSegmenter, "axbXc", pattern="x", ignore_case=True) == ["a", "b", "c"]
    assert cut(RegexSegmenter, "𝔘é—x", pattern="—") == ["𝔘é", "x"], "offsets are code points"


@pytest.mark.parametrize("pattern", ["(", "", "a" * 3000, "(?P<x>a)(?P<x>b)"])
def test_invalid_pattern_is_refused_with_the_parameters(pattern):
    with pytest.raises(ValidationError):
        RegexSegmenter.parameters_model(pattern=pattern)


def test_catastrophic_backtracking_is_stopped_and_the_segmenter_stays_usable():
    segmenter = RegexSegmenter(RegexSegmenter.parameters_model(pattern="(a+)+$", use="segment", time_limit=0.3))
    start = time.perf_counter()
    with pytest.raises(ComponentError, match=r"more than 0\.3 seconds"):
        segmenter.segment("a" * 50 + "b", "en")
    assert time.perf_counter() - start < 10
    assert segmenter.segment("aaa", "en") == [(0, 3)]
