"""Segmenter `regex`: a pattern of the user matches segments, or their separators."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, field_validator

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.builtin.segmenters._ranges import ranges_between_cuts, trimmed_range
from annotarium_plugins.parameters import Parameters, hint
from annotarium_plugins.timed_regex import PatternTimeout, TimedPattern
from annotarium_schemas.messages import message


class RegexSegmenterParameters(Parameters):
    """Parameters of `regex`."""

    pattern: str = Field(
        r"\n{2,}",
        min_length=1,
        max_length=2000,
        title="Pattern",
        description="A regular expression in Python's syntax.",
        json_schema_extra=hint(widget="code"),
    )
    use: Literal["separator", "segment"] = Field(
        "separator", title="The pattern matches", description="Separators between segments, or the segments themselves."
    )
    ignore_case: bool = Field(False, title="Ignore case")
    multiline: bool = Field(True, title="^ and $ match at line ends", json_schema_extra=hint(advanced=True))
    time_limit: float = Field(
        5.0,
        gt=0,
        le=60,
        title="Time limit per document",
        description="Patterns that take longer are stopped.",
        json_schema_extra=hint(advanced=True, unit="s"),
    )

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(message("fault.regex", "Not a regular expression: {why}", why=str(error))) from error
        return pattern


class RegexSegmenter(Segmenter[RegexSegmenterParameters]):
    """Runs the pattern in a child process that is killed when it takes too long."""

    title = "Regular expression"
    description = "A pattern matches the segments, or their separators."
    parameters_model = RegexSegmenterParameters

    def __init__(self, parameters: RegexSegmenterParameters) -> None:
        super().__init__(parameters)
        flags = (re.IGNORECASE if parameters.ignore_case else 0) | (re.MULTILINE if parameters.multiline else 0)
        self._pattern = TimedPattern(parameters.pattern, flags, seconds=parameters.time_limit)

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return the matched or separated ranges.

        Raises:
            ComponentError: the pattern took too long on this text.
        """
        try:
            spans = self._pattern.spans(text)
        except PatternTimeout as error:
            raise ComponentError(str(error), fix="Write a simpler pattern, without repeats inside repeats") from error
        if self.parameters.use == "separator":
            return ranges_between_cuts(text, spans)
        return [kept for kept in (trimmed_range(text, start, end) for start, end in spans) if kept]
