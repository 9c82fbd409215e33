"""Ranking quality of searches with and without the reranker `feature_reranker`.

    nice python core/bench/ranking.py [corpus ...] [--reranker NAME] [--data FOLDER]

Corpora as in search_quality.py; cranfield by default. Figures are nDCG@10, average precision (of the first 100) and
reciprocal rank in percent of text, vector and hybrid searches, each as the engine ranks and with its first 50 hits
reranked; of the configuration that is best on the questions of the other folds; and of rankings learned from these
(`learned_reranker`). p is that of a paired sign-flip test of nDCG@10 (two-sided, 10,000 flips).
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from search_quality import ROOT, Bench, Collection, collection_of

from annotarium.registry import get_registry
from annotarium.search.index_and_search_types import SearchSpec, SearchType
from annotarium.search.query import Node, parse_simple
from annotarium.search.ranking_quality import (
    assign_folds,
    average_precision,
    bootstrap_interval,
    choose_by_cross_validation,
    ndcg,
    reciprocal_rank,
    sign_flip_p,
)
from annotarium_plugins.base.learning_reranker import LearningReranker, RankingSample
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.base.reranker import Reranker

TYPES: tuple[SearchType, ...] = ("text", "vector", "hybrid")
VECTORIZER = "lsa"
DEPTH = 100
RERANKED = 50
LEARNED = "learned_reranker"


Figures = npt.NDArray[np.float64]
"""nDCG@10, reciprocal rank and average precision by question."""


def measured(found: Sequence[str], gains: dict[str, float]) -> tuple[float, float, float]:
    """Return nDCG@10, reciprocal rank and average precision of a ranked list."""
    ranked = [gains.get(key, 0.0) for key in found]
    return (
        ndcg(ranked, list(gains.values())),
        reciprocal_rank(ranked),
        average_precision(ranked, len(gains)),
    )


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


def print_ranking_table(collection: Collection, reranker: Reranker[Any], folds: int) -> None:
    """Print the table of one collection: configurations, learned ranking, and the choice by cross-validation."""
    with tempfile.TemporaryDirectory() as folder:
        bench = filled(collection, folder)
        judged = [place for place, gains in enumerate(collection.gains) if gains]
        rows: dict[str, Figures] = {}
        hits = {}
        for search_type in TYPES:
            hits[search_type] = [bench.hits(place, search_type, DEPTH) for place in judged]
            rows[search_type] = _figures(collection, judged, hits[search_type])
            name = f"{search_type}+{type(reranker).__name__}"
            rows[name] = _figures(
                collection,
                judged,
                [
                    reranked(reranker, collection.questions[place], found, collection.language)
                    for place, found in zip(judged, hits[search_type], strict=True)
                ],
            )
        for name, figures in rows.items():
            _print_row(f"{collection.name} {name}", figures, rows["text"])
        part = assign_folds(len(judged), folds)
        table = np.stack([figures[:, 0] for figures in rows.values()], axis=1)
        picked = choose_by_cross_validation(table, part)
        chosen = np.stack(list(rows.values()), axis=1)[np.arange(len(judged)), picked]
        _print_row("  chosen on other folds", chosen, rows["text"])
        best = max(rows, key=lambda name: rows[name][:, 0].mean())
        for search_type in TYPES:
            learned = _figures(collection, judged, learn_held_out(collection, judged, hits[search_type], part))
            _print_row(f"  learned from {search_type}", learned, rows["text"])
            print(f"    against {best}: p {sign_flip_p(rows[best][:, 0], learned[:, 0]):.4f}", flush=True)


def learn_held_out(
    collection: Collection, judged: Sequence[int], hits: Sequence[list[Passage]], folds: npt.NDArray[np.int64]
) -> list[list[Passage]]:
    """Return rankings whose first hits are reordered by what was learned from the questions of the other folds."""
    learner = get_registry().build("reranker", LEARNED, {})
    assert isinstance(learner, LearningReranker)
    samples = []
    for place, found in zip(judged, hits, strict=True):
        features = learner.features(collection.questions[place], found[:RERANKED], collection.language)
        grades = [collection.gains[place].get(hit.segment_id, 0.0) for hit in found[:RERANKED]]
        samples.append(RankingSample(features, grades))
    result: list[list[Passage]] = [[] for _ in judged]
    for fold in np.unique(folds):
        trained = get_registry().build(
            "reranker", LEARNED, learner.fit([one for one, own in zip(samples, folds, strict=True) if own != fold])
        )
        assert isinstance(trained, LearningReranker)
        for number in np.flatnonzero(folds == fold):
            scores = trained.score(samples[number].features)
            order = sorted(range(len(scores)), key=lambda place: -scores[place])
            result[number] = [hits[number][place] for place in order] + hits[number][RERANKED:]
    return result


def _figures(collection: Collection, judged: Sequence[int], rankings: Sequence[Sequence[Passage]]) -> Figures:
    return np.array(
        [
            measured([hit.segment_id for hit in found], collection.gains[place])
            for place, found in zip(judged, rankings, strict=True)
        ]
    )


def _print_row(name: str, figures: Figures, baseline: Figures) -> None:
    means = 100 * figures.mean(axis=0)
    low, high = (100 * one for one in bootstrap_interval(figures[:, 0]))
    p = sign_flip_p(baseline[:, 0], figures[:, 0])
    print(f"{name:34s} nDCG@10 {means[0]:5.1f} [{low:4.1f} {high:4.1f}]  RR {means[1]:5.1f}  AP {means[2]:5.1f}  "
          f"p against text {p:.4f}", flush=True)  # fmt: skip


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="*", default=["cranfield"])
    parser.add_argument("--reranker", default="feature_reranker")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--data", type=Path, default=os.environ.get("ANNOTARIUM_CORPORA") or ROOT / "../shared/data")
    given = parser.parse_args()
    reranker = get_registry().build("reranker", given.reranker, {})
    assert isinstance(reranker, Reranker)
    for corpus in given.corpus:
        print_ranking_table(collection_of(corpus, Path(given.data)), reranker, given.folds)


if __name__ == "__main__":
    main()
