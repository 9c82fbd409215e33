"""Counts the values of a JSON body before it is parsed, so that a body cannot create more objects than its route
allows.

Every value and every key but the first follows one of `,` `:` `[` `{`. Counting these bytes is fast and never too
low; only if the count is too high, a second pass ignores those inside strings.
"""

from __future__ import annotations

from annotarium.errors import TooLarge
from annotarium_schemas.messages import message

_SEPARATORS = b",:[{"
_WINDOW = 1 << 20
"""Bytes processed in one step; other threads may run in between."""


def count_separators(content: bytes) -> int:
    """The number of bytes that a value or key may follow."""
    count = 0
    for start in range(0, len(content), _WINDOW):
        chunk = content[start : start + _WINDOW]
        count += len(chunk) - len(chunk.translate(None, _SEPARATORS))
    return count


def _count_separators_outside_strings(content: bytes, most: int) -> int:
    """The same without those inside strings.

    Correct for valid JSON. Returns `most + 1` if there are too many strings.
    """
    plain = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > 2 * (most + 1):
        return most + 1
    return count_separators(b"".join(plain.split(b'"')[::2]))


def require_max_values(content: bytes, most: int) -> int:
    """An upper bound for the number of values in a JSON text in UTF-8.

    Raises:
        TooLarge: there are more than `most`.
    """
    separators = count_separators(content)
    if separators > most:
        separators = _count_separators_outside_strings(content, most)
    if separators > most:
        raise TooLarge(
            message("limit.values", "The request body contains more than {number:,} values", number=most),
            fix=message("fix.splitRequest", "Split it into several requests"),
        )
    return separators
