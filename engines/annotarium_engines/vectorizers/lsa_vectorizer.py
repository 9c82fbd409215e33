"""Latent semantic analysis: vectors learned from the project's own texts, in any language, without a download."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Sequence
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
_BATCH = 1024
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
    """Column of a hashed term, its weight, and the axes (dimension - 1 rows, one number a column)."""

    columns: dict[int, int]
    idf: Floats
    axes: Floats
    language: str


class LsaVectorizer(Vectorizer[LsaVectorizerParameters]):
    """Truncated singular value decomposition of stemmed, hashed TF-IDF.

    The last number of a vector is 1 for a text without any term of the corpus and else 0, so every row has length 1 and
    such texts are like nothing but each other.
    """

    title: ClassVar[str] = "Latent semantic analysis"
    description: ClassVar[str] = "Vectors learned from the project's own texts; any language, no download."
    parameters_model: ClassVar[type[Parameters]] = LsaVectorizerParameters
    version: ClassVar[str] = "1"

    def __init__(self, parameters: LsaVectorizerParameters) -> None:
        super().__init__(parameters)
        self._learned: _Learned | None = None

    def fit(self, texts: Sequence[str], language: str) -> None:
        """Learn terms and axes from the corpus; the same texts in the same order give the same axes.

        Raises:
            ComponentError: the texts hold no words.
        """
        import numpy as np
        from sklearn.utils.extmath import randomized_svd

        step = max(1, -(-len(texts) // self.parameters.maximum_texts))
        counted = [_terms(text, language) for text in texts[::step]]
        documents = Counter(term for terms in counted for term in terms)
        least = 2 if len(counted) >= 100 else 1
        kept = sorted(
            (term for term, count in documents.items() if count >= least), key=lambda term: (-documents[term], term)
        )[: self.parameters.maximum_terms]
        if not kept:
            raise ComponentError("There is nothing to learn from: the texts hold no words.", fix="Import texts first.")
        columns = {term: column for column, term in enumerate(sorted(kept))}
        counts = np.array([documents[term] for term in columns], dtype=np.float32)
        idf = (np.log((1 + len(counted)) / (1 + counts)) + 1).astype(np.float32)
        rows = _rows(counted, columns, idf)
        size = min(self.parameters.dimension - 1, *rows.shape)
        _, _, found = randomized_svd(rows, n_components=size, n_iter=4, random_state=0)
        axes = np.zeros((self.parameters.dimension - 1, len(columns)), dtype=np.float32)
        axes[:size] = found
        self._learned = _Learned(columns, idf, axes, language)

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """Array (len(texts), dimension), float32, rows of length 1; words are stemmed as at `fit`."""
        import numpy as np

        learned = self._learned
        if learned is None:
            raise not_trained()
        vectors = np.zeros((len(texts), len(learned.axes) + 1), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            counted = [_terms(text, learned.language) for text in texts[first : first + _BATCH]]
            projected = _rows(counted, learned.columns, learned.idf) @ learned.axes.T
            lengths = np.linalg.norm(projected, axis=1, keepdims=True)
            known = lengths[:, 0] > 1e-6
            block = vectors[first : first + len(counted)]
            block[known, :-1] = projected[known] / lengths[known]
            block[~known, -1] = 1
        return vectors

    def save(self, folder: Path) -> None:
        """Write `terms.json`, `arrays.npz` (plain arrays) and `manifest.json`."""
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
        arrays = pack_arrays({"idf": learned.idf, "axes": learned.axes})
        write_model(folder, {_TERMS: json.dumps(list(learned.columns)).encode(), _ARRAYS: arrays}, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; pickled arrays are refused."""
        manifest, (terms, content) = read_model(
            folder, component=_COMPONENT, version=self.version, names=(_TERMS, _ARRAYS)
        )
        try:
            columns = {int(term): column for column, term in enumerate(json.loads(terms))}
            arrays = read_arrays(content)
            learned = _Learned(columns, arrays["idf"], arrays["axes"], str(manifest["language"]))
            if learned.axes.ndim != 2 or learned.axes.shape[1] != len(columns) or learned.idf.shape != (len(columns),):
                raise ValueError("terms and arrays do not fit together")
        except (ValueError, KeyError, TypeError) as error:
            raise ComponentError(
                "The vectors' model cannot be read.", cause=str(error), fix="Build it again."
            ) from error
        self._learned = learned


def _terms(text: str, language: str) -> Counter[int]:
    """Hashed stems of a text with their counts; scripts without spaces give characters and pairs of them."""
    words: list[str] = []
    previous, end = "", -1
    for token in tokenize(text[:_TEXT_LIMIT]):
        if not token.text[0].isalnum():
            continue
        word = token.text.casefold()
        words.append(word)
        unspaced = is_unspaced(word)
        if unspaced and previous and token.start == end:
            words.append(previous + word)
        previous, end = (word if unspaced else ""), token.end
    return Counter(zlib.crc32(stem.encode()) % _BUCKETS for stem in _stemmed(words, language))


def _stemmed(words: list[str], language: str) -> list[str]:
    name = _STEMMERS.get(language)
    if name is None:
        return words
    import Stemmer

    if name not in Stemmer.algorithms():
        return words
    stems: list[str] = Stemmer.Stemmer(name).stemWords(words)
    return stems


def _rows(counted: Sequence[Counter[int]], columns: dict[int, int], idf: Floats) -> Any:
    """Sparse TF-IDF rows of length 1 (0 without known terms)."""
    import numpy as np
    from scipy.sparse import csr_matrix
    from sklearn.preprocessing import normalize

    values: list[int] = []
    indices: list[int] = []
    starts = [0]
    for terms in counted:
        known = sorted((columns[term], count) for term, count in terms.items() if term in columns)
        indices.extend(column for column, _ in known)
        values.extend(count for _, count in known)
        starts.append(len(indices))
    at = np.array(indices, dtype=np.int64)
    weights = (1 + np.log(np.array(values, dtype=np.float32))) * idf[at]
    return normalize(csr_matrix((weights, at, starts), shape=(len(counted), len(columns)), dtype=np.float32))
