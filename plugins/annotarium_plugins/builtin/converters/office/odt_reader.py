"""Reads OpenDocument texts (odt)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotarium_plugins.builtin.converters.common.xml_reader import local_name
from annotarium_plugins.builtin.converters.common.zip_package import Package, open_package
from annotarium_plugins.builtin.converters.office.model import Paragraph, WordProcessorDocument
from annotarium_plugins.builtin.converters.office.open_document import (
    BlockReader,
    emphases_by_style,
    hidden_styles,
    open_body,
    properties_with_language,
    title_styles,
)


def read_odt(path: Path) -> WordProcessorDocument:
    """Return the blocks of an odt; notes, comments and headers follow the body, with their kind.

    Raises:
        ComponentError: it is encrypted, damaged, or not an odt.
    """
    with open_package(path) as package:
        root, body = open_body(package, "text", "an OpenDocument text")
        reader = BlockReader(title_styles(root), emphases_by_style(root), hidden_styles(root))
        blocks = list(reader.blocks(body))
        return WordProcessorDocument(properties_with_language(package), [*blocks, *reader.rest(), *_headers(package)])


def _headers(package: Package) -> Iterator[Paragraph]:
    root = package.optional_xml("styles.xml")
    reader = BlockReader(set())
    seen = set()
    for element in root.iter() if root is not None else ():
        if local_name(element) in ("header", "footer", "header-left", "footer-left", "header-first", "footer-first"):
            text = reader.flat(element)
            if text and text not in seen:
                seen.add(text)
                yield Paragraph(text, "header")
