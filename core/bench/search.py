"""Figures of the embedded search engine on synthetic documents.

    nice python core/bench/search.py [documents ...]        (2,500 and 25,000 documents: 20k and 200k segments)

Documents of about 1 kB (160 words, Zipf over 60,000) in 8 sentences, with facets, numbers and dates on both indexes and
vectors of 256 numbers on segments. Prints bulk rates (one process), then p50/p95 in milliseconds of processor time of
searches and of a label change until it is found; with several sizes, how each figure grows from one to the next.
"""

from __future__ import annotations

import gc
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from annotarium.search.analysis import analyser
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.query import Node, parse_simple
from annotarium.search.selection import parse_selections
from annotarium.search.spec import FacetSpec, IndexDoc, IndexKey, Patch, SearchSpec

SENTENCES, WORDS, VOCABULARY, DIMENSION = 8, 20, 60_000, 256
DOCUMENTS = IndexKey("bench", "documents", "en")
SEGMENTS = IndexKey("bench", "segments", "en")
FACETS = [FacetSpec(name) for name in ("label", "metadata.source", "metadata.country", "createdBy", "inDataset")]

Corpus = list[tuple[str, str, list[tuple[int, int]]]]


def make_corpus(count: int) -> tuple[Corpus, list[str]]:
    """(id, text, sentence spans) of each document, and the words from frequent to rare."""
    source = random.Random(7)
    letters = "aaabcdeeefghiiijklmnooopqrstuuvwxyz"
    words = sorted({"".join(source.choices(letters, k=source.randint(2, 9))) for _ in range(VOCABULARY)}, key=len)
    weights = 1 / np.arange(1, len(words) + 1)
    drawn = np.random.default_rng(7).choice(len(words), (count, SENTENCES, WORDS), p=weights / weights.sum())
    corpus: Corpus = []
    for number, document in enumerate(drawn):
        spans, parts, position = [], [], 0
        for sentence in document:
            text = " ".join(words[word] for word in sentence).capitalize() + ". "
            spans.append((position, position + len(text)))
            parts.append(text)
            position += len(text)
        corpus.append((f"{number:024x}", "".join(parts), spans))
    return corpus, words


def facets_of(number: int, source: random.Random) -> dict[str, list[str]]:
    """Facets of one item."""
    return {
        "label": [f"label{source.randrange(30)}" for _ in range(number % 4)],
        "metadata.source": [f"source{source.randrange(20)}"],
        "metadata.country": [f"country{source.randrange(50)}"],
        "createdBy": [f"user{source.randrange(5)}"],
        "inDataset": ["true" if number % 3 else "false"],
    }


def index_docs(
    corpus: Corpus, given: list[dict[str, list[str]]], batch: int
) -> Iterator[tuple[list[IndexDoc], list[IndexDoc]]]:
    """Documents and their segments, batch by batch; each text is cut into words once."""
    cutter = analyser("en")
    documents: list[IndexDoc] = []
    segments: list[IndexDoc] = []
    for number, (key, text, spans) in enumerate(corpus):
        tokens = cutter.tokens(text)
        facets = given[number]
        dates = {"createdDate": 1.6e12 + number * 1e6}
        documents.append(IndexDoc(key, text, f"Title {number}", tokens, facets, {}, dates))
        for place, (start, end) in enumerate(spans):
            part = tokens.part(start, end)
            own = {**facets, "documentIdentifier": [key]} if place else {"documentIdentifier": [key]}
            segments.append(IndexDoc(f"{key}-{place:04d}", text[start:end], "", part, own))
        if len(documents) == batch:
            yield documents, segments
            documents, segments = [], []
    if documents:
        yield documents, segments


Figures = dict[str, float]


def timed(figures: Figures, name: str, calls: int, call: Callable[[int], object]) -> None:
    """Print p50 and p95 of a call, in processor time: others work on the machine."""
    call(0)
    times = []
    for number in range(calls):
        start = time.process_time()
        call(number)
        times.append((time.process_time() - start) * 1000)
    figures[name] = statistics.quantiles(times, n=20)[-1]
    print(f"{name:50s} p50 {statistics.median(times):7.2f} ms   p95 {figures[name]:7.2f} ms", flush=True)


