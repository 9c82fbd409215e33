"""Term importer `list`: each line of a text is a term."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Literal

from pydantic import Field

from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import TermImporter
from annotarium_plugins.base.term_properties import TermBuilder, clean_form
from annotarium_plugins.builtin.converters.common.csv_reader import file_encoding
from annotarium_plugins.builtin.converters.common.errors import HAS_NUL
from annotarium_plugins.builtin.converters.common.parameter_fields import encoding_field
from annotarium_plugins.builtin.converters.common.text_encoding import Encoding, not_decodable_error
from annotarium_plugins.builtin.term_importers.finished_terms import finished, line_problem, no_terms_error
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_LINE = 1 << 20


class ListImporterParameters(Parameters):
    """Parameters of `list`."""

    encoding: Encoding = encoding_field()
    synonym_separator: Literal["none", "tab", "pipe", "semicolon"] = Field(
        "none", title="Synonyms", description="The character between a term and its synonyms on the same line."
    )
    comment: str = Field("#", max_length=5, title="Comments", description="Lines that begin with it are skipped.")


_SEPARATORS = {"none": "", "tab": "\t", "pipe": "|", "semicolon": ";"}


class ListImporter(TermImporter[ListImporterParameters]):
    """Reads files of any size as a stream. The identifier of a term is its form."""

    title = "Plain list"
    description = "Each line is a term, with its synonyms if a character separates them."
    parameters_model = ListImporterParameters
    extensions = ("txt", "lst")

    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield the terms in the order of the lines.

        Raises:
            ComponentError: no encoding fits, or the file contains no term.
        """
        encoding = file_encoding(source.path, self.parameters.encoding, source.language)
        empty = True
        try:
            with source.path.open(encoding=encoding, errors="surrogateescape", newline="\n") as file:
                for number, line in enumerate(_bounded_lines(file), 1):
                    for found in self._term(line, number):
                        empty = False
                        yield found
        except UnicodeError as error:
            raise not_decodable_error(encoding, error) from error
        if empty:
            raise no_terms_error()

    def _term(self, line: str | None, number: int) -> Iterator[Term | ItemError]:
        if line is None:
            yield line_problem(number, message("file.rowLong", "It is longer than {number} characters", number=_LINE))
            return
        comment = self.parameters.comment
        if not clean_form(line) or (comment and line.lstrip().startswith(comment)):
            return
        if "\x00" in line:
            yield line_problem(number, HAS_NUL)
            return
        separator = _SEPARATORS[self.parameters.synonym_separator]
        forms = line.split(separator) if separator else [line]
        builder = TermBuilder(forms[0])
        builder.prefer(forms[0])
        for form in forms[1:]:
            builder.add_form(form, "alternative")
        yield from finished(builder, message("item.line", "line {number}", number=number), number)


def _bounded_lines(file: IO[str]) -> Iterator[str | None]:
    """Yield lines; None for one over the limit."""
    while line := file.readline(_LINE + 1):
        if len(line) <= _LINE:
            yield line
            continue
        while line and not line.endswith("\n"):
            line = file.readline(_LINE)
        yield None
