"""Tokenizes texts into words, for index and queries, with their code-point offsets in the original text.

A word is lower-cased, stemmed for the language (not for `xx` and `ur`), and stripped of accents (NFKD; what that
changed is stemmed again, so that words typed without accents mostly match those with accents). Letters that keyboards
write in several ways are unified (Arabic, Persian, Urdu, Hindi; their digits). There are no stop words: ranking gives
them little weight, and phrases need them. Scripts written without spaces (Chinese, Japanese, Korean, Thai, Lao, Khmer,
Burmese) give overlapping pairs of characters. An emoji is one word as it is displayed: a sequence with joiners, a flag,
one with a skin tone. Skin tones and the two styles (as text or as picture) are folded like upper case, so that each
finds the others. Offsets always refer to the original text: folding changes lengths, so offsets in folded text are
never used.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import add

import Stemmer

from annotarium.search.language_rules import BEFORE_STEMMING, SAME_LETTERS, STEMMERS

MAX_WORD = 100
"""Code points of a word in the index; longer ones (encoded data, addresses) are cut off."""

_CACHED_WORDS = 50_000
_CACHED_TITLES = 1_000
_UNSPACED_SCRIPTS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3131-\u318e\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9d\U00020000-\U000323af"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED_SCRIPTS}]+")
_UNSPACED_SPLIT = re.compile(f"([{_UNSPACED_SCRIPTS}]+)")
_LONG_RUN = re.compile(f"[{_UNSPACED_SCRIPTS}]{{6,}}")
_SYLLABLES = re.compile("[\u30a0-\u30ff\uff66-\uff9d]+|[\u3131-\u318e\uac00-\ud7a3]+")
_SKIN_TONES = "\U0001f3fb-\U0001f3ff"
_PICTOGRAPHS = (
    "\u231a\u231b\u2328\u23cf\u23e9-\u23fa\u2600-\u2767\u2794-\u27bf\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55"
    "\U0001f000-\U0001f0ff\U0001f170-\U0001f1e5\U0001f200-\U0001f2ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
_EMOJI_WITH_SELECTOR = "\u00a9\u00ae\u2122\u2194-\u21aa\u24c2\u25aa-\u25fe\u2934\u2935\u3030\u303d\u3297\u3299"
"""Characters that are pictures where the text says so (followed by U+FE0F)."""
_REGIONS = "\U0001f1e6-\U0001f1ff"
_EMOJI = (
    f"(?:[{_REGIONS}]{{1,2}}|(?:[{_PICTOGRAPHS}]|[{_EMOJI_WITH_SELECTOR}](?=\ufe0f))[\ufe0e\ufe0f]?[{_SKIN_TONES}]?[\U000e0020-\U000e007f]*"
    f"(?:\u200d[{_PICTOGRAPHS}{_EMOJI_WITH_SELECTOR}]\ufe0f?[{_SKIN_TONES}]?)*)"
)
_EMOJI_PATTERN = re.compile(_EMOJI)
_UNSPACED = re.compile(f"[{_UNSPACED_SCRIPTS}{_PICTOGRAPHS}{_EMOJI_WITH_SELECTOR}{_REGIONS}]")
"""A character that may not be separated from the next word by a space."""
_HIDDEN = "\u00ad\u2060\ufeff"
"""Invisible characters that allow or forbid a line break within a word."""
_JOINERS = "\u200c\u200d\u0640" + _HIDDEN
_VOWEL_POINTS = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200c\u200d\u0640\u3099\u309a"
    f"\ufe0e\ufe0f{_SKIN_TONES}{_HIDDEN}]"
)
_UNHIDDEN = dict.fromkeys(map(ord, _HIDDEN))
_UNSAFE = re.compile(r"[\x00-\x2f\x3a-\x60\x7b-\x7f]")


def _combining_mark_ranges() -> str:
    """Return the combining marks of the basic plane (vowel signs of Indic scripts, accents) as ranges of a character
    class.
    """
    ranges: list[str] = []
    start = previous = -2
    for code in (*range(0x300, 0x3000), *range(0xA66F, 0xABEE), 0xFE20):
        if unicodedata.category(chr(code))[0] != "M":
            continue
        if code != previous + 1:
            if start >= 0:
                ranges.append(f"{chr(start)}-{chr(previous)}")
            start = code
        previous = code
    ranges.append(f"{chr(start)}-{chr(previous)}")
    return "".join(ranges)


_MARKS = _combining_mark_ranges() + _JOINERS
_MARK = re.compile(f"[{_MARKS}]")
_WORDS = re.compile(rf"{_EMOJI}|(?:[^\W_]|[{_MARKS}])+")
_WORDS_AS_TYPED = re.compile(rf"{_EMOJI}|\w+")
_GAP = re.compile(r"[\W_]")
_GAP_NEXT_TO_MARKS = re.compile(rf"(?![{_MARKS}])[\W_]")
_ASCII_GAPS = {code: " " for code in range(128) if not chr(code).isalnum()}


@dataclass(slots=True)
class Tokens:
    """The words of a text in order, with the code point at which each begins in the original text. Must not be changed.

    A gap of several characters leaves empty words, which callers skip. `sliced_from` are the tokens these are a part
    of.
    """

    terms: Sequence[str]
    starts: Sequence[int]
    words: Sequence[str]
    sliced_from: Tokens | None = None
    inflected: Mapping[str, str] | None = None
    """See `Analyser.inflected`."""
    made: str | None = None
    """The line, for tokens that were made by another process; all other fields are then empty (see
    `import_tokenizing`).
    """

    def __iter__(self) -> Iterator[tuple[str, int, int, str]]:
        """Yield `(term, start, end, surface word)` of every word, half-open."""
        for term, start, word in zip(self.terms, self.starts, self.words, strict=True):
            if word:
                yield term, start, start + len(word), word

    def part(self, start: int, end: int) -> Tokens:
        """Return the words that begin in [start, end). Segments thus reuse the tokens of their document."""
        low, high = bisect_left(self.starts, start), bisect_left(self.starts, end)
        return Tokens(self.terms[low:high], self.starts[low:high], self.words[low:high], self)

    def line(self) -> str:
        """Return the terms as an index stores them, separated by spaces."""
        return " ".join(filter(None, self.terms)) if self.made is None else self.made


class _TermCache(dict[str, str]):
    """Term by surface word; cleared when full to limit memory."""

    def __init__(self, language: str) -> None:
        super().__init__()
        algorithm = STEMMERS.get(language)
        self.inflected: dict[str, str] = {}
        self.news: dict[str, str] | None = None
        self._stem = Stemmer.Stemmer(algorithm, 0).stemWord if algorithm else None
        self._spelling = BEFORE_STEMMING.get(language)

    def __missing__(self, word: str) -> str:
        if len(self) >= _CACHED_WORDS:
            self.clear()
            self.inflected.clear()
        term = self._term(word)
        self[word] = term
        return term

    def _term(self, word: str) -> str:
        if word.isascii() and word.isalnum():  # nothing to fold
            term = folded = word[:MAX_WORD].lower()
            if self._stem:
                term = self._stem(folded) or folded
        else:
            term, folded = self._folded_term(word)
        if term != folded:
            self.inflected[word] = folded
            if self.news is not None:
                self.news[word] = folded
        return term

    def _folded_term(self, word: str) -> tuple[str, str]:
        """Return the term of a word with non-ASCII letters, and the folded word itself."""
        lowered = unicodedata.normalize("NFKC", word[:MAX_WORD]).lower().translate(_UNHIDDEN)
        if self._spelling and not lowered.isascii():
            lowered = lowered.translate(self._spelling)
        stem: str = self._stem(lowered) if self._stem else lowered
        folded = fold_case_and_accents(lowered)
        term = fold_case_and_accents(stem) or folded
        if self._stem and term != stem and term.isascii():
            term = self._stem(term) or term
        return term, folded


def fold_case_and_accents(text: str) -> str:
    """Return a text for comparison: NFKD-normalised, without case and accents, word characters only."""
    return _UNSAFE.sub("", fold_letters(text))


def fold_letters(text: str) -> str:
    """Return a text for comparison: NFKD-normalised, without case and accents, with its punctuation and spaces."""
    if text.isascii():
        return text.lower()
    bare = _VOWEL_POINTS.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFC", bare.translate(SAME_LETTERS)).casefold()


class Analyser:
    """Tokenizes texts of one language. One per language and process: see `get_analyser`."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._cache = _TermCache(language)
        self._titles: dict[str, Tokens] = {}

    def tokens(self, text: str) -> Tokens:
        """Return the words of a text with their offsets, as indexed (in unspaced scripts a single last character ends
        each run).
        """
        if not text.isascii() and _UNSPACED.search(text):
            return self._tokens_unspaced(text)
        words = _replace_gaps_with_spaces(text).split(" ")
        starts = list(map(add, accumulate(map(len, words), initial=0), range(len(words))))
        return Tokens(list(map(self._cache.__getitem__, words)), starts, words)

    def lines(self, text: str, borders: Sequence[int]) -> list[str]:
        """Return the lines (see `Tokens.line`) of the parts of a text between ascending borders.

        A word belongs to the part it begins in. Takes half the time of `tokens`.
        """
        ends = [*borders, len(text)]
        if text.isascii() or not _UNSPACED.search(text):
            spaced = _replace_gaps_with_spaces(text)
            if not any(0 < at < len(text) and spaced[at] != " " != spaced[at - 1] for at in borders):
                term = self._cache.__getitem__
                parts = map(spaced.__getitem__, map(slice, [0, *borders], ends))
                return [" ".join(filter(None, map(term, part.split()))) for part in parts]
        tokens = self.tokens(text)
        places = [bisect_left(tokens.starts, at) for at in ends]
        return [" ".join(filter(None, tokens.terms[at:end])) for at, end in pairwise((0, *places))]

    def title_tokens(self, title: str) -> Tokens:
        """Return `tokens` of a title from a cache: a document and all its segments have the same title."""
        found = self._titles.get(title)
        if found is None:
            if len(self._titles) >= _CACHED_TITLES:
                self._titles.clear()
            found = self._titles[title] = self.tokens(title)
        return found

    def terms(self, text: str) -> list[str]:
        """Return the terms of a word or phrase of a query, in order; empty when it contains no word."""
        terms: list[str] = []
        position = 0
        for run in _UNSPACED_RUN.finditer(text):
            terms += self._words(text[position : run.start()])
            terms += _bigrams(run.group(), closing=bool(_WORDS.search(text, run.end())))
            position = run.end()
        return terms + self._words(text[position:])

    def inflected(self, tokens: Tokens) -> Mapping[str, str]:
        """Return those of the tokens whose term differs from the folded word: surface word -> folded word.

        Call it right after the tokens were made, as it reads a cache that may be cleared later.
        """
        if tokens.inflected is None:
            known = self._cache.inflected
            tokens.inflected = {word: known[word] for word in known.keys() & tokens.words}
        return tokens.inflected

    def collect_inflected(self) -> dict[str, str]:
        """Return a mapping like that of `inflected`, to which each such word is added when it first occurs.

        The caller empties it.
        """
        news = self._cache.news = {}
        return news

    def term(self, word: str) -> str:
        """Return the term of one surface word."""
        return self._cache[word]

    def _words(self, text: str) -> list[str]:
        return [term for word in _WORDS.findall(text) if (term := self._cache[word])]

    def _tokens_unspaced(self, text: str) -> Tokens:
        terms: list[str] = []
        starts: list[int] = []
        words: list[str] = []
        for match in _WORDS.finditer(text):
            position = match.start()
            for part in _UNSPACED_SPLIT.split(match.group()):
                if part and _UNSPACED_RUN.match(part):
                    pairs = _bigrams(part, closing=True)
                    terms += pairs
                    words += pairs
                    starts += range(position, position + len(pairs))
                elif part:
                    terms.append(self._cache[part])
                    words.append(part)
                    starts.append(position)
                position += len(part)
        return Tokens(terms, starts, words)