def clustered(count: int, seed: int) -> np.ndarray:
    """Unit vectors around a hundred centres."""
    source = np.random.default_rng(seed)
    centres = np.random.default_rng(1).standard_normal((100, DIMENSION), dtype=np.float32)
    rows = centres[source.integers(0, 100, count)] + source.standard_normal((count, DIMENSION), dtype=np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def add_vectors(engine: EmbeddedEngine, corpus: Corpus) -> float:
    """Give every segment a vector, as the job does; segments per second of processor time."""
    started = time.process_time()
    for begin in range(0, len(corpus), 100):
        part = corpus[begin : begin + 100]
        rows = clustered(len(part) * SENTENCES, begin)
        ids = [f"{key}-{place:04d}" for key, _, _ in part for place in range(SENTENCES)]
        engine.patch(SEGMENTS, [Patch(one, vectors={"v": row}) for one, row in zip(ids, rows, strict=True)])
    return len(corpus) * SENTENCES / (time.process_time() - started)


def by_meaning(engine: EmbeddedEngine, figures: Figures, queries: list[Node]) -> None:
    """Nearest vectors, filtered and not, hybrid, similar."""
    rows = clustered(200, 99)
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


def run(count: int) -> Figures:
    """Index, search, patch; the 95th percentiles."""
    corpus, words = make_corpus(count)
    figures: Figures = {}
    print(f"--- {count * SENTENCES:,} segments of {count:,} documents")
    with tempfile.TemporaryDirectory() as folder:
        engine = EmbeddedEngine(Path(folder))
        source = random.Random(3)
        given = [facets_of(number, source) for number in range(count)]
        gc.collect()
        gc.freeze()  # the corpus is not part of what is measured
        wall, cpu = time.perf_counter(), time.process_time()
        for documents, segments in index_docs(corpus, given, 500):
            engine.bulk(DOCUMENTS, documents)
            engine.bulk(SEGMENTS, segments)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        print(f"bulk: {count / wall:.0f} documents/s with their segments ({count * SENTENCES / wall:.0f} segments/s),")
        print(f"      {count / cpu:.0f} documents/s of processor time; analysis and preparing included")
        print(f"vectors: {add_vectors(engine, corpus):.0f} segments/s of processor time")
        print(f"segments: {engine.stats(SEGMENTS).bytes / 2**20:.0f} MB, memory {_resident():.0f} MB")
        queries = [parse_simple(words[rank]) for rank in (20, 200, 900, 2000, 5000)]
        queries += [parse_simple(f"+{words[30]} +{words[60]} {words[400]}"), parse_simple(f'"{words[3]} {words[5]}"')]
        by_words(engine, figures, queries)
        for name, query in (("prefix", "aa*"), ("wildcard", "*aa*b"), ("phrase", f'"{words[30]} {words[20]}"')):
            node = parse_simple(query)
            timed(
                figures,
                f"segments: {name}",
                40,
                lambda _, node=node: engine.search(SEGMENTS, SearchSpec(query=node)),
            )
        by_meaning(engine, figures, queries)
        changes(engine, EmbeddedEngine(Path(folder)), figures, count)
    print(f"memory {_resident():.0f} MB, most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return figures


def by_words(engine: EmbeddedEngine, figures: Figures, queries: list[Node]) -> None:
    """Full text, with and without facets."""
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


def changes(engine: EmbeddedEngine, other: EmbeddedEngine, figures: Figures, count: int) -> None:
    """A label of one segment, until another engine finds it and counts its facet."""

    def change(number: int) -> None:
        key = f"{number * 7 % count:024x}-0003"
        engine.patch(SEGMENTS, [Patch(key, facets={"label": [f"label{number % 30}", "fresh"]})])

    def change_and_find(number: int) -> None:
        change(number)
        found = other.search(SEGMENTS, SearchSpec(selections=parse_selections("label:fresh"), facets=FACETS))
        assert found.total > 0

    timed(figures, "segments: one label changed", 200, change)
    timed(figures, "segments: one label changed until found + 5 facets", 200, change_and_find)


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def main(counts: list[int]) -> None:
    """Run each size, then print how the figures grow."""
    before: Figures = {}
    for place, count in enumerate(counts):
        figures = run(count)
        if before:
            print(f"--- growth of the 95th percentiles for {count / counts[place - 1]:.0f} x the segments")
            for name, figure in figures.items():
                print(f"{name:50s} {figure / max(before[name], 0.01):6.1f} x")
        before = figures


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [2_500, 25_000])
