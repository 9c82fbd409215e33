"""The two query languages."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.errors import QuerySyntaxError
from annotarium.search.query import ast as nodes
from annotarium.search.query import parse_advanced, parse_simple
from annotarium.search.query.limits import MAX_CLAUSES, MAX_WILDCARDS

PIECES = [*' ab"+-|()[]{}^~*?:\\/<>=!&1.é東@#,', " AND ", " OR ", " TO ", "\ud800"]
SYNTAX = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("", nodes.MatchAll()),
        ('"', nodes.MatchAll()),
        ("((((", nodes.MatchAll()),
        ("😀", nodes.Term("😀")),
        ("👍* → ©", nodes.Prefix("👍")),
        ("→ ←", nodes.Term("→ ←")),
        ("😀 a", nodes.Boolean(should=(nodes.Term("😀"), nodes.Term("a")))),
        ("→ a", nodes.Term("a")),
        ("a", nodes.Term("a")),
        ("a b", nodes.Boolean(should=(nodes.Term("a"), nodes.Term("b")))),
        ("a +b", nodes.Boolean(must=(nodes.Term("b"),), should=(nodes.Term("a"),))),
        ("a + b", nodes.Boolean(must=(nodes.Term("a"), nodes.Term("b")))),
        ("a AND b", nodes.Boolean(must=(nodes.Term("a"), nodes.Term("b")))),
        ("a | b", nodes.Boolean(should=(nodes.Term("a"), nodes.Term("b")))),
        ("-a", nodes.Boolean(must_not=(nodes.Term("a"),))),
        ("NOT a", nodes.Boolean(must_not=(nodes.Term("a"),))),
        ("- a", nodes.Term("a")),
        ("e-mail", nodes.Term("e-mail")),
        ('"a b" c*', nodes.Boolean(should=(nodes.Phrase("a b"), nodes.Prefix("c")))),
        ('"never closed', nodes.Phrase("never closed")),
        ("te?t*s", nodes.Wildcard("te?t*s")),
        ("who?", nodes.Term("who?")),
        (
            "+(a | b) -c",
            nodes.Boolean(
                must=(nodes.Boolean(should=(nodes.Term("a"), nodes.Term("b"))),), must_not=(nodes.Term("c"),)
            ),
        ),
    ],
)
def test_simple(query: str, tree: nodes.Node) -> None:
    assert parse_simple(query) == tree


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("*:*", nodes.MatchAll()),
        ("*:* -a", nodes.Boolean(should=(nodes.MatchAll(),), must_not=(nodes.Term("a"),))),
        ("(*:*)^2", nodes.Boost(nodes.MatchAll(), 2)),
        ("x\\:", nodes.Term("x:")),
    ],
)
def test_everything_as_lucene_writes_it(query: str, tree: nodes.Node) -> None:
    assert parse_advanced(query) == tree


@pytest.mark.parametrize(
    ("query", "cause"),
    [
        ("label:", "a value is missing after label: (position 6)"),
        ("a AND label: b", "a value is missing after label: (position 12)"),
        ("NOT", "something to search for is missing at the end (position 3)"),
        ("~2", "something to search for is missing before '~2' (position 0)"),
        ("metadata.n:>=", "a comparison is written >=value (position 11)"),
        ("metadata.n:< 3", "a comparison is written >=value (position 11)"),
        ("b /a/b", "a regular expression ends at its second /; write \\/ for a slash (position 5)"),
        ("b /a", "the regular expression is never closed; write \\/ to search for a slash (position 2)"),
        ("b /a[b/", "the set of characters is never closed (position 4)"),
        ("b /a(b|c/", "the bracket of the regular expression is never closed (position 4)"),
        ("b /a)/", "')' closes nothing in the regular expression (position 4)"),
        ("b /+/", "nothing stands before '+' to be repeated (position 3)"),
        ("b /<9-1>/", "a number between two is written <1-20> (position 3)"),
        ("b~3", "~ after a word needs 0, 1 or 2: so many letters may differ (position 1)"),
        ("b?~1", "a word with * or ? cannot be fuzzy (~) (position 2)"),
        ("*:*x", "':' cannot stand here; write \\: to search for it (position 1)"),
    ],
)
def test_syntax_errors_have_helpful_messages(query: str, cause: str) -> None:
    """E-019"""
    with pytest.raises(QuerySyntaxError) as refused:
        parse_advanced(query)
    assert refused.value.cause == cause


def test_simple_words_can_be_joined_by_and() -> None:
    assert parse_simple("a b -c", "and") == nodes.Boolean(
        must=(nodes.Term("a"), nodes.Term("b")), must_not=(nodes.Term("c"),)
    )


@pytest.mark.parametrize(
    ("query", "tree"),
    [
        ("", nodes.MatchAll()),
        ("*", nodes.MatchAll()),
        ("a b", nodes.Boolean(should=(nodes.Term("a"), nodes.Term("b")))),
        (
            "a OR b AND c",
            nodes.Boolean(should=(nodes.Term("a"), nodes.Boolean(must=(nodes.Term("b"), nodes.Term("c"))))),
        ),
        ("a AND NOT b", nodes.Boolean(must=(nodes.Term("a"),), must_not=(nodes.Term("b"),))),
        ("+a -b c", nodes.Boolean(must=(nodes.Term("a"),), should=(nodes.Term("c"),), must_not=(nodes.Term("b"),))),
        ("NOT NOT a", nodes.Term("a")),
        ("title:a", nodes.Term("a", "title")),
        ("title:(a b)", nodes.Boolean(should=(nodes.Term("a", "title"), nodes.Term("b", "title")))),
        ('"a b"~3^2.5', nodes.Boost(nodes.Phrase("a b", 3), 2.5)),
        ('"a \\"b\\""', nodes.Phrase('a "b"')),
        ("te\\*st", nodes.Term("te*st")),
        ("te*", nodes.Prefix("te")),
        ("t?e*", nodes.Wildcard("t?e*")),
        ("+annotations:*", nodes.Exists("annotations")),
        ("metadata.x:[1 TO 5}", nodes.Range("metadata.x", "1", "5", True, False)),
        ("metadata.x:{* TO b]", nodes.Range("metadata.x", None, "b", False, True)),
        ('d:["2020-01-01T10:00" TO now]', nodes.Range("d", "2020-01-01T10:00", "now")),
        ("metadata.x:<5", nodes.Range("metadata.x", None, "5", True, False)),
        ("label(bob@x.org):person", nodes.Term("person", "label(bob@x.org)")),
        ("-metadata.question:true", nodes.Boolean(must_not=(nodes.Term("true", "metadata.question"),))),
        ("a && b", nodes.Boolean(must=(nodes.Term("a"), nodes.Term("b")))),
        ("brac1~1", nodes.Fuzzy("brac1", 1)),
        ("brac1~", nodes.Fuzzy("brac1", 2)),
        ("brac1~0.8", nodes.Fuzzy("brac1", 1)),
        ("title:brac1~1^2", nodes.Boost(nodes.Fuzzy("brac1", 1, "title"), 2)),
        ("metadata.a:br\\~c1~0", nodes.Fuzzy("br~c1", 0, "metadata.a")),
        ("e-mail~1", nodes.Boolean(must=(nodes.Fuzzy("e", 1), nodes.Fuzzy("mail", 1)))),
        ("metadata.a:e-mail~1", nodes.Fuzzy("e-mail", 1, "metadata.a")),
        ("/brc[a]+1/", nodes.Regex("brc[a]+1")),
        (
            "(/a b\\/c/ -title:/x|y/^3)",
            nodes.Boolean(should=(nodes.Regex("a b\\/c"),), must_not=(nodes.Boost(nodes.Regex("x|y", "title"), 3),)),
        ),
        ("a/b", nodes.Term("a/b")),
        ("\\/a", nodes.Term("/a")),
        ("_exists_:annotations", nodes.Exists("annotations")),
        ('_exists_:"metadata.a b"', nodes.Exists("metadata.a b")),
        ("_exists_:(title text)", nodes.Boolean(should=(nodes.Exists("title"), nodes.Exists("text")))),
    ],
)
def test_advanced(query: str, tree: nodes.Node) -> None:
    assert parse_advanced(query) == tree


@pytest.mark.parametrize(
    "query",
    [
        '"open',
        "(a",
        "a)",
        "a AND",
        "OR a",
        "a:",
        "[a TO b]",
        "text:[a TO b]",
        "x:[a b]",
        "a^",
        "a^0",
        "b~3",
        "b~1.5",
        "b*~1",
        "/a",
        "/a/b",
        "/(/",
        "/a{2/",
        "~1",
        "a~ " * 8 + "a~",
        "a:b:c",
        ":",
        '"a"~x',
        "{}",
        "f:(g:a)",
    ],
)
def test_advanced_errors_quote_the_query(query: str) -> None:
    """E-019: the web app recognises the error by its start and the double quote."""
    with pytest.raises(QuerySyntaxError) as caught:
        parse_advanced(query)
    assert caught.value.message.startswith("Failed to parse query")
    assert f'["{query}"]' in caught.value.message
    assert "(position " in caught.value.cause


def test_limits_are_errors_in_the_advanced_language_and_truncate_simple_queries() -> None:
    for query in ("a " * (MAX_CLAUSES + 1), "a* " * (MAX_WILDCARDS + 1), "(" * 40 + "a" + ")" * 40, "a" * 20_000):
        with pytest.raises(QuerySyntaxError):
            parse_advanced(query)
    assert len(list(nodes.leaves(parse_simple("a " * (MAX_CLAUSES + 50))))) == MAX_CLAUSES
    wild = [leaf for leaf in nodes.leaves(parse_simple("a* " * 100)) if isinstance(leaf, nodes.Prefix)]
    assert len(wild) == MAX_WILDCARDS
    assert parse_simple("(" * 5000 + "a" + ")" * 5000) == nodes.Term("a")


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=80) | SYNTAX)
def test_the_simple_language_takes_anything(query: str) -> None:
    for leaf in nodes.leaves(parse_simple(query), positive_only=False):
        assert isinstance(leaf, (nodes.MatchAll, nodes.Term, nodes.Phrase, nodes.Prefix, nodes.Wildcard))


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=80) | SYNTAX)
def test_the_advanced_language_parses_or_reports_where_it_fails(query: str) -> None:
    try:
        parse_advanced(query)
    except QuerySyntaxError as error:
        position = int(error.cause.rsplit("position ", 1)[1].rstrip(")"))
        assert 0 <= position <= len(query)


@pytest.mark.parametrize(
    "piece", ['"', "\\", "a:", "[", "(a", "~", "/a", "/(", "/[a", "-", "a.", "aa(", "*?", "[a TO ", '"a\\']
)
def test_parsing_time_grows_with_length_only(piece: str) -> None:
    query = piece * (9_900 // len(piece))
    started = time.process_time()
    parse_simple(query)
    with suppress(QuerySyntaxError):
        parse_advanced(query)
    assert time.process_time() - started < 1.0
