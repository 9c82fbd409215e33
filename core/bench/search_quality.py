"""Ranking quality of searches: full-text, vector and hybrid, compared with the baselines of earlier research
(`BASELINES`).

    nice python core/bench/search_quality.py [corpus ...] [--vectorizer NAME ...] [--data FOLDER]

Corpora: cranfield (1,400 abstracts with titles, 225 queries, graded judgements), xquad-en -de -es -ru -ar -zh -hi (240
passages, 1,190 questions each, one passage is right), articles-en -de ... (the 48 articles of XQuAD as whole documents
with their titles, the same questions), agnews (7,600 news items, with the headlines of 1,000 of them as questions; the
items do not contain them). Texts are split into sentences and vectors computed and evaluated as in the product's job,
by the components found through entry points; the questions are not used to learn vectors. Figures are nDCG@10 and
recall@10 in percent; the gains of Cranfield's grades 1, 2, 3, 4 are 4, 3, 2, 1; grade -1 counts as not relevant, which
gives the baseline of the research.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from annotarium.domains.segments.jobs import documents_for_quality_probe
from annotarium.domains.segments.passages import VectorizableDocument, document_vectors, training_texts, vectorize_all
from annotarium.domains.segments.schemas import VectorProbe
from annotarium.domains.segments.vector_quality_probe import measure_vector_quality
from annotarium.registry import get_registry
from annotarium.search import ranking_quality
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchSpec
from annotarium.search.query import parse_simple
from annotarium_plugins.base.vectorizer import Vectorizer

ROOT = Path(__file__).parents[2]
LANGUAGES = ("en", "de", "es", "ru", "ar", "zh", "hi")
CORPORA = ["cranfield", "agnews", *(f"{one}-{language}" for language in LANGUAGES for one in ("xquad", "articles"))]
DEPTH = 10
AGNEWS_QUESTIONS = 1_000
BASELINES = {
    ("cranfield", "text"): "35.9 (BM25 + Snowball)",
    ("cranfield", "lsa"): "40.2",
    ("cranfield", "lsa hybrid"): "38.9",
    ("cranfield", "minilm"): "36.8",
    ("cranfield", "minilm hybrid"): "40.4",
    ("xquad-en", "text"): "96.3 (BM25 + Snowball)",
    ("xquad-en", "lsa"): "95.5",
    ("xquad-en", "lsa hybrid"): "96.5",
    ("xquad-en", "minilm"): "94.3",
    ("xquad-en", "minilm hybrid"): "96.8",
}


@dataclass(frozen=True)
class Collection:
    """Texts, questions, and the relevant texts of each question with their gains."""

    name: str
    language: str
    texts: list[tuple[str, str, str]]
    """(id, title, text)"""
    questions: list[str]
    gains: list[dict[str, float]]


def cranfield(data: Path) -> Collection:
    """Load Cranfield. Queries are numbered by their position in the file, not by their .I line."""
    folder = data / "cranfield"
    texts = []
    for record in re.split(r"(?m)^\.I ", (folder / "cran.all.1400").read_text(encoding="latin-1"))[1:]:
        number, title, _, _, text = re.split(r"(?m)^\.[TABW]$", record, maxsplit=4)
        texts.append((number.strip(), " ".join(title.split()), text.strip()))
    queries = re.split(r"(?m)^\.I \d+\s+\.W$", (folder / "cran.qry").read_text(encoding="latin-1"))[1:]
    gains: list[dict[str, float]] = [{} for _ in queries]
    for line in (folder / "cranqrel").read_text().splitlines():
        if not line.strip():
            continue
        query, document, grade = (int(part) for part in line.split())
        if grade > 0:
            gains[query - 1][str(document)] = 5.0 - grade
    return Collection("cranfield", "en", texts, [" ".join(query.split()) for query in queries], gains)


def xquad(data: Path, language: str) -> Collection:
    """Load XQuAD; the passage of a question is the relevant one."""
    content = json.loads((data / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))
    texts, questions, gains = [], [], []
    for article in content["data"]:
        for paragraph in article["paragraphs"]:
            key = str(len(texts))
            texts.append((key, "", paragraph["context"]))
            for question in paragraph["qas"]:
                questions.append(question["question"])
                gains.append({key: 1.0})
    return Collection(f"xquad-{language}", language, texts, questions, gains)


def xquad_articles(data: Path, language: str) -> Collection:
    """Load whole articles with their titles; the article of the passage is relevant."""
    content = json.loads((data / "xquad" / f"xquad.{language}.json").read_text(encoding="utf-8"))
    texts, questions, gains = [], [], []
    for key, article in enumerate(content["data"]):
        text = "\n\n".join(paragraph["context"] for paragraph in article["paragraphs"])
        texts.append((str(key), article["title"].replace("_", " "), text))
        for paragraph in article["paragraphs"]:
            for question in paragraph["qas"]:
                questions.append(question["question"])
                gains.append({str(key): 1.0})
    return Collection(f"articles-{language}", language, texts, questions, gains)


def agnews(data: Path) -> Collection:
    """Load news texts without their headlines, which are the questions: full-text search is far better than vectors
    here.
    """
    with (data / "agnews" / "test.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row[1], row[2].replace("\\", " ")) for row in csv.reader(file)]
    asked = range(0, len(rows), len(rows) // AGNEWS_QUESTIONS)
    texts = [(str(place), "", text) for place, (_, text) in enumerate(rows)]
    return Collection("agnews", "en", texts, [rows[place][0] for place in asked], [{str(one): 1.0} for one in asked])


def collection_of(name: str, data: Path) -> Collection:
    """Return the collection of that name."""
    corpus, _, language = name.partition("-")
    if language:
        return (xquad_articles if corpus == "articles" else xquad)(data, language)
    return agnews(data) if corpus == "agnews" else cranfield(data)


def ndcg(found: Sequence[str], gains: dict[str, float]) -> float:
    """Return the normalised discounted cumulative gain of the first ten."""
    return ranking_quality.ndcg([gains.get(key, 0.0) for key in found], list(gains.values()), DEPTH)


def recall(found: Sequence[str], gains: dict[str, float]) -> float:
    """Return the share of the relevant texts that are among the first ten."""
    return len(gains.keys() & set(found[:DEPTH])) / len(gains)


def _build_vectorizer(name: str) -> Vectorizer[Any]:
    vectorizer = get_registry().build("vectorizer", name, {})
    assert isinstance(vectorizer, Vectorizer)
    return vectorizer


class Bench:
    """One collection in an index, with the vectors of some vectorizers."""

    def __init__(self, collection: Collection, folder: Path) -> None:
        self.collection = collection
        self._engine = EmbeddedEngine(folder)
        self._key = IndexKey(collection.name, "documents", collection.language)
        self._questions: dict[str, np.ndarray] = {}
        self._vectors: dict[str, np.ndarray] = {}
        self.probes: dict[str, VectorProbe] = {}

    def vectorize(self, name: str) -> float:
        """Learn and compute the vectors of documents as the product does; returns processor seconds."""
        started = time.process_time()
        language = self.collection.language
        segment = get_registry().build("segmenter", "rule_sentence", {}).segment
        documents = [
            VectorizableDocument(place, title, text, segment(text, language))
            for place, (_, title, text) in enumerate(self.collection.texts)
        ]
        vectorizer = _build_vectorizer(name)
        self.probes[name] = measure_vector_quality(
            lambda: _build_vectorizer(name), documents_for_quality_probe(documents, vectorizer), language
        )
        if vectorizer.learns:
            vectorizer.fit(training_texts(documents), language)
        self._vectors[name] = document_vectors(vectorizer, documents, language)
        spent = time.process_time() - started
        self._questions[name] = vectorize_all(vectorizer, self.collection.questions, language)
        return spent

    def fill(self) -> None:
        """Index the texts with the vectors computed so far."""
        docs = [
            IndexDoc(key, text, title, vectors={name: made[place] for name, made in self._vectors.items()})
            for place, (key, title, text) in enumerate(self.collection.texts)
        ]
        self._engine.bulk(self._key, docs)

    def measure(self, search_type: str, vectorizer: str = "") -> tuple[float, float, float]:
        """Return nDCG@10 and recall@10 in percent, and milliseconds per query (without computing the question's
        vector).
        """
        scores, recalls = [], []
        base = SearchSpec(size=DEPTH, default_fields=("text", "title"), vectorizer=vectorizer)
        if vectorizer:
            base = replace(base, vector_weight=self.probes[vectorizer].weight)
        started = time.perf_counter()
        for place, question in enumerate(self.collection.questions):
            vector = self._questions[vectorizer][place] if vectorizer else None
            spec = replace(base, query=parse_simple(question), search_type=search_type, vector=vector)
            found = [hit.id for hit in self._engine.search(self._key, spec).hits]
            gains = self.collection.gains[place]
            if gains:
                scores.append(ndcg(found, gains))
                recalls.append(recall(found, gains))
        spent = (time.perf_counter() - started) / len(self.collection.questions)
        return 100 * sum(scores) / len(scores), 100 * sum(recalls) / len(recalls), 1000 * spent


def print_quality_table(collection: Collection, vectorizers: Sequence[str]) -> None:
    """Print the table of one collection."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(collection, Path(folder))
        seconds = {name: bench.vectorize(name) for name in vectorizers}
        bench.fill()
        rows: list[tuple[str, Callable[[], tuple[float, float, float]]]] = [("text", lambda: bench.measure("text"))]
        for name in vectorizers:
            rows.append((name, lambda name=name: bench.measure("vector", name)))
            rows.append((f"{name} hybrid", lambda name=name: bench.measure("hybrid", name)))
        for name, measure in rows:
            quality, found, spent = measure()
            baseline = BASELINES.get((collection.name, name), "")
            made = f"{seconds[name]:6.1f} s to vectorize" if name in seconds else ""
            if name.endswith(" hybrid"):
                made = f"vectors count {bench.probes[name.removesuffix(' hybrid')].weight}"
            print(f"{collection.name:10s} {name:16s} nDCG@10 {quality:5.1f}  recall@10 {found:5.1f} "
                  f"{spent:6.2f} ms  {'research ' + baseline if baseline else '':32s} {made}")  # fmt: skip


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="*", default=CORPORA)
    parser.add_argument("--vectorizer", action="append", help="All that are installed by default.")
    parser.add_argument("--data", type=Path, default=os.environ.get("ANNOTARIUM_CORPORA") or ROOT / "../shared/data")
    given = parser.parse_args()
    registry = get_registry()
    for corpus in given.corpus:
        collection = collection_of(corpus, Path(given.data))
        names = given.vectorizer or [
            name
            for name in registry.names("vectorizer")
            if (facts := registry.describe("vectorizer", name)).info.state == "available"
            and (not facts.languages or collection.language in facts.languages)
        ]
        print_quality_table(collection, names)


if __name__ == "__main__":
    main()
