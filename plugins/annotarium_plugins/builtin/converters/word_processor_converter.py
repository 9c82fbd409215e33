"""Converter `text_document`: a Word, OpenDocument or rich text file is one document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import check_size, tidy_metadata
from annotarium_plugins.builtin.converters.common.errors import no_text_found
from annotarium_plugins.builtin.converters.common.parameter_fields import CellSeparator, size_limit_field
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

    title: Literal["property", "heading", "file"] = Field(
        "property",
        title="Title",
        description="From the file's properties, its first heading, or its name; the next serves when there is none.",
    )
    segments: Literal["project", "sections", "blocks"] = Field(
        "project",
        title="Segments",
        description="Segments as the project cuts them, one for each heading's section, or one for each block.",
    )
    separator: CellSeparator = "\t"
    notes: bool = Field(True, title="Notes", description="Footnotes and endnotes follow the text.")
    comments: bool = Field(False, title="Comments", description="Comments of reviewers follow the text.")
    headers: bool = Field(
        False, title="Page headers and footers", description="What is repeated on the pages follows the text, once."
    )
    size_limit: int = size_limit_field(128, 2048)


class WordProcessorConverter(Converter[WordProcessorConverterParameters]):
    """Paragraphs apart from each other by an empty line, tables row by row. What review deleted is no text."""

    title = "Text documents"
    description = "A Word, OpenDocument or rich text file becomes one document, with its headings, tables and notes."
    parameters_model = WordProcessorConverterParameters
    extensions = ("doc", "docx", "odt", "rtf")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """One document: identifier is the file name.

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
    """Lists that are open while paragraphs follow each other."""

    def __init__(self, builder: TextBuilder) -> None:
        self._builder = builder
        self._open: list[tuple[LayoutMark, LayoutMark]] = []

    def go_to(self, depth: int) -> None:
        """What comes next is an item so deep in lists; 0 = of none."""
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
