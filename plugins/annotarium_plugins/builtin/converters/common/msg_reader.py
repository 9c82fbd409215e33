"""Reads Outlook messages (msg): an OLE file of properties, in Microsoft's published format MS-OXMSG."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.parser import HeaderParser
from pathlib import Path
from typing import Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.compressed_rtf import decompress_rtf
from annotarium_plugins.builtin.converters.common.converter_helpers import iso_date, one_line
from annotarium_plugins.builtin.converters.common.eml_reader import shown_address
from annotarium_plugins.builtin.converters.common.errors import CHECK, damaged_file, wrong_format
from annotarium_plugins.builtin.converters.common.mail import DEPTH, Attachment, Mail
from annotarium_plugins.builtin.converters.common.ole_file import open_ole_file
from annotarium_plugins.builtin.converters.common.text_encoding import codec_name, decode
from annotarium_schemas.messages import message

_ERRORS = (OSError, IndexError, KeyError, ValueError, struct.error, TypeError, AttributeError, OverflowError)
_PROPERTIES = "__properties_version1.0"
_SUBJECT, _BODY, _HTML, _RTF = 0x0037, 0x1000, 0x1013, 0x1009
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_SENT_FOR_NAME, _SENT_FOR_SMTP = 0x0042, 0x5D02
_SUBMITTED, _DELIVERED, _CREATED = 0x0039, 0x0E06, 0x3007
_MESSAGE_ID, _IN_REPLY_TO, _HEADERS, _CLASS = 0x1035, 0x1042, 0x007D, 0x001A
_CODE_PAGE, _HTML_CODE_PAGE, _LOCALE = 0x3FFD, 0x3FDE, 0x3FF1
_PERSON_TYPE, _PERSON_NAME, _PERSON_ADDRESS, _PERSON_SMTP = 0x0C15, 0x3001, 0x3003, 0x39FE
_FILE_NAME, _SHORT_NAME, _DISPLAY_NAME, _CONTENT = 0x3707, 0x3704, 0x3001, 0x3701
_LOCALES = {
    1: 1256,
    4: 950,
    5: 1250,
    8: 1253,
    13: 1255,
    14: 1250,
    17: 932,
    18: 949,
    21: 1250,
    25: 1251,
    31: 1254,
    34: 1251,
}
"""Code page by primary language of a Windows locale."""
_PAGES = {
    65001: "utf-8",
    950: "big5",
    936: "gb18030",
    20866: "koi8-r",
    28591: "cp1252",
    28605: "iso-8859-15",
    51932: "euc-jp",
}
_KINDS = {1: "to", 2: "cc", 3: "bcc"}
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_PARTS = 2000


def read_msg(path: Path, language: str) -> Mail:
    """Read a message and its attachments.

    Raises:
        ComponentError: it is not a message, damaged or protected.
    """
    with open_ole_file(path) as package:
        if not package.has(_PROPERTIES):
            raise wrong_format(
                message("kind.outlook", "an Outlook message"),
                message("fix.msg", "Upload the message as saved by Outlook (.msg)"),
            )
        try:
            return _Reader(package.raw, language).read((), 0)
        except _ERRORS as error:
            raise damaged_file(message("damaged.properties", "Its properties cannot be read.")) from error


class _MsgStorage:
    """The properties of one storage: the message, a recipient or an attachment.

    Args:
        header: number of bytes before the fixed properties.
        charset: of the message that contains it; None = determined from the storage itself.
    """

    def __init__(
        self, ole: Any, place: tuple[str, ...], header: int, language: str, charset: str | None = None
    ) -> None:
        self._ole, self._place, self._language = ole, place, language
        self.notes: list[str] = []
        self.fixed: dict[int, bytes] = {}
        data = self._stream(_PROPERTIES) or b""
        for start in range(header, len(data) - 15, 16):
            _, identifier = struct.unpack_from("<HH", data, start)
            self.fixed[identifier] = data[start + 8 : start + 16]
        self.charset = charset or self._own_charset()

    def _own_charset(self) -> str | None:
        """Return the codec of 8-bit texts: from the code page, otherwise from the locale or the HTML."""
        by_locale = _LOCALES.get(self.number(_LOCALE) & 0x3FF)
        for page in (self.number(_CODE_PAGE), by_locale, self.number(_HTML_CODE_PAGE)):
            name = codec_of_code_page(page)
            if name:
                return name
        return None

    def _stream(self, name: str) -> bytes | None:
        place = [*self._place, name]
        if not self._ole.exists(place) or self._ole.get_type(place) != 2:  # not a stream
            return None
        with self._ole.openstream(place) as stream:
            data: bytes = stream.read()
        return data

    def number(self, identifier: int) -> int:
        """Return a whole number, 0 when the property is missing."""
        value = self.fixed.get(identifier)
        return int(struct.unpack_from("<i", value)[0]) if value else 0

    def timestamp(self, identifier: int) -> str:
        """Return a timestamp as ISO 8601, empty when the property is missing."""
        value = self.fixed.get(identifier)
        ticks = struct.unpack("<Q", value)[0] if value else 0
        try:
            return iso_date(_EPOCH + timedelta(microseconds=ticks // 10)) if ticks else ""
        except OverflowError:
            return ""

    def text(self, identifier: int) -> str:
        """Return a text, empty when the property is missing."""
        wide = self._stream(f"__substg1.0_{identifier:04X}001F")
        if wide is not None:
            return wide.decode("utf-16-le", "replace").rstrip("\x00")
        narrow = self._stream(f"__substg1.0_{identifier:04X}001E")
        return self.decoded(narrow).rstrip("\x00") if narrow is not None else ""

    def decoded(self, content: bytes, charset: str | None = None) -> str:
        """Decode bytes; never raises."""
        declared = charset or self.charset
        try:
            decoded = decode(content, declared=declared, language=self._language)
            if decoded.warning:
                self.notes.append(decoded.warning)
            return decoded.text
        except ComponentError:
            return content.decode(codec_name(declared) or "cp1252", "replace")

    def content(self, identifier: int) -> bytes | None:
        """Return bytes, None when the property is missing."""
        return self._stream(f"__substg1.0_{identifier:04X}0102")


class _Reader:
    def __init__(self, ole: Any, language: str) -> None:
        self._ole, self._language = ole, language
        self._parts = 0

    def read(self, place: tuple[str, ...], depth: int) -> Mail:
        """Read the message of a storage; `depth` counts the messages around it."""
        folder = _MsgStorage(self._ole, place, 24 if depth else 32, self._language)
        headers = HeaderParser().parsestr(folder.text(_HEADERS))
        mail = Mail(subject=folder.text(_SUBJECT), plain=folder.text(_BODY).replace("\r\n", "\n"))
        mail.sender = shown_address(
            folder.text(_SENDER_NAME) or folder.text(_SENT_FOR_NAME),
            _smtp_address(folder, (_SENDER_SMTP, _SENT_FOR_SMTP)),
        )
        mail.date = folder.timestamp(_SUBMITTED) or folder.timestamp(_DELIVERED) or folder.timestamp(_CREATED)
        mail.html = self._html(folder)
        if not mail.plain.strip() and not mail.html.strip():
            mail.plain = _rich_text(folder.content(_RTF))
        mail.facts = {
            "messageId": (folder.text(_MESSAGE_ID) or str(headers.get("message-id", ""))).strip("<> \r\n"),
            "inReplyTo": folder.text(_IN_REPLY_TO).strip("<> \r\n"),
        }
        mail.notes = folder.notes
        for child in self._children(place):
            self._parts += 1
            if self._parts > _PARTS:
                raise ComponentError(
                    message("file.messageParts", "The message has more than {count:,} parts.", count=_PARTS), fix=CHECK
                )
            if child[-1].startswith("__recip_version1.0"):
                self._recipient(child, mail, folder.charset)
            elif child[-1].startswith("__attach_version1.0"):
                mail.attachments.append(self._attachment(child, depth, folder.charset))
        return mail

    def _children(self, place: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        for entry in self._ole.listdir(streams=False, storages=True):
            if len(entry) == len(place) + 1 and tuple(entry[:-1]) == place:
                yield tuple(entry)

    def _html(self, folder: _MsgStorage) -> str:
        content = folder.content(_HTML)
        if content is None:
            return folder.text(_HTML)
        return folder.decoded(content, codec_of_code_page(folder.number(_HTML_CODE_PAGE)))

    def _recipient(self, place: tuple[str, ...], mail: Mail, charset: str | None) -> None:
        folder = _MsgStorage(self._ole, place, 8, self._language, charset)
        shown = shown_address(folder.text(_PERSON_NAME), _smtp_address(folder, (_PERSON_SMTP, _PERSON_ADDRESS)))
        if shown:
            mail.recipients.setdefault(_KINDS.get(folder.number(_PERSON_TYPE) & 0xF, "to"), []).append(shown)

    def _attachment(self, place: tuple[str, ...], depth: int, charset: str | None) -> Attachment:
        folder = _MsgStorage(self._ole, place, 8, self._language, charset)
        name = folder.text(_FILE_NAME) or folder.text(_SHORT_NAME) or folder.text(_DISPLAY_NAME)
        name = one_line(name).replace("/", "_")[:200]
        inner = (*place, f"__substg1.0_{_CONTENT:04X}000D")
        if self._ole.exists(list(inner)):
            if depth >= DEPTH or not self._ole.exists([*inner, _PROPERTIES]):
                return Attachment(name, problem="It is an object of another program, or nested too deep")
            message = self.read(inner, depth + 1)
            return Attachment(name or f"{one_line(message.subject)[:100] or 'message'}.msg", message=message)
        return Attachment(name, folder.content(_CONTENT), problem="Only a link to it is stored")


def codec_of_code_page(number: int | None) -> str | None:
    """Return the codec of a Windows code page, None when it is unknown."""
    if not number:
        return None
    return codec_name(
        _PAGES.get(number) or (f"iso-8859-{number - 28590}" if 28591 <= number <= 28606 else f"cp{number}")
    )


def _smtp_address(folder: _MsgStorage, names: tuple[int, ...]) -> str:
    """Return the first SMTP address: Exchange also stores addresses in a form of its own."""
    found = [folder.text(name) for name in (*names, _SENDER_ADDRESS)]
    return next((one for one in found if "@" in one), "")


def _rich_text(content: bytes | None) -> str:
    """Return the text of a body that is stored as RTF only."""
    if not content:
        return ""
    from annotarium_plugins.builtin.converters.office.model import Paragraph
    from annotarium_plugins.builtin.converters.office.rtf_reader import read_rtf

    blocks = read_rtf(decompress_rtf(content)).blocks
    return "\n".join(
        block.text if isinstance(block, Paragraph) else "\n".join(" ".join(row) for row in block.rows)
        for block in blocks
    )
