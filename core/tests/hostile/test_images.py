"""Images of projects: their decoded size is bounded by their header, and only readers of the project can read its
image.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from support.hostile_test_sizes import hostile_test_size

from annotarium.files.image_headers import MAX_PIXELS, read_image_header

HUGE = 65_500


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png(width: int, height: int, *more: bytes) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(more) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


def jpeg(width: int, height: int, marker: int = 0xC0) -> bytes:
    frame = struct.pack(">BHHB", 8, height, width, 3) + bytes(9)
    comment = b"\xff\xfe" + struct.pack(">H", 6) + b"\xff\xc0ab"  # looks like a frame, within a comment
    return b"\xff\xd8" + comment + bytes([0xFF, marker]) + struct.pack(">H", 2 + len(frame)) + frame + b"\xff\xd9"


def gif(width: int, height: int, frames: int = 1, inner: tuple[int, int] = (1, 1)) -> bytes:
    frame = b"," + struct.pack("<HHHHB", 0, 0, *inner, 0) + b"\x02\x01\x00\x00"
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0, 0, 0) + frame * frames + b";"


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager")


def send(caller: Any, content: bytes) -> Any:
    return caller.post("/api/uploads?image=true", files={"file": ("a.png", content)})


@pytest.mark.parametrize(
    ("content", "kind", "size"),
    [
        (png(640, 480), "image/png", (640, 480)),
        (png(8_000, 6_000), "image/png", (8_000, 6_000)),
        (jpeg(4_000, 3_000), "image/jpeg", (4_000, 3_000)),
        (jpeg(40, 30, 0xC2), "image/jpeg", (40, 30)),
        (gif(320, 200, 12, (320, 200)), "image/gif", (320, 200)),
    ],
)
def test_ordinary_images_are_accepted(marie: Any, content: bytes, kind: str, size: tuple[int, int]) -> None:
    """C-048."""
    facts = read_image_header(content)
    assert facts is not None
    assert (facts.kind, (facts.width, facts.height)) == (kind, size)
    answer = send(marie, content)
    assert (answer.status_code, answer.json()[0]["contentType"]) == (200, kind)


FLOODS: dict[str, Callable[[], bytes]] = {
    "png": lambda: png(HUGE, HUGE),
    "png_of_two_headers": lambda: png(1, 1, chunk(b"IHDR", struct.pack(">IIBBBBB", HUGE, HUGE, 1, 0, 0, 0, 0))),
    "animated_png": lambda: png(7_000, 7_000, chunk(b"acTL", struct.pack(">II", 100_000, 0))),
    "jpeg": lambda: jpeg(HUGE, HUGE),
    "progressive_jpeg": lambda: jpeg(HUGE, HUGE, 0xC2),
    "gif": lambda: gif(HUGE, HUGE),
    "gif_of_large_frames": lambda: gif(1, 1, 2, (HUGE, HUGE)),
    "gif_of_many_frames": lambda: gif(1_000, 1_000, hostile_test_size(1_000, 200_000)),
    "svg": lambda: b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
    "webp": lambda: b"RIFF\x1a\x00\x00\x00WEBPVP8L" + bytes(20),
    "cut_png": lambda: png(10, 10)[:18],
    "cut_jpeg": lambda: jpeg(10, 10)[:6],
    "cut_gif": lambda: gif(10, 10)[:9],
    "no_pixels": lambda: png(0, HUGE),
}


@pytest.mark.parametrize("name", FLOODS)
def test_pixel_floods_are_refused_by_their_header(marie: Any, name: str) -> None:
    """A file of 177 bytes may make every browser allocate 4 billion pixels."""
    content = FLOODS[name]()
    answer = send(marie, content)
    assert answer.status_code == 400, name
    assert answer.json()["fix"]
    facts = read_image_header(content)
    assert facts is None or not facts.is_drawable
    assert HUGE * HUGE > MAX_PIXELS


def test_only_readers_of_the_project_get_its_image(marie: Any, as_user: Any, client: Any) -> None:
    """A user of another group who knows its address gets the response of a missing image."""
    image = send(marie, png(2, 2)).json()[0]["id"]
    address = f"/api/images/projects/{image}"
    other = as_user(client, "oscar", "ProjectManager", groups=("elsewhere",))
    assert (marie.get(address).status_code, other.get(address).status_code) == (200, 404)
    created = marie.post("/api/projects", json={"label": "Pictured", "imageId": image}).json()
    unknown = other.get("/api/images/projects/unknown").json()
    answer = other.get(address)
    assert (answer.status_code, answer.json()["message"]) == (404, unknown["message"])
    reader = as_user(client, "rosa", f"readProject:{created['projectName']}")
    assert reader.get(address).content == png(2, 2)
    assert client.get(address).status_code == 401
