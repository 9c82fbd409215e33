"""Limits that keep malicious queries cheap, the same for every engine."""

from __future__ import annotations

MAX_QUERY_LENGTH = 10_000
"""Code points of one query."""

MAX_CLAUSES = 512
"""Leaves of one query."""

MAX_DEPTH = 32
"""Nested brackets of one query."""

MAX_WILDCARDS = 24
"""Wildcard and prefix leaves of one query."""

MAX_PATTERNS = 8
"""Fuzzy words and regular expressions of one query: each of them reads all words of the index."""

MAX_REGEX_LENGTH = 200
"""Characters of one regular expression."""

MAX_EXPANSIONS = 1024
"""Words that a wildcard, fuzzy word or regular expression is expanded to, the shortest first.

Responses state when there are more (`exact`).
"""


def replace_lone_surrogates(text: str) -> str:
    """Return the text without lone surrogates, which no database or server accepts."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
