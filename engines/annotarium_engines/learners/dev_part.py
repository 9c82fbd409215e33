"""Draws a dev part by document, for early stopping and thresholds."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

MINIMUM_TEXTS = 100
"""With fewer training texts there is no dev part: figures on a handful of texts would decide by chance."""
_MINIMUM_DOCUMENTS = 10
_SEGMENT = re.compile(r":\d+$")
"""Segments are identified by their document and where they start in it."""


def draw_dev_part(identifiers: Sequence[str], share: float, seed: int) -> frozenset[int]:
    """Return the indexes of the texts held back: those of whole documents, about `share` of the texts, at least one
    document and never all; none when there are too few texts or documents, or the share is 0.
    """
    groups: dict[str, list[int]] = {}
    for index, identifier in enumerate(identifiers):
        groups.setdefault(_SEGMENT.sub("", identifier), []).append(index)
    if share <= 0 or len(identifiers) < MINIMUM_TEXTS or len(groups) < _MINIMUM_DOCUMENTS:
        return frozenset()
    names = sorted(groups)
    random.Random(seed).shuffle(names)
    held: list[int] = []
    for name in names[: len(names) // 2]:
        if held and len(held) + len(groups[name]) > share * len(identifiers):
            break
        held.extend(groups[name])
    return frozenset(held)
