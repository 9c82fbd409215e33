"""Splits long texts for components with limited memory."""

from __future__ import annotations

from collections.abc import Iterator


def text_windows(text: str, longest: int) -> Iterator[tuple[int, int]]:
    """Yield ranges that cover the text, each at most `longest` code points, split after a line end if possible,
    otherwise after a space.
    """
    start = 0
    while len(text) - start > longest:
        cuts = (text.rfind(sign, start + longest // 2, start + longest) for sign in ("\n", " "))
        end = next((cut + 1 for cut in cuts if cut >= 0), start + longest)
        yield start, end
        start = end
    if start < len(text):
        yield start, len(text)
