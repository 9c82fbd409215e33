"""The result of the readers of e-mail formats, and how it becomes documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.builtin.converters.common import attachments
from annotarium_plugins.builtin.converters.common.converter_helpers import one_line, tidy_metadata, title_from_file_name
from annotarium_plugins.builtin.converters.common.errors import no_text_found
from annotarium_plugins.builtin.converters.common.html_text import HtmlOptions, read_page
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_schemas.documents import Document, LayoutMark
from annotarium_schemas.messages import message

DEPTH = 8
"""Maximum depth of messages within messages."""


@dataclass
class Attachment:
    """A file attached to a message: its bytes, or the message it contains; neither when it cannot be read."""

    name: str
    content: bytes | None = None
    message: Mail | None = None
    problem: str = ""


@dataclass
class Mail:
    """A message. Addresses are formatted as `Ada <ada@example.org>`, the date is ISO 8601."""

    subject: str = ""
    sender: str = ""
    recipients: dict[str, list[str]] = field(default_factory=dict)
    date: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    plain: str = ""
    html: str = ""
    attachments: list[Attachment] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def mail_documents(mail: Mail, source: SourceFile, *, convert: bool) -> Iterator[Document | ItemError]:
    """Yield the message, and with `convert` its attachments, named `file.eml#attachment`.

    Raises:
        ComponentError: it has neither text nor an attachment to convert.
    """
    yield from _documents(mail, source.name, source, convert=convert, depth=0)


def _documents(
    mail: Mail, name: str, source: SourceFile, *, convert: bool, depth: int
) -> Iterator[Document | ItemError]:
    text, layout = _text(mail)
    if text:
        document = Document(
            identifier=name,
            title=one_line(mail.subject) or title_from_file_name(name),
            text=text,
            metadata=_metadata(mail),
            layout=layout,
        )
        for note in dict.fromkeys(mail.notes):
            document.note(note)
        yield document
    elif not (convert and mail.attachments):
        raise no_text_found(message("noText.message", "The message is empty, or contains only attachments."))
    if not convert:
        return
    for number, attachment in enumerate(mail.attachments, 1):
        shown = f"{name}#{attachment.name or number}"
        if attachment.message is not None and depth < DEPTH:
            if _text(attachment.message)[0] or attachment.message.attachments:
                for found in _documents(attachment.message, shown, source, convert=True, depth=depth + 1):
                    if isinstance(found, Document):
                        found.metadata.setdefault("attachedTo", name)
                    yield found
            else:
                yield ItemError(shown, message("file.emptyMessage", "The message is empty"))
        elif attachment.content is None and attachment.problem:
            yield ItemError(shown, attachment.problem)
        elif attachment.content:
            yield from attachments.convert_attachment(attachment.content, shown, attachment.name, source.language)


def _text(mail: Mail) -> tuple[str, list[LayoutMark] | None]:
    """Return the plain text, or else the text of the HTML with its layout."""
    plain = clean(mail.plain).strip("\n").rstrip()
    if plain.strip():
        return plain, None
    if not mail.html.strip():
        return "", None
    page = read_page(mail.html, HtmlOptions(separator=" "))
    unshown = page.unshown()
    if unshown:
        mail.notes.append(unshown)
    return page.builder.text, page.builder.layout


def _metadata(mail: Mail) -> dict[str, Any]:
    found: dict[str, Any] = {"from": mail.sender, **mail.recipients, "date": mail.date, **mail.facts}
    found["attachments"] = [one.name for one in mail.attachments if one.name]
    return tidy_metadata(found)
