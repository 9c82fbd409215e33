"""Reads rich text (rtf) token by token. Surrogate pairs, such as those of emojis, stay whole."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from annotarium_plugins.builtin.converters.common.errors import EXTENSION, damaged_file, wrong_format
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_plugins.builtin.converters.office.block_assembler import BlockAssembler
from annotarium_plugins.builtin.converters.office.model import Paragraph, Properties, WordProcessorDocument
from annotarium_plugins.builtin.converters.office.properties import iso_timestamp, split_keywords
from annotarium_plugins.builtin.converters.office.rtf_tokens import (
    CHARACTERS,
    SIGNS,
    Token,
    charset_codec,
    codec_of_code_page,
    decode,
    language_of_windows_number,
    tokens,
)
from annotarium_schemas.messages import message

_SKIPPED = {
    "colortbl", "pict", "object", "fldinst", "listtext", "pntext", "pntxta", "pntxtb", "nonshppict", "shprslt",
    "xe", "tc", "rxe", "themedata", "listtable", "listoverridetable", "rsidtbl", "generator", "filetbl",
    "revtbl", "template", "passwordhash", "atnid", "atnauthor", "atrfstart", "atrfend", "nonesttables", "sn",
    "sp", "datafield", "formfield", "mmath", "do",
}  # fmt: skip
_ASIDE = {"footnote": "note", "annotation": "comment"} | dict.fromkeys(
    ("header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"), "header"
)
_INFORMATION = {
    "title": "title",
    "subject": "subject",
    "author": "author",
    "operator": "last_author",
    "keywords": "keywords",
    "doccomm": "description",
    "category": "category",
    "creatim": "created",
    "revtim": "modified",
}
_KEPT_THOUGH_MARKED = frozenset(("shpinst", "ud", *_ASIDE, *_INFORMATION))
r"""Groups marked as ignorable (`\*`) that contain text nevertheless."""
_HEADING = re.compile(r"heading (\d)")
DEEPEST = 2000


@dataclass
class _GroupState:
    """Formatting state of a group. `target` is text, skip, fonts, styles, information, or the name of a property."""

    sink: BlockAssembler
    target: str = "text"
    codec: str = "cp1252"
    fallback: int = 1
    level: int = 0
    in_table: bool = False
    hidden: bool = False


def read_rtf(content: bytes) -> WordProcessorDocument:
    """Return the blocks of an rtf.

    Raises:
        ComponentError: it is not an rtf, or ends prematurely.
    """
    if not content.lstrip().startswith(b"{\\rtf"):
        raise wrong_format(message("kind.rtf", "rich text"), EXTENSION)
    return _Reader().read(content.decode("latin-1"))


class _Reader:
    def __init__(self) -> None:
        self._body = BlockAssembler()
        self._aside: list[BlockAssembler] = []
        self._state = _GroupState(self._body)
        self._stack: list[_GroupState] = []
        self._bytes = bytearray()
        self._skip = 0
        self._usual = "cp1252"
        self._default_font = 0
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._styles: dict[int, int] = {}
        self._style, self._style_level, self._name = 0, 0, ""
        self._values: dict[str, str] = {}
        self._moment: dict[str, int] = {}
        self._language = ""
        self._marked = False

    def read(self, content: str) -> WordProcessorDocument:
        closed = False
        for token in tokens(content):
            if token.kind == "brace":
                self._marked = False
                self._brace(token.value)
                if not self._stack:
                    closed = True
                    break
            else:
                self._token(token)
        if not closed:
            raise damaged_file(message("damaged.group", "It ends in the middle of a group."))
        self._body.end_paragraph(self._state.level, False)
        self._body.end_table()
        blocks = list(self._body.blocks)
        for sink in self._aside:
            text = "\n".join(one.text for one in sink.blocks if isinstance(one, Paragraph))
            blocks.append(Paragraph(text, sink.kind))
        return WordProcessorDocument(self._properties(), blocks)

    def _properties(self) -> Properties:
        found = Properties(language=self._language)
        for name, value in self._values.items():
            if name == "keywords":
                found.keywords = split_keywords(value)
            else:
                setattr(found, name, clean(value).strip())
        return found

    def _brace(self, brace: str) -> None:
        self._flush()
        self._skip = 0
        if brace == "{":
            if len(self._stack) >= DEEPEST:
                raise damaged_file(message("damaged.deep", "It is nested too deep."))
            self._stack.append(self._state)
            self._state = replace(self._state)
            return
        before = self._state
        if not self._stack:
            return
        self._state = self._stack.pop()
        if before.sink is not self._state.sink:
            before.sink.end_paragraph(0, False)
            if before.sink.kind == "paragraph":
                self._state.sink.boxes.append(before.sink)
        if before.target.startswith("moment:") and self._state.target != before.target:
            self._values[before.target[7:]] = _date(self._moment)
            self._moment = {}

    def _token(self, token: Token) -> None:
        marked, self._marked = self._marked, False
        if token.kind == "word":
            self._word(token.value, token.number, marked)
        elif token.kind == "hex":
            if not self._skipped(1):
                self._bytes.append(int(token.value, 16))
        elif token.kind == "sign":
            self._sign(token.value)
        elif token.kind == "text":
            text = token.value
            passed = min(self._skip, len(text))
            self._skip -= passed
            self._plain(text[passed:])
        else:
            self._skipped(1)

    def _skipped(self, count: int) -> bool:
        """Whether this character is a fallback for one that was already written."""
        if self._skip < count:
            return False
        self._skip -= count
        return True

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._marked = True
        elif sign in "\r\n":
            self._end_paragraph()
        elif not self._skipped(1):
            self._write(SIGNS.get(sign, ""))

    def _plain(self, text: str) -> None:
        target = self._state.target
        if target in ("fonts", "skip"):
            return
        if target == "styles":
            self._name += text
            if ";" in text:
                found = _HEADING.match(self._name.strip().lower())
                level = int(found[1]) if found else 1 if self._name.strip() == "Title;" else 0
                self._styles[self._style] = self._style_level or level
                self._name, self._style, self._style_level = "", 0, 0
            return
        self._bytes += text.encode("latin-1")

    def _flush(self) -> None:
        """Decode the collected bytes to text; a character may consist of two bytes."""
        if self._bytes:
            text = decode(bytes(self._bytes), self._state.codec)
            self._bytes.clear()
            self._append(text)

    def _write(self, text: str) -> None:
        self._flush()
        self._append(text)

    def _append(self, text: str) -> None:
        state = self._state
        if state.target == "text":
            if not state.hidden:
                state.sink.line.append(text)
        elif state.target in _INFORMATION.values():
            self._values[state.target] = self._values.get(state.target, "") + text

    def _end_paragraph(self) -> None:
        self._flush()
        if self._state.target == "text":
            self._state.sink.end_paragraph(self._state.level, self._state.in_table)

    def _word(self, word: str, number: int | None, marked: bool) -> None:
        if word == "u":
            if self._state.target in ("text", *_INFORMATION.values()):
                self._write(chr((number or 0) & 0xFFFF))
            self._skip = self._state.fallback
            return
        if word in CHARACTERS:
            if not self._skipped(1):
                self._write(CHARACTERS[word])
            return
        self._flush()
        self._skip = 0
        if self._destination(word, marked):
            return
        if self._state.target == "text":
            self._text_word(word, number)
        elif self._state.target == "styles":
            self._style_word(word, number)
        elif self._state.target.startswith("moment:"):
            self._moment[word] = number or 0
        self._any_word(word, number)

    def _destination(self, word: str, marked: bool) -> bool:
        """Set the destination of the rest of the group; returns False when the word does not name one."""
        state = self._state
        if state.target == "skip":
            return True
        if word in _SKIPPED or (marked and word not in _KEPT_THOUGH_MARKED):
            state.target = "skip"
        elif word == "upr":
            state.target = f"upr:{state.target}"
        elif word == "ud":
            state.target = state.target.removeprefix("upr:")
        elif word in ("fonttbl", "stylesheet", "info"):
            state.target = {"fonttbl": "fonts", "stylesheet": "styles", "info": "information"}[word]
        elif word in _ASIDE and state.target == "text":
            state.sink = BlockAssembler(_ASIDE[word])
            state.in_table, state.level = False, 0
            self._aside.append(state.sink)
        elif word == "shptxt" and state.target == "text":
            state.sink = BlockAssembler()
            state.in_table, state.level = False, 0
        elif word in _INFORMATION and state.target == "information":
            name = _INFORMATION[word]
            state.target = f"moment:{name}" if name in ("created", "modified") else name
            if name in self._values:
                state.target = "skip"  # LibreOffice writes the last editor as a second author
        else:
            return False
        return True

    def _text_word(self, word: str, number: int | None) -> None:
        state = self._state
        if word in ("par", "sect", "page", "column"):
            self._end_paragraph()
        elif word == "pard":
            state.level, state.in_table = 0, False
        elif word == "intbl":
            state.in_table = number != 0
        elif word == "cell":
            state.sink.end_cell()
        elif word == "row":
            state.sink.end_row()
        elif word in ("nestcell", "nestrow"):
            state.sink.line.append(" ")
        elif word == "s":
            state.level = self._styles.get(number or 0, 0)
        elif word == "outlinelevel":
            state.level = number + 1 if number is not None and 0 <= number < 9 else 0
        elif word in ("v", "deleted"):
            state.hidden = number != 0
        elif word == "plain":
            state.hidden = False
            state.codec = self._fonts.get(self._default_font, self._usual)

    def _style_word(self, word: str, number: int | None) -> None:
        if word == "s":
            self._style = number or 0
        elif word == "outlinelevel" and number is not None and 0 <= number < 9:
            self._style_level = number + 1

    def _any_word(self, word: str, number: int | None) -> None:
        value = number or 0
        if word == "f" and self._state.target == "fonts":
            self._font = value
        elif word == "f":
            self._state.codec = self._fonts.get(value, self._usual)
        elif word == "fcharset":
            self._fonts[self._font] = charset_codec(value, self._usual)
        elif word == "cpg" and self._state.target == "fonts":
            self._fonts[self._font] = codec_of_code_page(value)
        elif word == "uc":
            self._state.fallback = max(0, min(value, 8))
        elif word == "deff":
            self._default_font = value
        elif word == "deflang":
            self._language = language_of_windows_number(value)
        elif word in ("ansicpg", "mac", "pc", "pca"):
            page = {"ansicpg": value, "mac": 10000, "pc": 437, "pca": 850}[word]
            self._usual = self._state.codec = codec_of_code_page(page)


def _date(parts: dict[str, int]) -> str:
    return iso_timestamp(
        f"{parts.get('yr', 0):04}-{parts.get('mo', 0):02}-{parts.get('dy', 0):02}"
        f"T{parts.get('hr', 0):02}:{parts.get('min', 0):02}:{parts.get('sec', 0):02}"
    )
