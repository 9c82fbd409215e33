"""The layout of plain text: paragraphs separated by empty lines."""

from __future__ import annotations

import re

from annotarium.content.layouts.marks import Mark

_PARAGRAPH = re.compile(r"\S[^\n]*(?:\n[^\S\n]*\S[^\n]*)*")


def plain_layout(text: str, origin: int = 0) -> list[Mark]:
    """Return the paragraphs of a part of a text that begins at `origin`."""
    return [
        {"kind": "paragraph", "start": origin + found.start(), "end": origin + found.start() + len(found[0].rstrip())}
        for found in _PARAGRAPH.finditer(text)
    ]
