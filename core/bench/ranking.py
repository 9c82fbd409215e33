"""Ranking quality of searches with and without the reranker `feature_reranker`.

    nice python core/bench/ranking.py [corpus ...] [--reranker NAME] [--data FOLDER]

Corpora as in search_quality.py; cranfield by default. Figures are nDCG@10, average precision (of the first 100) and
reciprocal rank in percent of text, vector and hybrid searches, each as the engine ranks and with its first 50 hits
reranked; p is that of a paired sign-flip test of nDCG@10 (two-sided, 10,000 flips).
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from search_quality import ROOT, Bench, Collection, collection_of, ndcg

from annotarium.registry import get_registry
from annotarium.search.index_and_search_types import SearchSpec, SearchType
from annotarium.search.query import Node, parse_simple
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.base.reranker import Reranker

TYPES: tuple[SearchType, ...] = ("text", "vector", "hybrid")
VECTORIZER = "lsa"
DEPTH = 100
RERANKED = 50
FLIPS = 10_000


@dataclass(frozen=True)
class Measured:
    """Figures of one question, 0 to 1."""

    ndcg: float
    average_precision: float
    reciprocal_rank: float


def measured(found: Sequence[str], gains: dict[str, float]) -> Measured:
    """Return the figures of a ranked list."""
    right = [place for place, key in enumerate(found, 1) if key in gains]
    precision = sum(number / place for number, place in enumerate(right, 1)) / len(gains)
    return Measured(ndcg(found, gains), precision, 1 / right[0] if right else 0.0)


def sign_flip(before: Sequence[float], after: Sequence[float]) -> float:
    """Return the share of random sign flips whose mean difference is at least as great."""
    difference = np.array(after) - np.array(before)
    signs = np.random.default_rng(1).choice([-1.0, 1.0], size=(FLIPS, len(difference)))
    reached = np.abs(signs @ difference) >= abs(difference.sum()) - 1e-9
    return float((reached.sum() + 1) / (FLIPS + 1))


class RankedBench(Bench):
    """Keeps the texts of hits, which rerankers read."""

    def hits(self, place: int, search_type: SearchType, size: int, query: Node | None = None) -> list[Passage]:
        """Return what the engine finds for a question or another query in its place, best first."""
        spec = SearchSpec(size=size, default_fields=("text", "title"), search_type=search_type)
        if search_type != "text":
            vector = self._questions[VECTORIZER][place]
            spec = replace(spec, vectorizer=VECTORIZER, vector=vector, vector_weight=self.probes[VECTORIZER].weight)
        spec = replace(spec, query=query or parse_simple(self.collection.questions[place]))
        texts = self.texts
        return [
            Passage(hit.id, hit.id, *texts[hit.id], 0, len(texts[hit.id][1]), hit.score, hit.text_rank, hit.vector_rank)
            for hit in self._engine.search(self._key, spec).hits
        ]

    @property
    def texts(self) -> dict[str, tuple[str, str]]:
        """Title and text by key."""
        if not hasattr(self, "_texts"):
            self._texts = {key: (title, text) for key, title, text in self.collection.texts}
        return self._texts


def reranked(reranker: Reranker[Any], question: str, passages: Sequence[Passage], language: str) -> list[Passage]:
    """Return the passages with the first ones reordered; equal scores keep their order."""
    first = passages[:RERANKED]
    scores = reranker.rerank(question, first, language)
    order = sorted(range(len(first)), key=lambda place: -scores[place])
    return [first[place] for place in order] + list(passages[RERANKED:])


def filled(collection: Collection, folder: str) -> RankedBench:
    """Return the collection in an index with vectors."""
    bench = RankedBench(collection, Path(folder))
    bench.vectorize(VECTORIZER)
    bench.fill()
    return bench


def print_ranking_table(collection: Collection, reranker: Reranker[Any]) -> None:
    """Print the table of one collection."""
    with tempfile.TemporaryDirectory() as folder:
        bench = filled(collection, folder)
        judged = [place for place, gains in enumerate(collection.gains) if gains]
        for search_type in TYPES:
            plain, after, spent = [], [], 0.0
            for place in judged:
                question, gains = collection.questions[place], collection.gains[place]
                hits = bench.hits(place, search_type, DEPTH)
                started = time.perf_counter()
                ordered = reranked(reranker, question, hits, collection.language)
                spent += time.perf_counter() - started
                plain.append(measured([hit.segment_id for hit in hits], gains))
                after.append(measured([hit.segment_id for hit in ordered], gains))
            _print_row(f"{collection.name} {search_type}", plain, "")
            p = sign_flip([one.ndcg for one in plain], [one.ndcg for one in after])
            _print_row("  reranked", after, f"p {p:.4f}  {1000 * spent / len(judged):5.1f} ms")


def _print_row(name: str, figures: Sequence[Measured], more: str) -> None:
    means = [100 * sum(values) / len(figures) for values in zip(*map(_figures, figures), strict=True)]
    print(f"{name:20s} nDCG@10 {means[0]:5.1f}  AP {means[1]:5.1f}  RR {means[2]:5.1f}  {more}", flush=True)


def _figures(one: Measured) -> tuple[float, float, float]:
    return one.ndcg, one.average_precision, one.reciprocal_rank


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="*", default=["cranfield"])
    parser.add_argument("--reranker", default="feature_reranker")
    parser.add_argument("--data", type=Path, default=os.environ.get("ANNOTARIUM_CORPORA") or ROOT / "../shared/data")
    given = parser.parse_args()
    reranker = get_registry().build("reranker", given.reranker, {})
    assert isinstance(reranker, Reranker)
    for corpus in given.corpus:
        print_ranking_table(collection_of(corpus, Path(given.data)), reranker)


if __name__ == "__main__":
    main()
