"""Latent semantic analysis: vectors learned from the project's own texts, in any language, without a download."""

from __future__ import annotations

import json
import re
import unicodedata
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from pydantic import Field

from annotarium_engines.model_files import (
    component_version_of_model,
    library_versions,
    not_trained_error,
    pack_arrays,
    read_arrays,
    read_model,
    write_model,
)
from annotarium_engines.tokens import starts_with_unspaced_script, tokenize
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_plugins.parameters import Parameters, advanced_number

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from annotarium_engines.model_files import Floats

    Integers = npt.NDArray[np.integer[Any]]

_COMPONENT = "lsa"
_TERMS, _ARRAYS = "terms.json", "arrays.npz"
_BUCKETS = 1 << 22
_TEXT_LIMIT = 50_000
_BATCH = 256
_MANY_TEXTS = 5_000
_NOWHERE = 1e-6
_SPARE, _ROUNDS = 10, 5
_KNOWN_WORDS = 200_000
_PIECE = 4
"""Characters of a subword; the beginning and the end of the word count as one each."""
_PIECE_WEIGHT = 0.25
"""Weight of a subword relative to its word: inflected and compound words share subwords, but a text contains many of
them.
"""
_SATURATION, _LENGTH = 1.2, 0.75
"""Parameters k1 and b of BM25: saturation of repeated terms, and normalisation by text length."""
_UNWEIGHTED_VERSION = "2"
"""Version that wrote models without subwords and BM25; they can still be read."""
_UNSPACED_RUNS = re.compile(
    r"([\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff]+)"
)
_STEMMERS = {
    "ar": "arabic", "de": "german", "en": "english", "es": "spanish", "fr": "french", "hi": "hindi", "it": "italian",
    "nl": "dutch", "pt": "portuguese", "ru": "russian",
}  # fmt: skip


class LsaVectorizerParameters(Parameters):
    """Settings of latent semantic analysis."""

    dimension: int = Field(256, ge=8, le=1024, title="Dimension", description="Numbers per vector.")
    maximum_terms: int = advanced_number(
        60_000, 1000, 500_000, title="Maximum terms", description="The terms that occur in the most documents are used."
    )
    maximum_texts: int = advanced_number(
        50_000,
        100,
        1_000_000,
        title="Maximum training texts",
        description="A larger corpus is sampled evenly.",
    )


@dataclass
class _LsaModel:
    """Hashed terms, ascending, with their weights and their positions in the space (dimension - 1 numbers each);
    language of the stems; mean text length, 0 when weights do not depend on it.
    """

    terms: Integers
    idf: Floats
    places: Floats
    language: str
    length: float


class _TermCounts(NamedTuple):
    """Terms of texts in compressed rows: text n has `terms[starts[n]:starts[n + 1]]`, each with its value in `counts`.

    Takes eight bytes per term, a tenth of the dictionaries that it is built from.
    """

    terms: Integers
    counts: Floats
    starts: Integers

    def lengths(self) -> Floats:
        """Return the number of terms of each text, including repetitions."""
        import numpy as np

        sums = np.concatenate([[0.0], np.cumsum(self.counts, dtype=np.float64)])
        lengths: Floats = (sums[self.starts[1:]] - sums[self.starts[:-1]]).astype(np.float32)
        return lengths


