"""What vectors are computed from, and how their benefit is measured: on synthetic texts, without public corpora."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from annotarium.domains.segments.passages import (
    TRAINING_PASSAGE_LENGTH,
    VectorizableDocument,
    document_vectors,
    passages,
    segment_vectors,
    training_texts,
)
from annotarium.domains.segments.vector_quality_probe import choose_vector_weight, measure_vector_quality
from annotarium.registry import get_registry
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_plugins.parameters import NoParameters

SUBJECTS = (
    "harbour",
    "bakery",
    "railway",
    "orchard",
    "theatre",
    "glacier",
    "foundry",
    "library",
    "vineyard",
    "airport",
)


class Fake(Vectorizer[NoParameters]):
    """Computes vectors by a rule; records the texts it was fitted on."""

    parameters_model = NoParameters
    learned: list[str]

    def fit(self, texts: Sequence[str], language: str) -> None:
        self.learned = list(texts)


class Noise(Fake):
    """Random vectors: no text is similar to another one, not even to its own half."""

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        seeds = (zlib.crc32(text.encode()) for text in texts)
        rows = np.array([np.random.default_rng(seed).standard_normal(16) for seed in seeds], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Hint(Fake):
    """Identifies the document of a text by the number in it (`n123`), which no text search can use."""

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        rows = np.full((len(texts), 401), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                if word[:2] in ("na", "nb") and word[2:].rstrip(".").isdigit():
                    row[int(word[2:].rstrip("."))] = 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def corpus(count: int) -> list[VectorizableDocument]:
    """Documents of three sentences with a title; the numbers are written differently in title and text."""
    found = []
    for number in range(count):
        subject = SUBJECTS[number % len(SUBJECTS)]
        sentences = [f"The {subject} opened early na{number}.", f"Its keeper was tired nb{number}.", "Nobody came."]
        text, segments = "", []
        for sentence in sentences:
            segments.append((len(text), len(text) + len(sentence)))
            text += sentence + " "
        found.append(VectorizableDocument(number, f"About the {subject} na{number}", text, segments))
    return found


def test_random_vectors_get_no_weight() -> None:
    """Weak vectors must not make results worse: hybrid search falls back to text search."""
    probe = measure_vector_quality(lambda: Noise(NoParameters()), corpus(60), "en")
    assert probe.weight <= 0.05
    assert probe.titles is not None and probe.sentences is not None
    assert probe.titles.hybrid >= probe.titles.text - 1 > probe.titles.vectors + 20


def test_vectors_that_find_more_than_words_get_full_weight() -> None:
    documents = [one._replace(title=f"Zz{one.id} nb{one.id}") for one in corpus(60)]
    documents = [one._replace(text=one.text.replace(f"nb{one.id}", f"na{one.id}")) for one in documents]
    probe = measure_vector_quality(lambda: Hint(NoParameters()), documents, "en")
    assert probe.weight == 1
    assert probe.titles is not None
    assert probe.titles.text + 10 < probe.titles.hybrid
    assert probe.titles.vectors == 100


def test_held_out_texts_are_never_fitted_on() -> None:
    """A vectorizer that was fitted on the hidden title together with its text would be measured as far better than it
    is.
    """
    made: list[Fake] = []

    def make() -> Vectorizer[Any]:
        made.append(Noise(NoParameters()))
        return made[-1]

    documents = corpus(500)
    probe = measure_vector_quality(make, documents, "en")
    assert probe.titles is not None and probe.sentences is not None
    learned = "\n".join(made[0].learned)
    hidden = sum(one.title not in learned for one in documents)
    assert hidden == probe.titles.questions
    kept = [part for one in documents for start, end in one.segments if (part := one.text[start:end]) in learned]
    assert len(kept) >= 3 * len(documents) - probe.sentences.questions


def test_the_same_texts_give_the_same_figures() -> None:
    def make() -> Vectorizer[Any]:
        found = get_registry().build("vectorizer", "lsa", {"dimension": 32})
        assert isinstance(found, Vectorizer)
        return found

    documents = corpus(60)
    assert measure_vector_quality(make, documents, "en") == measure_vector_quality(make, documents, "en")


def test_too_few_texts_give_no_measurement() -> None:
    """C-036: without a measurement both ranks have the same weight."""
    probe = measure_vector_quality(lambda: Noise(NoParameters()), corpus(5), "en")
    assert (probe.weight, probe.titles, probe.sentences) == (1, None, None)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.0, 0.0, 1.0), (0.02, 0.05, 1.0), (-0.001, -0.05, 0.5), (-0.05, 0.2, 0.0)],
)
def test_the_largest_harmless_weight_is_used(low: float, high: float, expected: float) -> None:
    words = np.full(100, 0.5)
    assert choose_vector_weight({0.0: words, 0.5: words + low, 1.0: words + high}) == expected


def test_training_texts_are_whole_documents_with_titles() -> None:
    documents = [VectorizableDocument(n, f"Title {n}", "One sentence. " * 60, [(0, 13), (14, 27)]) for n in range(400)]
    assert training_texts(documents) == [f"Title {n}\n{document.text}".strip() for n, document in enumerate(documents)]
    few = corpus(2)
    assert len(training_texts(few)) == 6  # there are fewer texts than dimensions
    assert training_texts(few)[0].startswith(f"{few[0].title}\nThe harbour")
    long = VectorizableDocument(1, "Book", "word " * 5_000, [])
    assert all(len(text) <= TRAINING_PASSAGE_LENGTH + 10 for text in training_texts([long] * 300))


@pytest.mark.parametrize("longest", [1, 7, 30, 1_000])
def test_passages_cover_the_text_and_break_between_segments(longest: int) -> None:
    (document,) = corpus(1)
    found = passages(document.text, document.segments, longest)
    assert all(len(part) <= longest for part in found)
    assert "".join("".join(found).split()) == "".join(document.text.split())
    assert passages("", (), 5) == []
    if longest == 30:
        assert found[1] == "Its keeper was tired nb0."


def test_a_title_is_in_the_vectors_of_its_document_and_segments() -> None:
    vectorizer = get_registry().build("vectorizer", "lsa", {"dimension": 64})
    assert isinstance(vectorizer, Vectorizer)
    documents = [one._replace(title=f"Chronicle{one.id} of {SUBJECTS[one.id]}") for one in corpus(10)]
    vectorizer.fit(training_texts(documents), "en")
    whole = document_vectors(vectorizer, documents, "en")
    parts = list(segment_vectors(vectorizer, documents, whole, "en"))
    question = vectorizer.vectorize(["Chronicle7"], "en")[0]
    assert (whole @ question).argmax() == 7
    nearest = max(range(10), key=lambda place: float((parts[place] @ question).max()))
    assert nearest == 7
    assert np.allclose([np.linalg.norm(row) for rows in parts for row in rows], 1, atol=1e-5)


def test_the_vector_of_a_long_document_is_the_mean_of_its_parts() -> None:
    document = VectorizableDocument(0, "", "na1 " + "x" * 1_200 + " na2", [(0, 3), (4, 1_204), (1_205, 1_208)])
    (row,) = document_vectors(Hint(NoParameters()), [document], "en")
    assert row[1] > 0.001 and row[2] > 0
    assert np.linalg.norm(row) == pytest.approx(1, abs=1e-5)
