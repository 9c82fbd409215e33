"""Features of a token for the sequence learner: form, shape, affixes, its casing in the corpus, and its neighbours."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from annotarium_engines.tokens import Token

Features = list[str]
_DIGIT = re.compile(r"\d")
_RUN = re.compile(r"(.)\1+", re.DOTALL)
_SHAPE_LENGTH = 20
_LONGEST_WORD = 40


def shape(word: str) -> str:
    """Return the shape of a word: `X` upper case, `x` other letter, `d` digit, other characters unchanged (`McDo-3` ->
    `XxXx-d`).
    """
    return "".join(
        "X" if char.isupper() else "x" if char.isalpha() else "d" if char.isdigit() else char
        for char in word[:_SHAPE_LENGTH]
    )


@dataclass
class CasingCounts:
    """Counts how often the training texts write a word in lower case and capitalised (not as the first word of a
    segment).

    It distinguishes a name from a word that starts a sentence, and a known word from an unknown one.
    """

    lower: Counter[str] = field(default_factory=Counter)
    upper: Counter[str] = field(default_factory=Counter)

    def learn(self, tokens: Sequence[Token]) -> None:
        """Count the words of one segment."""
        for index, token in enumerate(tokens):
            if token.text.islower():
                self.lower[token.text] += 1
            elif index and token.text[0].isupper():
                self.upper[token.text.lower()] += 1

    def describe(self, word: str, *, counted: bool) -> str:
        """Return a casing class of the word; with `counted`, this occurrence was counted by `learn` and is
        subtracted.
        """
        key = word.lower()
        lower, upper = self.lower[key], self.upper[key]
        if counted and word.islower():
            lower -= 1
        elif counted:
            upper -= 1
        lower, upper = max(lower, 0), max(upper, 0)
        seen = lower + upper
        if not seen:
            return "new"
        kind = "low" if lower > 0.9 * seen else "mixed" if lower > 0.3 * seen else "up"
        return f"{kind}{1 if seen < 2 else 5 if seen < 6 else 9}"


class _TokenForms:
    """Properties of a token that are computed once and used in the features of all tokens around it."""

    __slots__ = ("casing", "form", "lower", "shape", "short")

    def __init__(self, word: str, casing: CasingCounts, *, counted: bool) -> None:
        self.lower = word.lower()[:_LONGEST_WORD]
        self.form = _DIGIT.sub("0", self.lower)
        self.shape = shape(word)
        self.short = _RUN.sub(r"\1", self.shape)
        self.casing = casing.describe(word, counted=counted)


def _case_of_segment(tokens: Sequence[Token]) -> str:
    """Return `C` when nearly every word is capitalised, `L` when none is, else `M`: in the first two, capitals carry
    little information.
    """
    words = sum(token.text[0].isalpha() for token in tokens)
    capitals = sum(token.text[0].isupper() for token in tokens)
    if not capitals:
        return "L"
    return "C" if words > 3 and capitals > 0.6 * words else "M"


def _features_of_token(word: _TokenForms, case: str, affixes: int) -> Features:
    length = len(word.lower)
    found = [
        "b",
        f"w={word.form}",
        f"s={word.short}",
        f"S={word.shape if len(word.shape) <= 8 else word.short}",
        f"l={min(length, 10)}",
        f"c={case}{word.short}",
        f"k={word.casing}",
        f"ks={word.casing}{word.short}",
    ]
    for size in range(1, min(affixes, length - 1) + 1):
        found.append(f"p{size}={word.lower[:size]}")
        found.append(f"f{size}={word.lower[-size:]}")
    return found


def _features_of_neighbours(words: Sequence[_TokenForms], index: int, window: int) -> Features:
    found: Features = []
    for place in range(max(0, index - window), min(len(words), index + window + 1)):
        distance = place - index
        if distance:
            other = words[place]
            found.append(f"{distance}w={other.form}")
            found.append(f"{distance}s={other.short}")
            if distance in (-1, 1):
                found.append(f"{distance}k={other.casing}")
    if not window:
        return found
    own = words[index].short
    before = words[index - 1].short if index else None
    after = words[index + 1].short if index + 1 < len(words) else None
    if before is not None:
        found.append(f"-ss={before}|{own}")
    if after is not None:
        found.append(f"ss+={own}|{after}")
    if before is not None and after is not None:
        found.append(f"-ss+={before}|{own}|{after}")
    return found


def features(
    tokens: Sequence[Token], casing: CasingCounts, *, affixes: int, window: int, counted: bool = False
) -> list[Features]:
    """Return one list of features per token; `counted` when `casing` has learned from these tokens."""
    words = [_TokenForms(token.text, casing, counted=counted) for token in tokens]
    case = _case_of_segment(tokens)
    rows = []
    for index, word in enumerate(words):
        row = _features_of_token(word, case, affixes) + _features_of_neighbours(words, index, window)
        if index == 0:
            row.append("first")
        elif tokens[index - 1].end == tokens[index].start:
            row.append("glued")
        if index == len(words) - 1:
            row.append("last")
        rows.append(row)
    return rows


def learn_casing(segments: Iterable[Sequence[Token]], *, words: int = 200_000) -> CasingCounts:
    """Return the casing counts of a corpus, limited to its `words` most frequent words (ties by spelling)."""
    casing = CasingCounts()
    for tokens in segments:
        casing.learn(tokens)
    for counts in (casing.lower, casing.upper):
        if len(counts) > words:
            kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:words]
            counts.clear()
            counts.update(dict(kept))
    return casing
