"""Measures how well vectors find related texts, on the project's own texts, without human judgements.

The title of some documents and one sentence of others are hidden. Each hidden text serves as a query, with its own
document as the only correct result. The measured vectorizer is trained on the remaining texts only, otherwise it would
know the answers. Text search and vector search are ranked separately and fused with several weights; the chosen weight
is the greatest that does not make results worse than text search alone. Searches of users are not used.
"""

from __future__ import annotations

import math
import tempfile
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from annotarium.domains.segments.passages import VectorizableDocument, document_vectors, training_texts, vectorize_all
from annotarium.domains.segments.schemas import ProbeFigures, VectorProbe
from annotarium.search.engine_factory import open_temporary_engine
from annotarium.search.fusion import fuse
from annotarium.search.index_and_search_types import VECTOR_WINDOW, IndexDoc, IndexKey, SearchSpec
from annotarium.search.query import parse_simple
from annotarium_plugins.base.vectorizer import Vectorizer

if TYPE_CHECKING:
    import numpy.typing as npt

QUESTIONS = 200
"""Maximum number of queries of each kind."""
MIN_QUESTIONS = 20
"""With fewer queries the result is meaningless; vectors then get the weight 1."""
WEIGHTS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
TOLERATED_LOSS = 0.0125
"""Tolerated relative loss against text search alone, including the standard error."""
LONGEST_TEXT = 20_000
"""Maximum number of code points used of a document."""
_DEPTH = 10
_LISTED = 200
_BATCH = 500
_SHORTEST_HALF = 40
"""Minimum length in code points of half a text used as a query, for documents with a single sentence."""

ProgressCallback = Callable[[], None]


class _Question(NamedTuple):
    text: str
    document: int
    """Index of its document."""


class _HeldOut(NamedTuple):
    """Documents without the hidden parts, and the queries made from these."""

    documents: list[VectorizableDocument]
    titles: list[_Question]
    sentences: list[_Question]


def measure_vector_quality(
    make: Callable[[], Vectorizer[Any]],
    documents: Sequence[VectorizableDocument],
    language: str,
    report_progress: ProgressCallback = lambda: None,
) -> VectorProbe:
    """Measure a vectorizer on documents.

    Args:
        make: builds the vectorizer; if it learns, it is trained on the documents without the hidden parts.
        report_progress: called regularly; may raise to stop.
    """
    hidden = _hide_titles_and_sentences([_shortened(document) for document in documents])
    questions = [*hidden.titles, *hidden.sentences]
    if len(questions) < MIN_QUESTIONS:
        return VectorProbe(documents=len(documents), weight=1.0)
    by_meaning = _ranked_by_vectors(make(), hidden.documents, questions, language, report_progress)
    by_words = _ranked_by_words(hidden.documents, questions, language, report_progress)
    gains = {
        weight: np.array(
            [
                _ndcg_of_one_relevant([one for one, _ in fuse([found, near], weights=(1.0, weight))], question.document)
                for found, near, question in zip(by_words, by_meaning, questions, strict=True)
            ]
        )
        for weight in WEIGHTS
    }
    weight = choose_vector_weight(gains)
    words, alone = (
        np.array(
            [_ndcg_of_one_relevant(one, question.document) for one, question in zip(ranked, questions, strict=True)]
        )
        for ranked in (by_words, by_meaning)
    )

    def figures(part: slice) -> ProbeFigures | None:
        if not len(alone[part]):
            return None
        text, vectors, hybrid = (round(100 * float(one[part].mean()), 1) for one in (words, alone, gains[weight]))
        return ProbeFigures(questions=len(alone[part]), text=text, vectors=vectors, hybrid=hybrid)

    parted = len(hidden.titles)
    return VectorProbe(
        documents=len(documents),
        weight=weight,
        titles=figures(slice(0, parted)),
        sentences=figures(slice(parted, None)),
    )


def choose_vector_weight(gains: dict[float, npt.NDArray[np.float64]]) -> float:
    """The greatest weight up to which vectors do no harm, judged by the mean difference to text search minus its
    standard error.

    Args:
        gains: score of each query by weight; weight 0 is text search alone.
    """
    chosen = 0.0
    for weight in sorted(gains)[1:]:
        differences = gains[weight] - gains[0.0]
        error = float(differences.std()) / math.sqrt(len(differences))
        if float(differences.mean()) - error < -TOLERATED_LOSS * float(gains[0.0].mean()):
            break
        chosen = weight
    return chosen


