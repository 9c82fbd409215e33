"""Reads from an image's header how many pixels it would unpack to: a few bytes of image may declare billions.

Nothing is unpacked. The limits concern what a browser would draw: pixels of the canvas, and of all animation frames.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import NamedTuple

MAX_PIXELS = 50_000_000
"""Limit for an image: a photograph of a good camera has 24 to 48 million pixels."""
MAX_FRAMES_PIXELS = 500_000_000
"""Limit for all frames of an animation."""
_JPEG_FRAMES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length."""
_GIF_EXTENSION, _GIF_FRAME = 0x21, 0x2C


class ImageHeader(NamedTuple):
    """The declared size of an image; a width or height of 0 means it is damaged."""

    kind: str
    width: int
    height: int
    frames: int = 1

    @property
    def is_drawable(self) -> bool:
        """Whether the image has a valid size that is within the limits for browsers."""
        area = self.width * self.height
        return 0 < area <= MAX_PIXELS and area * self.frames <= MAX_FRAMES_PIXELS


def read_image_header(data: bytes) -> ImageHeader | None:
    """The header of a PNG, JPEG or GIF; None for anything else."""
    for sign, read in _READERS:
        if data.startswith(sign):
            try:
                return read(data)
            except (struct.error, IndexError):
                return ImageHeader(_KINDS[read], 0, 0)
    return None


def _png(data: bytes) -> ImageHeader:
    if data[12:16] != b"IHDR":
        return ImageHeader("image/png", 0, 0)
    width, height = struct.unpack_from(">II", data, 16)
    frames, place = 1, 8
    while place + 8 <= len(data):
        length, name = struct.unpack_from(">I4s", data, place)
        if name == b"IDAT":
            break
        if name == b"IHDR" and place != 8:
            return ImageHeader("image/png", 0, 0)
        if name == b"acTL":
            (declared,) = struct.unpack_from(">I", data, place + 8)
            frames = max(frames, declared)
        place += 12 + length
    return ImageHeader("image/png", width, height, frames)


def _jpeg(data: bytes) -> ImageHeader:
    width = height = 0
    place = 2
    while place + 4 <= len(data):
        if data[place] != 0xFF:
            place += 1
            continue
        marker = data[place + 1]
        if marker in (0xFF, 0x00) or marker in _JPEG_ALONE:
            place += 1 if marker == 0xFF else 2
            continue
        if marker == 0xD9:
            break
        (length,) = struct.unpack_from(">H", data, place + 2)
        if marker in _JPEG_FRAMES:
            tall, wide = struct.unpack_from(">HH", data, place + 5)
            width, height = max(width, wide), max(height, tall)
        place = data.find(b"\xff", place + 2 + length)
        if place < 0:
            break
    return ImageHeader("image/jpeg", width, height)


def _gif(data: bytes) -> ImageHeader:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    frames = 0
    for left, top, wide, tall in _gif_frames(data, 13 + _gif_colour_table_bytes(flags)):
        width, height, frames = max(width, left + wide), max(height, top + tall), frames + 1
    return ImageHeader("image/gif", width, height, max(1, frames))


def _gif_frames(data: bytes, place: int) -> Iterator[tuple[int, int, int, int]]:
    while place < len(data):
        if data[place] == _GIF_EXTENSION:
            place = _skip_gif_blocks(data, place + 2)
        elif data[place] == _GIF_FRAME:
            left, top, wide, tall, flags = struct.unpack_from("<HHHHB", data, place + 1)
            yield left, top, wide, tall
            place = _skip_gif_blocks(data, place + 11 + _gif_colour_table_bytes(flags))
        else:
            return


def _gif_colour_table_bytes(flags: int) -> int:
    """Size of a colour table."""
    return 3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0


def _skip_gif_blocks(data: bytes, place: int) -> int:
    while place < len(data) and data[place]:
        place += data[place] + 1
    return place + 1


_READERS: tuple[tuple[bytes, Callable[[bytes], ImageHeader]], ...] = (
    (b"\x89PNG\r\n\x1a\n", _png),
    (b"\xff\xd8\xff", _jpeg),
    (b"GIF87a", _gif),
    (b"GIF89a", _gif),
)
_KINDS: dict[Callable[[bytes], ImageHeader], str] = {_png: "image/png", _jpeg: "image/jpeg", _gif: "image/gif"}
