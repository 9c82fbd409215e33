from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from annotarium_engines.vectorizers.lsa_vectorizer import LsaVectorizer, LsaVectorizerParameters
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


def test_texts_find_their_halves(fitted: LsaVectorizer, abstracts: list[str]) -> None:
    long = [text for text in abstracts if len(text) > 800][:100]
    first = fitted.vectorize([text[: len(text) // 2] for text in long], "en")
    second = fitted.vectorize([text[len(text) // 2 :] for text in long], "en")
    best = (first @ second.T).argmax(axis=1)
    assert (best == np.arange(len(long))).mean() > 0.5


def test_stems_of_a_word_are_alike(fitted: LsaVectorizer) -> None:
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


def test_unfitted_and_wordless_are_explained() -> None:
    vectorizer = LsaVectorizer(LsaVectorizerParameters())
    with pytest.raises(ComponentError, match="not trained"):
        vectorizer.vectorize(["x"], "en")
    with pytest.raises(ComponentError, match="no words"):
        vectorizer.fit(["", "..."], "en")
    assert vectorizer.parameters.dimension == 256
