"""Splits RTF into tokens, and maps its numbers to characters, character sets and languages."""

from __future__ import annotations

import locale
import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})?[ ]?"
    r"|\\'(?P<hex>[0-9a-fA-F]{2})"
    r"|\\(?P<sign>[^a-zA-Z])"
    r"|(?P<brace>[{}])"
    r"|(?P<text>[^\\{}\r\n]+)"
    r"|[\r\n]+|\\",
    re.DOTALL,
)
CHARACTERS = {
    "tab": "\t",
    "line": "\n",
    "lbr": "\n",
    "emdash": "\u2014",
    "endash": "\u2013",
    "emspace": "\u2003",
    "enspace": "\u2002",
    "qmspace": "\u2005",
    "bullet": "\u2022",
    "lquote": "\u2018",
    "rquote": "\u2019",
    "ldblquote": "\u201c",
    "rdblquote": "\u201d",
    "ltrmark": "\u200e",
    "rtlmark": "\u200f",
    "zwj": "\u200d",
    "zwnj": "\u200c",
}
SIGNS = {"~": "\u00a0", "-": "\u00ad", "_": "\u2011", "{": "{", "}": "}", "\\": "\\"}
_CHARSETS = {
    77: "mac-roman", 78: "shift-jis", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251",
    222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
SYMBOL = "symbol"
"""Character set of symbol fonts: a byte is a private-use character, as in other office files."""


class Token(NamedTuple):
    """`kind` is word, hex, sign, brace, text or bin; `value` its text; `number` the parameter of a word."""

    kind: str
    value: str
    number: int | None = None


def tokens(content: str) -> Iterator[Token]:
    r"""Yield the tokens of a file that was decoded as Latin-1; raw data (`\bin`) is skipped."""
    position = 0
    while position < len(content):
        found = _TOKEN.match(content, position)
        if found is None:
            return
        position = found.end()
        kind = found.lastgroup
        if kind is None:
            continue
        if found["word"]:
            number = int(found["number"]) if found["number"] else None
            if found["word"] == "bin":
                position += max(0, number or 0)
                yield Token("bin", "")
            else:
                yield Token("word", found["word"], number)
        else:
            yield Token(kind, found[kind])


def charset_codec(charset: int, usual: str) -> str:
    """Return the codec of a font's character set; `usual` is that of the file."""
    return SYMBOL if charset == 2 else _CHARSETS.get(charset, usual)


def codec_of_code_page(page: int) -> str:
    """Return the codec of a code page, cp1252 for an unknown one."""
    name = {65001: "utf-8", 10000: "mac-roman", 42: SYMBOL}.get(page, f"cp{page}")
    if name == SYMBOL:
        return name
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def decode(content: bytes, codec: str) -> str:
    """Decode bytes; invalid ones become U+FFFD."""
    if codec == SYMBOL:
        return "".join(chr(0xF000 + byte) if byte > 0x20 else chr(byte) for byte in content)
    return content.decode(codec, errors="replace")


def language_of_windows_number(number: int) -> str:
    """Return the code of a Windows language number (1036 = `fr-FR`), empty for an unknown one."""
    return locale.windows_locale.get(number, "").replace("_", "-")
