"""Several processes on one index: no write is lost, no partial write is visible, a killed writer does no damage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import annotarium
from annotarium.search.embedded import bitmaps, value_columns
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.facet_selections import parse_selections
from annotarium.search.index_and_search_types import FacetSpec, IndexDoc, IndexKey, IndexPatch, SearchSpec, Sort
from annotarium.search.query import parse_advanced, parse_simple

KEY = IndexKey("p", "segments", "en")
COUNT = 60

WRITER = """
import sys
from pathlib import Path
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.index_and_search_types import IndexDoc, IndexKey
engine, key = EmbeddedEngine(Path(sys.argv[1])), IndexKey("p", "segments", "en")
name, count = sys.argv[2], int(sys.argv[3])
start = engine.applied_seq(key) if name == "seq" else 0
for n in range(start, start + count):
    facets = {"who": [name], "all": ["yes"]}
    docs = [IndexDoc(f"{name}-{n}-{k}", f"shared word {name}", facets=facets) for k in range(5)]
    engine.bulk(key, docs, applied_seq=n + 1)
    print(n + 1, flush=True)
"""


def start_writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(Path(annotarium.__file__).parents[1])}
    command = [sys.executable, "-c", WRITER, str(folder), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def run_in_threads(work: Callable[..., None], arguments: Sequence[tuple[Any, ...]]) -> None:
    """Call `work` with each of the arguments at the same time; returns when all calls have ended."""
    threads = [threading.Thread(target=work, args=given) for given in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_processes_write_and_a_third_reads(tmp_path: Path) -> None:
    writers = [start_writer(tmp_path, name, COUNT) for name in ("one", "two")]
    engine = EmbeddedEngine(tmp_path)
    spec = SearchSpec(query=parse_simple("shared"), facets=[FacetSpec("who"), FacetSpec("all")])
    last = 0
    while any(writer.poll() is None for writer in writers):
        hits = engine.search(KEY, spec)
        facets = {facet.name: sum(bucket.doc_count for bucket in facet.buckets) for facet in hits.facets}
        assert hits.total >= last
        assert hits.total % 5 == 0
        assert not hits.total or facets == {"who": hits.total, "all": hits.total}
        last = hits.total
        time.sleep(0.005)
    assert [writer.wait() for writer in writers] == [0, 0]
    for writer in writers:
        assert writer.stdout
        writer.stdout.close()
    assert engine.search(KEY, spec).total == 2 * COUNT * 5
    assert engine.stats(KEY).items == 2 * COUNT * 5
    engine.close()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no kill -9 here")
def test_a_killed_writer_loses_no_confirmed_write(tmp_path: Path) -> None:
    """The stored `applied_seq` states exactly what was applied, so a relay can continue from there."""
    confirmed = 0
    engine = EmbeddedEngine(tmp_path)
    for turn in range(4):
        writer = start_writer(tmp_path, "seq", 100_000)
        assert writer.stdout
        for line in writer.stdout:
            confirmed = int(line)
            if confirmed >= (turn + 1) * 25 + turn:
                break
        writer.send_signal(signal.SIGKILL)
        writer.wait()
        writer.stdout.close()
        applied = engine.applied_seq(KEY)
        assert applied >= confirmed
        hits = engine.search(KEY, SearchSpec(query=parse_simple("shared"), facets=[FacetSpec("who")]))
        assert hits.total == applied * 5
        assert hits.facets[0].buckets[0].doc_count == applied * 5
        engine.patch(KEY, [IndexPatch("seq-0-0", {"turn": [str(turn)]})])
        assert engine.search(KEY, SearchSpec(selections=parse_selections(f"turn:{turn}"))).total == 1
    engine.close()


def test_threads_share_an_engine(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(15):
                name = f"{number}-{turn}"
                engine.bulk(KEY, [IndexDoc(name, "text", facets={"t": [str(number)]}, numbers={"n": turn})])
                mine = SearchSpec(
                    selections=parse_selections(f"t:{number}"), sort=Sort("n", True), facets=[FacetSpec("t")]
                )
                hits = engine.search(KEY, mine)
                assert hits.total == turn + 1
                assert hits.hits[0].id == name
        except BaseException as error:  # noqa: BLE001 - carried to the main thread
            failures.append(error)
        finally:
            engine.close()

    run_in_threads(work, [(number,) for number in range(6)])
    assert not failures
    assert engine.stats(KEY).items == 90
    engine.close()


def test_a_new_file_can_be_opened_by_several_threads_concurrently(tmp_path: Path) -> None:
    """Switching a new file to the write-ahead log needs exclusive access, and SQLite does not wait for that by
    itself."""
    failures: list[BaseException] = []

    def work(engine: EmbeddedEngine, together: threading.Barrier, number: int) -> None:
        together.wait()
        try:
            engine.bulk(KEY, [IndexDoc(str(number), "text")])
        except BaseException as error:  # noqa: BLE001 - carried to the main thread
            failures.append(error)
        finally:
            engine.close()

    for turn in range(40):
        engine, together = EmbeddedEngine(tmp_path / str(turn)), threading.Barrier(8)
        run_in_threads(work, [(engine, together, number) for number in range(8)])
        assert not failures
        assert engine.stats(KEY).items == 8
        engine.close()


def test_another_engine_sees_a_patch_and_a_generation_switch_immediately(tmp_path: Path) -> None:
    writer, reader = EmbeddedEngine(tmp_path), EmbeddedEngine(tmp_path)
    writer.bulk(KEY, [IndexDoc(f"d{n}", "word", facets={"label": ["a"]}, numbers={"n": n}) for n in range(50)])
    facets = [FacetSpec("label")]
    for n in range(20):
        writer.patch(KEY, [IndexPatch(f"d{n}", {"label": ["b"]}, {"n": -n - 1})])
        hits = reader.search(KEY, SearchSpec(facets=facets, sort=Sort("n")))
        assert {bucket.key: bucket.doc_count for bucket in hits.facets[0].buckets} == {"a": 49 - n, "b": n + 1}
        assert hits.hits[0].id == f"d{n}"
        assert reader.search(KEY, SearchSpec(query=parse_advanced("n:<0"))).total == n + 1
    generation = writer.begin_generation(KEY)
    writer.bulk(generation, [IndexDoc("new", "word")])
    writer.switch(generation)
    assert [hit.id for hit in reader.search(KEY, SearchSpec()).hits] == ["new"]
    reader.bulk(KEY, [IndexDoc("more", "word")])
    assert writer.stats(KEY).items == 2
    writer.close()
    reader.close()


def test_columns_are_patched_after_upserts_patches_and_deletes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = EmbeddedEngine(tmp_path)
    engine.bulk(KEY, [IndexDoc(f"d{n}", "", numbers={"n": [n, n + 100]}) for n in range(10)])
    spec = SearchSpec(query=parse_advanced("n:[105 TO 300]"), size=100)
    assert engine.search(KEY, spec).total == 5
    monkeypatch.setattr(value_columns, "_read", _only_new_items(value_columns._read))
    engine.bulk(KEY, [IndexDoc("d0", "", numbers={"n": 200}), IndexDoc("x", "", numbers={"n": 201})], deletes=["d9"])
    assert {hit.id for hit in engine.search(KEY, spec).hits} == {"d5", "d6", "d7", "d8", "d0", "x"}
    engine.patch(KEY, [IndexPatch("d8", numbers={"n": 1}), IndexPatch("x", numbers={"n": ()})])
    assert {hit.id for hit in engine.search(KEY, spec).hits} == {"d5", "d6", "d7", "d0"}
    engine.close()


def _only_new_items(read):  # type: ignore[no-untyped-def]
    def checked(connection, field, ver, start=0):  # type: ignore[no-untyped-def]
        assert start > 0, "the column was read anew"
        return read(connection, field, ver, start)

    return checked


def test_filters_on_a_facet_with_very_many_values_are_exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bitmaps, "MAX_COUNTED_VALUES", 20)
    engine = EmbeddedEngine(tmp_path)
    engine.bulk(KEY, [IndexDoc(f"d{n}", "", facets={"id": [f"v{n % 60}"]}) for n in range(90)])
    assert engine.search(KEY, SearchSpec(selections=parse_selections("id:v59"))).total == 1
    assert engine.search(KEY, SearchSpec(selections=parse_selections("id:v7"))).total == 2
    (facet,) = engine.search(KEY, SearchSpec(facets=[FacetSpec("id", size=100)])).facets
    assert len(facet.buckets) == 20
    assert {bucket.doc_count for bucket in facet.buckets} == {2}
    engine.close()


def test_a_change_succeeds_during_a_long_write_of_another_process(tmp_path: Path) -> None:
    engine = EmbeddedEngine(tmp_path)
    engine.bulk(KEY, [IndexDoc("mine", "text")])
    environment = {**os.environ, "PYTHONPATH": str(Path(annotarium.__file__).parents[1])}
    long_write = WRITER.split("start =")[0] + (
        "print('go', flush=True)\n"
        "engine.bulk(key, (IndexDoc(f'd{n}', 'some words of a text ' * 9) for n in range(30_000)))\n"
    )
    command = [sys.executable, "-c", long_write, str(tmp_path), "long", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as writer:
        assert writer.stdout
        writer.stdout.readline()
        seen = set()
        while writer.poll() is None:
            engine.patch(KEY, [IndexPatch("mine", {"turn": ["x"]})])
            seen.add(engine.stats(KEY).items)
            time.sleep(0.002)
    assert len(seen) >= 5, "changes had to wait for the end of the long write"
    assert engine.stats(KEY).items == 30_001
    engine.close()
