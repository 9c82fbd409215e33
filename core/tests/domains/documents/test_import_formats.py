"""Files of several formats through the API: valid files become documents, invalid ones get a line in the report."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest
from support.document_imports import import_files, read_document, report_lines

from annotarium.domains.imports.converters import converter_name_for_extension
from annotarium.registry import get_registry
from annotarium.registry.component_info import ComponentEntryPoint
from annotarium_plugins.builtin.converters.json_converter import JsonConverter
from annotarium_plugins.kinds import KIND_BY_NAME

SAMPLES = Path(__file__).parents[4] / "plugins" / "tests" / "converters" / "samples"


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager", "useConverter:csv", "useConverter:xml", "useConverter:nothing")


@pytest.fixture
def project(marie: Any) -> str:
    answer = marie.post("/api/projects", json={"label": "Formats", "lang": "fr", "nature": "sequence_labelling"})
    assert answer.status_code == 200, answer.text
    name: str = answer.json()["projectName"]
    return name


def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def test_common_formats_are_imported(marie: Any, project: str) -> None:
    """Web pages, PDF, mail, CSV and XML in one import."""
    names = ("page.html", "page.xhtml", "report.pdf", "message.eml", "message.msg", "rows.csv", "articles.xml")
    job = import_files(marie, project, {name: sample(name) for name in names})
    assert job["status"] == "COMPLETED", job
    assert {outcome for _, outcome, _ in report_lines(job)} == {"imported"}
    page = read_document(marie, project, "page.html")
    assert page["title"] == "L’été à Québec"
    assert "Ville\tMesure\nQuébec\t35,5" in page["text"]
    assert page["metadata"]["author"] == "Zoé Ångström"
    assert page["sentences"]
    assert "Deuxième page, courte." in read_document(marie, project, "report.pdf")["text"]
    for message in ("message.eml", "message.msg"):
        mail = read_document(marie, project, message)
        assert mail["title"] == "Réunion d’équipe 😀 مرحبا"
        assert mail["metadata"]["from"] == "Zoé Ångström <zoe@example.org>"
        for part in mail["sentences"]:
            assert 0 <= part["start"] < part["end"] <= len(mail["text"])
    row = read_document(marie, project, "rows%231")
    assert (row["text"], row["metadata"]["année"]) == ('Il fait chaud ; très\nchaud, "dit" Zoé', "2024")
    assert [one["labelName"] for one in row["categories"]] == ["météo"]
    found = marie.post(f"/api/projects/{project}/documents/_search", params={"query": "canoë OR Québec", "size": 20})
    assert {"page.html", "report.pdf"} <= {hit["document"]["identifier"] for hit in found.json()["hits"]}


def test_windows_encoding_of_french_text_is_detected(marie: Any, project: str) -> None:
    """The project's language determines the encoding; nothing has to be selected."""
    job = import_files(marie, project, {"note.txt": sample("note-cp1252.txt")})
    assert job["status"] == "COMPLETED", job
    document = read_document(marie, project, "note.txt")
    assert document["text"] == "Le cœur déçu : l’âme plutôt naïve, 12 €.\nÀ bientôt.\n"
    assert document["metadata"] == {"encoding": "cp1252"}


def test_labels_of_other_tools_are_imported(marie: Any, project: str) -> None:
    job = import_files(marie, project, {"doccano.jsonl": sample("doccano.jsonl")})
    assert job["status"] == "COMPLETED", job
    document = read_document(marie, project, "doccano%231")
    assert [(one["text"], one["labelName"]) for one in document["annotations"]] == [("Ada", "person"), ("code", "work")]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("locked.pdf", None, "protected with a password"),
        ("scanned.pdf", None, "pictures only"),
        ("empty.html", b"", "empty (0 bytes)"),
        ("bomb.xml", b'<!DOCTYPE a [<!ENTITY a "aaa">]><a>&a;</a>', "DTD"),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj", "damaged"),
        ("text.pdf", b"words", "content is not pdf"),
        ("binary.txt", bytes(range(256)) * 4, "UTF-8"),
    ],
)
def test_unreadable_files_have_a_line_in_the_report(
    marie: Any, project: str, name: str, content: bytes | None, words: str
) -> None:
    """T05, T10: the invalid file is named with the reason, the valid one next to it is imported."""
    job = import_files(marie, project, {name: content if content is not None else sample(name), "good.txt": b"Good."})
    assert job["status"] == "COMPLETED", job
    lines = report_lines(job)
    assert [outcome for item, outcome, _ in lines if item.startswith("good")] == ["imported"]
    ((_, outcome, message),) = [line for line in lines if not line[0].startswith("good")]
    assert outcome == "refused"
    assert message is not None and words in message


