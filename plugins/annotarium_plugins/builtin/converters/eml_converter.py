"""Converter `eml`: an e-mail becomes one document; its attachments can become documents too."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import read_bounded
from annotarium_plugins.builtin.converters.common.eml_reader import read_eml
from annotarium_plugins.builtin.converters.common.mail import mail_documents
from annotarium_plugins.builtin.converters.common.parameter_fields import size_limit_field
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document


class EmlConverterParameters(Parameters):
    """Parameters of `eml`."""

    attachments: bool = Field(
        False,
        title="Import attachments",
        description="Attachments become separate documents if their type is supported.",
    )
    size_limit: int = size_limit_field(64, 512)


class EmlConverter(Converter[EmlConverterParameters]):
    """Uses the plain text, otherwise the text of the HTML; people, date and names of attachments become metadata."""

    title = "E-mail"
    description = "An e-mail becomes one document: its subject is the title; sender, recipients and date are metadata."
    parameters_model = EmlConverterParameters
    extensions = ("eml",)

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield the message, then its attachments when the parameters ask for them.

        Raises:
            ComponentError: too large, not a message, in an unknown encoding, or without text.
        """
        mail = read_eml(read_bounded(source, self.parameters.size_limit), source.language)
        yield from mail_documents(mail, source, convert=self.parameters.attachments)
