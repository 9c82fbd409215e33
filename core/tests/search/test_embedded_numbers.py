"""Numbers and dates of items: stored in blocks, moved out of them, and read as columns that are patched or read
again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.search_items import search

from annotarium.search.embedded.bitmaps import array_to_bitmap
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.embedded.index_database import IndexConnections
from annotarium.search.embedded.number_storage import BLOCK_FROM
from annotarium.search.embedded.value_columns import ValueColumn
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, IndexPatch, Sort

KEY = IndexKey("project", "segments", "en")
_ITEMS = 3 * BLOCK_FROM
_NUMBERS = st.lists(st.integers(0, 9).map(float), max_size=2)
_PLACES = st.integers(0, _ITEMS - 1)
_CHANGES = st.one_of(
    st.tuples(st.just("batch"), st.integers(0, _ITEMS // 2), st.lists(_NUMBERS, min_size=8, max_size=8)),
    st.tuples(st.just("one"), _PLACES, _NUMBERS),
    st.tuples(st.just("patch"), _PLACES, _NUMBERS),
    st.tuples(st.just("delete"), _PLACES, st.none()),
)


@contextmanager
def _engine() -> Iterator[EmbeddedEngine]:
    with TemporaryDirectory() as folder:
        made = EmbeddedEngine(Path(folder))
        yield made
        made.close()


@settings(max_examples=60, deadline=None)
@given(st.lists(_CHANGES, min_size=1, max_size=8))
def test_ranges_and_orders_follow_every_change(changes: list[tuple[str, int, object]]) -> None:
    """An engine that keeps columns in memory and one that reads them again find what a plain dictionary contains."""
    expected: dict[str, list[float]] = {}
    with _engine() as engine:
        for what, place, values in changes:
            _change(engine, expected, what, place, values)
            fresh = EmbeddedEngine(engine._folder)
            for one in (engine, fresh):
                for number in (0, 4, 9):
                    _check(one, expected, number)
            fresh.close()


def _change(engine: EmbeddedEngine, expected: dict[str, list[float]], what: str, place: int, values: object) -> None:
    if what == "batch":
        assert isinstance(values, list)
        batch = {f"i{place + at}": values[at % 8] for at in range(_ITEMS // 2)}
        engine.bulk(KEY, [IndexDoc(key, "word", numbers={"terms": numbers}) for key, numbers in batch.items()])
        expected |= batch
    elif what == "one":
        assert isinstance(values, list)
        engine.bulk(KEY, [IndexDoc(f"i{place}", "word", numbers={"terms": values})])
        expected[f"i{place}"] = values
    elif what == "patch":
        assert isinstance(values, list)
        engine.patch(
            KEY, [IndexPatch(f"i{place}", numbers={"terms": [1.0]}), IndexPatch(f"i{place}", numbers={"terms": values})]
        )
        if f"i{place}" in expected:
            expected[f"i{place}"] = values
    else:
        engine.bulk(KEY, deletes=[f"i{place}"])
        expected.pop(f"i{place}", None)


def _check(engine: EmbeddedEngine, expected: dict[str, list[float]], number: int) -> None:
    order = Sort("terms", descending=True)
    found = [
        hit.id for hit in search(engine, KEY, f"terms:[{number} TO 9]", simple=False, sort=order, size=_ITEMS * 2).hits
    ]
    within = {key: max(values) for key, values in expected.items() if any(number <= one <= 9 for one in values)}
    assert sorted(found) == sorted(within)
    assert [within[key] for key in found] == sorted(within.values(), reverse=True)


def test_an_index_of_a_version_without_blocks_and_positions_still_works(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    engine.bulk(KEY, [IndexDoc("a", "word sword", numbers={"terms": 3})])
    engine.close()
    (path,) = tmp_path.rglob("*.sqlite")
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE block; DROP TABLE moved; DROP TABLE inst;")
    connection.close()
    later = EmbeddedEngine(tmp_path)
    many = [IndexDoc(f"b{number}", "word", numbers={"terms": number}) for number in range(2 * BLOCK_FROM)]
    assert [hit.id for hit in search(later, KEY, "terms:3", simple=False).hits] == ["a"]
    assert [hit.id for hit in search(later, KEY, "s*rd").hits] == ["a"]
    later.bulk(KEY, many)
    assert sorted(hit.id for hit in search(later, KEY, "terms:3", simple=False).hits) == ["a", "b3"]
    later.close()


def test_values_of_a_batch_are_stored_in_blocks(tmp_path: Path) -> None:
    """A batch is stored as one row per field, not one per value; rows per value took a third of the indexing time."""
    engine = EmbeddedEngine(tmp_path)
    engine.bulk(KEY, [IndexDoc(f"i{number}", "word", numbers={"terms": number}) for number in range(500)])
    (path,) = tmp_path.rglob("*.sqlite")
    connection = IndexConnections().connection(path, create=False)
    assert connection is not None
    assert connection.execute("SELECT count(*) FROM num").fetchone() == (0,)
    assert connection.execute("SELECT count(*) FROM block").fetchone() == (1,)
    connection.close()
    engine.close()


_ENDS = st.one_of(st.none(), st.integers(0, 9).map(float))


@given(
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 9)), max_size=15),
    st.sets(st.integers(0, 14)),
    st.lists(st.tuples(_ENDS, _ENDS), max_size=4),
)
def test_range_counts_equal_the_sizes_of_their_result_sets(
    held: list[tuple[int, int]], chosen: set[int], ranges: list[tuple[float | None, float | None]]
) -> None:
    """Covers items with several values, items without one, and items that are added after the column was read."""
    items = np.array([item for item, _ in held], np.uint32)
    column = ValueColumn(1, 12, items, np.array([value for _, value in held], np.float64))
    wanted = np.array(sorted(chosen), np.uint32)
    by_sets = [array_to_bitmap(wanted).intersection_cardinality(column.between(ends)) for ends in ranges]
    assert column.counts(wanted, ranges) == by_sets
