"""Vocabulary of topic learners: splits texts into words and phrases, normalises them and selects the useful ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from annotarium_engines.tokens import starts_with_unspaced_script, tokenize
from annotarium_engines.topics.stop_words import stop_words

if TYPE_CHECKING:
    from annotarium_engines.model_files import Floats

TEXT_LIMIT = 20_000
"""Maximum code points of a text that are used."""
_MOST_COUNTED = 1_500_000
"""Maximum number of different terms counted at the same time; above it, terms that occurred once are dropped."""
_COMMON = 0.5
"""Terms in more than this share of the texts do not distinguish them; applied from `_SOME` texts on."""
_SOME, _MANY = 40, 1_000
_KNOWN_STEMS = 200_000
_REMAINS = frozenset('<>&;="')
"""Characters that occur in remains of markup, but not in words."""
STEMMERS = {
    "ar": "arabic", "de": "german", "en": "english", "es": "spanish", "fr": "french", "hi": "hindi", "it": "italian",
    "nl": "dutch", "pt": "portuguese", "ru": "russian",
}  # fmt: skip


class WordTokenizer:
    """Splits texts into runs of consecutive words: stop words, punctuation and numbers end a run.

    A word is a pair: its normalised form (its stem, or itself) and its case-folded spelling. Scripts without spaces
    give single characters; their words are phrases of these.

    Attributes:
        used: the tokenizer, lemma and number of stop words that are actually used.
    """

    def __init__(self, language: str, *, tokenizer: str, stopwords: bool, lemma: bool) -> None:
        self._cut: Callable[[str], Iterable[str]] = _split_into_words
        self._stops = stop_words(language) if stopwords else frozenset()
        self._stem: Callable[[str], str] | None = _stemmer(language) if lemma else None
        self._stems: dict[str, str] = {}
        spacy = _spacy_blank(language) if tokenizer == "spacy" else None
        if spacy is not None:
            self._cut = lambda text: (token.text for token in spacy.tokenizer(text))
            if stopwords:
                self._stops |= frozenset(word.casefold() for word in spacy.Defaults.stop_words)
        self.used: dict[str, Any] = {
            "tokenizer": "simple" if spacy is None else "spacy",
            "lemma": "none" if self._stem is None else "stems",
            "stopwords": len(self._stops),
        }

    def runs(self, text: str) -> Iterator[list[tuple[str, str]]]:
        """Yield runs of consecutive words."""
        run: list[tuple[str, str]] = []
        for token in self._cut(text[:TEXT_LIMIT]):
            word = token.casefold().strip("'’")
            if self._is_word(word):
                run.append((self._normalize(word), word))
            elif run:
                yield run
                run = []
        if run:
            yield run

    def _is_word(self, word: str) -> bool:
        if word in self._stops or not word[:1].isalnum() or not any(map(str.isalpha, word)):
            return False
        if not _REMAINS.isdisjoint(word):
            return False
        return len(word) > 1 or starts_with_unspaced_script(word)

    def _normalize(self, word: str) -> str:
        if self._stem is None:
            return word
        found = self._stems.get(word)
        if found is None:
            if len(self._stems) >= _KNOWN_STEMS:
                self._stems.clear()
            found = self._stems[word] = self._stem(word)
        return found


def _split_into_words(text: str) -> Iterator[str]:
    """Yield words; parts joined by an apostrophe stay together, because stop words are written so."""
    joined = ""
    end = -1
    for token in tokenize(text):
        if joined and token.start == end and (token.text in "'’" or joined[-1] in "'’"):
            joined, end = joined + token.text.replace("’", "'"), token.end
            continue
        if joined:
            yield joined
        joined, end = token.text, token.end
    if joined:
        yield joined


def _stemmer(language: str) -> Callable[[str], str] | None:
    name = STEMMERS.get(language)
    if name is None:
        return None
    import Stemmer

    return Stemmer.Stemmer(name, 0).stemWord if name in Stemmer.algorithms() else None


def _spacy_blank(language: str) -> Any:
    """Return an empty pipeline of a language, which needs no download; None when spaCy or the language is missing."""
    try:
        import spacy

        return spacy.blank(language)
    except ImportError:
        return None


class Vocabulary:
    """The terms of a corpus by column: words and phrases, their inverse document frequency, their usual spelling."""

    def __init__(self, columns: dict[str, int], idf: Floats, shown: list[str]) -> None:
        self.columns, self.idf, self.shown = columns, idf, shown

    @classmethod
    def learn(cls, texts: Iterable[str], words: WordTokenizer, ngrams: tuple[int, int], most: int) -> Vocabulary:
        """Learn the terms that several texts share, at most the `most` frequent; of few texts all terms are kept."""
        import numpy as np

        found: Counter[str] = Counter()
        written: dict[str, Counter[str]] = {}
        texts_read = 0
        for text in texts:
            texts_read += 1
            runs = list(words.runs(text))
            for run in runs:
                for one, word in run:
                    written.setdefault(one, Counter())[word] += 1
            found.update(set(ngram_terms(runs, ngrams)))
            if len(found) > _MOST_COUNTED:
                found = Counter({term: count for term, count in found.items() if count > 1})
        least = 1 if texts_read < _SOME else 2 if texts_read < _MANY else 3
        common = texts_read * _COMMON if texts_read >= _SOME else texts_read
        kept = [term for term, count in found.items() if least <= count <= common]
        kept = sorted(sorted(kept, key=lambda term: (-found[term], term))[:most])
        counts = np.array([found[term] for term in kept], dtype=np.float64)
        idf = (np.log((1 + texts_read) / (1 + counts)) + 1).astype(np.float32)
        best = {one: min(forms, key=lambda form: (-forms[form], form)) for one, forms in written.items()}
        return cls({term: at for at, term in enumerate(kept)}, idf, [_term_as_written(term, best) for term in kept])

    def counts(self, texts: Sequence[str], words: WordTokenizer, ngrams: tuple[int, int]) -> Any:
        """Return sparse rows (scipy CSR, float32): occurrences of each term in each text."""
        import numpy as np
        from scipy.sparse import csr_matrix

        values: list[int] = []
        at: list[int] = []
        starts = [0]
        for text in texts:
            found = Counter(
                self.columns[term] for term in ngram_terms(words.runs(text), ngrams) if term in self.columns
            )
            for column in sorted(found):
                at.append(column)
                values.append(found[column])
            starts.append(len(at))
        shape = (len(texts), len(self.columns))
        return csr_matrix((np.array(values, dtype=np.float32), at, starts), shape=shape)

    def weigh(self, counts: Any) -> Any:
        """Return TF-IDF rows of length 1 (0 for a text without terms): (1 + ln count) * idf."""
        import numpy as np
        from sklearn.preprocessing import normalize

        rows = counts.copy()
        rows.data = (1 + np.log(rows.data)) * self.idf[rows.indices]
        return normalize(rows, copy=False)


def ngram_terms(runs: Iterable[list[tuple[str, str]]], ngrams: tuple[int, int]) -> Iterator[str]:
    """Yield words and phrases of `ngrams` words (minimum, maximum). Where phrases are allowed, a single character of a
    script without spaces is skipped.
    """
    least, most = ngrams
    for run in runs:
        ones = [one for one, _ in run]
        for at in range(len(ones)):
            for size in range(least, min(most, len(ones) - at) + 1):
                if size == 1 and most > 1 and starts_with_unspaced_script(ones[at]):
                    continue
                yield _join(ones[at : at + size])


def _join(words: Sequence[str]) -> str:
    joined = words[0]
    for word in words[1:]:
        joined += word if starts_with_unspaced_script(joined[-1]) and starts_with_unspaced_script(word) else f" {word}"
    return joined


def _term_as_written(term: str, best: dict[str, str]) -> str:
    return " ".join(best.get(word, word) for word in term.split(" "))
