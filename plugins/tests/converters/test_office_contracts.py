"""The converters of office files keep the contract of converters, for every format."""

from __future__ import annotations

from typing import Any

from office_samples import content

from annotarium_plugins.base.converter import Converter
from annotarium_plugins.builtin.converters.presentation_converter import PresentationConverter
from annotarium_plugins.builtin.converters.spreadsheet_converter import SpreadsheetConverter
from annotarium_plugins.builtin.converters.word_processor_converter import WordProcessorConverter
from annotarium_plugins.testing import ConverterContract


def contract(component: type[Converter[Any]], kind: str, name: str) -> type[ConverterContract]:
    """The contract of converters, for a file of one format."""
    sample = {"component": component, "sample": content(kind), "sample_name": f"{name}.{kind}"}
    return type(f"Test{kind.capitalize()}", (ConverterContract,), sample)


TestDoc = contract(WordProcessorConverter, "doc", "text")
TestDocx = contract(WordProcessorConverter, "docx", "text")
TestOdt = contract(WordProcessorConverter, "odt", "text")
TestRtf = contract(WordProcessorConverter, "rtf", "text")
TestXls = contract(SpreadsheetConverter, "xls", "book")
TestXlsx = contract(SpreadsheetConverter, "xlsx", "book")
TestOds = contract(SpreadsheetConverter, "ods", "book")
TestPpt = contract(PresentationConverter, "ppt", "show")
TestPptx = contract(PresentationConverter, "pptx", "show")
TestOdp = contract(PresentationConverter, "odp", "show")
