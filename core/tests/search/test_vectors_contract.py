"""Vectors, fusion and similarity: what every engine must do."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.engine import SearchEngine
from annotarium.search.fusion import fuse
from annotarium.search.highlight import Highlighter
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, IndexPatch, SearchSpec
from annotarium.search.query import parse_simple
from annotarium.search.text_analysis import is_unspaced_sentence

WORDS = {"a": "apple pear plum", "b": "apple pear", "c": "apple", "d": "melon"}


def fill(engine: SearchEngine, key: IndexKey) -> None:
    engine.bulk(key, [IndexDoc(one, text, f"Title of {one}") for one, text in WORDS.items()])


def test_gaps_are_items_without_a_vector(engine: SearchEngine, key: IndexKey) -> None:
    assert list(engine.vector_gaps(key, "v")) == []
    fill(engine, key)
    assert set(engine.vector_gaps(key, "v")) == set(WORDS)
    engine.patch(
        key, [IndexPatch("a", vectors={"v": [1.0, 0.0]}), IndexPatch("b", vectors={"v": [0.0, 1.0], "w": [1.0]})]
    )
    assert set(engine.vector_gaps(key, "v", thorough=True)) == {"c", "d"}
    engine.bulk(key, [IndexDoc("a", "written anew")])
    assert set(engine.vector_gaps(key, "v")) == {"a", "c", "d"}
    engine.bulk(key, deletes=["a", "c"])
    assert set(engine.vector_gaps(key, "v")) == {"d"}


def test_vectors_of_other_vectorizers_are_removed(engine: SearchEngine, key: IndexKey) -> None:
    fill(engine, key)
    engine.patch(
        key, [IndexPatch(one, vectors={"old@1": [1.0, place], "new@2": [1.0]}) for place, one in enumerate("abcd")]
    )
    engine.keep_vectors(key, {"new@2"})
    assert set(engine.vector_gaps(key, "old@1")) == set(WORDS)
    assert set(engine.vector_gaps(key, "new@2", thorough=True)) == set()
    assert {name: count for name, count in engine.stats(key).vectors.items() if count} == {"new@2": 4}
    old = SearchSpec(search_type="vector", vector=[1.0, 0.0], vectorizer="old@1")
    assert engine.search(key, old).total == 0
    engine.patch(key, [IndexPatch("b", vectors={"old@1": [0.0, 1.0, 0.0]})])  # another length than before
    assert set(engine.vector_gaps(key, "old@1")) == {"a", "c", "d"}


def test_a_vector_that_was_lost_on_disk_is_a_gap(tmp_path: Path, key: IndexKey) -> None:
    engine = EmbeddedEngine(tmp_path)
    fill(engine, key)
    engine.patch(key, [IndexPatch(one, vectors={"v": [1.0, 2.0]}) for one in WORDS])
    (file,) = tmp_path.rglob("*.f32")
    content = bytearray(file.read_bytes())
    content[2 * 8 : 3 * 8] = bytes(8)  # the row of the second item is zero, as after a crash of the machine
    file.write_bytes(content)
    assert set(engine.vector_gaps(key, "v")) == set()
    assert set(engine.vector_gaps(key, "v", thorough=True)) == {"b"}
    file.unlink()
    assert set(engine.vector_gaps(key, "v", thorough=True)) == set(WORDS)


def test_equal_scores_of_a_hybrid_search_keep_the_order_of_the_text(engine: SearchEngine, key: IndexKey) -> None:
    """C-036: two hits, each first in one list and second in the other."""
    engine.bulk(key, [IndexDoc("z", "plum"), IndexDoc("y", "plum plum plum plum and much else besides it all")])
    engine.patch(key, [IndexPatch("y", vectors={"v": [1.0, 0.0]}), IndexPatch("z", vectors={"v": [1.0, 0.2]})])
    by_text = [hit.id for hit in engine.search(key, SearchSpec(query=parse_simple("plum"))).hits]
    nearest = [1.0, 0.0] if by_text == ["z", "y"] else [1.0, 0.2]
    spec = SearchSpec(query=parse_simple("plum"), search_type="hybrid", vector=nearest, vectorizer="v")
    hits = engine.search(key, spec).hits
    assert hits[0].score == pytest.approx(hits[1].score)
    assert [hit.id for hit in hits] == by_text


@pytest.mark.parametrize("weight", [0.0, 0.3, 1.0])
def test_vector_weight_scales_the_vector_rank(engine: SearchEngine, key: IndexKey, weight: float) -> None:
    """C-036, in both engines: 1 / (60 + rank) for the text rank, and weight / (60 + rank) for the vector rank."""
    fill(engine, key)
    engine.patch(key, [IndexPatch(one, vectors={"v": [1.0, place / 4]}) for place, one in enumerate("dcba")])
    query = parse_simple("apple pear")
    text = [hit.id for hit in engine.search(key, SearchSpec(query=query)).hits]
    spec = SearchSpec(query=query, search_type="hybrid", vector=[1.0, 0.0], vectorizer="v", vector_weight=weight)
    found = engine.search(key, spec)
    expected = fuse([text, list("dcba")], weights=(1.0, weight))
    assert [hit.id for hit in found.hits] == [one for one, _ in expected]
    assert [hit.score for hit in found.hits] == pytest.approx([score for _, score in expected])
    assert found.total == 4
    if weight == 0:
        assert [hit.id for hit in found.hits] == [*text, "d"]  # hits of the vectors only come last


def test_similarity_uses_the_given_fields(engine: SearchEngine, key: IndexKey) -> None:
    """S-025: `fields=text`."""
    engine.bulk(
        key,
        [
            IndexDoc("1", "iron gold", "Metals"),
            IndexDoc("2", "iron ore", "Mines"),
            IndexDoc("3", "brass horn", "Metals"),
            IndexDoc("4", "quiet", "Silence"),
        ],
    )

    def like(*fields: str) -> set[str]:
        return {hit.id for hit in engine.similar(key, "1", SearchSpec(default_fields=fields)).hits}

    assert like("text") == {"2"}
    assert like("title") == {"3"}
    assert like("title", "text") == {"2", "3"}


def test_a_query_without_spaces_finds_texts_that_share_its_words(engine: SearchEngine) -> None:
    key = IndexKey("project", "documents", "zh")
    engine.bulk(key, [IndexDoc("1", "黑豹队的防守只丢了308分。"), IndexDoc("2", "今天天气很好。")])
    question = parse_simple("黑豹队的防守一共丢了多少分数")
    assert [hit.id for hit in engine.search(key, SearchSpec(query=question)).hits] == ["1"]
    assert Highlighter("zh", question).spans("黑豹队的防守")
    assert engine.search(key, SearchSpec(query=parse_simple("防守队"))).total == 0  # the word is not split
    assert engine.search(key, SearchSpec(query=parse_simple('"黑豹队的防守一共丢了多少分数"'))).total == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [("东京都", False), ("中华人民共和国", True), ("コミュニケーション", False), ("international", False), ("", False)],
)
def test_what_counts_as_a_sentence(text: str, expected: bool) -> None:
    assert is_unspaced_sentence(text) is expected


@settings(max_examples=40, deadline=None)
@given(st.permutations("abcdefgh"), st.permutations("abcdefgh"), st.integers(1, 8), st.integers(0, 8))
def test_the_engine_fuses_ranks_like_fuse(
    tmp_path_factory: pytest.TempPathFactory, by_text: list[str], by_vector: list[str], window: int, start: int
) -> None:
    engine = EmbeddedEngine(tmp_path_factory.mktemp("fusion"))
    key = IndexKey("project", "segments", "en")
    angles = np.linspace(0, 1, 8)
    engine.bulk(
        key,
        [
            IndexDoc(
                one,
                " ".join(
                    itertools.chain(["plum"] * (9 - by_text.index(one)), ["stone"] * (2 * by_text.index(one) + 1))
                ),
                vectors={"v": [np.cos(angles[by_vector.index(one)]), np.sin(angles[by_vector.index(one)])]},
            )
            for one in "abcdefgh"
        ],
    )
    text = [hit.id for hit in engine.search(key, SearchSpec(query=parse_simple("plum"))).hits]
    spec = SearchSpec(
        query=parse_simple("plum"), search_type="hybrid", vector=[1.0, 0.0], vectorizer="v", window=window, from_=start
    )
    found = engine.search(key, spec)
    expected = fuse([text, by_vector[:window]])
    assert [hit.id for hit in found.hits] == [one for one, _ in expected][start:]
    assert [hit.score for hit in found.hits] == pytest.approx([score for _, score in expected][start:])
    assert found.total == 8
