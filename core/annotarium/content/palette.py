"""Colours of labels: the 38 stored colours of the design, in the order in which new labels take them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

PALETTE: tuple[str, ...] = (
    "#017D7E",
    "#A25703",
    "#7A54BA",
    "#0DA39B",
    "#BF8610",
    "#313E8C",
    "#7C2700",
    "#957EE5",
    "#9E4594",
    "#D76695",
    "#3868C6",
    "#005729",
    "#6F730B",
    "#4F93EC",
    "#DF6864",
    "#73235B",
    "#B13D66",
    "#3F4F00",
    "#C06EC3",
    "#61A13D",
    "#06815D",
    "#7E1E35",
    "#8A6709",
    "#5B2F7C",
    "#64707F",
    "#045445",
    "#D8732B",
    "#564600",
    "#0D9DCC",
    "#075259",
    "#0A76A4",
    "#B64032",
    "#9C9408",
    "#653D03",
    "#054B78",
    "#06A66B",
    "#2A8223",
    "#574C45",
)


def next_color(used: Iterable[str]) -> str:
    """Return the first least-used colour of the palette, for the colours that a project's labels have (C-031).

    Args:
        used: the colours in capitals, or a counter of them, for callers that create many labels.
    """
    counts = used if isinstance(used, Counter) else Counter(color.upper() for color in used)
    return min(PALETTE, key=lambda color: counts[color])
