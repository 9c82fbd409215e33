"""Converter `txt`: a plain text file becomes one document."""

from __future__ import annotations

from collections.abc import Iterator

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import MEBIBYTE, title_from_file_name
from annotarium_plugins.builtin.converters.common.errors import CHECK, CHECK_TYPE, HAS_NUL, SPLIT_FILE
from annotarium_plugins.builtin.converters.common.parameter_fields import encoding_field, size_limit_field
from annotarium_plugins.builtin.converters.common.text_encoding import Encoding, decode
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message


class TxtConverterParameters(Parameters):
    """Parameters of `txt`."""

    encoding: Encoding = encoding_field()
    size_limit: int = size_limit_field(
        64, 4096, description="Larger files are refused; split them into several documents."
    )


class TxtConverter(Converter[TxtConverterParameters]):
    r"""Reads a text with or without byte order mark. Line ends become `\n`; nothing else is changed.

    For a file that is not UTF-8 the metadata `encoding` contains the encoding it was read with. In a file that is UTF-8
    except for a few bytes these become U+FFFD, and the import states where.
    """

    title = "Plain text"
    description = "A text file becomes one document. Its encoding is detected, unless you choose it."
    parameters_model = TxtConverterParameters
    extensions = ("txt", "text", "log", "md")
    version = "2"

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield one document: the identifier is the file name, the title the name without its extension.

        Raises:
            ComponentError: too large, in an unknown encoding, not a text, or blank.
        """
        limit = self.parameters.size_limit * MEBIBYTE
        with source.path.open("rb") as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            problem = message("file.textOver", "The text is larger than {limit} MB.", limit=self.parameters.size_limit)
            raise ComponentError(problem, fix=SPLIT_FILE)
        decoded = decode(content, encoding=self.parameters.encoding, language=source.language)
        text = decoded.text
        if "\x00" in text:
            raise ComponentError(
                HAS_NUL,
                fix=CHECK_TYPE,
            )
        if not text.strip():
            raise ComponentError(message("file.noText", "The file contains no text."), fix=CHECK)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        document = Document(identifier=source.name, title=title_from_file_name(source.name), text=text)
        if decoded.foreign:
            document.metadata["encoding"] = decoded.encoding
        if decoded.warning:
            document.note(decoded.warning)
        yield document
