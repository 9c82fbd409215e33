"""Converter `xml`: XPath rules select documents, and their text, title, metadata, segments and categories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any, cast

from pydantic import Field, field_validator, model_validator

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import (
    MEBIBYTE,
    one_line,
    read_bounded,
    tidy_metadata,
    title_from_file_name,
)
from annotarium_plugins.builtin.converters.common.errors import SPLIT_FILE, TEXT_EMPTY, no_text_found
from annotarium_plugins.builtin.converters.common.parameter_fields import size_limit_field, xpath_field
from annotarium_plugins.builtin.converters.common.text_builder import TextBuilder
from annotarium_plugins.builtin.converters.common.text_encoding import repair_utf8_with_warning
from annotarium_plugins.builtin.converters.common.xml_reader import (
    Element,
    attributes,
    iterate_outermost,
    local_name,
    parse_xml,
)
from annotarium_plugins.builtin.converters.common.xml_text import write_text
from annotarium_plugins.builtin.converters.common.xml_utf8_repair import Utf8RepairingStream, is_declared_utf8
from annotarium_plugins.builtin.converters.common.xpath import compile_xpath, evaluate
from annotarium_plugins.parameters import Parameters, hint
from annotarium_schemas.documents import Category, Document, Sentence
from annotarium_schemas.messages import join_messages, message

_NAME = re.compile(r"(?:\{[^{}]*\})?[\w.-]+")
_PREFIX = re.compile(r"[A-Za-z_][\w.-]*")
_TITLES = ("title", "head", "headline", "name", "label")
_XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
_NUMBER_LIMIT = 100_000
"""Maximum number of segments of one document."""


class MetadataRule(Parameters):
    """One metadata of a document."""

    name: str = Field(min_length=1, max_length=100, title="Name")
    xpath: str = Field(min_length=1, max_length=1000, title="XPath", json_schema_extra=hint(widget="code"))


class Namespace(Parameters):
    """A prefix that expressions use."""

    prefix: str = Field(min_length=1, max_length=50, title="Prefix")
    uri: str = Field(min_length=1, max_length=500, title="Namespace")

    @field_validator("prefix")
    @classmethod
    def _is_a_prefix(cls, value: str) -> str:
        if not _PREFIX.fullmatch(value):
            raise ValueError(message("fault.prefix", "Not a prefix: letters, digits, _ and -"))
        return value


class XmlConverterParameters(Parameters):
    """Parameters of `xml`. Expressions are XPath 1.0; those within a document start at its element."""

    document: str = xpath_field(
        "Document", "XPath, or an element's name: each element found is a document. Empty: the whole file."
    )
    text: str = xpath_field("Text", "XPath within a document. Empty: all its text.")
    title: str = xpath_field("Title", "XPath within a document. Empty: the first element title, head or name.")
    identifier: str = xpath_field("Identifier", "XPath within a document. Empty: its attribute id or xml:id.")
    segments: str = xpath_field(
        "Segments", "XPath within a document: the text of each element found is a segment. Empty: as the project."
    )
    categories: str = xpath_field("Categories", "XPath within a document: each value found is a category.")
    metadata: list[MetadataRule] = Field(
        [],
        max_length=200,
        title="Metadata",
        description="Names, and XPath within a document. Empty: the attributes of the document.",
    )
    namespaces: list[Namespace] = Field(
        [], max_length=50, title="Namespaces", description="Prefixes used in the expressions, and their namespaces."
    )
    without: list[str] = Field(
        [], max_length=200, title="Ignored elements", description="Names of elements whose text is ignored."
    )
    size_limit: int = size_limit_field(
        64,
        4096,
        description="An XPath for documents loads the whole file into memory; a name, one document at a time.",
    )

    @model_validator(mode="after")
    def _expressions_are_xpath(self) -> XmlConverterParameters:
        _Rules.of(self)
        return self


@dataclass(frozen=True)
class _Rules:
    """The compiled expressions."""

    document: Any
    text: Any
    title: Any
    identifier: Any
    segments: Any
    categories: Any
    metadata: dict[str, Any]

    @classmethod
    def of(cls, given: XmlConverterParameters) -> _Rules:
        """Compile the expressions. Raises `ValueError` that names the invalid one."""
        namespaces = {one.prefix: one.uri for one in given.namespaces}

        def compiled(expression: str, what: str) -> Any:
            try:
                return compile_xpath(expression, namespaces) if expression.strip() else None
            except ValueError as error:
                raise ValueError(join_messages([what, error.args[0]], ": ")) from error

        names = ("text", "title", "identifier", "segments", "categories")
        document = "" if _NAME.fullmatch(given.document) else given.document
        return cls(
            compiled(document, "document"),
            **{name: compiled(getattr(given, name), name) for name in names},
            metadata={one.name: compiled(one.xpath, one.name) for one in given.metadata},
        )


class XmlConverter(Converter[XmlConverterParameters]):
    """DTDs and entities are refused. When documents are selected by a bare element name instead of XPath, files of any
    size are streamed.
    """

    title = "XML"
    description = "XPath rules select the documents and, in each, its text, title, metadata and segments."
    parameters_model = XmlConverterParameters
    extensions = ("xml", "tei")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield documents in the order of the file; one without text is reported and the others are imported.

        Raises:
            ComponentError: too large, not well-formed, with a DTD, or without anything that the rules select.
        """
        rules = _Rules.of(self.parameters)
        count = 0
        warnings: list[str] = []
        for count, element in enumerate(self._elements(source, rules, warnings), 1):
            found = self._document(element, rules, source.name, count)
            if warnings and isinstance(found, Document):
                found.note(warnings.pop())
            yield found
        if not count:
            where = self.parameters.document
            raise no_text_found(f"Nothing in it is found by {where}.")

    def _elements(self, source: SourceFile, rules: _Rules, warnings: list[str]) -> Iterator[Element]:
        where = self.parameters.document
        if where and rules.document is None:
            if source.path.stat().st_size > self.parameters.size_limit * MEBIBYTE * 16:
                raise ComponentError(message("file.large", "The file is too large."), fix=SPLIT_FILE)
            with source.path.open("rb") as stream:
                yield from iterate_outermost(cast(IO[bytes], Utf8RepairingStream(stream, warnings)), source.name, where)
            return
        content = read_bounded(source, self.parameters.size_limit)
        if is_declared_utf8(content):
            content, warning = repair_utf8_with_warning(content, source.language)
            warnings += [warning] if warning else []
        root = parse_xml(content, source.name)
        if rules.document is None:
            yield root
            return
        for found in evaluate(rules.document, root):
            if isinstance(found, str):
                raise ComponentError(
                    message("file.ruleValues", "The rule for documents selects values, not elements."),
                    fix=message("fix.elements", "Make it select elements: //article"),
                )
            yield found

    def _document(self, element: Element, rules: _Rules, name: str, count: int) -> Document | ItemError:
        whole = not self.parameters.document
        builder = TextBuilder()
        without = frozenset(self.parameters.without)
        sentences: list[Sentence] | None = None
        if rules.segments is not None:
            sentences = []
            for found in evaluate(rules.segments, element)[:_NUMBER_LIMIT]:
                before = builder.length
                write_text(builder, found, without)
                start = next((one.start for one in builder.blocks if one.start >= before), None)
                if start is not None:
                    sentences.append(Sentence(start=start, end=builder.length))
        else:
            for found in evaluate(rules.text, element) if rules.text is not None else [element]:
                write_text(builder, found, without)
        shown = name if whole else f"element {count}"
        if not builder.text.strip():
            if whole:
                raise no_text_found(message("noText.elements", "Its elements contain no text."))
            return ItemError(shown, TEXT_EMPTY, message("fix.ruleTexts", "Correct the rule for texts"))
        identifier = self._identifier(element, rules)
        document = Document(
            identifier=name if whole and not identifier else identifier,
            title=self._title(element, rules)
            or (title_from_file_name(name) if whole else f"{title_from_file_name(name)} {count}"),
            text=builder.text,
            metadata=tidy_metadata(_metadata(element, rules)),
            sentences=sentences or None,
        )
        if rules.categories is not None:
            values = dict.fromkeys(_one_line_value(found) for found in evaluate(rules.categories, element))
            document.categories = [Category(label=value) for value in values if value]
        return document

    def _title(self, element: Element, rules: _Rules) -> str:
        if rules.title is not None:
            return next((value for value in map(_one_line_value, evaluate(rules.title, element)) if value), "")[:500]
        for wanted in _TITLES:
            for found in element.iter("{*}" + wanted):
                return _one_line_value(found)[:500]
        return ""

    def _identifier(self, element: Element, rules: _Rules) -> str:
        if rules.identifier is not None:
            return next((value for value in map(_one_line_value, evaluate(rules.identifier, element)) if value), "")[
                :255
            ]
        return one_line(element.get(_XML_ID) or element.get("id") or "")[:255]


def _metadata(element: Element, rules: _Rules) -> dict[str, Any]:
    if not rules.metadata:
        return {name.rpartition("}")[2]: str(value) for name, value in attributes(element)}
    found: dict[str, Any] = {}
    for name, rule in rules.metadata.items():
        values = [value for value in map(_one_line_value, evaluate(rule, element)) if value]
        found[name] = values[0] if len(values) == 1 else values
    return found


def _one_line_value(found: Any) -> str:
    """Return the text of an element, or a string, on one line."""
    if isinstance(found, str):
        return one_line(found)
    return one_line("".join(found.itertext())) if local_name(found) else ""
