"""Questions that refer to the one before: "And when was it built?"."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium_engines.answers.question_words import LONGEST_QUESTION, content_tokens, content_words
from annotarium_engines.tokens import starts_with_unspaced_script, tokenize
from annotarium_plugins.base.follow_up import Turn

MOST_TURNS = 6
"""Number of the latest turns that are read."""
_SHORT, _LONG = 2, 5
"""With at most so many content words, a question needs earlier ones; with at least so many, it stands alone."""
_LONGEST_UNSPACED = 12
_REFERRING = frozenset({
    "it", "its", "they", "them", "their", "theirs", "he", "him", "his", "she", "her", "hers", "this", "that",
    "these", "those", "there", "and", "or", "but", "also", "il", "elle", "ils", "elles", "lui", "leur", "leurs",
    "son", "sa", "ses", "cela", "ça", "celui", "celle", "ceux", "celles", "et", "ou", "mais", "aussi", "él", "ella",
    "ello", "ellos", "ellas", "su", "sus", "suyo", "eso", "ese", "esa", "esto", "este", "esta", "y", "pero",
    "también", "er", "ihn", "ihm", "ihr", "ihre", "ihren", "ihrem", "ihres", "seinen", "seinem", "dessen", "deren",
    "dies", "dieser", "diese", "dieses", "und", "oder", "aber", "auch", "esso", "essa", "essi", "esse", "lei",
    "loro", "suo", "sua", "questo", "questa", "e", "ma", "anche", "ele", "ela", "eles", "elas", "dele", "dela",
    "deles", "delas", "isso", "isto", "mas", "também", "hij", "zij", "ze", "hem", "haar", "hun", "deze", "dit",
    "dat", "maar", "ook", "он", "она", "оно", "они", "его", "её", "ее", "ему", "ей", "их", "им", "этот", "эта",
    "это", "и", "но", "а", "также", "هو", "هي", "هم", "هن", "ذلك", "تلك", "هذا", "هذه", "أيضا",
})  # fmt: skip
"""Pronouns, and conjunctions that begin a question; not those that are articles too."""
_REFERRING_UNSPACED = ("它", "他", "她", "其", "那", "这", "此", "该", "呢", "それ", "彼", "その", "この")
_AND_ARABIC = "و"


def refers_back(question: str, language: str) -> bool:
    """Whether a question is probably incomplete without the one before it."""
    given = question[:LONGEST_QUESTION].strip()
    if any(starts_with_unspaced_script(char) for char in given):
        return len(given) <= _LONGEST_UNSPACED or any(one in given for one in _REFERRING_UNSPACED)
    tokens = [token.text.casefold() for token in tokenize(given) if token.text[0].isalnum()]
    referring = not _REFERRING.isdisjoint(tokens) or (language[:2] == "ar" and given.startswith(_AND_ARABIC))
    content = [word for word in content_tokens(given, language) if word.casefold() not in _REFERRING]
    return len(content) <= _SHORT or (len(content) < _LONG and referring)


def earlier_question(turns: Sequence[Turn], question: str, language: str) -> str:
    """Return the words of earlier questions that complete a question, most recent first; empty if it stands alone."""
    found: list[str] = []
    current = question
    for turn in reversed(turns[-MOST_TURNS:]):
        if not refers_back(current, language):
            break
        found.append(turn.question[:LONGEST_QUESTION])
        current = turn.question
    return " ".join(found)


def added_words(question: str, earlier: str, language: str) -> list[str]:
    """Return the stems that the earlier questions add to those of a question."""
    own = set(content_words(question, language))
    return [word for word in content_words(earlier, language) if word not in own]
