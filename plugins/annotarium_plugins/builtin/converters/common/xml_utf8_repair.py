"""Repairs XML that declares UTF-8 and contains a few invalid bytes."""

from __future__ import annotations

import codecs
import io
import re
from typing import IO

from annotarium_plugins.builtin.converters.common.text_encoding import (
    damage_warning,
    repair_utf8,
    repair_utf8_with_warning,
)

_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})["']""")
_UNFINISHED = 3
"""Maximum number of bytes at the end of a chunk that may be the start of a character."""


def is_declared_utf8(head: bytes) -> bool:
    """Whether the beginning of an XML file declares UTF-8 or no encoding, which means UTF-8."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in head[:4]:
        return False
    found = _DECLARED.match(head.removeprefix(codecs.BOM_UTF8))
    return found is None or found[1].lower() in (b"utf-8", b"utf8", b"us-ascii")


class Utf8RepairingStream(io.RawIOBase):
    """Binary stream, read once in chunks, with U+FFFD for invalid bytes of its UTF-8.

    A chunk with too many invalid bytes is passed on unchanged, and its reader refuses it.

    Args:
        warnings: receives a sentence for each repaired chunk.
    """

    def __init__(self, stream: IO[bytes], warnings: list[str]) -> None:
        self._stream, self._warnings = stream, warnings
        self._rest, self._place = b"", 0
        self._mends: bool | None = None

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; the result may be longer than `size` after a repair."""
        chunk = self._stream.read(size)
        data, self._rest = self._rest + chunk, b""
        if self._mends is None:
            self._mends = is_declared_utf8(data)
        if not self._mends or data.isascii():
            self._place += len(data)
            return data
        if chunk:
            end = len(data) - _length_of_incomplete_character(data)
            data, self._rest = data[:end], data[end:]
        mended, warning = repair_utf8_with_warning(data)
        if warning:
            self._warnings.append(damage_warning([self._place + one for one in repair_utf8(data)[1]]))
        self._place += len(data)
        return mended or (self.read(size) if chunk else b"")


def _length_of_incomplete_character(data: bytes) -> int:
    """Return how many bytes at the end are the start of an incomplete character."""
    for back in range(1, min(_UNFINISHED, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            return back if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
        if byte < 0x80:
            return 0
    return 0