class LsaVectorizer(Vectorizer[LsaVectorizerParameters]):
    """Truncated singular value decomposition of BM25 weights of hashed stems and, in scripts with spaces, of subwords.

    The last number of a vector is 1 for a text without any term of the corpus and 0 otherwise. So every row has length
    1, and such texts are similar only to each other.
    """

    title: ClassVar[str] = "Latent semantic analysis"
    description: ClassVar[str] = "Vectors learned from the texts of the project; for all languages, without download."
    parameters_model: ClassVar[type[Parameters]] = LsaVectorizerParameters
    version: ClassVar[str] = "3"

    def __init__(self, parameters: LsaVectorizerParameters) -> None:
        super().__init__(parameters)
        self._learned: _LsaModel | None = None
        self._hashes = _TermHasher("")

    def fit(self, texts: Sequence[str], language: str) -> None:
        """Learn terms and axes from the corpus; the same texts in the same order give the same axes.

        Raises:
            ComponentError: the texts contain no words.
        """
        import numpy as np

        step = max(1, -(-len(texts) // self.parameters.maximum_texts))
        counted = self._hashes_of(language).count_all(texts[::step])
        number = len(counted.starts) - 1
        # Names that occur once are what users search for in a small collection; in a large one they are mostly noise.
        terms, documents = self._selected_terms(counted, 2 if number >= _MANY_TEXTS else 1)
        if not len(terms):
            raise ComponentError("There is nothing to learn from: the texts hold no words.", fix="Import texts first.")
        idf = (np.log((1 + number) / (1 + documents)) + 1).astype(np.float32)
        length = float(counted.lengths().mean())
        matrix = _bm25_matrix(counted, terms, idf, length)
        del counted
        self._hashes = _TermHasher(language)  # drops the cache of words
        found = _singular_vectors(matrix, min(self.parameters.dimension - 1, *matrix.shape))
        places = found
        if found.shape[1] < self.parameters.dimension - 1:
            places = np.zeros((len(terms), self.parameters.dimension - 1), dtype=np.float32)
            places[:, : found.shape[1]] = found
        self._learned = _LsaModel(terms, idf, places, language, length)

    def _selected_terms(self, counted: _TermCounts, least: int) -> tuple[Integers, Integers]:
        """Return the terms that occur in most texts, ascending, with their number of texts.

        Subwords, which occur in most texts, are at most half of them. Terms of fewer than `least` texts are left out.
        """
        import numpy as np

        terms, documents = np.unique(counted.terms, return_counts=True)
        found = np.flatnonzero(documents >= least)
        most = self.parameters.maximum_terms
        if len(found) > most:
            ordered = found[np.lexsort((found, -documents[found]))]
            pieces = ordered[terms[ordered] >= _BUCKETS][: most // 2]
            words = ordered[terms[ordered] < _BUCKETS][: most - len(pieces)]
            found = np.sort(np.concatenate([words, pieces]))
        return terms[found], documents[found]

    def _hashes_of(self, language: str) -> _TermHasher:
        if self._hashes.language != language:
            self._hashes = _TermHasher(language)
        return self._hashes

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """Return an array of shape (len(texts), dimension), float32, rows of length 1; words are stemmed as
        in `fit`.
        """
        import numpy as np

        learned = self._learned
        if learned is None:
            raise not_trained_error()
        hashes = self._hashes_of(learned.language)
        vectors = np.zeros((len(texts), learned.places.shape[1] + 1), dtype=np.float32)
        vectors[:, -1] = 1
        for first in range(0, len(texts), _BATCH):
            counted = hashes.count_all(texts[first : first + _BATCH])
            projected = _bm25_matrix(counted, learned.terms, learned.idf, learned.length) @ learned.places
            lengths = np.linalg.norm(projected, axis=1, keepdims=True)
            known = np.flatnonzero(lengths[:, 0] > _NOWHERE)
            vectors[first + known, :-1] = projected[known] / lengths[known]
            vectors[first + known, -1] = 0
        return vectors

    @property
    def longest_text(self) -> int:
        """The vector of a text of any length is computed at once, up to this limit."""
        return _TEXT_LIMIT

    def save(self, folder: Path) -> None:
        """Write `terms.json`, `arrays.npz` (plain arrays) and `manifest.json`."""
        import numpy as np

        learned = self._learned
        if learned is None:
            raise not_trained_error()
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "language": learned.language,
            "libraries": library_versions("scikit-learn", "numpy", "PyStemmer"),
        }
        length = np.array([learned.length], dtype=np.float32)
        arrays = pack_arrays({"idf": learned.idf, "places": learned.places, "length": length})
        write_model(folder, {_TERMS: json.dumps(learned.terms.tolist()).encode(), _ARRAYS: arrays}, facts)

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; pickled arrays are refused."""
        import numpy as np

        version = _UNWEIGHTED_VERSION if component_version_of_model(folder) == _UNWEIGHTED_VERSION else self.version
        manifest, (terms, content) = read_model(folder, component=_COMPONENT, version=version, names=(_TERMS, _ARRAYS))
        try:
            found = np.array(json.loads(terms), dtype=np.int64)
            arrays = read_arrays(content)
            length = 0.0 if version == _UNWEIGHTED_VERSION else float(arrays["length"][0])
            learned = _LsaModel(found, arrays["idf"], arrays["places"], str(manifest["language"]), length)
            if found.ndim != 1 or learned.places.ndim != 2 or len(learned.places) != len(found):
                raise ValueError("terms and arrays do not fit together")
            if learned.idf.shape != found.shape or not (np.diff(found) > 0).all():
                raise ValueError("terms and arrays do not fit together")
        except (ValueError, KeyError, TypeError) as error:
            raise ComponentError(
                "The vectors' model cannot be read.", cause=str(error), fix="Build it again."
            ) from error
        self._learned = learned


class _TermHasher:
    """Hashes words of one language to stems and subwords; caches the words it has seen."""

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
        """Count the hashed stems and subwords of a text; scripts without spaces give pairs of characters."""
        words: list[str] = []
        for part in _UNSPACED_RUNS.split(text[:_TEXT_LIMIT]):
            if part and starts_with_unspaced_script(part):
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

    def count_all(self, texts: Iterable[str]) -> _TermCounts:
        """Count the terms of texts."""
        import numpy as np

        terms, counts, starts = array("i"), array("f"), array("q", [0])
        for text in texts:
            found = self.count(text)
            terms.extend(found)
            counts.extend(found.values())
            starts.append(len(terms))
        held = np.frombuffer(terms, dtype=np.int32) if terms else np.empty(0, dtype=np.int32)
        amounts = np.frombuffer(counts, dtype=np.float32) if counts else np.empty(0, dtype=np.float32)
        return _TermCounts(held, amounts, np.frombuffer(starts, dtype=np.int64))

    def _hash(self, word: str) -> tuple[int, ...]:
        """Return the number of the word's stem, then those of its subwords, which are greater than all stems."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _KNOWN_WORDS:
                self._known.clear()
            stem = zlib.crc32(self._stem(word).encode()) % _BUCKETS
            pieces = (zlib.crc32(piece.encode()) % _BUCKETS + _BUCKETS for piece in _subwords(word))
            found = self._known[word] = (stem, *pieces)
        return found


def _subwords(word: str) -> list[str]:
    if not word[0].isalpha() or starts_with_unspaced_script(word):
        return []
    framed = f" {unicodedata.normalize('NFKC', word)} "
    return [framed[at : at + _PIECE] for at in range(len(framed) - _PIECE + 1)] if len(framed) > _PIECE else []


def _bm25_matrix(counted: _TermCounts, terms: Integers, idf: Floats, length: float) -> Any:
    """Return the sparse matrix of the weights of texts, rows of length 1 (or 0).

    Args:
        terms: those that have a column, ascending.
        length: mean length of the texts learned from, for BM25; 0 = logarithmic TF-IDF.
    """
    import numpy as np
    from scipy.sparse import csr_matrix

    number = len(counted.starts) - 1
    columns = np.searchsorted(terms, counted.terms).astype(np.int32)
    columns[columns == len(terms)] = 0
    known = terms[columns] == counted.terms
    texts = np.repeat(np.arange(number, dtype=np.int32), np.diff(counted.starts))[known]
    columns, counts = columns[known], counted.counts[known]
    if length > 0:
        norms = _SATURATION * (1 - _LENGTH + _LENGTH * counted.lengths() / length)
        weights = counts * (_SATURATION + 1) / (counts + norms[texts]) * idf[columns]
    else:
        weights = (1 + np.log(counts)) * idf[columns]
    squares = np.bincount(texts, weights=weights**2, minlength=number)
    weights /= np.sqrt(np.maximum(squares, 1e-12)).astype(np.float32)[texts]
    starts = np.concatenate([[0], np.cumsum(np.bincount(texts, minlength=number))])
    return csr_matrix((weights.astype(np.float32), columns, starts), shape=(number, len(terms)))


def _singular_vectors(matrix: Any, size: int) -> Floats:
    """Return the first right singular vectors of a sparse matrix of texts and terms: `size` columns.

    Subspace iteration (Halko, Martinsson, Tropp 2011) on the side of the texts: scikit-learn's implementation
    factorises the far longer side of the terms repeatedly, which takes three times the memory.
    """
    import numpy as np

    start = np.random.default_rng(0).standard_normal((matrix.shape[0], min(size + _SPARE, matrix.shape[0])))
    basis = start.astype(np.float32)
    for _ in range(_ROUNDS):
        basis = np.linalg.qr(matrix @ (matrix.T @ basis))[0]
    spanned = matrix.T @ basis
    squares, turns = np.linalg.eigh((spanned.T @ spanned).astype(np.float64))
    del spanned  # as large as the result
    kept = np.argsort(-squares)[:size]
    kept = kept[squares[kept] > _NOWHERE * squares[kept[0]]]
    axes: Floats = matrix.T @ (basis @ (turns[:, kept] / np.sqrt(squares[kept])).astype(np.float32))
    return axes
