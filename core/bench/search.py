"""Benchmark of the embedded search engine on synthetic documents.

    nice python core/bench/search.py [documents ...]   (2,500, 25,000 and 125,000: 20k, 200k and a million segments)

Documents of about 1 kB (160 words, Zipf over 60,000) in 8 sentences, with facets, numbers and dates in both indexes and
vectors of 256 numbers on segments. Prints bulk rates (one process), then p50/p95 in milliseconds of processor time of
searches and of a label change until it is found, private memory of the process (the system can reclaim that of mapped
files) and size on disk; with several sizes, a table of how each figure grows.
"""

from __future__ import annotations

import gc
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.facet_selections import parse_selections
from annotarium.search.index_and_search_types import FacetSpec, IndexDoc, IndexKey, IndexPatch, SearchSpec, Sort
from annotarium.search.query import Node, parse_simple
from annotarium.search.text_analysis import get_analyser

SENTENCES, WORDS, VOCABULARY, DIMENSION = 8, 20, 60_000, 256
DOCUMENTS = IndexKey("bench", "documents", "en")
SEGMENTS = IndexKey("bench", "segments", "en")
FACETS = [FacetSpec(name) for name in ("label", "metadata.source", "metadata.country", "createdBy", "inDataset")]

Corpus = Iterator[tuple[str, str, list[tuple[int, int]]]]
"""(id, text, sentence spans) of each document."""
_DRAWN = 500
_ENOUGH_CALLS, _ENOUGH_SECONDS = 20, 15.0
"""A measurement ends after this many calls and this much processor time."""


def make_vocabulary() -> list[str]:
    """Return the words of all texts, from frequent to rare."""
    source = random.Random(7)
    letters = "aaabcdeeefghiiijklmnooopqrstuuvwxyz"
    words = {"".join(source.choices(letters, k=source.randint(2, 9))) for _ in range(VOCABULARY)}
    return sorted(words, key=lambda word: (len(word), word))


def make_corpus(count: int, words: list[str]) -> Corpus:
    """Yield documents one by one; none is stored, so that the measured memory is that of the engine."""
    weights = 1 / np.arange(1, len(words) + 1)
    weights /= weights.sum()
    source = np.random.default_rng(7)
    for begin in range(0, count, _DRAWN):
        drawn = source.choice(len(words), (min(_DRAWN, count - begin), SENTENCES, WORDS), p=weights)
        for number, document in enumerate(drawn, begin):
            spans, parts, position = [], [], 0
            for sentence in document:
                text = " ".join(words[word] for word in sentence).capitalize() + ". "
                spans.append((position, position + len(text)))
                parts.append(text)
                position += len(text)
            yield f"{number:024x}", "".join(parts), spans


def facets_of(number: int, source: random.Random) -> dict[str, list[str]]:
    """Return the facets of one item."""
    return {
        "label": [f"label{source.randrange(30)}" for _ in range(number % 4)],
        "metadata.source": [f"source{source.randrange(20)}"],
        "metadata.country": [f"country{source.randrange(50)}"],
        "createdBy": [f"user{source.randrange(5)}"],
        "inDataset": ["true" if number % 3 else "false"],
    }


def make_index_docs(corpus: Corpus, batch: int) -> Iterator[tuple[list[IndexDoc], list[IndexDoc]]]:
    """Yield documents and their segments in batches; each text is tokenized once."""
    cutter, source = get_analyser("en"), random.Random(3)
    documents: list[IndexDoc] = []
    segments: list[IndexDoc] = []
    for number, (key, text, spans) in enumerate(corpus):
        tokens = cutter.tokens(text)
        facets = facets_of(number, source)
        dates = {"createdDate": 1.6e12 + number * 1e6}
        documents.append(IndexDoc(key, text, f"Title {number}", tokens, facets, {}, dates))
        for place, (start, end) in enumerate(spans):
            part = tokens.part(start, end)
            own = {**facets, "documentIdentifier": [key]} if place else {"documentIdentifier": [key]}
            segments.append(IndexDoc(f"{key}-{place:04d}", text[start:end], "", part, own, {"start": start}, dates))
        if len(documents) == batch:
            yield documents, segments
            documents, segments = [], []
    if documents:
        yield documents, segments


