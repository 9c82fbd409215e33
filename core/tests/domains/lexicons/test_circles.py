"""Which relations close a circle."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from hypothesis import given
from hypothesis import strategies as st

from annotarium.domains.lexicons.circles import closing_edges

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
