"""The converters of office files fulfil the contract of converters, for every format."""

from __future__ import annotations

from office_samples import content

from annotarium_plugins.builtin.converters.presentation_converter import PresentationConverter
from annotarium_plugins.builtin.converters.spreadsheet_converter import SpreadsheetConverter
from annotarium_plugins.builtin.converters.word_processor_converter import WordProcessorConverter
from annotarium_plugins.testing import ConverterContract


class TestDoc(ConverterContract):
    component = WordProcessorConverter
    sample, sample_name = content("doc"), "text.doc"


class TestDocx(ConverterContract):
    component = WordProcessorConverter
    sample, sample_name = content("docx"), "text.docx"


class TestOdt(ConverterContract):
    component = WordProcessorConverter
    sample, sample_name = content("odt"), "text.odt"


class TestRtf(ConverterContract):
    component = WordProcessorConverter
    sample, sample_name = content("rtf"), "text.rtf"


class TestXls(ConverterContract):
    component = SpreadsheetConverter
    sample, sample_name = content("xls"), "book.xls"


class TestXlsx(ConverterContract):
    component = SpreadsheetConverter
    sample, sample_name = content("xlsx"), "book.xlsx"


class TestOds(ConverterContract):
    component = SpreadsheetConverter
    sample, sample_name = content("ods"), "book.ods"


class TestPpt(ConverterContract):
    component = PresentationConverter
    sample, sample_name = content("ppt"), "show.ppt"


class TestPptx(ConverterContract):
    component = PresentationConverter
    sample, sample_name = content("pptx"), "show.pptx"


class TestOdp(ConverterContract):
    component = PresentationConverter
    sample, sample_name = content("odp"), "show.odp"
