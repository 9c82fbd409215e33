"""Converter `html`: a page becomes one document with the text that a reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Any, Literal

from pydantic import Field

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import (
    read_bounded,
    tidy_metadata,
    title_from_file_name,
)
from annotarium_plugins.builtin.converters.common.errors import EXTENSION, no_text_found, wrong_format
from annotarium_plugins.builtin.converters.common.html_parsing import sanitise_html
from annotarium_plugins.builtin.converters.common.html_text import HtmlOptions, Page, read_page
from annotarium_plugins.builtin.converters.common.parameter_fields import (
    cell_separator_field,
    encoding_field,
    segments_field,
    size_limit_field,
)
from annotarium_plugins.builtin.converters.common.text_builder import segments_from_blocks, segments_from_sections
from annotarium_plugins.builtin.converters.common.text_encoding import Encoding, decode
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import AltText, Document
from annotarium_schemas.messages import message

_CHARSET = re.compile(rb"""<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w.:-]{2,40})""", re.IGNORECASE)
_XML_CHARSET = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{2,40})["']""")
_HEAD = 4096
_KNOWN = {
    "author": ("author", "article:author", "dc.creator", "dcterms.creator"),
    "description": ("description", "og:description", "dc.description"),
    "created": ("article:published_time", "date", "dc.date", "dcterms.created", "datepublished"),
    "modified": ("article:modified_time", "last-modified", "dcterms.modified", "datemodified"),
    "language": ("language", "content-language", "dc.language"),
    "url": ("url", "og:url"),
}
"""Metadata names of documents, each with the names that pages use for it, best first."""
_TECHNICAL = re.compile(
    r"viewport|theme-color|robots|.*(?:verification|csrf|token).*|msapplication-.*|format-detection"
)


class HtmlConverterParameters(Parameters):
    """Parameters of `html`."""

    encoding: Encoding = encoding_field(
        "Automatic: UTF-8, otherwise as declared by the page, otherwise the usual one of the project language."
    )
    segments: Literal["project", "sections", "blocks"] = segments_field(
        "The segments of the project, one per section (heading), or one per block."
    )
    separator: str = cell_separator_field()
    navigation: bool = Field(
        True, title="Menus and page footers", description="If off, what the page marks as navigation is left out."
    )
    images: bool = Field(False, title="Image texts", description="Includes the alternative texts of images.")
    keep_html: bool = Field(
        False,
        title="Keep the HTML",
        description="Stores the HTML, without active content, as the alternative text html.",
    )
    size_limit: int = size_limit_field(32, 512)


class HtmlConverter(Converter[HtmlConverterParameters]):
    """Separates blocks and writes tables row by row; scripts, styles and hidden elements are left out."""

    title = "HTML"
    description = "A web page becomes one document, with its readable text, title and metadata."
    parameters_model = HtmlConverterParameters
    extensions = ("html", "htm", "xhtml", "xht")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield one document: the identifier is the file name, the title that of the page, or the file name without
        extension.

        Raises:
            ComponentError: too large, in an unknown encoding, nested too deep, or without text.
        """
        content = read_bounded(source, self.parameters.size_limit)
        decoded = decode(
            content,
            encoding=self.parameters.encoding,
            declared=declared_charset(content, source.content_type),
            language=source.language,
        )
        if "\x00" in decoded.text or "<" not in decoded.text:
            raise wrong_format(message("kind.html", "an HTML page"), EXTENSION)
        document = self.document(decoded.text, source.name)
        if decoded.foreign:
            document.metadata["encoding"] = decoded.encoding
        if decoded.warning:
            document.note(decoded.warning)
        yield document

    def document(self, html: str, name: str) -> Document:
        """Return the document of a page that is already decoded.

        Raises:
            ComponentError: it has no text, or is nested too deep.
        """
        options = HtmlOptions(self.parameters.navigation, self.parameters.images, self.parameters.separator)
        page = read_page(html, options)
        builder = page.builder
        if not builder.text.strip():
            raise no_text_found(message("noText.page", "The page contains only images or scripts."))
        document = Document(
            identifier=name,
            title=page.title or title_from_file_name(name),
            text=builder.text,
            metadata=tidy_metadata(page_metadata(page)),
            layout=builder.layout,
        )
        unshown = page.unshown()
        if unshown:
            document.note(unshown)
        if self.parameters.segments == "blocks":
            document.sentences = segments_from_blocks(builder.blocks)
        elif self.parameters.segments == "sections":
            document.sentences = segments_from_sections(builder.blocks)
        if self.parameters.keep_html:
            document.alt_texts = [AltText(name="html", text=sanitise_html(html.replace("\x00", "")))]
        return document


def declared_charset(content: bytes, content_type: str | None) -> str | None:
    """Return the encoding that the transport, the XML declaration or a meta element names."""
    if content_type and "charset" in content_type.lower():
        message = Message()
        message["Content-Type"] = content_type
        named = message.get_content_charset()
        if named:
            return named
    head = content[:_HEAD]
    found = _XML_CHARSET.search(head) or _CHARSET.search(head)
    return found[1].decode("ascii", "ignore") if found else None


def page_metadata(page: Page) -> dict[str, Any]:
    """Return the metadata of a page: known facts under the names that documents use, the rest under its own names."""
    rest = {name: value for name, value in page.metadata.items() if not _TECHNICAL.fullmatch(name)}
    found: dict[str, Any] = {}
    for name, others in _KNOWN.items():
        values = [rest.pop(other, None) for other in others]
        value = next((value for value in values if value), None)
        if value:
            found[name] = value
    words = re.split(r"[,;]", str(rest.pop("keywords", "")))
    found["keywords"] = [word.strip() for word in words if word.strip()]
    rest.pop("og:title", None)
    return {**found, **rest}
