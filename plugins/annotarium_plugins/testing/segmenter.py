"""Contract of segmenters."""

from __future__ import annotations

import time
from typing import ClassVar

from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, LANGUAGES


def check_ranges(text: str, ranges: list[tuple[int, int]]) -> None:
    """Check that ranges are ordered, inside the text, not overlapping and not blank."""
    previous = 0
    for start, end in ranges:
        assert type(start) is int, f"offsets {start!r}, {end!r} are not whole numbers"
        assert type(end) is int, f"offsets {start!r}, {end!r} are not whole numbers"
        assert previous <= start, f"segment {start}..{end} overlaps the one before, or is out of order"
        assert start < end <= len(text), f"segment {start}..{end} is empty or outside a text of {len(text)}"
        assert text[start:end].strip(), f"segment {start}..{end} is blank"
        previous = end


class SegmenterContract(ComponentContract):
    """Attributes: `texts`, tested in addition to the hostile ones."""

    texts: ClassVar[tuple[str, ...]] = ()

    def test_segments_are_ordered_and_inside(self) -> None:
        """Ranges are valid for every hostile text in every language."""
        segmenter = self.build()
        for text in (*HOSTILE_TEXTS, *self.texts):
            for language in LANGUAGES:
                check_ranges(text, segmenter.segment(text, language))

    def test_blank_text_has_no_segment(self) -> None:
        """A blank text gives no segment."""
        segmenter = self.build()
        for text in ("", " ", "\n\n \t"):
            assert segmenter.segment(text, "en") == [], f"{text!r} has segments"

    def test_same_text_same_segments(self) -> None:
        """A second component and a second call give the same segments."""
        first, second = self.build(), self.build()
        for text in (*HOSTILE_TEXTS, *self.texts):
            expected = first.segment(text, "en")
            assert first.segment(text, "en") == expected == second.segment(text, "en")

    def test_time_grows_with_the_text_only(self) -> None:
        """200,000 code points of repeated text take seconds at most."""
        segmenter = self.build()
        for unit in ("a", ". ", "(", "\n", " ", "A. ", '." '):
            text = unit * (200_000 // len(unit))
            start = time.perf_counter()
            check_ranges(text, segmenter.segment(text, "en"))
            seconds = time.perf_counter() - start
            assert seconds < 20, f"{seconds:.0f} s for 200,000 code points of {unit!r}"
