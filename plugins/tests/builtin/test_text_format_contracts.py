"""The converters of text formats fulfil the contract that third parties are tested with."""

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


def contract_of(component: type[Converter[Any]], name: str, **parameters: Any) -> type[ConverterContract]:
    """The contract, on a sample that is read with these parameters."""
    sample = (SAMPLES / name).read_bytes()
    facts = {"component": component, "parameters": parameters, "sample": sample, "sample_name": name}
    return type(f"{component.__name__}Contract", (ConverterContract,), facts)


TestHtmlConverter = contract_of(HtmlConverter, "page.html")
TestHtmlConverterBySections = contract_of(
    HtmlConverter, "page.xhtml", segments="sections", keep_html=True, navigation=False
)
TestPdfConverter = contract_of(PdfConverter, "report.pdf")
TestPdfConverterByPages = contract_of(
    PdfConverter, "report.pdf", documents="pages", segments="blocks", running_lines=False, join_lines=False
)
TestEmlConverter = contract_of(EmlConverter, "message.eml", attachments=True)
TestMsgConverter = contract_of(MsgConverter, "message.msg", attachments=True)
TestCsvConverter = contract_of(CsvConverter, "rows.csv")
TestTsvConverter = contract_of(CsvConverter, "rows.tsv", header="first_row", label_separator="|")
TestJsonlConverter = contract_of(JsonlConverter, "doccano.jsonl")
TestXmlConverter = contract_of(XmlConverter, "articles.xml")
TestXmlConverterByRules = contract_of(
    XmlConverter,
    "articles.xml",
    document="article",
    text="body",
    segments="body/p",
    metadata=[{"name": "author", "xpath": "author"}],
    categories="@topic",
)
