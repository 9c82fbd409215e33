"""Converters of text formats keep the contract that third parties are tested with."""

from pathlib import Path
from typing import Any

from annotarium_plugins.base.converter import Converter
from annotarium_plugins.builtin.converters.csv_converter import CsvConverter
from annotarium_plugins.builtin.converters.eml_converter import EmlConverter
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter
from annotarium_plugins.builtin.converters.jsonl_converter import JsonlConverter
from annotarium_plugins.builtin.converters.msg_converter import MsgConverter
from annotarium_plugins.builtin.converters.pdf_converter import PdfConverter
from annotarium_plugins.builtin.converters.xml_converter import XmlConverter
from annotarium_plugins.testing import ConverterContract

SAMPLES = Path(__file__).parents[1] / "converters" / "samples"


def contract(
    component: type[Converter[Any]], sample: str, parameters: dict[str, Any] | None = None
) -> type[ConverterContract]:
    """The contract of converters, for a sample file."""
    attributes: dict[str, Any] = {"component": component, "sample": (SAMPLES / sample).read_bytes()}
    attributes |= {"sample_name": sample} | ({"parameters": parameters} if parameters else {})
    return type(f"TestContract{sample}", (ConverterContract,), attributes)


TestHtmlConverter = contract(HtmlConverter, "page.html")
TestHtmlConverterBySections = contract(
    HtmlConverter, "page.xhtml", {"segments": "sections", "keep_html": True, "navigation": False}
)
TestPdfConverter = contract(PdfConverter, "report.pdf")
TestPdfConverterByPages = contract(
    PdfConverter,
    "report.pdf",
    {"documents": "pages", "segments": "blocks", "running_lines": False, "join_lines": False},
)
TestEmlConverter = contract(EmlConverter, "message.eml", {"attachments": True})
TestMsgConverter = contract(MsgConverter, "message.msg", {"attachments": True})
TestCsvConverter = contract(CsvConverter, "rows.csv")
TestTsvConverter = contract(CsvConverter, "rows.tsv", {"header": "first_row", "label_separator": "|"})
TestJsonlConverter = contract(JsonlConverter, "doccano.jsonl")
TestXmlConverter = contract(XmlConverter, "articles.xml")
TestXmlConverterByRules = contract(
    XmlConverter,
    "articles.xml",
    {
        "document": "article",
        "text": "body",
        "segments": "body/p",
        "metadata": [{"name": "author", "xpath": "author"}],
        "categories": "@topic",
    },
)
