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
from annotarium_plugins.parameters import Parameters, number_field

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
    maximum_terms: int = number_field(
        60_000, 1000, 500_000, title="Most terms", description="The terms of most documents are kept.", advanced=True
    )
    maximum_texts: int = number_field(
        50_000,
        100,
        1_000_000,
        title="Most texts learned from",
        description="Evenly spread texts stand for a bigger corpus.",
        advanced=True,
    )


@dataclass
class _LsaModel:
    """Hashed terms, ascending, each with its weight and its place in the space (dimension - 1 numbers a row); language
    of the stems; mean length of the texts, 0 where weights do not heed it."""

    terms: Integers
    idf: Floats
    places: Floats
    language: str
    length: float


class _TermCounts(NamedTuple):
    """Terms of texts in compressed rows: text n has `terms[starts[n]:starts[n + 1]]`, each as often as `counts` says.

    Eight bytes a term: the dictionaries they come from take ten times as much.
    """

    terms: Integers
    counts: Floats
    starts: Integers

    def lengths(self) -> Floats:
        """Terms of each text, repetitions included."""
        import numpy as np

        sums = np.concatenate([[0.0], np.cumsum(self.counts, dtype=np.float64)])
        lengths: Floats = (sums[self.starts[1:]] - sums[self.starts[:-1]]).astype(np.float32)
        return lengths


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
        self._learned: _LsaModel | None = None
        self._hashes = _TermHasher("")

    def fit(self, texts: Sequence[str], language: str) -> None:
        """Learn terms and axes from the corpus; the same texts in the same order give the same axes.

        Raises:
            ComponentError: the texts hold no words.
        """
        import numpy as np

        step = max(1, -(-len(texts) // self.parameters.maximum_texts))
        counted = self._hashes_of(language).count_all(texts[::step])
        number = len(counted.starts) - 1
        # Names met once are what people look for in a small collection; in a big one they are mostly noise.
        terms, documents = self._selected_terms(counted, 2 if number >= _MANY_TEXTS else 1)
        if not len(terms):
            raise ComponentError("There is nothing to learn from: the texts hold no words.", fix="Import texts first.")
        idf = (np.log((1 + number) / (1 + documents)) + 1).astype(np.float32)
        length = float(counted.lengths().mean())
        matrix = _bm25_matrix(counted, terms, idf, length)
        del counted
        self._hashes = _TermHasher(language)  # without the words met
        found = _singular_vectors(matrix, min(self.parameters.dimension - 1, *matrix.shape))
        places = found
        if found.shape[1] < self.parameters.dimension - 1:
            places = np.zeros((len(terms), self.parameters.dimension - 1), dtype=np.float32)
            places[:, : found.shape[1]] = found
        self._learned = _LsaModel(terms, idf, places, language, length)

    def _selected_terms(self, counted: _TermCounts, least: int) -> tuple[Integers, Integers]:
        """The terms of most texts, ascending, with the number of texts that have them.

        Pieces, which most texts have, are at most half of them. Terms of fewer texts than `least` are left out.
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
        """Array (len(texts), dimension), float32, rows of length 1; words are stemmed as at `fit`."""
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
        """A text counts as a bag of words, however long, up to a limit."""
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
        """The terms of texts."""
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
        """The stem of a word, then its pieces, which are numbered above all stems."""
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
    """The sparse matrix of the weights of texts, rows of length 1 (or 0) each.

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
    """The first right singular vectors of a sparse matrix of texts and terms: a column each, as many as `size`.

    Subspace iteration (Halko, Martinsson, Tropp 2011) on the side of the texts: scikit-learn's factorises the far
    longer side of the terms again and again, which takes three times the memory.
    """
    import numpy as np

    start = np.random.default_rng(0).standard_normal((matrix.shape[0], min(size + _SPARE, matrix.shape[0])))
    basis = start.astype(np.float32)
    for _ in range(_ROUNDS):
        basis = np.linalg.qr(matrix @ (matrix.T @ basis))[0]
    spanned = matrix.T @ basis
    squares, turns = np.linalg.eigh((spanned.T @ spanned).astype(np.float64))
    del spanned  # as large as the answer
    kept = np.argsort(-squares)[:size]
    kept = kept[squares[kept] > _NOWHERE * squares[kept[0]]]
    axes: Floats = matrix.T @ (basis @ (turns[:, kept] / np.sqrt(squares[kept])).astype(np.float32))
    return axes
