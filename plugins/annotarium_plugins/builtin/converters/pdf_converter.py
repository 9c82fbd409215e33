"""Converter `pdf`: a PDF becomes one document, or one per page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common import pdf_paragraphs, pdf_text
from annotarium_plugins.builtin.converters.common.converter_helpers import one_line, tidy_metadata, title_from_file_name
from annotarium_plugins.builtin.converters.common.errors import too_large
from annotarium_plugins.builtin.converters.common.parameter_fields import segments_field
from annotarium_plugins.builtin.converters.common.pdf_layout import FontSizes, write_page
from annotarium_plugins.builtin.converters.common.pdf_text import Line
from annotarium_plugins.builtin.converters.common.text_builder import TextBuilder, segments_from_blocks
from annotarium_plugins.parameters import Parameters, advanced_number
from annotarium_schemas.documents import Document, Sentence
from annotarium_schemas.messages import message

_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?")
_SCANNED = message("file.scanned", "The PDF contains only images, no text.")
_RECOGNISE = message("fix.recognise", "Process it with a text recognition (OCR) program first")


class PdfConverterParameters(Parameters):
    """Parameters of `pdf`."""

    documents: Literal["file", "pages"] = Field(
        "file", title="Documents", description="The whole file is one document, or each page is."
    )
    segments: Literal["project", "pages", "blocks"] = segments_field(
        "The segments of the project, one per page, or one per paragraph."
    )
    join_lines: bool = Field(
        True,
        title="Join lines",
        description="The lines of a paragraph become one line. If off, line ends stay as printed.",
    )
    join_hyphens: bool = Field(
        True, title="Join hyphenated words", description="Joins words that are divided at line ends."
    )
    running_lines: bool = Field(
        True,
        title="Page headers and numbers",
        description="If off, lines that are repeated on most pages are left out.",
    )
    page_limit: int = advanced_number(5000, 1, 100_000, title="Maximum pages", description="Longer files are refused.")


class PdfConverter(Converter[PdfConverterParameters]):
    """Separates paragraphs by an empty line and writes pages one after the other. Pictures are not read.

    The layout consists of headings in larger letters, lists, and tables with clearly separated columns.
    """

    title = "PDF"
    description = "A PDF becomes one document, or one per page, with its title, author and dates."
    parameters_model = PdfConverterParameters
    extensions = ("pdf",)

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield documents: the identifier is the file name, with `#page=2` when pages are documents.

        Raises:
            ComponentError: it is not a PDF, damaged, protected by a password, too long, or without text.
        """
        with pdf_text.open_pdf(source.path) as pdf:
            count = len(pdf)
            if count > self.parameters.page_limit:
                raise too_large(
                    message(
                        "large.pages", "The PDF has {count:,} pages", one="The PDF has {count:,} page", count=count
                    ),
                    f"{self.parameters.page_limit}",
                )
            facts = _pdf_metadata(pdf)
            title = facts.pop("title", "") or title_from_file_name(source.name)
            pages = [pdf_text.page_lines(pdf, number) for number in range(count)]
        if not any(pages):
            raise ComponentError(_SCANNED, cause=message("cause.scanned", "It was scanned or drawn."), fix=_RECOGNISE)
        if not self.parameters.running_lines:
            pages = pdf_text.without_headers_and_footers(pages)
        lines = [line for page in pages for line in page]
        compounds, sizes = pdf_paragraphs.hyphenated_compounds(lines), FontSizes(lines)
        if self.parameters.documents == "pages":
            yield from self._by_page(source.name, title, facts, pages, compounds, sizes)
            return
        builder, ranges = TextBuilder(), []
        for number, page in enumerate(pages, 1):
            ranges += self._write(builder, page, number, compounds, sizes)
        if not builder.text:
            raise ComponentError(
                _SCANNED, cause=message("cause.letters", "Its fonts contain no letters."), fix=_RECOGNISE
            )
        pdf_text.require_readable_text(builder.text)
        document = Document(identifier=source.name, title=title, text=builder.text)
        blank = [number for number, page in enumerate(pages, 1) if not page]
        document.metadata = tidy_metadata({**facts, "pages": count, "pagesWithoutText": blank})
        document.sentences, document.layout = self._sentences(builder, ranges), builder.layout
        yield document

    def _by_page(
        self,
        name: str,
        title: str,
        facts: dict[str, Any],
        pages: list[list[Line]],
        compounds: frozenset[str],
        sizes: FontSizes,
    ) -> Iterator[Document | ItemError]:
        for number, page in enumerate(pages, 1):
            builder = TextBuilder()
            ranges = self._write(builder, page, number, compounds, sizes)
            if not ranges:
                yield ItemError(
                    message("item.page", "page {number}", number=number),
                    message("file.blankPage", "It contains no text: it is blank or an image"),
                    _RECOGNISE,
                )
                continue
            document = Document(identifier=f"{name}#page={number}", title=f"{title} ({number})", text=builder.text)
            document.metadata = tidy_metadata({**facts, "page": number, "pages": len(pages)})
            document.sentences, document.layout = self._sentences(builder, ranges), builder.layout
            yield document

    def _write(
        self, builder: TextBuilder, page: list[Line], number: int, compounds: frozenset[str], sizes: FontSizes
    ) -> list[tuple[int, int, int]]:
        """Add a page's blocks; returns `(start, end, number)` of the page, nothing when it has no text."""
        first = len(builder.blocks)
        join = self.parameters.join_lines

        def mend(text: str) -> str:
            return pdf_paragraphs.join_hyphenated_line_ends(text, compounds, join=join and self.parameters.join_hyphens)

        if join:
            write_page(builder, page, sizes, mend, number)
        else:
            for place, line in enumerate(page):
                builder.add(mend(line.text), "paragraph", gap="\n" if place else "\n\n", page=number)
        added = builder.blocks[first:]
        return [(added[0].start, added[-1].end, number)] if added else []

    def _sentences(self, builder: TextBuilder, ranges: list[tuple[int, int, int]]) -> list[Sentence] | None:
        if self.parameters.segments == "blocks":
            return segments_from_blocks(builder.blocks)
        if self.parameters.segments == "pages":
            return [
                Sentence(start=start, end=end, metadata={"kind": "page", "page": page}) for start, end, page in ranges
            ]
        return None


