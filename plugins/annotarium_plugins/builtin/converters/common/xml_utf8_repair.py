"""XML that says it is UTF-8 and is, but for a few bytes."""

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
"""Bytes at the end of a chunk that may begin a character."""


def is_declared_utf8(head: bytes) -> bool:
    """Whether the beginning of an XML file says UTF-8, or nothing, which means UTF-8."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in head[:4]:
        return False
    found = _DECLARED.match(head.removeprefix(codecs.BOM_UTF8))
    return found is None or found[1].lower() in (b"utf-8", b"utf8", b"us-ascii")


class Utf8RepairingStream(io.RawIOBase):
    """A binary file that is read once, piece by piece, with U+FFFD for bytes of its UTF-8 that are broken.

    A piece in which too much is broken is given as it is: its reader refuses it.

    Args:
        warnings: gets a sentence for each piece that was mended.
    """

    def __init__(self, stream: IO[bytes], warnings: list[str]) -> None:
        self._stream, self._warnings = stream, warnings
        self._rest, self._place = b"", 0
        self._mends: bool | None = None

    def read(self, size: int = -1) -> bytes:
        """The next bytes; a few more than `size` where they were mended."""
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
    """How many bytes at the end begin a character whose rest is to come."""
    for back in range(1, min(_UNFINISHED, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            return back if back < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4) else 0
        if byte < 0x80:
            return 0
    return 0
