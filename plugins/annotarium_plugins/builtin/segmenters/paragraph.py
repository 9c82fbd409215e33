"""Segmenter `paragraph`: blank lines, or all line breaks, separate segments."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.builtin.segmenters._ranges import ranges_between_cuts
from annotarium_plugins.parameters import Parameters

_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*+[\r\n]\s*+|\u2029")
_LINE = re.compile(r"[\r\n\u2028\u2029]++")


class ParagraphSegmenterParameters(Parameters):
    """Parameters of `paragraph`."""

    separator: Literal["blank_line", "line"] = Field(
        "blank_line", title="Separator", description="Paragraphs end at empty lines, or at every line break."
    )


class ParagraphSegmenter(Segmenter[ParagraphSegmenterParameters]):
    """Splits at empty lines, or at all line breaks."""

    title = "Paragraphs"
    description = "Each paragraph is one segment."
    parameters_model = ParagraphSegmenterParameters

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return the ranges of the paragraphs without surrounding white space."""
        pattern = _BLANK_LINE if self.parameters.separator == "blank_line" else _LINE
        return ranges_between_cuts(text, (found.span() for found in pattern.finditer(text)))
