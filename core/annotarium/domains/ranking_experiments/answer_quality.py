"""Quality of an answer: comparison with known answers as in SQuAD and MLQA, and of citations with judged passages.

Before texts are compared, case, punctuation, diacritics of Arabic and articles are removed, and characters of scripts
without spaces are single tokens.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from annotarium.domains.ranking_experiments.judged_passages import FoundRange, Judgement, matches

ANSWER_FIGURES = ("f1", "em", "contained", "citationPrecision", "citationRecall")
"""Figures of an answer; the first one decides."""
_ARTICLES = {
    "en": frozenset(["a", "an", "the"]),
    "es": frozenset(["un", "una", "unos", "unas", "el", "la", "los", "las"]),
    "fr": frozenset(["un", "une", "des", "le", "la", "les", "l", "d"]),
    "de": frozenset(["ein", "eine", "einen", "einem", "eines", "einer", "der", "die", "das", "den", "dem", "des"]),
    "it": frozenset(["un", "uno", "una", "il", "lo", "la", "i", "gli", "le", "l"]),
    "pt": frozenset(["um", "uma", "uns", "umas", "o", "a", "os", "as"]),
    "nl": frozenset(["de", "het", "een"]),
}
_ARABIC_ARTICLE = re.compile(r"^ال(?=\w{2})")
_UNSPACED = re.compile(
    "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"
    "\U00020000-\U0003ffff]"
)


def answer_tokens(text: str, language: str) -> list[str]:
    """Return the tokens of an answer that are compared."""
    code = language[:2].lower()
    spaced = _UNSPACED.sub(r" \g<0> ", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(_replacement(char) for char in spaced)
    articles = _ARTICLES.get(code, frozenset())
    tokens = [token for token in kept.split() if token not in articles]
    return [_ARABIC_ARTICLE.sub("", token) for token in tokens] if code in ("ar", "fa", "ur") else tokens


def _replacement(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Mn" and "\u0600" <= char <= "\u06ff":
        return ""
    return " " if category[0] in "PZC" or category in ("Sk", "So") else char


def exact_match(text: str, answers: Sequence[str], language: str) -> float:
    """Return 1 if the answer is one of the known ones, else 0."""
    given = answer_tokens(text, language)
    return float(any(given == answer_tokens(answer, language) for answer in answers))


def token_f1(text: str, answers: Sequence[str], language: str) -> float:
    """Return the F1 of the tokens with the best of the known answers."""
    given, best = answer_tokens(text, language), 0.0
    for answer in answers:
        wanted = answer_tokens(answer, language)
        if not given or not wanted:
            best = max(best, float(given == wanted))
            continue
        common = (Counter(given) & Counter(wanted)).total()
        best = max(best, 2 * common / (len(given) + len(wanted)))
    return best


def contains_answer(text: str, answers: Sequence[str], language: str) -> float:
    """Return 1 if the tokens of a known answer follow each other in the answer, else 0."""
    given = answer_tokens(text, language)
    for answer in answers:
        wanted = answer_tokens(answer, language)
        ends = range(len(wanted), len(given) + 1)
        if wanted and any(given[end - len(wanted) : end] == wanted for end in ends):
            return 1.0
    return 0.0


def citation_figures(cited: Sequence[FoundRange], judgements: Sequence[Judgement]) -> tuple[float, float]:
    """Return the share of cited passages that are judged as relevant, and that of relevant ones that are cited.

    NaN: of precision without a citation, of both without a relevant passage.
    """
    relevant = [one for one in judgements if one.grade > 0]
    if not relevant:
        return float("nan"), float("nan")
    right = sum(any(matches(one, judged) for judged in relevant) for one in cited)
    found = sum(any(matches(one, judged) for one in cited) for judged in relevant)
    return right / len(cited) if cited else float("nan"), found / len(relevant)


def text_figures(text: str, *, told: bool, answers: Sequence[str], language: str) -> tuple[float, float, float]:
    """Return F1, exact match and whether a known answer is contained.

    Without known answers nothing is to be told: each is 1 if nothing was told, else 0 (as in SQuAD 2.0).
    """
    if not answers:
        right = float(not told)
        return right, right, right
    if not told:
        return 0.0, 0.0, 0.0
    return (
        token_f1(text, answers, language),
        exact_match(text, answers, language),
        contains_answer(text, answers, language),
    )
