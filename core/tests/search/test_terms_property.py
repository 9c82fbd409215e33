"""Words, wildcards and weights of the embedded engine, compared with a plain scan of the texts and with FTS5 itself."""

from __future__ import annotations

import re
import sqlite3
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.errors import QuerySyntaxError
from annotarium.search.embedded.bitmaps import BitmapCache, FacetBitmaps
from annotarium.search.embedded.caches import VersionedCache
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.embedded.expansion import ExpandedTerms, TermSequence
from annotarium.search.embedded.index_database import IndexConnections, read_meta, read_transaction
from annotarium.search.embedded.lengths import decode_varints, read_lengths
from annotarium.search.embedded.postings import Postings, ScoredMatches
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, IndexPatch, SearchSpec
from annotarium.search.query import parse_advanced, parse_simple
from annotarium.search.query.ast import Wildcard
from annotarium.search.query.limits import MAX_EXPANSIONS
from annotarium.search.text_analysis import fold_case_and_accents, get_analyser

KEY = IndexKey("p", "segments", "en")
SPOKEN = ["run", "running", "Runner", "ponies", "pony", "élève", "eleves", "house", "housing", "éé", "a", "ab", "42"]
TEXTS = st.lists(st.sampled_from(SPOKEN), max_size=30).map(" ".join)
ITEMS = st.dictionaries(st.sampled_from([f"i{n}" for n in range(7)]), st.tuples(TEXTS, TEXTS), max_size=6)
PATTERNS = st.text("rnehousépai?*", min_size=1, max_size=6).filter(lambda one: "*" in one or "?" in one)
COLUMNS = st.sampled_from(["", "title", "text"])
PARTS = st.builds(
    TermSequence,
    st.sampled_from(["run", "runner", "poni", "hous", "eleve", "a", "ee", "none"]).map(lambda one: (one,)),
    st.booleans(),
)
QUERIES = st.text(max_size=40) | st.text('ab*?"()+-:^~[]TO AND OR NOT title:', max_size=40)


@dataclass
class Corpus:
    """An index and its current items as (title, text) by id. `written` contains all words it ever had."""

    engine: EmbeddedEngine
    held: dict[str, tuple[str, str]]
    written: set[str] = field(default_factory=set)

    def write(self, items: dict[str, tuple[str, str]]) -> None:
        """Insert items; replace those that exist."""
        self.engine.bulk(KEY, [IndexDoc(key, text, title) for key, (title, text) in items.items()])
        self.held |= items
        self.written |= {word for parts in items.values() for part in parts for word in part.split()}


def corpus(folder: str) -> Corpus:
    return Corpus(EmbeddedEngine(Path(folder)), {})


def ids(made: Corpus, query: SearchSpec) -> set[str]:
    return {hit.id for hit in made.engine.search(KEY, query).hits}


def ids_of_matching_items(made: Corpus, pattern: str) -> set[str]:
    """Ids of the items that contain a form of a matching word. A word matches if the pattern fits any form that was
    ever written, or its stem, without accents and case.
    """
    like = re.compile(
        "".join({"*": ".*", "?": "."}.get(one, re.escape(fold_case_and_accents(one))) for one in pattern), re.DOTALL
    )
    truncated = get_analyser("en")
    fit = {
        truncated.term(word)
        for word in made.written
        if like.fullmatch(fold_case_and_accents(word)) or like.fullmatch(truncated.term(word))
    }
    return {key for key, (_, text) in made.held.items() if not fit.isdisjoint(map(truncated.term, text.split()))}


