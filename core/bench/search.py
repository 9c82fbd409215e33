"""Figures of the embedded search engine on synthetic documents: `python core/bench/search.py [documents]`.

Documents of about 1 kB (160 words, Zipf over 60,000) in 8 sentences, with facets, numbers and dates on both indexes.
Prints bulk rates (one process), then p50/p95 in milliseconds of searches and of a label change until it is found.
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
from pathlib import Path

import numpy as np

from annotarium.search.analysis import analyser
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.query import parse_simple
from annotarium.search.selection import parse_selections
from annotarium.search.spec import FacetSpec, IndexDoc, IndexKey, Patch, SearchSpec

SENTENCES, WORDS, VOCABULARY = 8, 20, 60_000
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


def timed(name: str, calls: int, call: Callable[[int], object]) -> None:
    """Print p50 and p95 of a call."""
    call(0)
    times = []
    for number in range(calls):
        start = time.perf_counter()
        call(number)
        times.append((time.perf_counter() - start) * 1000)
    print(f"{name:44s} p50 {statistics.median(times):7.2f} ms   p95 {statistics.quantiles(times, n=20)[-1]:7.2f} ms")


def main(count: int) -> None:
    """Index, search, patch."""
    corpus, words = make_corpus(count)
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
        for key in (DOCUMENTS, SEGMENTS):
            print(f"{key.kind}: {engine.stats(key)}")
        queries = [parse_simple(words[rank]) for rank in (20, 200, 900, 2000, 5000)]
        queries += [parse_simple(f"+{words[30]} +{words[60]} {words[400]}"), parse_simple(f'"{words[3]} {words[5]}"')]
        selections = parse_selections("-metadata.source:source3")
        for key in (DOCUMENTS, SEGMENTS):
            timed(f"{key.kind}: query", 200, lambda n, key=key: engine.search(key, SearchSpec(query=queries[n % 7])))
            for name, chosen in (("query", queries), ("all", [SearchSpec().query])):
                timed(
                    f"{key.kind}: {name} + 5 facets, 1 excluded",
                    200,
                    lambda n, key=key, chosen=chosen: engine.search(
                        key, SearchSpec(query=chosen[n % len(chosen)], selections=selections, facets=FACETS)
                    ),
                )
        for name, query in (("prefix", "aa*"), ("wildcard", "*aa*b"), ("phrase", f'"{words[30]} {words[20]}"')):
            node = parse_simple(query)
            timed(f"segments: {name}", 40, lambda _, node=node: engine.search(SEGMENTS, SearchSpec(query=node)))
        other = EmbeddedEngine(Path(folder))

        def change(number: int) -> None:
            key = f"{number * 7 % count:024x}-0003"
            engine.patch(SEGMENTS, [Patch(key, facets={"label": [f"label{number % 30}", "fresh"]})])

        def change_and_find(number: int) -> None:
            change(number)
            found = other.search(SEGMENTS, SearchSpec(selections=parse_selections("label:fresh"), facets=FACETS))
            assert found.total > 0

        timed("segments: one label changed", 300, change)
        timed("segments: one label changed until found + 5 facets", 300, change_and_find)
        print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
