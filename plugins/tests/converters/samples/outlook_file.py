"""Writes small Outlook messages for tests: an OLE file (version 3) with the properties of a message."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from itertools import pairwise

SECTOR, SMALL = 512, 64
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
NONE = 0xFFFFFFFF


@dataclass
class Storage:
    """A folder: streams by name, folders by name."""

    streams: dict[str, bytes] = field(default_factory=dict)
    folders: dict[str, Storage] = field(default_factory=dict)


def text(value: str) -> bytes:
    return value.encode("utf-16-le")


def properties(header: int, fixed: dict[int, tuple[int, bytes]]) -> bytes:
    """`{identifier: (type, value of 8 bytes)}` after a header of zeros."""
    rows = (struct.pack("<HHI", kind, name, 6) + value.ljust(8, b"\0") for name, (kind, value) in fixed.items())
    return bytes(header) + b"".join(rows)


def ole_file(root: Storage) -> bytes:
    """The bytes of an OLE file."""
    entries: list[tuple[str, int, Storage | bytes]] = []
    links: list[list[int]] = []  # left, right, child

    def add(name: str, kind: int, content: Storage | bytes) -> int:
        entries.append((name, kind, content))
        links.append([NONE, NONE, NONE])
        return len(entries) - 1

    def fill(place: int, storage: Storage) -> None:
        members = [(name, 2, data) for name, data in storage.streams.items()]
        members += [(name, 1, one) for name, one in storage.folders.items()]
        members.sort(key=lambda one: (len(one[0]), one[0].upper()))
        places = [add(*one) for one in members]
        for before, after in pairwise(places):
            links[before][1] = after  # a degenerate tree, which readers can traverse too
        if places:
            links[place][2] = places[0]
        for number, (_, _, content) in zip(places, members, strict=True):
            if isinstance(content, Storage):
                fill(number, content)

    fill(add("Root Entry", 5, root), root)
    return _assembled(entries, links)


def _assembled(entries: list[tuple[str, int, Storage | bytes]], links: list[list[int]]) -> bytes:
    small, small_fat, starts = b"", [], {}
    sectors: list[bytes] = []
    fat: list[int] = []

    def chain(data: bytes) -> int:
        first = len(sectors)
        pieces = [data[at : at + SECTOR].ljust(SECTOR, b"\0") for at in range(0, len(data), SECTOR)]
        sectors.extend(pieces)
        fat.extend([*range(first + 1, first + len(pieces)), END])
        return first

    for number, (_, kind, content) in enumerate(entries):
        if kind == 2 and isinstance(content, bytes) and content:
            if len(content) >= 4096:
                starts[number] = chain(content)
            else:
                starts[number] = len(small_fat)
                count = -(-len(content) // SMALL)
                small_fat.extend([*range(len(small_fat) + 1, len(small_fat) + count), END])
                small += content.ljust(count * SMALL, b"\0")
    starts[0] = chain(small) if small else END
    small_fat_bytes = b"".join(struct.pack("<I", one) for one in small_fat)
    small_fat_bytes = small_fat_bytes.ljust(-(-len(small_fat_bytes) // SECTOR) * SECTOR, b"\xff")
    small_fat_start = chain(small_fat_bytes) if small_fat else END
    directory = b""
    for number, (name, kind, content) in enumerate(entries):
        coded = name.encode("utf-16-le")
        size = len(small) if number == 0 else len(content) if isinstance(content, bytes) else 0
        directory += coded.ljust(64, b"\0") + struct.pack("<HBB", len(coded) + 2, kind, 1)
        directory += struct.pack("<III", *links[number]) + bytes(36) + struct.pack("<IQ", starts.get(number, END), size)
    directory = directory.ljust(-(-len(directory) // SECTOR) * SECTOR, b"\0")
    directory_start = chain(directory)
    fat_count = -(-(len(fat) + 1) // (SECTOR // 4 - 1))
    fat_start = len(sectors)
    fat.extend([FAT] * fat_count)
    table = b"".join(struct.pack("<I", one) for one in fat).ljust(fat_count * SECTOR, b"\xff")
    sectors.extend(table[at : at + SECTOR] for at in range(0, len(table), SECTOR))
    header = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, fat_count, directory_start, 0, 4096, small_fat_start,
                          -(-len(small_fat_bytes) // SECTOR), END, 0)  # fmt: skip
    places = [fat_start + number for number in range(fat_count)]
    header += b"".join(struct.pack("<I", one) for one in places).ljust(436, b"\xff")
    return header + b"".join(sectors)


def person(name: str, address: str, kind: int) -> Storage:
    """Return a recipient: `kind` 1 to, 2 copy, 3 blind copy."""
    return Storage(
        {
            "__properties_version1.0": properties(8, {0x0C15: (3, struct.pack("<I", kind))}),
            "__substg1.0_3001001F": text(name),
            "__substg1.0_39FE001F": text(address),
        }
    )


def attached(name: str, content: bytes | Storage) -> Storage:
    """Return an attached file, or a message when the content is one."""
    storage = Storage({"__properties_version1.0": properties(8, {}), "__substg1.0_3707001F": text(name)})
    if isinstance(content, Storage):
        storage.folders["__substg1.0_3701000D"] = content
    else:
        storage.streams["__substg1.0_37010102"] = content
    return storage


def message(
    *, subject: str, body: str = "", html: bytes = b"", sender: tuple[str, str] = ("", ""), ticks: int = 0,
    people: tuple[Storage, ...] = (), attachments: tuple[Storage, ...] = (), inner: bool = False,
) -> Storage:  # fmt: skip
    """Return a message; `ticks` of 100 ns since 1601."""
    fixed = {0x0039: (0x40, struct.pack("<Q", ticks)), 0x3FDE: (3, struct.pack("<I", 65001))}
    streams = {
        "__properties_version1.0": properties(24 if inner else 32, fixed),
        "__substg1.0_001A001F": text("IPM.Note"),
        "__substg1.0_0037001F": text(subject),
        "__substg1.0_0C1A001F": text(sender[0]),
        "__substg1.0_5D01001F": text(sender[1]),
        "__substg1.0_1035001F": text("<msg-1@example.org>"),
    }
    if body:
        streams["__substg1.0_1000001F"] = text(body)
    if html:
        streams["__substg1.0_10130102"] = html
    folders = {f"__recip_version1.0_#{number:08X}": one for number, one in enumerate(people)}
    folders |= {f"__attach_version1.0_#{number:08X}": one for number, one in enumerate(attachments)}
    return Storage({name: data for name, data in streams.items() if data}, folders)