def _shortened(document: VectorizableDocument) -> VectorizableDocument:
    if len(document.text) <= LONGEST_TEXT:
        return document
    kept = [part for part in document.segments if part[1] <= LONGEST_TEXT]
    return document._replace(text=document.text[:LONGEST_TEXT], segments=kept)


def _hide_titles_and_sentences(documents: Sequence[VectorizableDocument]) -> _HeldOut:
    """Remove the titles of some documents and one sentence of some others. The choice is deterministic."""
    left = list(documents)
    titled = [place for place, one in enumerate(left) if len(one.title.split()) > 1 and one.text.strip()]
    titles = []
    for place in _evenly_spread(titled[::2]):  # the other half is queried by a sentence
        titles.append(_Question(left[place].title, place))
        left[place] = left[place]._replace(title="")
    asked = {question.document for question in titles}
    parts = ((place, _range_to_hide(one)) for place, one in enumerate(left) if place not in asked)
    sentences = []
    for place, (start, end) in _evenly_spread([(place, part) for place, part in parts if part is not None]):
        sentences.append(_Question(left[place].text[start:end], place))
        left[place] = _document_without_range(left[place], start, end)
    return _HeldOut(left, titles, sentences)


def _evenly_spread(items: Sequence[Any]) -> list[Any]:
    count = min(len(items), QUESTIONS)
    return [items[place * len(items) // count] for place in range(count)]


def _range_to_hide(document: VectorizableDocument) -> tuple[int, int] | None:
    """The range to hide: a segment, or the first half of a text with only one; None if the text is too short."""
    parts = [(start, end) for start, end in document.segments if document.text[start:end].strip()]
    if len(parts) > 1:
        return parts[zlib.crc32(document.text.encode()) % len(parts)]
    middle = len(document.text) // 2
    middle = max(document.text.find(" ", middle), middle)
    return (0, middle) if middle >= _SHORTEST_HALF else None


def _document_without_range(document: VectorizableDocument, start: int, end: int) -> VectorizableDocument:
    size = end - start
    segments = [
        (first - size, last - size) if first >= end else (first, last)
        for first, last in document.segments
        if last <= start or first >= end
    ]
    return document._replace(text=document.text[:start] + document.text[end:], segments=segments)


def _ranked_by_vectors(
    vectorizer: Vectorizer[Any],
    documents: Sequence[VectorizableDocument],
    questions: Sequence[_Question],
    language: str,
    report_progress: ProgressCallback,
) -> list[list[int]]:
    if vectorizer.learns:
        vectorizer.fit(training_texts(documents), language)
    report_progress()
    rows = []
    for start in range(0, len(documents), _BATCH):
        rows.append(document_vectors(vectorizer, documents[start : start + _BATCH], language))
        report_progress()
    held = np.concatenate(rows)
    asked = vectorize_all(vectorizer, [question.text for question in questions], language)
    return [np.argsort(-(held @ vector), kind="stable")[:VECTOR_WINDOW].tolist() for vector in asked]


def _ranked_by_words(
    documents: Sequence[VectorizableDocument],
    questions: Sequence[_Question],
    language: str,
    report_progress: ProgressCallback,
) -> list[list[int]]:
    """Document indices as ranked by this release's text search, in a temporary index."""
    key = IndexKey("probe", "documents", language)
    with tempfile.TemporaryDirectory(prefix="annotarium-probe-") as folder:
        engine = open_temporary_engine(Path(folder))
        try:
            for start in range(0, len(documents), _BATCH):
                part = enumerate(documents[start : start + _BATCH], start)
                engine.bulk(key, [IndexDoc(str(place), one.text, one.title) for place, one in part])
                report_progress()
            found = []
            for question in questions:
                spec = SearchSpec(size=_LISTED, default_fields=("text", "title"), query=parse_simple(question.text))
                found.append([int(hit.id) for hit in engine.search(key, spec).hits])
                report_progress()
            return found
        finally:
            engine.close()


def _ndcg_of_one_relevant(ranked: Sequence[int], right: int) -> float:
    """nDCG@10 of a ranked list with one relevant item."""
    first = ranked[:_DEPTH]
    return 1 / math.log2(first.index(right) + 2) if right in first else 0.0
