"""Words and character n-grams of texts, weighted by TF-IDF and stored as JSON and plain arrays instead of pickles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

TEXT_LIMIT = 50_000
"""Maximum characters of a text that are used."""
_SAMPLE = 8_000_000
"""Maximum characters the vocabulary is learned from: of a larger corpus, evenly spaced documents are used to bound
memory.
"""


@dataclass
class NgramBlock:
    """One kind of n-gram: settings of its counter, terms by column, inverse document frequencies."""

    settings: dict[str, Any]
    terms: list[str]
    idf: Floats


WORDS: dict[str, Any] = {"analyzer": "word", "ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"}
CHARACTERS: dict[str, Any] = {"analyzer": "char_wb", "ngram_range": (2, 5)}


class Tfidf:
    """Blocks of n-grams, concatenated; each block's row has length 1 (or 0 for a text without known terms).

    Weight of a term: (1 + ln count) * (ln((1 + documents) / (1 + documents with the term)) + 1), as scikit-learn's
    `TfidfVectorizer(sublinear_tf=True)`.
    """

    def __init__(self, blocks: list[NgramBlock]) -> None:
        self.blocks = blocks
        self._counters: list[Any] | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return sum(len(block.terms) for block in self.blocks)

    @classmethod
    def learn(cls, texts: Sequence[str], kinds: Sequence[dict[str, Any]], *, min_count: int, width: int) -> Tfidf:
        """Learn the terms that occur in at least `min_count` documents, at most `width` in total (the most
        frequent).
        """
        import numpy as np
        from sklearn.feature_extraction.text import CountVectorizer

        step = max(1, -(-sum(min(len(text), TEXT_LIMIT) for text in texts) // _SAMPLE))
        sample = [text[:TEXT_LIMIT] for text in texts[::step]]
        blocks = []
        for settings in kinds:
            counter = CountVectorizer(
                **settings, min_df=min(min_count, len(sample)), max_features=width // len(kinds), dtype=np.float32
            )
            try:
                counts = counter.fit_transform(sample)
            except ValueError:  # no text has a term of this kind
                continue
            documents = np.bincount(counts.indices, minlength=counts.shape[1])
            idf = np.log((1 + len(sample)) / (1 + documents)) + 1
            blocks.append(NgramBlock(settings, list(counter.get_feature_names_out()), idf.astype(np.float32)))
        return cls(blocks)

    def transform(self, texts: Sequence[str]) -> Any:
        """Return sparse float32 rows (scipy CSR), one per text."""
        import numpy as np
        from scipy.sparse import hstack
        from sklearn.feature_extraction.text import CountVectorizer
        from sklearn.preprocessing import normalize

        if self._counters is None:
            self._counters = [
                CountVectorizer(**block.settings, vocabulary=block.terms, dtype=np.float32) for block in self.blocks
            ]
        looked_at = [text[:TEXT_LIMIT] for text in texts]
        parts = []
        for block, counter in zip(self.blocks, self._counters, strict=True):
            counts = counter.transform(looked_at)
            np.log(counts.data, out=counts.data)
            counts.data += 1
            counts.data *= block.idf[counts.indices]
            parts.append(normalize(counts, copy=False))
        return hstack(parts, format="csr", dtype=np.float32)

    def vocabulary(self) -> bytes:
        """Return settings and terms of the blocks as JSON."""
        blocks = [{"settings": block.settings, "terms": block.terms} for block in self.blocks]
        return json.dumps(blocks, ensure_ascii=False).encode()

    def weights(self) -> dict[str, Floats]:
        """Return the arrays of the blocks: `idf0`, `idf1`..."""
        return {f"idf{number}": block.idf for number, block in enumerate(self.blocks)}

    @classmethod
    def restore(cls, vocabulary: bytes, weights: dict[str, Floats]) -> Tfidf:
        """Restore from the results of `vocabulary` and `weights`. Raises ValueError or KeyError when they do
        not match.
        """
        blocks = []
        for number, block in enumerate(json.loads(vocabulary)):
            known = next(
                (kind for kind in (WORDS, CHARACTERS) if kind["analyzer"] == block["settings"]["analyzer"]), None
            )
            terms, idf = [str(term) for term in block["terms"]], weights[f"idf{number}"]
            if known is None or idf.shape != (len(terms),):
                raise ValueError("vocabulary and weights do not fit together")
            blocks.append(NgramBlock(known, terms, idf))
        return cls(blocks)
