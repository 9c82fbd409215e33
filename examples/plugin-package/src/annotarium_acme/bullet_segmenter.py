"""A segmenter for lists: each bullet point is a segment."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.parameters import Parameters, hint


class BulletSegmenterParameters(Parameters):
    """Parameters of `acme_bullets`."""

    bullets: str = Field(
        "-*•", min_length=1, max_length=20, title="Bullets", description="Characters that begin a point."
    )
    other_lines: Literal["join", "separate"] = Field(
        "join",
        title="Lines without a bullet",
        description="They continue the point before, or are segments.",
        json_schema_extra=hint(advanced=True),
    )


class BulletSegmenter(Segmenter[BulletSegmenterParameters]):
    """Splits before each line that begins with a bullet."""

    title = "List points"
    description = "Each point of a list is one segment."
    parameters_model = BulletSegmenterParameters

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return the ranges of the bullet points without surrounding white space."""
        ranges: list[tuple[int, int]] = []
        position = 0
        for line in text.split("\n"):
            body = line.strip()
            if body:
                start = position + len(line) - len(line.lstrip())
                end = start + len(body)
                if ranges and self._continues(body):
                    ranges[-1] = (ranges[-1][0], end)
                else:
                    ranges.append((start, end))
            position += len(line) + 1
        return ranges

    def _continues(self, line: str) -> bool:
        return self.parameters.other_lines == "join" and line[0] not in self.parameters.bullets
