"""Generates any number of office files with different texts from the samples of the converters; some are broken.

`python core/bench/support/office_files.py FOLDER COUNT BROKEN` writes them and prints the expected message of each
broken one.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

SAMPLES = Path(__file__).parents[3] / "plugins" / "tests" / "converters" / "samples"
_PACKED = {
    "docx": ("text.docx", "Ada"),
    "odt": ("text.odt", "Ada"),
    "xlsx": ("book.xlsx", "Seul"),
    "ods": ("book.ods", "Seul"),
    "pptx": ("show.pptx", "Bienvenue"),
    "odp": ("show.odp", "Bienvenue"),
}
"""By extension: the sample, and a word of it that a number is appended to."""
_PLAIN = {"rtf": ("text.rtf", "Ada"), "html": ("page.html", "<body>"), "csv": ("", ""), "txt": ("", "")}
KINDS = (*_PACKED, *_PLAIN)


def make_packed_file(name: str, word: str, number: int) -> bytes:
    """Return a packed office file in which `word` is followed by a number."""
    target = io.BytesIO()
    found = 0
    with zipfile.ZipFile(SAMPLES / name) as source, zipfile.ZipFile(target, "w") as out:
        for member in source.infolist():
            data = source.read(member)
            if member.filename.endswith(".xml"):
                found += data.count(word.encode())
                data = data.replace(word.encode(), f"{word} {number}".encode())
            out.writestr(member, data)
    if not found:
        raise ValueError(f"{name} does not hold {word}")
    return target.getvalue()


def good_file(number: int) -> tuple[str, bytes]:
    """Return name and content of a file; the kinds alternate."""
    kind = KINDS[number % len(KINDS)]
    name = f"{kind}/report-{number:05d}.{kind}"
    if kind in _PACKED:
        return name, make_packed_file(*_PACKED[kind], number)
    if kind == "csv":
        return name, f"identifier,text\nrow-{number},Meeting {number} was held in room {number % 7}.\n".encode()
    if kind == "txt":
        return name, f"Note {number}. The meeting took place. Nobody was late.".encode()
    sample, word = _PLAIN[kind]
    return name, (SAMPLES / sample).read_bytes().replace(word.encode(), f"{word} {number}".encode(), 1)


def _password_protected(number: int) -> tuple[str, bytes]:
    return f"broken-{number}-locked.docx", (SAMPLES / "locked.docx").read_bytes()


def _truncated(number: int) -> tuple[str, bytes]:
    return f"broken-{number}-cut.doc", (SAMPLES / "text.doc").read_bytes()[:6000]


def _misnamed(number: int) -> tuple[str, bytes]:
    return f"broken-{number}-misnamed.pdf", b"This is no PDF at all."


def _empty(number: int) -> tuple[str, bytes]:
    return f"broken-{number}-empty.txt", b""


def _scanned(number: int) -> tuple[str, bytes]:
    return f"broken-{number}-scanned.pdf", (SAMPLES / "scanned.pdf").read_bytes()


BROKEN: tuple[tuple[str, Callable[[int], tuple[str, bytes]]], ...] = (
    ("password", _password_protected),
    ("name says pdf", _misnamed),
    ("damaged or cut off", _truncated),
    ("empty", _empty),
    ("no text", _scanned),
)
"""The text that the report must contain, in lower case, and the function that creates the file."""


def make_files(count: int, broken: int) -> Iterator[tuple[str, bytes, str | None]]:
    """Yield name, content and, for a broken file, the text that its line of the report must contain. The broken files
    are spread evenly.
    """
    places = {(place + 1) * count // (broken + 1): place for place in range(broken)}
    for number in range(count):
        if number in places:
            words, make = BROKEN[places[number] % len(BROKEN)]
            yield (*make(places[number] + 1), words)
        else:
            yield (*good_file(number), None)


def main() -> None:
    """Write files into a folder without subfolders and print `{name: text}` of the broken ones."""
    folder, count, broken = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    said = {}
    for path, content, words in make_files(count, broken):
        name = path.rsplit("/", 1)[-1]
        (folder / name).write_bytes(content)
        if words:
            said[name] = words
    print(json.dumps(said))


if __name__ == "__main__":
    main()
