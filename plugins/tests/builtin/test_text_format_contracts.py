"""The converters of text formats fulfil the contract that third parties are tested with."""

from pathlib import Path
from typing import ClassVar

from annotarium_plugins.builtin.converters.csv_converter import CsvConverter
from annotarium_plugins.builtin.converters.eml_converter import EmlConverter
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter
from annotarium_plugins.builtin.converters.jsonl_converter import JsonlConverter
from annotarium_plugins.builtin.converters.msg_converter import MsgConverter
from annotarium_plugins.builtin.converters.pdf_converter import PdfConverter
from annotarium_plugins.builtin.converters.xml_converter import XmlConverter
from annotarium_plugins.testing import ConverterContract

SAMPLES = Path(__file__).parents[1] / "converters" / "samples"


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


class TestHtmlConverter(ConverterContract):
    component = HtmlConverter
    sample = sample("page.html")
    sample_name = "page.html"


class TestHtmlConverterBySections(ConverterContract):
    component = HtmlConverter
    parameters: ClassVar = {"segments": "sections", "keep_html": True, "navigation": False}
    sample = sample("page.xhtml")
    sample_name = "page.xhtml"


class TestPdfConverter(ConverterContract):
    component = PdfConverter
    sample = sample("report.pdf")
    sample_name = "report.pdf"


class TestPdfConverterByPages(ConverterContract):
    component = PdfConverter
    parameters: ClassVar = {"documents": "pages", "segments": "blocks", "running_lines": False, "join_lines": False}
    sample = sample("report.pdf")
    sample_name = "report.pdf"


class TestEmlConverter(ConverterContract):
    component = EmlConverter
    parameters: ClassVar = {"attachments": True}
    sample = sample("message.eml")
    sample_name = "message.eml"


class TestMsgConverter(ConverterContract):
    component = MsgConverter
    parameters: ClassVar = {"attachments": True}
    sample = sample("message.msg")
    sample_name = "message.msg"


class TestCsvConverter(ConverterContract):
    component = CsvConverter
    sample = sample("rows.csv")
    sample_name = "rows.csv"


class TestTsvConverter(ConverterContract):
    component = CsvConverter
    parameters: ClassVar = {"header": "first_row", "label_separator": "|"}
    sample = sample("rows.tsv")
    sample_name = "rows.tsv"


class TestJsonlConverter(ConverterContract):
    component = JsonlConverter
    sample = sample("doccano.jsonl")
    sample_name = "doccano.jsonl"


class TestXmlConverter(ConverterContract):
    component = XmlConverter
    sample = sample("articles.xml")
    sample_name = "articles.xml"


class TestXmlConverterByRules(ConverterContract):
    component = XmlConverter
    parameters: ClassVar = {
        "document": "article",
        "text": "body",
        "segments": "body/p",
        "metadata": [{"name": "author", "xpath": "author"}],
        "categories": "@topic",
    }
    sample = sample("articles.xml")
    sample_name = "articles.xml"