def _replace_gaps_with_spaces(text: str) -> str:
    """Return the text with a space in place of each character that belongs to no word."""
    if text.isascii():
        return text.translate(_ASCII_GAPS)
    return (_GAP_NEXT_TO_MARKS if _MARK.search(text) else _GAP).sub(" ", text)


def words_as_typed(text: str) -> list[str]:
    """Return the words of a text, neither folded nor stemmed."""
    return [word for word in _WORDS_AS_TYPED.findall(text) if fold_case_and_accents(word)]


def fold_words(text: str) -> list[str]:
    """Return the folded words of a text, not stemmed."""
    return [folded for word in _WORDS_AS_TYPED.findall(text) if (folded := fold_case_and_accents(word))]


def has_words(text: str) -> bool:
    """Return whether a text contains anything to search for: a letter, a digit, an emoji."""
    return any(letter.isalnum() for letter in text) or _EMOJI_PATTERN.search(text) is not None


def is_unspaced_script(text: str) -> bool:
    """Return whether the text is one run of a script written without spaces."""
    return bool(_UNSPACED_RUN.fullmatch(text))


def is_unspaced_sentence(text: str) -> bool:
    """Return whether an unquoted word of a query consists of several words, written without spaces.

    Its pairs are then searched one by one, not as one phrase, because no text contains a whole question. Long words of
    one syllabary (katakana, hangul) stay words.
    """
    return any(not _SYLLABLES.fullmatch(run) for run in _LONG_RUN.findall(text))


def _bigrams(run: str, *, closing: bool) -> list[str]:
    """`ABC` -> AB BC, and C when the run is known to end there: in the index every character begins some term."""
    pairs = [run[at : at + 2] for at in range(len(run) - 1)]
    return [*pairs, run[-1]] if closing or not pairs else pairs


@lru_cache(maxsize=64)
def get_analyser(language: str) -> Analyser:
    """Return the analyser of a language code; unknown codes are treated like `xx`."""
    return Analyser(language if language in STEMMERS else "xx")
