"""Extracts the text of arbitrary XML: elements that have only elements as siblings are blocks, others are inline."""

from __future__ import annotations

import re
from typing import Any

from annotarium_plugins.builtin.converters.common.text_builder import TextBuilder
from annotarium_plugins.builtin.converters.common.xml_reader import Element, local_name

_BLANKS = re.compile(r"\s+")


def write_text(builder: TextBuilder, found: Any, without: frozenset[str]) -> None:
    """Add the text of an element, or a string, block by block.

    Args:
        without: local names of elements whose text is left out.
    """
    if isinstance(found, str):
        builder.add(_BLANKS.sub(" ", found), "paragraph", gap="\n")
        return
    stack: list[tuple[Element, bool, bool]] = [(found, True, False)]
    inline: list[str] = []

    def end_block() -> None:
        builder.add(_BLANKS.sub(" ", "".join(inline)), "paragraph", gap="\n")
        inline.clear()

    while stack:
        element, is_block, closing = stack.pop()
        if is_block:
            end_block()
        if not closing and local_name(element) and local_name(element) not in without:
            inline.append(element.text or "")
            is_frame = _holds_blocks(element)
            stack.append((element, is_block or is_frame, True))
            stack.extend((child, is_frame, False) for child in reversed(element))
        elif element is not found:
            inline.append(element.tail or "")
    end_block()


def _holds_blocks(element: Element) -> bool:
    """Whether an element contains only elements, with white space between them, so that its children are blocks."""
    if not len(element) or (element.text or "").strip():
        return False
    return not any((one.tail or "").strip() for one in element)
