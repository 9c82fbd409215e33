"""Converter `txt`: a plain text file is one document."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.parameters import Parameters, hint
from annotarium_schemas.documents import Document

MEBIBYTE = 1024 * 1024


class TxtConverterParameters(Parameters):
    """Parameters of `txt`."""

    size_limit: int = Field(
        64,
        ge=1,
        le=4096,
        title="Largest file",
        description="A larger file is refused; split it into several documents.",
        json_schema_extra=hint(advanced=True, unit="MB"),
    )


class TxtConverter(Converter[TxtConverterParameters]):
    """UTF-8 text, with or without byte order mark. Line ends become `\\n`; nothing else is changed."""

    title = "Plain text"
    description = "A UTF-8 text file becomes one document."
    parameters_model = TxtConverterParameters
    extensions = ("txt",)

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """One document: identifier is the file name, title the name without its extension.

        Raises:
            ComponentError: too large, not UTF-8, not a text, or blank.
        """
        limit = self.parameters.size_limit * MEBIBYTE
        with source.path.open("rb") as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            message = f"The text is larger than {self.parameters.size_limit} MB."
            raise ComponentError(message, fix="Split it into several files")
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = "Not UTF-8. Save it as UTF-8 and drop it again."
            cause = f"Byte {error.start + 1} is not UTF-8."
            raise ComponentError(message, cause=cause, fix="Save it as UTF-8 and drop it again") from error
        if "\x00" in text:
            raise ComponentError("The file holds NUL characters: it is not a text.", fix="Check the type of the file")
        if not text.strip():
            raise ComponentError("The file holds no text.", fix="Check the file")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        yield Document(identifier=source.name, title=PurePosixPath(source.name).stem or source.name, text=text)
