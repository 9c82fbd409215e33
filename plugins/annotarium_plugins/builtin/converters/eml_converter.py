"""Converter `eml`: an e-mail is one document, what is attached to it may be documents too."""

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
        description="What is attached becomes documents of their own, when its type can be read.",
    )
    size_limit: int = size_limit_field(64, 512)


class EmlConverter(Converter[EmlConverterParameters]):
    """The plain text, else what the HTML says; people, date and names of attachments are metadata."""

    title = "E-mail"
    description = "An e-mail becomes one document: its subject is the title; sender, recipients and date are metadata."
    parameters_model = EmlConverterParameters
    extensions = ("eml",)

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """The message, then what is attached to it when that is asked for.

        Raises:
            ComponentError: too large, no message, in no encoding that fits, or without text.
        """
        mail = read_eml(read_bounded(source, self.parameters.size_limit), source.language)
        yield from mail_documents(mail, source, convert=self.parameters.attachments)
