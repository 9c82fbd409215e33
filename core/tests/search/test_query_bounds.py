"""Limits of the advanced language: what is still accepted, what is refused, and which position the error reports."""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.errors import QuerySyntaxError
from annotarium.search.query import (
    Boolean,
    Boost,
    Exists,
    Fuzzy,
    Node,
    Phrase,
    Prefix,
    Range,
    Term,
    Wildcard,
    parse_advanced,
)
from annotarium.search.query.advanced import MAX_SLOP
from annotarium.search.query.limits import MAX_CLAUSES, MAX_DEPTH, MAX_PATTERNS, MAX_QUERY_LENGTH, MAX_WILDCARDS


def refused(query: str, field: str = "query") -> dict[str, Any]:
    with pytest.raises(QuerySyntaxError) as caught:
        parse_advanced(query, field)
    (detail,) = caught.value.details
    assert caught.value.cause == f"{detail['message']} (position {detail['position']})"
    return detail


def nested(depth: int) -> str:
    return "(" * depth + "a" + ")" * depth


@pytest.mark.parametrize(
    ("fits", "too_much", "message", "position"),
    [
        ("a " * MAX_CLAUSES, "a " * (MAX_CLAUSES + 1), f"more than {MAX_CLAUSES} clauses", 2 * MAX_CLAUSES),
        ("a* " * MAX_WILDCARDS, "a* " * (MAX_WILDCARDS + 1), f"more than {MAX_WILDCARDS} wildcards", 3 * MAX_WILDCARDS),
        (nested(MAX_DEPTH), nested(MAX_DEPTH + 1), f"more than {MAX_DEPTH} nested brackets", MAX_DEPTH),
        (
            "ab~ " * MAX_PATTERNS,
            "ab~ " * (MAX_PATTERNS + 1),
            f"more than {MAX_PATTERNS} fuzzy words and regular expressions",
            4 * MAX_PATTERNS,
        ),
        (
            "/a/ " * (MAX_PATTERNS - 2) + "e-mail~",
            "/a/ " * (MAX_PATTERNS - 1) + "e-mail~",
            f"more than {MAX_PATTERNS} fuzzy words and regular expressions",
            4 * (MAX_PATTERNS - 1),
        ),
        (
            "a" * MAX_QUERY_LENGTH,
            "a" * (MAX_QUERY_LENGTH + 1),
            f"the query is longer than {MAX_QUERY_LENGTH} characters",
            MAX_QUERY_LENGTH,
        ),
        (
            f'b "a"~{MAX_SLOP}',
            f'b "a"~{MAX_SLOP + 1}',
            f"~ after a phrase needs a whole number up to {MAX_SLOP}",
            5,
        ),
        ("a^1000000", "a^1000001", "^ needs a number between 0 and 1000000", 1),
    ],
    ids=["clauses", "wildcards", "brackets", "fuzzy words", "words of fuzzy words", "length", "slop", "boost"],
)
def test_each_limit_is_exact(fits: str, too_much: str, message: str, position: int) -> None:
    parse_advanced(fits)
    assert refused(too_much) == {"field": "query", "message": message, "position": position}


def test_consecutive_brackets_do_not_count_as_nested() -> None:
    parse_advanced("(a) " * (MAX_DEPTH + 2))


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("--a", Term("a")),
        ("---a", Boolean(must_not=(Term("a"),))),
        ("-+a b", Boolean(must=(Term("a"),), should=(Term("b"),))),
        ("-a AND b AND NOT c", Boolean(must=(Term("b"),), must_not=(Term("a"), Term("c")))),
        ("a^2^3", Boost(Boost(Term("a"), 2), 3)),
        ("a^0.5", Boost(Term("a"), 0.5)),
        ("_exists_:metadata.a\\:b", Exists("metadata.a:b")),
        ('_exists_:"a\\\\:b"', Exists("a\\:b")),
        ("title:a*", Prefix("a", "title")),
        ("a\\?b*", Prefix("a?b")),
        ("ab?*", Wildcard("ab?*")),
        ("ab**", Wildcard("ab**")),
        ("*ab", Wildcard("*ab")),
        ('"a b"~0', Phrase("a b")),
        ('title:"a b"~2', Phrase("a b", 2, "title")),
        ("abcd~0.5", Fuzzy("abcd", 2)),
        ("abcdefgh~0.1", Fuzzy("abcdefgh", 2)),
        ("ab~2", Fuzzy("ab", 2)),
        ("title:e-mail~1", Boolean(must=(Fuzzy("e", 1, "title"), Fuzzy("mail", 1, "title")))),
        ("metadata.x:[a\\:b TO *}", Range("metadata.x", "a:b", None, True, False)),
        ("metadata.x:{1 TO c\\:d]", Range("metadata.x", "1", "c:d", False, True)),
    ],
)
def test_signs_numbers_and_escapes(query: str, tree: Node) -> None:
    assert parse_advanced(query) == tree


@pytest.mark.parametrize(
    ("query", "message", "position"),
    [
        ("a b)", "')' closes nothing", 3),
        ("a OR )", "OR needs something on its right", 5),
        ("(a OR OR b)", "OR needs something on its right", 6),
        ("a AND AND b", "AND needs something on its right", 6),
        ("a AND OR b", "AND needs something on its right", 6),
        ("a (b", "the bracket is never closed", 2),
        ("title:(a text:b)", "a field name inside a field's brackets", 9),
        ("b OR ^2", "something to search for is missing before '^2'", 5),
        ("b AND (^2)", "something to search for is missing before '^2'", 7),
        ("b ()", "something to search for is missing before ')'", 3),
        ('b "a"~1.5', f"~ after a phrase needs a whole number up to {MAX_SLOP}", 5),
        (
            "b identifier:[a TO b]",
            "a range needs the name of a field of values, like metadata.year:[2000 TO 2010]",
            13,
        ),
    ],
)
def test_an_error_reports_the_position_of_the_mistake(query: str, message: str, position: int) -> None:
    """E-019"""
    assert refused(query) == {"field": "query", "message": message, "position": position}


def test_the_error_names_the_field_of_the_query() -> None:
    assert refused("(a", "vectorQuery")["field"] == "vectorQuery"


@pytest.mark.parametrize(("length", "shown"), [(200, "(" + "a" * 199), (201, "(" + "a" * 199 + "...")])
def test_only_the_start_of_a_long_query_is_quoted(length: int, shown: str) -> None:
    with pytest.raises(QuerySyntaxError) as caught:
        parse_advanced("(" + "a" * (length - 1))
    assert caught.value.message == f'Failed to parse query ["{shown}"]'
