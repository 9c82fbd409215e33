"""The texts that vectorizers are trained on, and the vectors of documents and segments.

Vectorizers are trained on whole documents with their titles, so that they learn which words of different sentences
belong together. The vector of a document is that of its title and text, not the mean of its sentences. The vector of a
segment is shifted towards that of the title, as far as the title is similar to the whole document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from annotarium_plugins.base.vectorizer import Vectorizer

Floats: TypeAlias = npt.NDArray[np.float32]
Range: TypeAlias = tuple[int, int]

BATCH_TEXTS = 256
TRAINING_PASSAGE_LENGTH = 3_000
"""Maximum length of a training text in code points; longer ones mix several subjects."""
TRAINING_PASSAGES = 128
"""Documents are split so that there are at least about this many training texts: they limit the number of dimensions.
"""
MAX_PASSAGES = 50
"""Maximum number of passages, sampled at even distances, that the vector of a very long document is computed from."""
TITLE_WEIGHT = 0.4
"""Weight of the title's vector in the vector of a segment; multiplied by the title's similarity to the whole document.
"""


class VectorizableDocument(NamedTuple):
    """The input for vectors: title, text and segments of a document (ascending; empty = not segmented)."""

    id: int
    title: str
    text: str
    segments: Sequence[Range]
    modified_at: int = 0


def passages(text: str, segments: Sequence[Range], longest: int) -> list[str]:
    """Split a text into passages of at most `longest` code points, between segments where they are short enough."""
    borders = sorted({0, *(start for start, _ in segments), len(text)})
    found: list[str] = []
    start = 0
    for first, last in pairwise(borders):
        if first > start and last - start > longest:
            found.append(text[start:first])
            start = first
        while last - start > longest:
            found.append(text[start : start + longest])
            start += longest
    found.append(text[start:])
    return [part for part in (one.strip() for one in found) if part]


def training_texts(documents: Iterable[VectorizableDocument]) -> list[str]:
    """Texts to train a vectorizer on: documents with their titles, split if they are long or few."""
    held = list(documents)
    longest = min(TRAINING_PASSAGE_LENGTH, sum(len(one.text) for one in held) // TRAINING_PASSAGES + 1)
    texts: list[str] = []
    for document in held:
        # Do not split inside segments to get more texts: half sentences are bad training data.
        shortest = max((end - start for start, end in document.segments), default=TRAINING_PASSAGE_LENGTH)
        first, *others = passages(
            document.text, document.segments, min(max(longest, shortest), TRAINING_PASSAGE_LENGTH)
        ) or [""]
        texts += [_with_title(document.title, first), *others]
    return [text for text in texts if text]


def _with_title(title: str, text: str) -> str:
    return f"{title}\n{text}".strip()


def _passages_with_title(document: VectorizableDocument, longest: int) -> list[str]:
    """The texts whose vectors are combined into that of the document, each with the title."""
    title = document.title[: longest // 2]
    found = passages(document.text, document.segments, longest - len(title))
    if len(found) > MAX_PASSAGES:
        found = [found[place * len(found) // MAX_PASSAGES] for place in range(MAX_PASSAGES)]
    return [_with_title(title, part) for part in found] or [title]


def vectorize_all(vectorizer: Vectorizer[Any], texts: Sequence[str], language: str) -> Floats:
    """One vector per text as a matrix row, computed in batches of `BATCH_TEXTS`."""
    starts = range(0, len(texts), BATCH_TEXTS)
    rows = [vectorizer.vectorize(texts[start : start + BATCH_TEXTS], language) for start in starts]
    return np.concatenate(rows) if rows else np.empty((0, 0), np.float32)


def document_vectors(vectorizer: Vectorizer[Any], documents: Sequence[VectorizableDocument], language: str) -> Floats:
    """A matrix of unit vectors, one row per document: the mean over its passages, weighted by their length."""
    parts = [_passages_with_title(document, vectorizer.longest_text) for document in documents]
    rows = vectorize_all(vectorizer, [part for each in parts for part in each], language)
    weights = np.array([max(1, len(part)) for each in parts for part in each], np.float32)
    starts = np.cumsum([0, *(len(each) for each in parts)])[:-1]
    return _unit_rows(np.add.reduceat(rows * weights[:, None], starts, axis=0)) if documents else rows


def segment_vectors(
    vectorizer: Vectorizer[Any], documents: Sequence[VectorizableDocument], whole: Floats, language: str
) -> Iterator[Floats]:
    """For each document, a matrix with one row per segment.

    Args:
        whole: the vectors of the documents.
    """
    titles = vectorize_all(vectorizer, [document.title for document in documents], language)
    texts = [document.text[start:end] for document in documents for start, end in document.segments]
    rows = vectorize_all(vectorizer, texts, language)
    begin = 0
    for place, document in enumerate(documents):
        own = rows[begin : begin + len(document.segments)]
        begin += len(document.segments)
        telling = float(titles[place] @ whole[place]) if document.title.strip() else 0.0
        yield _unit_rows(own + TITLE_WEIGHT * telling * titles[place]) if telling > 0 and len(own) else own


def _unit_rows(rows: Floats) -> Floats:
    lengths = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    units: Floats = (rows / lengths).astype(np.float32)
    return units
