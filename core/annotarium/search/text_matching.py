"""How every engine matches and weighs words of a text."""

from __future__ import annotations

import re

from annotarium.search.text_analysis import fold_case_and_accents

TITLE_WEIGHT = 2.0
"""What a word of the title counts, beside 1 for a word of the text."""


def wildcard_to_folded_glob(pattern: str) -> str:
    """The GLOB of a wildcard on folded words."""
    parts = re.findall(r"\\.|[*?]|[^\\*?]+|\\", pattern, re.DOTALL)
    return "".join(part if part in ("*", "?") else fold_case_and_accents(part) for part in parts)
