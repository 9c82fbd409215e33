"""Reads internet messages (EML) with the standard library's lenient policy, so that malformed headers do not
stop it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.policy import Compat32
from email.utils import getaddresses, parsedate_to_datetime

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.converter_helpers import iso_date, one_line
from annotarium_plugins.builtin.converters.common.errors import CHECK, wrong_format
from annotarium_plugins.builtin.converters.common.mail import DEPTH, Attachment, Mail
from annotarium_plugins.builtin.converters.common.text_encoding import codec_name, decode
from annotarium_schemas.messages import message

_HEADERS = ("from", "to", "subject", "date", "received", "message-id", "mime-version", "content-type", "return-path")
_PARTS = 2000
_HEADER_LENGTH = 20_000
_FACTS = {"message-id": "messageId", "in-reply-to": "inReplyTo", "importance": "importance", "list-id": "listId"}
_LINE_ENDS = re.compile(r"[\r\n]+")
_FLOWED = re.compile(r"(?<=[^\n]) \n(?!-- \n)")


class _BoundedHeaderPolicy(Compat32):
    """The lenient policy with a limit on header length, because parsing parameters takes time quadratic in their
    number.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Return name and value of a header; the value is truncated."""
        name, value = super().header_source_parse(sourcelines)
        return name, str(value)[:_HEADER_LENGTH]


def read_eml(content: bytes, language: str) -> Mail:
    """Read a message and its attachments.

    Raises:
        ComponentError: it is not a message, or the encoding of its text could not be determined.
    """
    content = content.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    text = message_from_bytes(content, policy=_BoundedHeaderPolicy())
    if not any(name in text for name in _HEADERS):
        raise wrong_format(
            message("kind.email", "an e-mail"), message("fix.eml", "Upload the message as saved by its program (.eml)")
        )
    return _Reader(language).read(text, 0)


class _Reader:
    def __init__(self, language: str) -> None:
        self._language = language
        self._parts = 0
        self._notes: list[str] = []

    def read(self, message: Message, depth: int) -> Mail:
        """Read one message; `depth` counts the messages around it."""
        notes: list[str] = []
        self._notes = notes
        mail = Mail(
            notes=notes,
            subject=self._words(_first_header_value(message, "subject")),
            sender=", ".join(self._addresses(message, "from")[:1]),
            date=_date(_first_header_value(message, "date")),
        )
        for header, name in (("to", "to"), ("cc", "cc"), ("bcc", "bcc"), ("reply-to", "replyTo")):
            mail.recipients[name] = self._addresses(message, header)
        mail.facts = {
            name: self._words(_first_header_value(message, header)).strip("<> ") for header, name in _FACTS.items()
        }
        plain: list[str] = []
        html: list[str] = []
        self._part(message, mail, plain, html, depth)
        mail.plain = "\n\n".join(part.strip("\n") for part in plain if part.strip())
        mail.html = "\n".join(html)
        return mail

    def _part(self, part: Message, mail: Mail, plain: list[str], html: list[str], depth: int) -> None:
        self._parts += 1
        if self._parts > _PARTS:
            raise ComponentError(
                message("file.emailParts", "The e-mail has more than {count:,} parts.", count=_PARTS), fix=CHECK
            )
        kind = part.get_content_type()
        name = self._filename(part)
        attached = bool(name) or (part.get_content_disposition() == "attachment")
        if kind == "message/rfc822" and part.is_multipart():
            self._message(part, mail, name, depth)
        elif part.is_multipart():
            if kind == "multipart/alternative":
                self._alternative(part, mail, plain, html, depth)
            else:
                for child in _children(part):
                    self._part(child, mail, plain, html, depth)
        elif attached:
            mail.attachments.append(Attachment(name or kind, _payload_bytes(part)))
        elif kind == "text/html":
            html.append(self._text(part))
        elif kind.startswith("text/"):
            text = self._text(part)
            flowed = str(part.get_param("format", "") or "").lower() == "flowed"
            plain.append(_FLOWED.sub(" ", text) if flowed else text)

    def _alternative(self, part: Message, mail: Mail, plain: list[str], html: list[str], depth: int) -> None:
        """Read a multipart/alternative: the plain text when it is not blank, otherwise the HTML."""
        own_plain: list[str] = []
        own_html: list[str] = []
        for child in _children(part):
            self._part(child, mail, own_plain, own_html, depth)
        if any(text.strip() for text in own_plain):
            plain += own_plain
        else:
            html += own_html

    def _message(self, part: Message, mail: Mail, name: str, depth: int) -> None:
        inner = next(_children(part), None)
        if inner is None or depth >= DEPTH:
            mail.attachments.append(Attachment(name or "message.eml", None, problem="It is nested too deep"))
            return
        outer, read = self._notes, self.read(inner, depth + 1)
        self._notes = outer
        mail.attachments.append(Attachment(name or f"{one_line(read.subject)[:100] or 'message'}.eml", message=read))

    def _text(self, part: Message) -> str:
        charset = part.get_content_charset()
        decoded = decode(_payload_bytes(part), declared=charset, language=self._language)
        if decoded.warning:
            self._notes.append(decoded.warning)
        return decoded.text.replace("\r\n", "\n")

    def _filename(self, part: Message) -> str:
        try:
            name = part.get_filename() or ""
        except (LookupError, ValueError, TypeError):
            return "attachment"
        return one_line(self._words(name)).replace("/", "_")[:200]

    def _addresses(self, message: Message, header: str) -> list[str]:
        raw = [_LINE_ENDS.sub(" ", value[:_HEADER_LENGTH]) for value in _header_values(message, header)]
        # Names are decoded after the list is split, because an encoded name may contain a comma.
        shown = (shown_address(self._words(name), address) for name, address in getaddresses(raw))
        return [one for one in shown if one]

    def _words(self, value: str) -> str:
        """Return the text of a header: encoded words are decoded, raw bytes are decoded like the text of files."""
        raw = _LINE_ENDS.sub(" ", value[:_HEADER_LENGTH]).encode("utf-8", "surrogateescape")
        text = self._decoded(raw, None)
        try:
            parts = decode_header(text)
        except (HeaderParseError, ValueError, LookupError):
            return one_line(text)
        return one_line("".join(self._word(part, charset) for part, charset in parts))

    def _word(self, part: bytes | str, charset: str | None) -> str:
        if isinstance(part, str):
            return part
        if charset is None:
            return part.decode("raw-unicode-escape", "replace")  # decode_header encoded the text this way
        return self._decoded(part, charset)

    def _decoded(self, content: bytes, charset: str | None) -> str:
        try:
            decoded = decode(content, declared=charset, language=self._language)
            if decoded.warning:
                self._notes.append(decoded.warning)
            return decoded.text
        except ComponentError:
            return content.decode(codec_name(charset) or "utf-8", "replace")


def shown_address(name: str, address: str) -> str:
    """Format a person as `Ada Lovelace <ada@example.org>`."""
    name, address = one_line(name).strip("'\""), one_line(address)
    if not name or name == address:
        return address
    return f"{name} <{address}>" if address else name


def _header_values(message: Message, name: str) -> list[str]:
    """Return the values of a header as they are in the file; bytes outside ASCII are surrogate escapes."""
    return [str(value) for key, value in message.raw_items() if key.lower() == name]


def _first_header_value(message: Message, name: str) -> str:
    return next(iter(_header_values(message, name)), "")


def _children(part: Message) -> Iterator[Message]:
    payload = part.get_payload()
    if isinstance(payload, list):
        yield from (child for child in payload if isinstance(child, Message))


def _payload_bytes(part: Message) -> bytes:
    """Return the payload with its transfer encoding removed."""
    try:
        content = part.get_payload(decode=True)
    except (LookupError, ValueError, AssertionError):
        return b""
    return content if isinstance(content, bytes) else b""


def _date(value: str) -> str:
    try:
        return iso_date(parsedate_to_datetime(value)) if value else ""
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
