"""Converter `text_document`: a Word, OpenDocument or rich text file becomes one document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import check_size, tidy_metadata
from annotarium_plugins.builtin.converters.common.errors import no_text_found
from annotarium_plugins.builtin.converters.common.parameter_fields import (
    cell_separator_field,
    segments_field,
    size_limit_field,
    title_source_field,
)
from annotarium_plugins.builtin.converters.common.text_builder import (
    TextBuilder,
    segments_from_blocks,
    segments_from_sections,
)
from annotarium_plugins.builtin.converters.office.model import Paragraph, Table, WordProcessorDocument
from annotarium_plugins.builtin.converters.office.reader_selection import read_word_processor_document, title_of
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document, LayoutMark


class WordProcessorConverterParameters(Parameters):
    """Parameters of `text_document`."""

    title: Literal["property", "heading", "file"] = title_source_field(
        "From the file's properties, its first heading, or its name; the next serves when there is none."
    )
    segments: Literal["project", "sections", "blocks"] = segments_field(
        "The segments of the project, one per section (heading), or one per block."
    )
    separator: str = cell_separator_field()
    notes: bool = Field(True, title="Notes", description="Adds footnotes and endnotes after the text.")
    comments: bool = Field(False, title="Comments", description="Adds the comments of reviewers after the text.")
    headers: bool = Field(
        False, title="Page headers and footers", description="Adds headers and footers once, after the text."
    )
    size_limit: int = size_limit_field(128, 2048)


class WordProcessorConverter(Converter[WordProcessorConverterParameters]):
    """Separates paragraphs by an empty line and writes tables row by row. Deleted revisions are left out."""

    title = "Text documents"
    description = "A Word, OpenDocument or rich text file becomes one document, with its headings, tables and notes."
    parameters_model = WordProcessorConverterParameters
    extensions = ("doc", "docx", "odt", "rtf")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield one document whose identifier is the file name.

        Raises:
            ComponentError: too large, of another type, damaged, protected by a password, or without text.
        """
        check_size(source, self.parameters.size_limit)
        found = read_word_processor_document(source.path)
        builder = self._built(found)
        if not builder.blocks:
            raise no_text_found()
        headings = [one for one in builder.blocks if one.kind == "heading"]
        text = builder.text
        title = title_of(
            found.properties, [text[one.start : one.end] for one in headings], source.name, self.parameters.title
        )
        document = Document(
            identifier=source.name,
            title=title,
            text=text,
            metadata=tidy_metadata(found.properties.metadata()),
            layout=builder.layout,
        )
        if self.parameters.segments == "blocks":
            document.sentences = segments_from_blocks(builder.blocks)
        elif self.parameters.segments == "sections":
            document.sentences = segments_from_sections(builder.blocks)
        yield document

    def _built(self, found: WordProcessorDocument) -> TextBuilder:
        wanted = {"paragraph", "heading"}
        wanted |= {"note"} if self.parameters.notes else set()
        wanted |= {"comment"} if self.parameters.comments else set()
        wanted |= {"header"} if self.parameters.headers else set()
        builder = TextBuilder()
        lists = _OpenLists(builder)
        for block in found.blocks:
            lists.go_to(block.depth if isinstance(block, Paragraph) and block.kind == "paragraph" else 0)
            if isinstance(block, Table):
                builder.add_table(block.rows, self.parameters.separator)
            elif block.kind == "heading":
                title = " ".join(block.text.split())[:200]
                builder.add(block.text, "heading", marks=block.marks, level=block.level, title=title)
            elif block.kind in wanted:
                builder.add(block.text, block.kind, look=None if block.depth else "paragraph", marks=block.marks)
        lists.go_to(0)
        return builder


class _OpenLists:
    """The layout marks of lists that are open between consecutive paragraphs."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._open: list[tuple[LayoutMark, LayoutMark]] = []

    def go_to(self, depth: int) -> None:
        """Open and close lists so that the next paragraph is an item at this depth; 0 = not an item."""
        while len(self._open) > depth:
            list_, item = self._open.pop()
            self._builder.close(item)
            self._builder.close(list_)
        if depth and len(self._open) == depth:
            list_, item = self._open.pop()
            self._builder.close(item)
            self._open.append((list_, self._builder.open("item")))
        while len(self._open) < depth:
            self._open.append((self._builder.open("list"), self._builder.open("item")))
