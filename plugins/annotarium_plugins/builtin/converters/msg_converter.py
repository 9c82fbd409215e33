"""Converter `msg`: an Outlook message becomes one document; its attachments can become documents too."""

from __future__ import annotations

from collections.abc import Iterator

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import MEBIBYTE
from annotarium_plugins.builtin.converters.common.errors import too_large
from annotarium_plugins.builtin.converters.common.mail import mail_documents
from annotarium_plugins.builtin.converters.common.msg_reader import read_msg
from annotarium_plugins.builtin.converters.eml_converter import EmlConverterParameters
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message


class MsgConverterParameters(EmlConverterParameters):
    """Parameters of `msg`: those of `eml`."""


class MsgConverter(Converter[MsgConverterParameters]):
    """Uses the plain text, otherwise that of the HTML or the rich text; people, date and names of attachments become
    metadata.
    """

    title = "Outlook message"
    description = (
        "An Outlook message becomes one document: its subject is the title; sender, recipients and date are metadata."
    )
    parameters_model = MsgConverterParameters
    extensions = ("msg",)

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield the message, then its attachments when the parameters ask for them.

        Raises:
            ComponentError: too large, not a message, damaged, protected, or without text.
        """
        if source.path.stat().st_size > self.parameters.size_limit * MEBIBYTE:
            raise too_large(message("large.message", "The message is too large"), f"{self.parameters.size_limit} MB")
        mail = read_msg(source.path, source.language)
        yield from mail_documents(mail, source, convert=self.parameters.attachments)