def test_valid_rows_are_imported_despite_invalid_ones(marie: Any, project: str) -> None:
    job = import_files(marie, project, {"rows.csv": b'text,label\ngood,a\nbad,b,c\n"open,d\nlast,e\n'})
    assert [(outcome, message) for _, outcome, message in report_lines(job)] == [
        ("imported", None),
        ("refused", "line 3: It has 3 cells; the first row has 2"),
        ("refused", "line 4: Its quotation marks do not match (unexpected end of data)"),
        ("imported", None),
    ]


def test_type_of_a_file_without_extension_is_detected(marie: Any, project: str) -> None:
    job = import_files(marie, project, {"page": b"<!DOCTYPE html><title>T</title><p>Text</p>", "plain": b"a < b"})
    assert job["status"] == "COMPLETED", job
    assert read_document(marie, project, "page")["text"] == "Text"
    assert read_document(marie, project, "plain")["text"] == "a < b"


def test_converter_parameters_are_applied(marie: Any, project: str) -> None:
    """The call determines how a file is read: which columns, which encoding."""
    chosen = '{"csv": {"text_columns": ["b"], "title_column": "a", "encoding": "mac-roman"}}'
    content = "a;b;c\nÉté;Le café;long text that is no text here\n".encode("mac-roman")
    job = import_files(marie, project, {"rows.csv": content}, converterParameters=chosen)
    assert job["status"] == "COMPLETED", job
    hits = marie.post(f"/api/projects/{project}/documents/_search").json()["hits"]
    assert [(hit["document"]["title"], hit["document"]["text"]) for hit in hits] == [("Été", "Le café")]


def test_choosing_a_converter_requires_its_permission(as_user: Any, client: Any) -> None:
    """`useConverter:<name>`, or `useConverter:*`, which project managers have."""
    paul = as_user(client, "paul", "createProject", "importDocuments", "useConverter:csv")
    answer = paul.post("/api/projects", json={"label": "Own", "lang": "fr", "nature": "sequence_labelling"})
    own = answer.json()["projectName"]
    parts = [("file", ("a.txt", b"text"))]
    for given, status in (('{"html": {"images": true}}', 403), ('{"csv": {}}', 200)):
        answer = paul.post(f"/api/projects/{own}/documents", files=parts, params={"converterParameters": given})
        assert answer.status_code == status, answer.text


@pytest.mark.parametrize(
    ("given", "status", "field"),
    [
        ("not json", 400, None),
        ("[1]", 400, None),
        ('{"csv": {"delimiter": "comet"}}', 400, "csv.delimiter"),
        ('{"xml": {"text": "//a["}}', 400, "xml."),
        ('{"nothing": {}}', 404, None),
    ],
)
def test_invalid_parameters_start_no_import(
    marie: Any, project: str, given: str, status: int, field: str | None
) -> None:
    parts = [("file", ("a.txt", b"text"))]
    answer = marie.post(f"/api/projects/{project}/documents", files=parts, params={"converterParameters": given})
    assert answer.status_code == status, answer.text
    if field is not None:
        assert answer.json()["details"][0]["field"].startswith(field)
    assert marie.get(f"/api/projects/{project}/jobs").json() == []


def test_every_accepted_type_has_a_converter() -> None:
    """C-050: each accepted type has a converter; the server itself unpacks zip files."""
    types = "json txt html xhtml pdf rtf doc docx odt xls xlsx ods pps ppt ppsx pptx odp eml msg csv tsv jsonl xml"
    assert [name for name in types.split() if converter_name_for_extension(name) is None] == []


class EveryFile(JsonConverter):
    """Declares types that built-in converters read already, under a name that sorts first."""

    extensions = ("json", "everything")  # type: ignore[assignment]


def test_third_party_converters_do_not_override_built_in_types(monkeypatch: pytest.MonkeyPatch) -> None:
    registry, kind = get_registry(), KIND_BY_NAME["converter"]
    monkeypatch.setattr(registry, "_rows", dict(registry._rows))
    registry._add(kind, ComponentEntryPoint(EntryPoint("a_json", f"{__name__}:EveryFile", kind.group), "spare", "1"))
    find = converter_name_for_extension.__wrapped__
    assert (find("json"), find("everything")) == ("json", "a_json")
