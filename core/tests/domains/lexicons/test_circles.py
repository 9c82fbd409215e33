"""Which relations close a circle."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus
from support.project_archives import upload_archive

from annotarium.domains.lexicons import term_writing
from annotarium.domains.lexicons.circles import Edge, closing_edges

TERMS = st.integers(min_value=1, max_value=12)
EDGES = st.lists(st.tuples(TERMS, TERMS).filter(lambda edge: edge[0] != edge[1]), max_size=40, unique=True)


def is_acyclic(edges: list[tuple[int, int]]) -> bool:
    above: dict[int, set[int]] = {}
    for low, high in edges:
        above.setdefault(low, set()).add(high)
    try:
        list(TopologicalSorter(above).static_order())
    except CycleError:
        return False
    return True


@given(EDGES)
def test_without_them_no_term_is_above_itself(edges: list[tuple[int, int]]) -> None:
    numbered = [(key, low, high) for key, (low, high) in enumerate(edges)]
    cut = closing_edges(numbered, len(numbered))
    assert len(cut) == len(set(cut))
    assert is_acyclic([edge for key, edge in enumerate(edges) if key not in set(cut)])
    assert bool(cut) != is_acyclic(edges)
    for key in cut:  # each of them is in a circle with the relations that stay and itself
        assert not is_acyclic([edge for other, edge in enumerate(edges) if other == key or other not in set(cut)])


def test_a_long_chain_has_none() -> None:
    chain = [(number, number, number + 1) for number in range(5_000)]
    assert closing_edges(chain, len(chain)) == []
    assert closing_edges([*chain, (5_000, 5_000, 0)], 5_001) != []
    assert closing_edges([], 0) == []


def test_memory_of_a_long_chain() -> None:
    """Numbers in arrays: dictionaries took 400 bytes for each relation."""
    count = 100_000
    chain = ((number, number, number + 1) for number in range(count))
    tracemalloc.start()
    try:
        assert closing_edges(chain, count) == []
        assert tracemalloc.get_traced_memory()[1] < 150 * count
    finally:
        tracemalloc.stop()


def test_only_terms_in_the_middle_of_the_tree_are_read(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves and roots, nearly all terms of most vocabularies, are in no circle: the job need not hold them."""
    corpus.post("/lexicons", json={"label": "Tree"})
    broader = {"root": [], "branch": ["root"], "twig": ["branch"]} | {f"leaf{number}": ["twig"] for number in range(20)}
    lines = [f"{name},{name},{''.join(above)}" for name, above in broader.items()]
    counts: list[int] = []

    def count_edges(edges: Iterable[Edge], count: int) -> list[int]:
        counts.append(count)
        assert len(list(edges)) == count
        return []

    monkeypatch.setattr(term_writing, "closing_edges", count_edges)
    data = "\n".join(["identifier,label,broader", *lines]).encode()
    file = upload_archive(corpus.caller, data, "tree.csv")
    corpus.post("/lexicons/tree/_load", json={"files": [{"id": file}]})
    corpus.run_jobs()
    assert counts == [1]
    assert corpus.get("/lexicons/tree", params={"computeMetrics": True})["terms"] == len(broader)
