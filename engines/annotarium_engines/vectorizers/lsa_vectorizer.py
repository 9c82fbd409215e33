"""Latent semantic analysis: vectors learned from the project's own texts, in any language, without a download."""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import Field

from annotarium_engines.model_files import (
    library_versions,
    not_trained,
    pack_arrays,
    read_arrays,
    read_model,
    write_model,
    written_version,
)
from annotarium_engines.tokens import is_unspaced, tokenize
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_plugins.parameters import Parameters, hint

if TYPE_CHECKING:
    import numpy as np

    from annotarium_engines.model_files import Floats

_COMPONENT = "lsa"
_TERMS, _ARRAYS = "terms.json", "arrays.npz"
_BUCKETS = 1 << 22
_TEXT_LIMIT = 50_000
_BATCH = 256
_MANY_TEXTS = 5_000
_NOWHERE = 1e-6
_KNOWN_WORDS = 200_000
_PIECE = 4
"""Characters of a piece of a word; its begin and end count as one each."""
_PIECE_WEIGHT = 0.25
"""What a piece counts beside its word: inflected and joined words share pieces, but a text has many of them."""
_SATURATION, _LENGTH = 1.2, 0.75
"""Of BM25: how soon further occurrences count little, and how far long texts count less."""
_UNWEIGHTED_VERSION = "2"
"""Wrote models without pieces and without BM25; they are still read."""
_UNSPACED_RUNS = re.compile(
    r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]+)"
)
_STEMMERS = {
    "ar": "arabic", "de": "german", "en": "english", "es": "spanish", "fr": "french", "hi": "hindi", "it": "italian",
    "nl": "dutch", "pt": "portuguese", "ru": "russian",
}  # fmt: skip


class LsaVectorizerParameters(Parameters):
    """Settings of latent semantic analysis."""

    dimension: int = Field(256, ge=8, le=1024, title="Dimension", description="Numbers in a vector.")
    maximum_terms: int = Field(
        60_000,
        ge=1000,
        le=500_000,
        title="Most terms",
        description="The terms of most documents are kept.",
        json_schema_extra=hint(advanced=True),
    )
    maximum_texts: int = Field(
        50_000,
        ge=100,
        le=1_000_000,
        title="Most texts learned from",
        description="Evenly spread texts stand for a bigger corpus.",
        json_schema_extra=hint(advanced=True),
    )


@dataclass
class _Learned:
    """Row of a hashed term, its weight, its place in the space (dimension - 1 numbers a row); language of the stems;
    mean length of the texts, 0 where weights do not heed it."""

    rows: dict[int, int]
    idf: Floats
    places: Floats
    language: str
    length: float


