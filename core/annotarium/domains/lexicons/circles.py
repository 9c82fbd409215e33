"""Finds the relations that close a circle of broader terms."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Edge = tuple[int, int, int]
"""Id of the relation, of the narrower and of the broader term."""
_Numbers = npt.NDArray[np.int64]


def closing_edges(edges: Iterable[Edge], count: int) -> list[int]:
    """Return ids of relations without which no term is above itself; of each circle the one met last on the way up.

    Memory is about 100 bytes per relation. Terms that are in no circle, which are nearly all, are removed first.

    Args:
        count: number of edges at most; further ones are ignored.
    """
    table = _read(edges, count)
    table = _within_circles(table)
    return _back_edges(table) if len(table) else []


def _read(edges: Iterable[Edge], count: int) -> _Numbers:
    table = np.empty((count, 3), dtype=np.int64)
    size = 0
    for edge in edges:
        if size >= count:
            break
        table[size] = edge
        size += 1
    return table[:size]


def _within_circles(table: _Numbers) -> _Numbers:
    """Remove relations from terms without narrower ones, and to terms without broader ones, until none is left."""
    while len(table):
        inner = np.isin(table[:, 1], table[:, 2]) & np.isin(table[:, 2], table[:, 1])
        if inner.all():
            return table
        fewer = table[inner]
        if len(fewer) > 0.99 * len(table):  # a long chain: one by one, in linear time
            return _peeled(fewer)
        table = fewer
    return table


def _peeled(table: _Numbers) -> _Numbers:
    """The same as `_within_circles` for the upward direction, in linear time. Terms are numbers from 0 in arrays."""
    terms = np.unique(table[:, 1:])
    low = np.searchsorted(terms, table[:, 1]).astype(np.int32)
    high = np.searchsorted(terms, table[:, 2]).astype(np.int32)
    below_count = np.bincount(high, minlength=len(terms)).astype(np.int32)
    upward = np.argsort(low, kind="stable").astype(np.int32)  # relations ordered by their narrower term
    first = np.searchsorted(low[upward], np.arange(len(terms) + 1)).astype(np.int32)
    free = array("i", np.flatnonzero(below_count == 0).astype(np.int32).tobytes())
    gone = np.zeros(len(terms), dtype=np.bool_)
    while free:
        term = free.pop()
        gone[term] = True
        for number in upward[first[term] : first[term + 1]]:
            above = high[number]
            below_count[above] -= 1
            if not below_count[above]:
                free.append(int(above))
    return table[~gone[low]]


def _back_edges(table: _Numbers) -> list[int]:
    """Walk up from every term, depth first; an edge to a term on the current path closes a circle."""
    above: dict[int, list[tuple[int, int]]] = {}
    for key, low, high in table.tolist():
        above.setdefault(low, []).append((key, high))
    found: list[int] = []
    state: dict[int, bool] = {}  # True: on the path, False: done
    for start in above:
        if start in state:
            continue
        state[start] = True
        path = [(start, iter(above[start]))]
        while path:
            term, left = path[-1]
            edge = next(left, None)
            if edge is None:
                state[term] = False
                path.pop()
            elif edge[1] not in state:
                state[edge[1]] = True
                path.append((edge[1], iter(above.get(edge[1], ()))))
            elif state[edge[1]]:
                found.append(edge[0])
    return found
