"""Converter `presentation`: a PowerPoint or OpenDocument presentation becomes one document, or one per slide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import check_size, one_line, tidy_metadata
from annotarium_plugins.builtin.converters.common.errors import no_text_found
from annotarium_plugins.builtin.converters.common.parameter_fields import (
    cell_separator_field,
    segments_field,
    size_limit_field,
    title_source_field,
)
from annotarium_plugins.builtin.converters.common.text_builder import Block, TextBuilder, segments_from_blocks
from annotarium_plugins.builtin.converters.office.model import Properties, Slide, Table
from annotarium_plugins.builtin.converters.office.reader_selection import read_presentation, title_of
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document, Sentence


class PresentationConverterParameters(Parameters):
    """Parameters of `presentation`."""

    documents: Literal["presentation", "slide"] = Field(
        "presentation", title="Documents", description="The whole presentation is one document, or each slide is."
    )
    title: Literal["property", "heading", "file"] = title_source_field(
        "From the file's properties, its first slide, or its name; the next serves when there is none."
    )
    segments: Literal["project", "slides", "blocks"] = segments_field(
        "The segments of the project, one per slide, or one per block."
    )
    separator: str = cell_separator_field()
    notes: bool = Field(True, title="Speaker's notes", description="Adds the notes of a slide after its text.")
    hidden: bool = Field(False, title="Hidden slides", description="Includes hidden slides.")
    size_limit: int = size_limit_field(256, 2048)


class PresentationConverter(Converter[PresentationConverterParameters]):
    """Writes slides in order, each with its title first. Master slides are not read."""

    title = "Presentations"
    description = "A PowerPoint or OpenDocument presentation becomes one document, or one per slide."
    parameters_model = PresentationConverterParameters
    extensions = ("ppt", "pps", "pptx", "ppsx", "odp")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield one document whose identifier is the file name; or one per slide with text, with `#` and its number.

        Raises:
            ComponentError: too large, of another type, damaged, protected by a password, or without text.
        """
        check_size(source, self.parameters.size_limit)
        found = read_presentation(source.path)
        slides = [
            (number, one) for number, one in enumerate(found.slides, 1) if self.parameters.hidden or not one.hidden
        ]
        if self.parameters.documents == "presentation":
            document = self._document(source, found.properties, slides)
            if document is None:
                raise no_text_found()
            yield document
            return
        empty = True
        for number, slide in slides:
            document = self._document(source, found.properties, [(number, slide)])
            if document is not None:
                empty = False
                document.identifier = f"{source.name}#{number}"
                document.title = one_line(slide.title) or f"{document.title} {number}"
                document.metadata["slide"] = number
                yield document
        if empty:
            raise no_text_found()

    def _document(self, source: SourceFile, properties: Properties, slides: list[tuple[int, Slide]]) -> Document | None:
        builder = TextBuilder()
        sentences = []
        for number, slide in slides:
            before = len(builder.blocks)
            self._add(builder, number, slide)
            added = builder.blocks[before:]
            if added:
                sentences.append(_slide_segment(added, number, slide))
        if not builder.blocks:
            return None
        titles = [slide.title for _, slide in slides if slide.title.strip()]
        document = Document(
            identifier=source.name,
            title=title_of(properties, titles, source.name, self.parameters.title),
            text=builder.text,
            metadata=tidy_metadata(properties.metadata()),
            layout=builder.layout,
        )
        if self.parameters.segments == "slides":
            document.sentences = sentences
        elif self.parameters.segments == "blocks":
            document.sentences = segments_from_blocks(builder.blocks)
        return document

    def _add(self, builder: TextBuilder, number: int, slide: Slide) -> None:
        builder.add(slide.title, "heading", slide=number, level=1)
        for block in slide.blocks:
            if isinstance(block, Table):
                builder.add_table(block.rows, self.parameters.separator, slide=number)
            else:
                builder.add(block.text, "paragraph", slide=number)
        if self.parameters.notes:
            for note in slide.notes:
                builder.add(note, "note", slide=number)


def _slide_segment(blocks: list[Block], number: int, slide: Slide) -> Sentence:
    facts = {"kind": "slide", "slide": number, "title": one_line(slide.title)}
    return Sentence(
        start=blocks[0].start, end=blocks[-1].end, metadata={name: value for name, value in facts.items() if value}
    )