class LsaVectorizer(Vectorizer[LsaVectorizerParameters]):
    """Truncated singular value decomposition of the BM25 weights of hashed stems and, where words have spaces between
    them, of pieces of words.

    The last number of a vector is 1 for a text without any term of the corpus and else 0, so every row has length 1 and
    such texts are like nothing but each other.
    """

    title: ClassVar[str] = "Latent semantic analysis"
    description: ClassVar[str] = "Vectors learned from the project's own texts; any language, no download."
    parameters_model: ClassVar[type[Parameters]] = LsaVectorizerParameters
    version: ClassVar[str] = "3"

    def __init__(self, parameters: LsaVectorizerParameters) -> None:
        super().__init__(parameters)
        self._learned: _Learned | None = None
        self._hashes = _Hashes("")

    def fit(self, texts: Sequence[str], language: str) -> None:
        """Learn terms and axes from the corpus; the same texts in the same order give the same axes.

        Raises:
            ComponentError: the texts hold no words.
        """
        import numpy as np
        from scipy.sparse import csr_matrix
        from sklearn.utils.extmath import randomized_svd

        step = max(1, -(-len(texts) // self.parameters.maximum_texts))
        hashes = self._hashes_of(language)
        counted = [hashes.count(text) for text in texts[::step]]
        documents = Counter(term for terms in counted for term in terms)
        length = sum(map(_length, counted)) / max(1, len(counted))
        # Names met once are what people look for in a small collection; in a big one they are mostly noise.
        least = 2 if len(counted) >= _MANY_TEXTS else 1
        kept = self._kept({term: count for term, count in documents.items() if count >= least})
        if not kept:
            raise ComponentError("There is nothing to learn from: the texts hold no words.", fix="Import texts first.")
        rows = {term: row for row, term in enumerate(sorted(kept))}
        counts = np.array([documents[term] for term in rows], dtype=np.float32)
        idf = (np.log((1 + len(counted)) / (1 + counts)) + 1).astype(np.float32)
        weights, at, starts = _weights(counted, rows, idf, length)
        matrix = csr_matrix((weights, at, starts), shape=(len(counted), len(rows)), dtype=np.float32)
        size = min(self.parameters.dimension - 1, *matrix.shape)
        _, _, found = randomized_svd(matrix, n_components=size, n_iter=4, random_state=0)
        places = np.zeros((len(rows), self.parameters.dimension - 1), dtype=np.float32)
        places[:, :size] = found.T
        self._learned = _Learned(rows, idf, places, language, length)

    def _kept(self, documents: dict[int, int]) -> list[int]:
        """The terms of most documents; pieces, which most documents have, are at most half of them."""
        ordered = sorted(documents, key=lambda term: (-documents[term], term))
        most = self.parameters.maximum_terms
        if len(ordered) <= most:
            return ordered
        pieces = [term for term in ordered if term >= _BUCKETS][: most // 2]
        words = [term for term in ordered if term < _BUCKETS][: most - len(pieces)]
        return words + pieces

    def _hashes_of(self, language: str) -> _Hashes:
        if self._hashes.language != language:
            self._hashes = _Hashes(language)
        return self._hashes

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """Array (len(texts), dimension), float32, rows of length 1; words are stemmed as at `fit`."""
        import numpy as np

        learned = self._learned
        if learned is None:
            raise not_trained()
        hashes = self._hashes_of(learned.language)
        vectors = np.zeros((len(texts), learned.places.shape[1] + 1), dtype=np.float32)
        vectors[:, -1] = 1
        for first in range(0, len(texts), _BATCH):
            counted = [hashes.count(text) for text in texts[first : first + _BATCH]]
            weights, at, starts = _weights(counted, learned.rows, learned.idf, learned.length)
            some = np.flatnonzero(np.diff(starts))
            if not len(some):
                continue
            projected = np.add.reduceat(learned.places[at] * weights[:, None], starts[some], axis=0)
            lengths = np.linalg.norm(projected, axis=1, keepdims=True)
            known = lengths[:, 0] > _NOWHERE
            vectors[first + some[known], :-1] = projected[known] / lengths[known]
            vectors[first + some[known], -1] = 0
        return vectors

    def save(self, folder: Path) -> None:
        """Write `terms.json`, `arrays.npz` (plain arrays) and `manifest.json`."""
        import numpy as np

        learned = self._learned
        if learned is None:
            raise not_trained()
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "language": learned.language,
            "libraries": library_versions("scikit-learn", "numpy", "PyStemmer"),
        }
        length = np.array([learned.length], dtype=np.float32)
        arrays = pack_arrays({"idf": learned.idf, "places": learned.places, "length": length})
        write_model(folder, {_TERMS: json.dumps(list(learned.rows)).encode(), _ARRAYS: arrays}, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; pickled arrays are refused."""
        version = _UNWEIGHTED_VERSION if written_version(folder) == _UNWEIGHTED_VERSION else self.version
        manifest, (terms, content) = read_model(folder, component=_COMPONENT, version=version, names=(_TERMS, _ARRAYS))
        try:
            rows = {int(term): row for row, term in enumerate(json.loads(terms))}
            arrays = read_arrays(content)
            length = 0.0 if version == _UNWEIGHTED_VERSION else float(arrays["length"][0])
            learned = _Learned(rows, arrays["idf"], arrays["places"], str(manifest["language"]), length)
            if learned.places.ndim != 2 or len(learned.places) != len(rows) or learned.idf.shape != (len(rows),):
                raise ValueError("terms and arrays do not fit together")
        except (ValueError, KeyError, TypeError) as error:
            raise ComponentError(
                "The vectors' model cannot be read.", cause=str(error), fix="Build it again."
            ) from error
        self._learned = learned


class _Hashes:
    """Words of one language as hashed stems and pieces; words met before are not stemmed again."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._known: dict[str, tuple[int, ...]] = {}
        self._stem: Callable[[str], str] = str
        name = _STEMMERS.get(language)
        if name is not None:
            import Stemmer

            if name in Stemmer.algorithms():
                self._stem = Stemmer.Stemmer(name, 0).stemWord

    def count(self, text: str) -> dict[int, float]:
        """Hashed stems of a text with their counts, and its pieces; scripts without spaces give pairs of characters."""
        words: list[str] = []
        for part in _UNSPACED_RUNS.split(text[:_TEXT_LIMIT]):
            if part and is_unspaced(part):
                words += [part[at : at + 2] for at in range(max(1, len(part) - 1))]
            else:
                words += [token.text.casefold() for token in tokenize(part) if token.text[0].isalnum()]
        found: dict[int, float] = {}
        for word, count in Counter(words).items():
            stem, *pieces = self._hash(word)
            found[stem] = found.get(stem, 0) + count
            for piece in pieces:
                found[piece] = found.get(piece, 0) + count * _PIECE_WEIGHT
        return found

    def _hash(self, word: str) -> tuple[int, ...]:
        """The stem of a word, then its pieces, which are numbered above all stems."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _KNOWN_WORDS:
                self._known.clear()
            stem = zlib.crc32(self._stem(word).encode()) % _BUCKETS
            pieces = (zlib.crc32(piece.encode()) % _BUCKETS + _BUCKETS for piece in _pieces(word))
            found = self._known[word] = (stem, *pieces)
        return found


def _pieces(word: str) -> list[str]:
    if not word[0].isalpha() or is_unspaced(word):
        return []
    framed = f" {unicodedata.normalize('NFKC', word)} "
    return [framed[at : at + _PIECE] for at in range(len(framed) - _PIECE + 1)] if len(framed) > _PIECE else []


def _length(terms: dict[int, float]) -> float:
    return sum(terms.values())


def _weights(
    counted: Sequence[dict[int, float]], rows: dict[int, int], idf: Floats, length: float
) -> tuple[Floats, Any, Any]:
    """Weights of texts, of length 1 each, in compressed rows: weights, terms, and where each text begins.

    Args:
        length: mean length of the texts learned from, for BM25; 0 = logarithmic TF-IDF.
    """
    import numpy as np

    values: list[float] = []
    at: list[int] = []
    starts = [0]
    for terms in counted:
        known = sorted((rows[term], count) for term, count in terms.items() if term in rows)
        at.extend(row for row, _ in known)
        values.extend(count for _, count in known)
        starts.append(len(at))
    terms_at, begin = np.array(at, dtype=np.int64), np.array(starts, dtype=np.int64)
    sizes = np.diff(begin)
    found = np.array(values, dtype=np.float32)
    if length > 0:
        lengths = np.array([_length(terms) for terms in counted], dtype=np.float32)
        norms = np.repeat(_SATURATION * (1 - _LENGTH + _LENGTH * lengths / length), sizes)
        weights = found * (_SATURATION + 1) / (found + norms) * idf[terms_at]
    else:
        weights = (1 + np.log(found)) * idf[terms_at]
    some = np.flatnonzero(sizes)
    if len(some):
        weights /= np.repeat(np.sqrt(np.add.reduceat(weights**2, begin[some])), sizes[some])
    return weights.astype(np.float32), terms_at, begin
