"""Conversion of spans to tags and back at their borders, and the ranges that a long segment is split into."""

from __future__ import annotations

from annotarium_engines.learners.bio_tags import TokenSpan, decode, encode, split_sequence
from annotarium_engines.tokens import tokenize
from annotarium_schemas.documents import Annotation

LABELS = frozenset({"org", "loc"})


def tags(text: str, *places: tuple[int, int, str]) -> str:
    spans = [Annotation(start=start, end=end, label_name=label) for start, end, label in places]
    return " ".join(encode(tokenize(text), spans, LABELS))


def test_the_longest_overlapping_span_wins_at_any_position() -> None:
    assert tags("one two three", (0, 3, "loc"), (0, 13, "org")) == "B-org I-org I-org"
    assert tags("one two three", (0, 7, "loc"), (4, 13, "org")) == "O B-org I-org"
    assert tags("one two six", (4, 11, "loc"), (0, 7, "org")) == "B-org I-org O", "the first of two of one length"


def test_a_partly_overlapping_span_is_left_out() -> None:
    assert tags("one two three four", (0, 7, "loc"), (4, 18, "org")) == "O B-org I-org I-org"


def test_an_adjacent_token_is_outside() -> None:
    assert tags("Paris, Rome", (0, 5, "loc")) == "B-loc O O"
    assert tags("(Paris)", (1, 6, "loc")) == "O B-loc O"
    assert tags("Paris, Rome", (5, 6, "loc")) == "O B-loc O"


def test_white_space_alone_is_not_an_entity() -> None:
    assert tags("one two", (3, 4, "loc")) == "O O"


def test_adjacent_spans_and_spans_at_the_end_are_decoded() -> None:
    assert decode(["B-a", "I-a"]) == [TokenSpan(0, 2, "a")]
    assert decode(["O", "B-a-b", "I-a-b", "B-a"]) == [TokenSpan(1, 3, "a-b"), TokenSpan(3, 4, "a")]
    assert decode([]) == []
    assert decode(["O", "O"]) == []


def test_ranges_of_a_long_segment() -> None:
    tokens = tokenize("word " * 400)
    assert split_sequence(tokens) == [(0, 400)]
    assert split_sequence(tokenize("word " * 401)) == [(0, 400), (400, 401)]
    assert split_sequence([]) == []
    ended = tokenize("word " * 399 + ". " + "word " * 10)
    assert split_sequence(ended) == [(0, 400), (400, 410)], "an end of a sentence at the very border"
    early = tokenize("a . " + "word " * 450)
    assert split_sequence(early)[0] == (0, 2)
    assert split_sequence(tokenize(". " + "word " * 450))[0] == (0, 400), "a sentence of one token is no piece"
    assert split_sequence(tokenize("word " * 450), may_cut=lambda at: at > 405)[0] == (0, 406)
    assert split_sequence(tokenize("word " * 450), may_cut=lambda at: False) == [(0, 450)]
