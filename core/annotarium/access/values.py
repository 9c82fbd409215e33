"""Counts the values of a JSON body before it is parsed, so that a body cannot become more objects than its route takes.

Every value and every key but the first follows one of `,` `:` `[` `{`. Counting these bytes is fast and never too low;
only where it is too high a second look leaves out those inside strings.
"""

from __future__ import annotations

from annotarium.errors import TooLarge
from annotarium_schemas.said import say

_MARKS = b",:[{"
_WINDOW = 1 << 20
"""Bytes looked at in one go: other threads may run in between."""


def marks_in(content: bytes) -> int:
    """How often one of the bytes stands there that a value or key may follow."""
    count = 0
    for start in range(0, len(content), _WINDOW):
        piece = content[start : start + _WINDOW]
        count += len(piece) - len(piece.translate(None, _MARKS))
    return count


def _marks_outside_strings(content: bytes, most: int) -> int:
    """The same without strings; more than `most` when there are too many strings. Right for all that is valid JSON."""
    plain = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > 2 * (most + 1):
        return most + 1
    return marks_in(b"".join(plain.split(b'"')[::2]))


def require_few_values(content: bytes, most: int) -> int:
    """The count of values of a JSON text in UTF-8, at most.

    Raises:
        TooLarge: there are more than `most`.
    """
    marks = marks_in(content)
    if marks > most:
        marks = _marks_outside_strings(content, most)
    if marks > most:
        raise TooLarge(
            say("limit.values", "The request body holds more than {number} values", number=most),
            fix=say("fix.split", "Split it into several requests"),
        )
    return marks