def _pdf_metadata(pdf: Any) -> dict[str, Any]:
    """Return the file's properties under the metadata names that documents use."""
    raw = {
        name: _pdf_metadata_value(pdf, name)
        for name in ("Title", "Author", "Subject", "Keywords", "CreationDate", "ModDate")
    }
    keywords = (word.strip() for word in re.split(r"[;,\n]", raw.get("Keywords", "")))
    return {
        "title": one_line(raw.get("Title", "")),
        "author": one_line(raw.get("Author", "")),
        "subject": one_line(raw.get("Subject", "")),
        "keywords": [word for word in keywords if word],
        "created": _timestamp(raw.get("CreationDate", "")),
        "modified": _timestamp(raw.get("ModDate", "")),
    }


def _pdf_metadata_value(pdf: Any, name: str) -> str:
    """Return one property, empty when it is damaged: damaged properties must not prevent the import of the text."""
    try:
        return str(pdf.get_metadata_value(name))
    except (UnicodeError, ValueError, RuntimeError):
        return ""


def _timestamp(value: str) -> str:
    """Return a PDF date (`D:20260531120000+02'00'`) as ISO 8601, empty when it is invalid."""
    found = _DATE.match(value.strip())
    if not found:
        return ""
    year, month, day, hour, minute, second = (int(part) if part else None for part in found.groups()[:6])
    try:
        moment = datetime(year or 1, month or 1, day or 1, hour or 0, minute or 0, min(second or 0, 59))
    except ValueError:
        return ""
    zone = "Z" if found[7] in (None, "Z") else f"{found[7]}:{found[8] or '00'}"
    return f"{moment:%Y-%m-%dT%H:%M:%S}{zone}"
