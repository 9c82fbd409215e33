"""The one gate of text: what is stored is whole Unicode text without NUL, within its limits.

SQLite and PostgreSQL differ on NUL, both refuse halves of surrogate pairs: here they are refused by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from annotarium.settings import MEBIBYTE
from annotarium_schemas.documents import Document

NAME_LENGTH = 255
"""Characters of identifiers, label names and names of alternative texts."""
SAMPLE = 80


class Refused(Exception):
    """An item that cannot be imported; `str(error)` says why, `fix` what to do."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.fix = message, fix


def check_text(value: str, what: str) -> None:
    """Raise `Refused` for a text with NUL or half a surrogate pair.

    Args:
        what: how the message names the text (`The title`).
    """
    if value.isascii():
        if "\x00" in value:
            raise Refused(f"{what} holds a NUL character", "Remove it")
        return
    if "\x00" in value:
        raise Refused(f"{what} holds a NUL character", "Remove it")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        message = f"{what} holds half of a surrogate pair at character {error.start}, which is no character"
        raise Refused(message, "Write the whole character") from error


def check_name(value: str, what: str) -> None:
    """`check_text` for a name: also not blank and at most 255 characters."""
    check_text(value, what)
    if not value.strip():
        raise Refused(f"{what} is empty")
    if len(value) > NAME_LENGTH:
        raise Refused(f"{what} is longer than {NAME_LENGTH} characters: {value[:SAMPLE]}...", "Shorten it")


def check_value(value: Any, what: str) -> None:
    """`check_text` for every text within a JSON value, keys included."""
    if isinstance(value, str):
        check_text(value, what)
    elif isinstance(value, dict):
        for key, child in value.items():
            check_text(key, what)
            check_value(child, what)
    elif isinstance(value, list):
        for child in value:
            check_value(child, what)


def check_document(document: Document, *, limit: int) -> None:
    """Raise `Refused` unless every text of the document may be stored.

    Args:
        limit: bytes of the text as UTF-8.
    """
    check_name(document.identifier, "The identifier")
    text = document.text
    check_text(text, "The text")
    if not text.strip():
        raise Refused("The text is empty", "Give it a text")
    if len(text) > limit or (len(text) * 4 > limit and len(text.encode()) > limit):
        raise Refused(f"The text is over {limit / MEBIBYTE:g} MB", "Split it into several documents")
    check_text(document.title, "The title")
    check_value(document.metadata, "The metadata")
    for what, value in _labelling_texts(document):
        check_text(value, what)
    for alternative in document.alt_texts:
        check_name(alternative.name, "The name of an alternative text")
        check_text(alternative.text, f"The alternative text {alternative.name}")
    for mark in document.layout or ():
        check_text((mark.href or "") + (mark.alt or ""), "The layout")


def _labelling_texts(document: Document) -> Iterator[tuple[str, str]]:
    for annotation in document.annotations:
        for name in (annotation.label_name, annotation.label, annotation.label_id):
            if name is not None:
                yield "A label", name
        if annotation.properties:
            check_value(annotation.properties, "The properties of an annotation")
        for term in annotation.terms or ():
            check_value(term.model_dump(), "A term")
    categories = list(document.categories)
    for sentence in document.sentences or ():
        categories.extend(sentence.categories or ())
        check_value(sentence.metadata, "The metadata of a sentence")
    for category in categories:
        for name in (category.label_name, category.label, category.label_id):
            if name is not None:
                yield "A category", name
        if category.properties:
            check_value(category.properties, "The properties of a category")
