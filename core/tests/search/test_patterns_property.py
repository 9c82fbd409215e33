"""Fuzzy words, regular expressions and `_exists_` of the advanced language, in both engines, compared with a simple
model that reads every word of every text.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.search_engines import ENGINES, delete_indexes

from annotarium.search.automaton import (
    MAX_STATES,
    MAX_WORK,
    FuzzyAutomaton,
    RegexAutomaton,
    TooManyStates,
)
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.engine import SearchEngine
from annotarium.search.highlight import Highlighter, insert_highlight_tags
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchSpec
from annotarium.search.query import parse_advanced
from annotarium.search.query.regex import parse_regex
from annotarium.search.text_analysis import fold_case_and_accents, get_analyser

KEY = IndexKey("p", "segments", "xx")
LETTERS = "ab1é"
WORDS = st.text(LETTERS, min_size=1, max_size=5)
TEXTS = st.lists(st.lists(WORDS, max_size=5).map(" ".join), min_size=1, max_size=6)
Tree = tuple[Any, ...]


# --- the model ------------------------------------------------------------------------------------------------------

LEAVES = st.one_of(
    st.sampled_from(LETTERS + "É").map(lambda letter: ("letter", letter)),
    st.just(("any",)),
    st.tuples(st.just("set"), st.booleans(), st.text(LETTERS, min_size=1, max_size=3)),
    st.just(("word", "ab")),
    st.just(("digits",)),
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.tuples(st.just("then"), inner, inner),
        st.tuples(st.just("or"), inner, inner),
        st.tuples(st.just("and"), inner, inner),
        st.tuples(st.just("not"), inner),
        st.tuples(st.just("times"), inner, st.integers(0, 2), st.integers(0, 2)),
        st.tuples(st.just("star"), inner),
    ),
    max_leaves=6,
)


def as_lucene(tree: Tree) -> str:
    kind, *inner = tree
    if kind == "letter":
        return str(inner[0])
    if kind in ("any", "digits"):
        return "." if kind == "any" else r"\d"
    if kind == "set":
        return f"[{'^' if inner[0] else ''}{inner[1]}]"
    if kind == "word":
        return f'"{inner[0]}"'
    if kind in ("then", "or", "and"):
        sign = {"then": "", "or": "|", "and": "&"}[kind]
        return f"({as_lucene(inner[0])}{sign}{as_lucene(inner[1])})"
    if kind == "not":
        return f"(~({as_lucene(inner[0])}))"
    if kind == "star":
        return f"({as_lucene(inner[0])})*"
    return f"({as_lucene(inner[0])}){{{inner[1]},{inner[1] + inner[2]}}}"


def ends(tree: Tree, word: str, start: int) -> set[int]:
    """The offsets where the part of a word that a tree matches from `start` on may end."""
    kind, *inner = tree
    here = word[start : start + 1]
    if kind == "letter":
        return {start + 1} if here and here == fold_case_and_accents(inner[0]) else set()
    if kind in ("any", "digits"):
        return {start + 1} if here and (kind == "any" or here.isdigit()) else set()
    if kind == "set":
        return {start + 1} if here and (here in fold_case_and_accents(inner[1])) != inner[0] else set()
    if kind == "word":
        return {start + len(inner[0])} if word.startswith(inner[0], start) else set()
    if kind == "then":
        return {end for middle in ends(inner[0], word, start) for end in ends(inner[1], word, middle)}
    if kind in ("or", "and"):
        first, second = (ends(part, word, start) for part in inner)
        return first | second if kind == "or" else first & second
    if kind == "not":
        return set(range(start, len(word) + 1)) - ends(inner[0], word, start)
    if kind == "star":
        return repeated(inner[0], word, start, 0, len(word) + 1)
    return repeated(inner[0], word, start, inner[1], inner[1] + inner[2])


def repeated(tree: Tree, word: str, start: int, low: int, high: int) -> set[int]:
    reached, found = {start}, {start} if low == 0 else set()
    for times in range(1, high + 1):
        reached = {end for place in reached for end in ends(tree, word, place)}
        found |= reached if times >= low else set()
    return found


def distance(one: str, other: str) -> int:
    """Edit distance: insertions, deletions, substitutions and transpositions (each letter is edited at most once)."""
    table = [[max(row, column) for column in range(len(other) + 1)] for row in range(len(one) + 1)]
    for row in range(1, len(one) + 1):
        for column in range(1, len(other) + 1):
            changed = one[row - 1] != other[column - 1]
            least = min(table[row - 1][column] + 1, table[row][column - 1] + 1, table[row - 1][column - 1] + changed)
            if row > 1 and column > 1 and one[row - 2 : row] == other[column - 2 : column][::-1]:
                least = min(least, table[row - 2][column - 2] + 1)
            table[row][column] = least
    return table[-1][-1]


# --- against the engines --------------------------------------------------------------------------------------------


@pytest.fixture(params=sorted(ENGINES), scope="module")
def words(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    """An index with one item per word, which has the word as a facet value too."""
    engine = ENGINES[request.param](tmp_path_factory.mktemp("words"))
    engine.bulk(KEY, [IndexDoc(word, word, facets={"metadata.word": [word]}) for word in ALL])
    yield engine
    delete_indexes(engine)
    engine.close()


ALL = sorted({a + b + c + d for a in ("", *LETTERS) for b in ("", *LETTERS) for c in ("", "a", "b") for d in "ab1"})


def found(engine: SearchEngine, query: str) -> set[str]:
    hits = engine.search(KEY, SearchSpec(query=parse_advanced(query), size=1_000))
    assert hits.total == len(hits.hits)
    return {hit.id for hit in hits.hits}


@settings(max_examples=60, deadline=None)
@given(tree=TREES)
def test_a_regular_expression_finds_what_the_model_finds(words: SearchEngine, tree: Tree) -> None:
    expected = {word for word in ALL if len(fold_case_and_accents(word)) in ends(tree, fold_case_and_accents(word), 0)}
    assert found(words, f"/{as_lucene(tree)}/") == expected


@settings(max_examples=60, deadline=None)
@given(word=WORDS, edits=st.integers(0, 2))
def test_a_fuzzy_word_finds_what_the_model_finds(words: SearchEngine, word: str, edits: int) -> None:
    expected = {one for one in ALL if distance(fold_case_and_accents(word), fold_case_and_accents(one)) <= edits}
    assert found(words, f"{word}~{edits}") == expected
    as_written = {one for one in ALL if distance(word, one) <= edits}
    assert found(words, f"metadata.word:{word}~{edits}") == as_written
    assert found(words, f"identifier:{word}~{edits}") == as_written


@settings(max_examples=40, deadline=None)
@given(texts=TEXTS, more=TEXTS, word=WORDS, tree=TREES)
def test_highlights_agree_with_hits(texts: list[str], more: list[str], word: str, tree: Tree) -> None:
    """Also after changes; includes inflected words and their English stems."""
    key = IndexKey("p", "segments", "en")
    with tempfile.TemporaryDirectory() as folder:
        engine = EmbeddedEngine(Path(folder))
        for held in (texts, more):
            engine.bulk(key, [IndexDoc(str(place), text) for place, text in enumerate(held)])
        held = [*more, *texts[len(more) :]]
        for query in (f"{word}~1", f"/{as_lucene(tree)}/"):
            parsed = parse_advanced(query)
            hits = engine.search(key, SearchSpec(query=parsed, size=100))
            highlighter = Highlighter("en", parsed)
            marked = {str(place) for place, text in enumerate(held) if highlighter.spans(text)}
            assert marked <= {hit.id for hit in hits.hits}
        engine.close()


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ("brac1~1", {"brac1", "brca1", "xbrac1"}),
        ("brac1~", {"brac1", "brca1", "brcaa1", "xbrac1"}),
        ("brac1~0", {"brac1"}),
        ("BRÀC1~0", {"brac1"}),
        ("/brc[a]+1/", {"brca1", "brcaa1"}),
        ("/BRC[A]+1/", {"brca1", "brcaa1"}),
        ("/rca/", set()),
        ("/<3-12>/", {"7"}),
        ("title:/.*/", {"titled"}),
        ("_exists_:metadata.a", {"brca1"}),
        ("-_exists_:metadata.a", {"brac1", "brcaa1", "xbrac1", "7", "titled"}),
        ("_exists_:title", {"titled"}),
        ("metadata.a:/O.*e/", {"brca1"}),
        ("metadata.a:/o.*e/", set()),
        ('metadata.a:/One \\/ \\"two\\".*/', set()),
        ("label:thing~", set()),
        ("/brc.*/ AND NOT brcaa1~0", {"brca1"}),
    ],
)
def test_examples(engine: SearchEngine, query: str, ids: set[str]) -> None:
    """C-036: the complete Lucene syntax where `simpleQuery` is false."""
    items = [IndexDoc(word, word) for word in ("brac1", "brcaa1", "xbrac1", "7")]
    items += [IndexDoc("brca1", "brca1", facets={"metadata.a": ["One"]}), IndexDoc("titled", "", "Title")]
    engine.bulk(KEY, items)
    assert found(engine, query) == ids


def test_the_word_itself_ranks_before_similar_words(engine: SearchEngine) -> None:
    engine.bulk(KEY, [IndexDoc("alike", "brca1 gene"), IndexDoc("same", "brac1 gene"), IndexDoc("other", "gene")])
    hits = engine.search(KEY, SearchSpec(query=parse_advanced("brac1~1"))).hits
    assert hits[0].id in ("same", "alike")
    assert {hit.id for hit in hits} == {"same", "alike"}


def test_inflected_words_are_found_by_their_surface_form(engine: SearchEngine) -> None:
    key = IndexKey("p", "segments", "en")
    engine.bulk(key, [IndexDoc("a", "The runners were running"), IndexDoc("b", "nothing")])
    for query in ("/runn.ng/", "runing~1", "rnuning~1", "/run/"):
        hits = engine.search(key, SearchSpec(query=parse_advanced(query)))
        assert [hit.id for hit in hits.hits] == ["a"], query


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("brac1~1", "<BRCA1> and Brcaa1, <brac1>."),
        ("/brc[a]+1/", "<BRCA1> and <Brcaa1>, brac1."),
        ("title:/brc[a]+1/ and", "BRCA1 <and> Brcaa1, brac1."),
    ],
)
def test_matching_words_are_highlighted(query: str, marked: str) -> None:
    text = marked.replace("<", "").replace(">", "")
    assert insert_highlight_tags(text, Highlighter("en", parse_advanced(query)).spans(text), "<", ">") == marked


# --- bounds ---------------------------------------------------------------------------------------------------------

HOSTILE = [
    ".*a.{60}",
    "(.*a.*b){20}",
    "~(.*a.{30}).*",
    "((a?){100}){100}",
    "(.{0,100}){50}",
    "((a{0,1000}){0,1000}){0,1000}",
    "(.*[a-e].{9}){1,1000}",
    "(.*a.{12}&.*b.{13}&~(.*a.{12}b.{11}))",
    "(.?.?)*" * 28 + "x",
    "(a|aa)+b",
    "(((((a*)*)*)*)*)*b",
    "a?" * 90,
    "~" * 20 + "a",
    "<1-999999999>",
    ".*<123-987654321>.*",
]
LONG_WORDS = [
    "ab" * 45,
    "a" * 90,
    "abbbaab" * 12,
    *(f"{number:b}".replace("1", "a").replace("0", "b") for number in range(3_000)),
]


@pytest.mark.parametrize("pattern", HOSTILE)
def test_hostile_expressions_compile_to_a_bounded_number_of_states(pattern: str) -> None:
    automaton = RegexAutomaton(parse_regex(pattern, True))
    with suppress(TooManyStates):
        automaton.fitting(LONG_WORDS)
    assert len(automaton._states) <= MAX_STATES
    assert automaton._work <= 2 * MAX_WORK


def test_a_fuzzy_word_compiles_to_few_states_for_any_words() -> None:
    automaton = FuzzyAutomaton("ab" * 45, 2)
    automaton.fitting(LONG_WORDS)
    assert len(automaton._states) < 2_000


@pytest.mark.parametrize("pattern", [".*a.{60}", "~(.*a.{40}).*"])
def test_an_expression_with_too_many_states_is_rejected_with_a_message(engine: SearchEngine, pattern: str) -> None:
    """E-019"""
    items = ["".join("ab"[number * place % 7 % 2] for place in range(1, 91)) for number in range(1, 3_000)]
    items = sorted({*items, *("".join("ab"[number >> bit & 1] for bit in range(13)) * 6 for number in range(8_000))})
    engine.bulk(KEY, [IndexDoc(str(place), " ".join(items[place::50])) for place in range(50)])
    with pytest.raises(TooManyStates) as refused:
        engine.search(KEY, SearchSpec(query=parse_advanced(f"/{pattern}/")))
    assert "too complex" in refused.value.message


@pytest.mark.parametrize("query", ["a~ " * 9, "/a/ " * 9, "/" + "a" * 201 + "/", "/(((a{1000}){1000}){1000}/"])
def test_number_and_size_of_patterns_are_limited(query: str) -> None:
    with pytest.raises(Exception, match="Failed to parse query"):
        parse_advanced(query)


def test_the_analyser_folds_letters_like_the_model() -> None:
    assert [get_analyser("xx").term(word) for word in ("É1", "ab", "aé")] == ["e1", "ab", "ae"]
