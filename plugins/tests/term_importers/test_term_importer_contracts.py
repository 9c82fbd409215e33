"""The built-in term importers fulfil the contract that third parties are tested with."""

from io import BytesIO
from typing import Any, ClassVar
from zipfile import ZipFile

from annotarium_plugins.builtin.term_importers.csv_importer import CsvImporter
from annotarium_plugins.builtin.term_importers.json_importer import JsonImporter
from annotarium_plugins.builtin.term_importers.list_importer import ListImporter
from annotarium_plugins.builtin.term_importers.obo_importer import OboImporter
from annotarium_plugins.builtin.term_importers.rdf_importers import OwlImporter, SkosImporter
from annotarium_plugins.builtin.term_importers.spreadsheet_importer import SpreadsheetImporter
from annotarium_plugins.testing import TermImporterContract

TABLE = b"id,label,synonyms,broader\nm1,tumour,growth|neoplasm,\nm2,lymphoma,,m1\n"
JSON = (
    b'[{"identifier": "m1", "preferredForm": "tumour", "properties": {"altForms": ["growth"]}},\n'
    b' {"identifier": "m2", "preferredForm": "lymphoma"}]'
)
OBO = b"""format-version: 1.2

[Term]
id: M:1
name: tumour
def: "A growth." [url:http\\://example.org]
synonym: "neoplasm" EXACT []

[Term]
id: M:2
name: lymphoma
is_a: M:1 ! tumour

[Typedef]
id: part_of
"""
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <http://example.org/> .
:m1 a skos:Concept ; skos:prefLabel "tumour"@en, "tumeur"@fr ; skos:narrower :m2 ; skos:notation "1" .
# a comment
:m2 a skos:Concept ; skos:prefLabel \"\"\"lymphome "é\"\"\"@fr, "lymphoma"@en .
""".encode()
TRIPLES = b"""<http://example.org/m1> <http://www.w3.org/2004/02/skos/core#prefLabel> "tumour"@en .
<http://example.org/m2> <http://www.w3.org/2004/02/skos/core#prefLabel> "caf\\u00E9" .
<http://example.org/m2> <http://www.w3.org/2004/02/skos/core#broader> <http://example.org/m1> .
"""
RDF_XML = b"""<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<skos:Concept rdf:about="http://example.org/m1"><skos:prefLabel xml:lang="en">tumour</skos:prefLabel></skos:Concept>
<rdf:Description rdf:about="http://example.org/m2">
  <rdf:type rdf:resource="http://www.w3.org/2004/02/skos/core#Concept"/>
  <skos:prefLabel>lymphoma</skos:prefLabel><skos:broader rdf:resource="http://example.org/m1"/>
</rdf:Description></rdf:RDF>
"""
JSON_LD = b"""{"@context": {"skos": "http://www.w3.org/2004/02/skos/core#", "uri": "@id", "type": "@type",
 "prefLabel": {"@id": "skos:prefLabel", "@container": "@language"}, "broader": {"@id": "skos:broader", "@type": "@id"}},
 "@graph": [{"uri": "http://example.org/m1", "type": "skos:Concept", "prefLabel": {"en": "tumour"}},
 {"uri": "http://example.org/m2", "type": "skos:Concept", "prefLabel": {"en": "lymphoma"},
  "broader": "http://example.org/m1"}]}"""
OWL = b"""<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xmlns:oboInOwl="http://www.geneontology.org/formats/oboInOwl#" xmlns:obo="http://purl.obolibrary.org/obo/">
<owl:Ontology rdf:about="http://example.org/o"/>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/M_1"><rdfs:label>tumour</rdfs:label>
 <obo:IAO_0000115>A growth.</obo:IAO_0000115><oboInOwl:hasExactSynonym>neoplasm</oboInOwl:hasExactSynonym></owl:Class>
<owl:Class rdf:about="http://purl.obolibrary.org/obo/M_2"><rdfs:label>lymphoma</rdfs:label>
 <rdfs:subClassOf rdf:resource="http://purl.obolibrary.org/obo/M_1"/>
 <rdfs:subClassOf><owl:Restriction><owl:onProperty rdf:resource="http://example.org/p"/></owl:Restriction>
 </rdfs:subClassOf></owl:Class></rdf:RDF>
"""


def workbook() -> bytes:
    """A workbook with the cells of the table, written by hand."""
    rows = "".join(
        "<row>" + "".join(f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in line.split(",")) + "</row>"
        for line in TABLE.decode().splitlines()
    )
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    made = BytesIO()
    with ZipFile(made, "w") as file:
        file.writestr("[Content_Types].xml", f'<Types xmlns="{packages}/content-types"/>')
        file.writestr(
            "_rels/.rels",
            f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r1"'
            f' Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        file.writestr(
            "xl/workbook.xml",
            f'<workbook {space} xmlns:r="{relations}"><sheets>'
            '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        )
        file.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{packages}/relationships"><Relationship Id="r1"'
            f' Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        file.writestr("xl/worksheets/sheet1.xml", f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>")
    return made.getvalue()


def contract_of(component: Any, content: bytes, name: str, **given: Any) -> type[TermImporterContract]:
    """The contract, on a sample that is read with these parameters."""
    facts = {"component": component, "parameters": given, "sample": content, "sample_name": name}
    return type(f"{component.__name__}Contract", (TermImporterContract,), facts)


class TestCsvImporter(TermImporterContract):
    component = CsvImporter
    sample = TABLE
    sample_name = "terms.csv"


class TestMappedCsvImporter(TermImporterContract):
    component = CsvImporter
    parameters: ClassVar = {"form_column": "1", "header": "none", "synonym_columns": ["2"], "broader_by": "form"}
    sample = b"tumour;growth\nlymphoma;\n"
    sample_name = "terms.csv"


TestSpreadsheetImporter = contract_of(SpreadsheetImporter, workbook(), "terms.xlsx")
TestJsonImporter = contract_of(JsonImporter, JSON, "terms.json")
TestJsonLinesImporter = contract_of(JsonImporter, b'{"id": 1, "label": "a"}\n{"id": 2, "label": "b"}\n', "terms.jsonl")
TestListImporter = contract_of(ListImporter, "tumour\n# comment\né\u2028a\n".encode(), "terms.txt")
TestListWithSynonyms = contract_of(ListImporter, b"tumour\tgrowth\nlymphoma\n", "a.txt", synonym_separator="tab")
TestOboImporter = contract_of(OboImporter, OBO, "terms.obo")
TestTurtleImporter = contract_of(SkosImporter, TURTLE, "terms.ttl")
TestTriplesImporter = contract_of(SkosImporter, TRIPLES, "terms.nt")
TestRdfXmlImporter = contract_of(SkosImporter, RDF_XML, "terms.rdf")
TestJsonLdImporter = contract_of(SkosImporter, JSON_LD, "terms.jsonld")
TestOwlImporter = contract_of(OwlImporter, OWL, "terms.owl")
