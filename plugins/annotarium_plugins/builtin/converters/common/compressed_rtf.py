"""Decompresses the rich text of Outlook messages (Microsoft's published format MS-OXRTFCP)."""

from __future__ import annotations

import struct

from annotarium_plugins.builtin.converters.common.errors import damaged_file, too_large
from annotarium_schemas.messages import message

LARGEST = 64 * 1024 * 1024
_RING = 4096
_BEGINNING = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor "
    rb"MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""Initial content of the dictionary, fixed by the format."""


def decompress_rtf(content: bytes) -> bytes:
    """Return the RTF file as bytes.

    Raises:
        ComponentError: the content is damaged or too large when decompressed.
    """
    if len(content) < 16:
        raise damaged_file(message("damaged.richText", "Its rich text is cut off."))
    _, size, kind, _ = struct.unpack_from("<IIII", content)
    if size > LARGEST:
        raise too_large(
            message("large.richText", "The rich text of the message is too large"), f"{LARGEST // 1024 // 1024} MB"
        )
    if kind == 0x414C454D:  # stored without compression
        return content[16 : 16 + size]
    if kind != 0x75465A4C:
        raise damaged_file(message("damaged.richTextPacked", "Its rich text is compressed with an unknown method."))
    return _unpack(content, size)


def _unpack(content: bytes, size: int) -> bytes:
    ring = bytearray(_BEGINNING.ljust(_RING, b"\x00"))
    position = len(_BEGINNING)
    made = bytearray()
    place = 16
    while place < len(content) and len(made) < size:
        control = content[place]
        place += 1
        for bit in range(8):
            if place >= len(content) or len(made) >= size:
                break
            if not control >> bit & 1:
                piece = content[place : place + 1]
                place += 1
            else:
                if place + 1 >= len(content):
                    return bytes(made)
                word = content[place] << 8 | content[place + 1]
                place += 2
                offset, length = word >> 4, (word & 0xF) + 2
                if offset == position:
                    return bytes(made)
                piece = b""
                for step in range(length):
                    byte = ring[(offset + step) % _RING]
                    piece += bytes((byte,))
                    ring[(position + step) % _RING] = byte
            for byte in piece:
                ring[position] = byte
                position = (position + 1) % _RING
            made += piece
    return bytes(made)
