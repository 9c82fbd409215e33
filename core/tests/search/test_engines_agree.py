"""Both engines find, count and page the same for random items, changes and queries."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.search_engines import ENGINES, delete_indexes

from annotarium.search.engine import SearchEngine
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import (
    FacetSpec,
    IndexDoc,
    IndexKey,
    IndexPatch,
    SearchHits,
    SearchSpec,
    Sort,
)
from annotarium.search.query import Node, parse_advanced, parse_simple
from annotarium.search.text_analysis import fold_case_and_accents

KEY = IndexKey("project", "documents", "en")
NOW = 1_795_000_000_000.0
# One inflected form per stem: with several, the wildcards of the embedded engine find more.
WORDS = "running cats École naïve quick brown fox O'Neill 東京都 ไทย re-run x9 👍🏽 👍 ok❤️ über tested the of".split()  # noqa: SIM905
NAMES = ["label", "label(ann.b)", "metadata.a.b (c)", "metadata.größe", "status", "'; --\"\\"]
VALUES = ["one", "One", "two words", "zwölf, dreizehn", "a*b?", "\\", "0", "x" * 300]


def text(draw: random.Random, most: int) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(draw.randrange(most)))


def some_facets(draw: random.Random) -> dict[str, list[str]]:
    return {name: draw.sample(VALUES, draw.randrange(3)) for name in draw.sample(NAMES, draw.randrange(1, 4))}


def some_doc(draw: random.Random, number: int) -> IndexDoc:
    numbers: dict[str, Any] = {"n": draw.randrange(12), "several": [draw.randrange(5), draw.randrange(5)]}
    dates = {"createdDate": NOW - draw.randrange(40) * 86_400_000.0}
    vector = {"v": [draw.uniform(-1, 1) for _ in range(4)]}
    return IndexDoc(
        f"{number}",
        text(draw, 14),
        text(draw, 4),
        facets=some_facets(draw),
        numbers=dict(draw.sample(sorted(numbers.items()), draw.randrange(3))),
        dates=dates if draw.random() < 0.8 else {},
        vectors=vector if draw.random() < 0.7 else {},
    )


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[SearchEngine]]:
    """Two engines after the same random changes."""
    folder: Path = tmp_path_factory.mktemp("both")
    engines = [ENGINES["opensearch"](folder / "o"), ENGINES["embedded"](folder / "e")]
    draw = random.Random(7)
    docs = [some_doc(draw, number) for number in range(240)]
    patches = []
    for number in draw.sample(range(240), 60):
        dates = {"createdDate": NOW - 5} if draw.random() < 0.3 else {}
        patches.append(IndexPatch(f"{number}", some_facets(draw), {"n": [3]}, dates, complete=draw.random() < 0.5))
    replaced = [some_doc(draw, number) for number in draw.sample(range(240), 20)]
    for engine in engines:
        engine.bulk(KEY, docs)
        engine.patch(KEY, patches)
        engine.bulk(KEY, replaced, deletes=["5", "77"])
        engine.bulk(KEY, delete_matching=[FacetSelection("status", "a*b?")])
    yield engines
    for engine in engines:
        delete_indexes(engine)
        engine.close()


def atom(draw: random.Random) -> str:
    word = draw.choice(WORDS)
    kind = draw.randrange(12)
    if kind < 3:
        return word
    if kind == 3:
        return f'"{word} {draw.choice(WORDS)}"'
    if kind == 4:
        return f"{word[: draw.randrange(1, 4)]}*"
    if kind == 5:
        return draw.choice(["?at*", "*own", "qu?ck", "t?st*", "..."])
    if kind == 6:
        return f"title:{word}"
    if kind == 7:
        return draw.choice(["label:one", "label:*", "metadata.größe:[a TO p]", "label:o*", "n:[2 TO 7}", "several:>3"])
    if kind == 8:
        return draw.choice(
            [
                f"{fold_case_and_accents(word) or word}~1",
                f"{word}~0".replace("'", ""),
                "qiuck~1",
                "broken~2",
                "identifier:12~1",
            ]
        )
    if kind == 9:
        return draw.choice(["/qu.*k/", "/[a-f]+s?/", "/~(.*e.*)/", "/.*o.*&.*n/", "title:/b.*/", "/x<1-20>/", "/東./"])
    if kind == 10:
        return draw.choice(
            ["_exists_:label", "label:/[a-p].e/", "label:tow\\ words~1", "identifier:/1[0-4]+/", "_exists_:n"]
        )
    return draw.choice(['"quick brown"~3', "createdDate:[* TO now]", "n:*", "identifier:1?", "status:a\\*b\\?"])


def question(draw: random.Random, depth: int = 2) -> str:
    if depth == 0 or draw.random() < 0.3:
        return atom(draw)
    left, right = question(draw, depth - 1), question(draw, depth - 1)
    return draw.choice(["({} AND {})", "({} OR {})", "({} AND NOT {})", "(+{} {})", "{} {}"]).format(left, right)


def selections(draw: random.Random) -> list[FacetSelection]:
    found = [
        FacetSelection(draw.choice(NAMES), draw.choice(VALUES), draw.choice(["", "", "+", "-"]))  # type: ignore[arg-type]
        for _ in range(draw.choice([0, 0, 0, 1, 1, 2]))
    ]
    if draw.random() < 0.2:
        found.append(
            FacetSelection("createdDate", draw.choice(["this_month", "just_now", "more_than_a_year_ago"]), "+")
        )
    return found


def spec_of(draw: random.Random) -> tuple[str, SearchSpec]:
    asked = draw.choice(["", question(draw), question(draw)])
    node: Node = parse_simple(asked) if draw.random() < 0.3 else parse_advanced(asked)
    kind = draw.choice(["text", "text", "text", "vector", "hybrid"])
    facets = [FacetSpec(name, size=draw.choice([1, 3, 50])) for name in NAMES]
    facets += [FacetSpec("createdDate", "dates"), FacetSpec("n", "counts"), FacetSpec("label", find="O")]
    return asked, SearchSpec(
        query=node,
        filter=parse_advanced(draw.choice(["", "", "quick", "NOT label:one"])),
        selections=selections(draw),
        scope=draw.choice([[], [], [], [FacetSelection("label", "one"), FacetSelection("label", "One")]]),
        invert=draw.random() < 0.15,
        facets=facets,
        size=1_000,
        search_type=kind,  # type: ignore[arg-type]
        vector=[draw.uniform(-1, 1) for _ in range(4)] if kind != "text" else None,
        vectorizer="v",
        window=draw.choice([5, 100]),
        default_fields=draw.choice([("text",), ("text", "title")]),
        now_ms=NOW,
    )


def comparable(hits: SearchHits) -> Any:
    facets = [
        (facet.name, [(b.key, b.doc_count) for b in facet.buckets], facet.sum_other_doc_count) for facet in hits.facets
    ]
    return hits.total, sorted(hit.id for hit in hits.hits), facets


@pytest.mark.parametrize("seed", range(150))
def test_both_engines_find_and_count_the_same(both: list[SearchEngine], seed: int) -> None:
    asked, spec = spec_of(random.Random(seed))
    first, second = (engine.search(KEY, spec) for engine in both)
    assert comparable(first) == comparable(second), f"{asked} {spec}"
    if spec.search_type == "vector" and not spec.invert:
        assert [hit.id for hit in first.hits] == [hit.id for hit in second.hits]
        assert [hit.score for hit in first.hits] == pytest.approx([hit.score for hit in second.hits], abs=1e-5)
    if spec.search_type == "text":
        scans = [sorted(engine.scan_ids(KEY, spec)) for engine in both]
        assert scans[0] == scans[1]


def test_both_engines_report_the_same_names_and_sizes(both: list[SearchEngine]) -> None:
    first, second = both
    assert first.facet_names(KEY) == second.facet_names(KEY)
    for name in first.facet_names(KEY):
        assert first.terms(KEY, name, "", 50) == second.terms(KEY, name, "", 50)
        assert first.terms(KEY, name, "O", 2) == second.terms(KEY, name, "O", 2)
    one, other = first.stats(KEY), second.stats(KEY)
    assert (one.items, one.vectors) == (other.items, other.vectors)
    assert sorted(first.vector_gaps(KEY, "v")) == sorted(second.vector_gaps(KEY, "v"))


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("field", ["n", "several", "createdDate", "metadata.a.b (c)", "metadata.größe"])
def test_both_engines_sort_by_the_same_values(both: list[SearchEngine], field: str, descending: bool) -> None:
    spec = SearchSpec(sort=Sort(field, descending), size=1_000, query=parse_simple("quick"))
    pages = [[hit.id for hit in engine.search(KEY, spec).hits] for engine in both]
    assert pages[0] == pages[1]
    assert len(pages[0]) > 20


def test_hybrid_ranks_combine_the_two_lists(both: list[SearchEngine]) -> None:
    vector = [0.3, -0.2, 0.9, 0.1]
    spec = SearchSpec(query=parse_simple("quick fox"), search_type="hybrid", vector=vector, vectorizer="v", size=60)
    for engine in both:
        hits = engine.search(KEY, spec).hits
        for hit in hits:
            ranks = [rank for rank in (hit.text_rank, hit.vector_rank) if rank]
            assert hit.score == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
        pages = [engine.search(KEY, SearchSpec(**_fields(spec, start))).hits for start in range(0, 60, 15)]
        assert [hit.id for page in pages for hit in page] == [hit.id for hit in hits]


def _fields(spec: SearchSpec, start: int) -> dict[str, Any]:
    return {name: getattr(spec, name) for name in spec.__dataclass_fields__} | {"from_": start, "size": 15}
