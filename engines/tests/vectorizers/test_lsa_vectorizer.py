from __future__ import annotations

import hashlib
import json
import random
import re
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from annotarium_engines.model_files import pack_arrays
from annotarium_engines.vectorizers.lsa_vectorizer import _BUCKETS, LsaVectorizer, LsaVectorizerParameters
from annotarium_plugins.base.component import ComponentError


@pytest.fixture(scope="module")
def abstracts(data: Path) -> list[str]:
    parts = re.split(r"(?m)^\.I ", (data / "cranfield" / "cran.all.1400").read_text(encoding="latin-1"))[1:401]
    return [re.sub(r"(?m)^\.[A-Z]$", "", part).partition("\n")[2].strip() for part in parts]


@pytest.fixture(scope="module")
def fitted(abstracts: list[str]) -> LsaVectorizer:
    vectorizer = LsaVectorizer(LsaVectorizerParameters(dimension=64))
    vectorizer.fit(abstracts, "en")
    return vectorizer


def test_rows_are_unit_length_float32_of_the_dimension(fitted: LsaVectorizer, abstracts: list[str]) -> None:
    vectors = fitted.vectorize([*abstracts[:20], "", "qqqqzzz"], "en")
    assert vectors.shape == (22, 64)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[:20] @ vectors[-1], 0)


def test_halves_of_a_text_have_similar_vectors(fitted: LsaVectorizer, abstracts: list[str]) -> None:
    long = [text for text in abstracts if len(text) > 800][:100]
    first = fitted.vectorize([text[: len(text) // 2] for text in long], "en")
    second = fitted.vectorize([text[len(text) // 2 :] for text in long], "en")
    best = (first @ second.T).argmax(axis=1)
    assert (best == np.arange(len(long))).mean() > 0.5


def test_inflections_share_a_stem(fitted: LsaVectorizer) -> None:
    one, other = fitted.vectorize(["heated wings", "heating of a wing"], "en")
    assert float(one @ other) > 0.8


def test_fitting_twice_and_loading_give_the_same_vectors(
    fitted: LsaVectorizer, abstracts: list[str], tmp_path: Path
) -> None:
    again = LsaVectorizer(LsaVectorizerParameters(dimension=64))
    again.fit(abstracts, "en")
    fitted.save(tmp_path)
    loaded = LsaVectorizer(LsaVectorizerParameters())
    loaded.load(tmp_path)
    expected = fitted.vectorize(abstracts[:30], "en")
    assert np.array_equal(expected, again.vectorize(abstracts[:30], "en"))
    assert np.array_equal(expected, loaded.vectorize(abstracts[:30], "en"))
    (tmp_path / "arrays.npz").write_bytes(b"x")
    with pytest.raises(ComponentError, match="cannot be read"):
        loaded.load(tmp_path)


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("zh", ["北京的天气很好", "上海的天气", "股票市场上涨"]),
        ("ru", ["погода в городе", "погоды города", "рынок акций"]),
        ("xx", ["rain in town", "rain and town", "shares rise"]),
    ],
)
def test_few_texts_in_any_language(language: str, texts: list[str]) -> None:
    vectorizer = LsaVectorizer(LsaVectorizerParameters(dimension=16))
    vectorizer.fit(texts, language)
    alike, near, far = vectorizer.vectorize(texts, language)
    assert float(alike @ near) > float(alike @ far) + 0.1


def test_unfitted_vectorizer_and_texts_without_words_are_refused() -> None:
    vectorizer = LsaVectorizer(LsaVectorizerParameters())
    with pytest.raises(ComponentError, match="not trained"):
        vectorizer.vectorize(["x"], "en")
    with pytest.raises(ComponentError, match="no words"):
        vectorizer.fit(["", "..."], "en")
    assert vectorizer.parameters.dimension == 256


def test_compound_and_inflected_words_are_similar_to_their_parts() -> None:
    """Subwords connect words that no stemmer connects."""
    texts = ["Die Schifffahrtsgesellschaft zahlte.", "Der Bäcker backt Brot.", "Ein Apfel fällt.", "Sie las ein Buch."]
    vectorizer = LsaVectorizer(LsaVectorizerParameters(dimension=16))
    vectorizer.fit(texts, "de")
    question, *texts_ = vectorizer.vectorize(["Gesellschaften, Schifffahrt", *texts], "de")
    likeness = [float(question @ one) for one in texts_]
    assert likeness[0] > 0.3 > max(likeness[1:])


def test_the_term_limit_covers_words_and_subwords(abstracts: list[str]) -> None:
    vectorizer = LsaVectorizer(LsaVectorizerParameters(dimension=32, maximum_terms=1000))
    vectorizer.fit(abstracts, "en")
    learned = vectorizer._learned
    assert learned is not None
    assert len(learned.terms) == 1000
    assert sum(term >= _BUCKETS for term in learned.terms) == 500


def test_models_of_the_previous_version_are_loaded(fitted: LsaVectorizer, abstracts: list[str], tmp_path: Path) -> None:
    fitted.save(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    arrays = dict(np.load(tmp_path / "arrays.npz"))
    del arrays["length"]
    content = pack_arrays(arrays)
    (tmp_path / "arrays.npz").write_bytes(content)
    manifest["version"] = "2"
    manifest["files"]["arrays.npz"] = hashlib.sha256(content).hexdigest()
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    loaded = LsaVectorizer(LsaVectorizerParameters())
    loaded.load(tmp_path)
    one, other = loaded.vectorize(["heated wings", "heating of a wing"], "en")
    assert float(one @ other) > 0.6


def test_fitting_uses_few_bytes_per_term() -> None:
    """Learning runs in memory; dictionaries of terms took 110 bytes each."""
    chance = random.Random(7)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(800)]
    texts = [" ".join(chance.choices(words, k=60)) for _ in range(600)]
    vectorizer = LsaVectorizer(LsaVectorizerParameters(dimension=16))
    vectorizer.fit(texts[:20], "xx")  # excludes memory of imported libraries
    tracemalloc.start()
    try:
        vectorizer.fit(texts, "xx")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    terms = sum(len(vectorizer._hashes.count(text)) for text in texts)
    assert peak < 60 * terms


def test_identical_texts_give_one_dimension() -> None:
    """Rounding errors do not become axes."""
    vectorizer = LsaVectorizer(LsaVectorizerParameters(dimension=16))
    vectorizer.fit(["rain in town"] * 40, "en")
    alike, other, unknown = vectorizer.vectorize(["rain in town", "town", "qqqq"], "en")
    assert float(alike @ other) == pytest.approx(1, abs=1e-4)
    assert float(alike @ unknown) == 0