Figures = dict[str, float]


def timed(figures: Figures, name: str, calls: int, call: Callable[[int], object]) -> None:
    """Print p50 and p95 of a call in processor time, because other processes use the machine."""
    call(0)
    times = []
    for number in range(calls):
        start = time.process_time()
        call(number)
        times.append((time.process_time() - start) * 1000)
        if number >= _ENOUGH_CALLS and sum(times) > _ENOUGH_SECONDS * 1000:
            break
    figures[name] = statistics.quantiles(times, n=20)[-1]
    print(f"{name:50s} p50 {statistics.median(times):7.2f} ms   p95 {figures[name]:7.2f} ms", flush=True)


def make_clustered_vectors(count: int, seed: int) -> np.ndarray:
    """Return unit vectors around a hundred centres."""
    source = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((100, DIMENSION), dtype=np.float32)
    rows = centres[source.integers(0, 100, count)] + source.standard_normal((count, DIMENSION), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def add_vectors(engine: EmbeddedEngine, count: int) -> float:
    """Give every segment a vector, as the job does; returns segments per second of processor time."""
    started = time.process_time()
    for begin in range(0, count, 100):
        numbers = range(begin, min(begin + 100, count))
        rows = make_clustered_vectors(len(numbers) * SENTENCES, begin)
        ids = [f"{number:024x}-{place:04d}" for number in numbers for place in range(SENTENCES)]
        engine.patch(SEGMENTS, [IndexPatch(one, vectors={"v": row}) for one, row in zip(ids, rows, strict=True)])
    return count * SENTENCES / (time.process_time() - started)


def vector_searches(engine: EmbeddedEngine, figures: Figures, queries: list[Node]) -> None:
    """Measure vector searches, filtered and not, hybrid and similarity searches."""
    rows = make_clustered_vectors(200, 99)
    vector = SearchSpec(search_type="vector", vectorizer="v")
    for name, chosen in (("", ""), (", of 11 %", "+label:label1"), (", of 2 %", "+metadata.country:country7")):
        base = replace(vector, selections=parse_selections(chosen))
        timed(
            figures,
            f"segments: nearest{name}",
            60,
            lambda n, base=base: engine.search(SEGMENTS, replace(base, vector=rows[n])),
        )
    hybrid = replace(vector, search_type="hybrid", facets=FACETS)
    timed(
        figures,
        "segments: hybrid + 5 facets",
        100,
        lambda n: engine.search(SEGMENTS, replace(hybrid, query=queries[n % 7], vector=rows[n])),
    )
    like = SearchSpec(size=10)
    timed(figures, "segments: similar by words", 60, lambda n: engine.similar(SEGMENTS, f"{n * 7:024x}-0003", like))


def fill(engine: EmbeddedEngine, figures: Figures, count: int, words: list[str]) -> None:
    """Index all documents."""
    spent = 0.0
    for documents, segments in make_index_docs(make_corpus(count, words), 500):
        started = time.process_time()
        engine.bulk(DOCUMENTS, documents)
        engine.bulk(SEGMENTS, segments)
        spent += time.process_time() - started
    figures["bulk: ms a document with its segments"] = spent / count * 1000
    figures["vectors: ms for 8 segments"] = SENTENCES * 1000 / add_vectors(engine, count)
    sizes = [engine.stats(key).bytes / 2**20 for key in (DOCUMENTS, SEGMENTS)]
    figures["size of the indexes: MB"] = sum(sizes)
    for name in list(figures):
        print(f"{name:50s} {figures[name]:11.2f}", flush=True)


def measure_corpus_size(count: int) -> Figures:
    """Index, search and patch; returns the 95th percentiles."""
    words = make_vocabulary()
    figures: Figures = {}
    print(f"--- {count * SENTENCES:,} segments of {count:,} documents")
    with tempfile.TemporaryDirectory() as folder:
        engine = EmbeddedEngine(Path(folder))
        fill(engine, figures, count, words)
        figures["memory when all is indexed: MB"] = _own_memory()
        engine.close()
        gc.collect()
        engine = EmbeddedEngine(Path(folder))
        queries = [parse_simple(words[rank]) for rank in (20, 200, 900, 2000, 5000)]
        queries += [parse_simple(f"+{words[30]} +{words[60]} {words[400]}"), parse_simple(f'"{words[3]} {words[5]}"')]
        full_text_searches(engine, figures, queries)
        for name, query in (
            ("prefix", "aa*"),
            ("wildcard", "*aa*b"),
            ("inner wildcard", "a*b"),
            ("phrase", f'"{words[30]} {words[20]}"'),
        ):
            node = parse_simple(query)
            timed(
                figures,
                f"segments: {name}",
                40,
                lambda _, node=node: engine.search(SEGMENTS, SearchSpec(query=node)),
            )
        vector_searches(engine, figures, queries)
        measure_label_changes(engine, EmbeddedEngine(Path(folder)), figures, count)
        figures["memory at the end: MB"] = _own_memory()
    print(f"{'memory at the end: MB':50s} {figures['memory at the end: MB']:11.2f}", flush=True)
    return figures


def full_text_searches(engine: EmbeddedEngine, figures: Figures, queries: list[Node]) -> None:
    """Measure full-text searches, with and without facets."""
    selections = parse_selections("-metadata.source:source3")
    for key in (DOCUMENTS, SEGMENTS):
        timed(
            figures,
            f"{key.kind}: query",
            200,
            lambda n, key=key: engine.search(key, SearchSpec(query=queries[n % 7])),
        )
        for name, chosen in (("query", queries), ("all", [SearchSpec().query])):
            spec = SearchSpec(selections=selections, facets=FACETS)
            timed(
                figures,
                f"{key.kind}: {name} + 5 facets, 1 excluded",
                200,
                lambda n, key=key, chosen=chosen, spec=spec: engine.search(
                    key, replace(spec, query=chosen[n % len(chosen)])
                ),
            )
    newest = SearchSpec(sort=Sort("createdDate", descending=True), facets=FACETS)
    timed(figures, "segments: all by date + 5 facets", 60, lambda _: engine.search(SEGMENTS, newest))


def measure_label_changes(engine: EmbeddedEngine, other: EmbeddedEngine, figures: Figures, count: int) -> None:
    """Change a label of one segment and measure until another engine finds it and counts its facet."""

    def change(number: int) -> None:
        key = f"{number * 7 % count:024x}-0003"
        engine.patch(SEGMENTS, [IndexPatch(key, facets={"label": [f"label{number % 30}", "fresh"]})])

    def change_and_find(number: int) -> None:
        change(number)
        found = other.search(SEGMENTS, SearchSpec(selections=parse_selections("label:fresh"), facets=FACETS))
        assert found.total > 0

    timed(figures, "segments: one label changed", 200, change)
    timed(figures, "segments: one label changed until found + 5 facets", 200, change_and_find)


def _own_memory() -> float:
    """Return the private memory of the process in megabytes, without mapped files."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) / 1024


def main(counts: list[int]) -> None:
    """Run each size in its own process, then print how the figures grow."""
    found: list[Figures] = []
    for count in counts:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(measure_corpus_size, count).result())
    if len(found) < 2:
        return
    print(f"--- 95th percentiles in ms of processor time, and growth\n{'':50s}", end="")
    print("".join(f"{count * SENTENCES:>18,}" for count in counts))
    for name in found[0]:
        row = f"{found[0][name]:>18.2f}"
        for before, after in pairwise(found):
            growth = f"({after[name] / max(before[name], 0.01):.1f} x)"
            row += f"{after[name]:>10.2f}{growth:>8}"
        print(f"{name:50s}{row}")


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [2_500, 25_000, 125_000])
