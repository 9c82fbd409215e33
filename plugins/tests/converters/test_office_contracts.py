"""The converters of office files fulfil the contract of converters, for every format."""

from __future__ import annotations

from office_samples import CONVERTERS, content

from annotarium_plugins.testing import ConverterContract


def contract_of(extension: str) -> type[ConverterContract]:
    """The contract, on the sample of one format."""
    component, name = CONVERTERS[extension]
    facts = {"component": component, "sample": content(extension), "sample_name": f"{name}.{extension}"}
    return type(f"{extension.title()}Contract", (ConverterContract,), facts)


TestDoc = contract_of("doc")
TestDocx = contract_of("docx")
TestOdt = contract_of("odt")
TestRtf = contract_of("rtf")
TestXls = contract_of("xls")
TestXlsx = contract_of("xlsx")
TestOds = contract_of("ods")
TestPpt = contract_of("ppt")
TestPptx = contract_of("pptx")
TestOdp = contract_of("odp")
