"""Matching and weighting of words, the same for every engine."""

from __future__ import annotations

import re

from annotarium.search.text_analysis import fold_case_and_accents

TITLE_WEIGHT = 2.0
"""Weight of a word in the title, relative to 1 for a word in the text."""


def wildcard_to_folded_glob(pattern: str) -> str:
    """Convert a wildcard on folded words to a GLOB pattern."""
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern, re.DOTALL)
    return "".join(part if part in ("*", "?") else fold_case_and_accents(part) for part in parts)