@settings(max_examples=60, deadline=None)
@given(ITEMS, ITEMS, st.lists(st.sampled_from(["i0", "i3", "i5"])), st.lists(PATTERNS, min_size=1, max_size=4))
def test_wildcards_find_what_the_model_finds(
    first: dict[str, tuple[str, str]], second: dict[str, tuple[str, str]], gone: list[str], patterns: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        made = corpus(folder)
        made.write(first)
        for pattern in patterns:
            assert ids(made, SearchSpec(query=Wildcard(pattern))) == ids_of_matching_items(made, pattern)
        made.write(second)
        made.engine.bulk(KEY, deletes=gone)
        made.held = {key: item for key, item in made.held.items() if key not in gone}
        for pattern in patterns:
            found = ids(made, SearchSpec(query=Wildcard(pattern)))
            assert found == ids_of_matching_items(made, pattern)
            assert ids(made, SearchSpec(filter=Wildcard(pattern))) == found
        made.engine.close()


@settings(max_examples=60, deadline=None)
@given(ITEMS, ITEMS, st.lists(PARTS, min_size=1, max_size=4, unique=True), COLUMNS)
def test_weights_are_those_of_fts5(
    first: dict[str, tuple[str, str]], second: dict[str, tuple[str, str]], parts: list[TermSequence], column: str
) -> None:
    """Word by word, in titles and texts, with the text lengths cached before a change."""
    with tempfile.TemporaryDirectory() as folder:
        made, lengths = corpus(folder), VersionedCache(read_lengths)
        for items in (first, second):
            made.write({"always": ("run", "a run")} | items)
            made.engine.patch(KEY, [IndexPatch("always", {"f": ["x"]})])
            expansion = ExpandedTerms(tuple(parts), column)
            with read_transaction(_connection(folder)) as connection:
                index = FacetBitmaps(connection, BitmapCache()).index
                postings = Postings(connection, lengths, index, read_meta(connection, "next_n"))
                _nearly_equal(postings.weighed(expansion), postings.by_fts(expansion.expression))
                assert postings.containing(expansion) == postings.items(expansion.expression)
        made.engine.close()


def _connection(folder: str) -> sqlite3.Connection:
    (path,) = Path(folder).rglob("*.sqlite")
    connection = IndexConnections().connection(path, create=False)
    assert connection is not None
    return connection


def _nearly_equal(one: ScoredMatches, other: ScoredMatches) -> None:
    assert one.items.tolist() == other.items.tolist()
    assert one.scores.tolist() == pytest.approx(other.scores.tolist())


@settings(max_examples=150, deadline=None)
@given(st.lists(QUERIES, min_size=1, max_size=5))
def test_any_query_is_answered(filled: EmbeddedEngine, queries: list[str]) -> None:
    """The parsers never crash, nor does the engine on their output; a filter finds what the query finds."""
    for query in queries:
        trees = [parse_simple(query)]
        with suppress(QuerySyntaxError):
            trees.append(parse_advanced(query))
        for tree in trees:
            found = filled.search(KEY, SearchSpec(query=tree, size=20))
            filtered = filled.search(KEY, SearchSpec(filter=tree, size=20))
            assert {hit.id for hit in found.hits} == {hit.id for hit in filtered.hits}
            assert found.total == filtered.total == len(found.hits)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> EmbeddedEngine:
    engine = EmbeddedEngine(tmp_path_factory.mktemp("index"))
    engine.bulk(KEY, [IndexDoc(f"n{n}", " ".join(SPOKEN[: n + 1]), "a title", facets={"a": ["b"]}) for n in range(13)])
    return engine


def test_a_wildcard_beyond_the_expansion_limit_is_marked_truncated(tmp_path: Path) -> None:
    """The shortest words are tried first: they are nearest to the pattern."""
    engine = EmbeddedEngine(tmp_path)
    key = IndexKey("p", "segments", "xx")
    many = [f"x{number}y" for number in range(10, MAX_EXPANSIONS + 10)]
    engine.bulk(key, [IndexDoc("all", " ".join(many))])
    assert engine.search(key, SearchSpec(query=parse_simple("x*y"))).exact
    engine.bulk(key, [IndexDoc("short", "xy"), IndexDoc("long", "xverylongwordy")])
    found = engine.search(key, SearchSpec(query=parse_simple("x*y")))
    assert not found.exact
    assert {hit.id for hit in found.hits} == {"all", "short"}
    assert engine.search(key, SearchSpec(query=parse_simple("x*wordy"))).exact
    engine.close()


def test_words_with_one_surface_and_several_terms_are_all_found(tmp_path: Path) -> None:
    """Spanish: "ENERGIA" without its accent has another stem than "energía"; both have the surface "energia"."""
    engine = EmbeddedEngine(tmp_path)
    key = IndexKey("p", "segments", "es")
    truncated = get_analyser("es")
    assert truncated.term("ENERGIA") != truncated.term("energía")
    engine.bulk(key, [IndexDoc("accent", "la energía renovable"), IndexDoc("none", "ENERGIA EOLICA")])
    for query in ("ener*a", "energia*", "ener?ía"):
        assert {hit.id for hit in engine.search(key, SearchSpec(query=parse_simple(query))).hits} == {"accent", "none"}
    engine.close()


def test_words_of_replaced_and_deleted_items_are_not_found(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    engine.bulk(KEY, [IndexDoc("one", "unique words"), IndexDoc("two", "other words")])
    engine.bulk(KEY, [IndexDoc("one", "plain words")])
    assert engine.search(KEY, SearchSpec(query=parse_simple("*niqu*"))).total == 0
    engine.bulk(KEY, deletes=["one", "two"])
    assert engine.search(KEY, SearchSpec(query=parse_simple("words | *ord*"))).total == 0
    engine.close()


@pytest.mark.parametrize(
    ("stream", "expected"), [("", []), ("05", [5]), ("817F05", [255, 5]), ("8281007F", [32896, 127])]
)
def test_variable_length_integers_are_decoded(stream: str, expected: list[int]) -> None:
    assert decode_varints(bytes.fromhex(stream)).tolist() == expected


def test_long_texts_are_weighted_by_their_full_length(tmp_path: Path) -> None:
    """Lengths above 127 and 16,383 words take two and three bytes in FTS5's own table."""
    engine = EmbeddedEngine(tmp_path)
    docs = [IndexDoc(f"{size}", "run " * 3 + "a " * size, "b " * 130) for size in (1, 200, 20_000)]
    engine.bulk(KEY, docs)
    with read_transaction(_connection(str(tmp_path))) as connection:
        postings = Postings(connection, VersionedCache(read_lengths), 1, read_meta(connection, "next_n"))
        expansion = ExpandedTerms((TermSequence(("run",)),))
        _nearly_equal(postings.weighed(expansion), postings.by_fts(expansion.expression))
    engine.close()
