"""Imports through the API: accepted documents, messages of the report, export. Includes hostile files."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from support.document_imports import import_documents, import_files, read_document, report_lines

from annotarium.db.models import Document, Group, History, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.settings import get_settings

GOOD = {"identifier": "good", "title": "Good", "text": "This one is good."}


def archive(members: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return target.getvalue()


def test_labels_with_similar_names_stay_distinct(marie: Any, project: str) -> None:
    words = ["C", "C++", "C#", "👍", "👎", "A+", "A-", "Birth date"]
    marks = [{"start": at, "end": at + 1, "text": "x", "label": label} for at, label in enumerate(words)]
    document = {"identifier": "signs", "text": "x" * len(words), "annotations": marks}
    for _ in range(2):
        import_documents(marie, project, [document])
        known = {one["name"]: one["label"] for one in marie.get(f"/api/projects/{project}/labels").json()}
        assert sorted(known.values()) == sorted(words)
        kept = marie.get(f"/api/projects/{project}/documents/signs").json()["annotations"]
        assert [known[one["labelName"]] for one in sorted(kept, key=lambda one: one["start"])] == words
        document |= {"annotations": [*marks[:-1], marks[-1] | {"label": "birth_date"}]}


def test_import_creates_labels_and_segments_and_keeps_metadata(marie: Any, project: str) -> None:
    facts = {
        **{"status": "OK", "creationMode": "manual", "score": 0.5, "createdBy": "someone"},
        "properties": {"kbId": "Q90", "empty": None},
        "terms": [{"identifier": "t1", "lexicon": "places", "score": 0.25}],
    }
    job = import_documents(
        marie,
        project,
        [
            {
                "identifier": "a/b é",
                "title": "A",
                "text": "Paris is big. Marie sleeps.",
                "metadata": {"year": 1874, "tags": ["x", "y"], "checked": True},
                "altTexts": [{"name": "fr", "text": "Paris est grand."}],
                "annotations": [
                    {
                        "start": 0,
                        "end": 5,
                        "text": "Paris",
                        "label": "Place name",
                        "createdDate": "2024-05-31T12:00:00Z",
                        **facts,
                    }
                ],
            }
        ],
    )
    assert (job["status"], job["type"]) == ("COMPLETED", "DOC_IMPORT")
    assert job["statusMessage"] == "1 imported of 1 received"
    document = read_document(marie, project, "a%2Fb%20%C3%A9")
    assert document["metadata"] == {"year": 1874, "tags": ["x", "y"], "checked": True}
    assert document["altTexts"] == [{"name": "fr", "text": "Paris est grand."}]
    assert [(one["start"], one["end"]) for one in document["sentences"]] == [(0, 13), (14, 27)]
    annotation = document["annotations"][0]
    expected = {
        "labelName": "place_name",
        "createdDate": "2024-05-31T12:00:00.000Z",
        **facts,
    }
    assert expected.items() <= annotation.items()


# T05, T07, T10: each hostile item has a message, the valid items of the same upload are imported.
ZIP_SLIP = archive({"../evil.txt": b"out", "/etc/evil.txt": b"out", "ok.txt": b"Inside."})
HOSTILE_ITEMS: list[tuple[str, bytes, str]] = [
    ("surrogate", b'{"identifier":"x","title":"","text":"half \\ud83d pair"}', "surrogate"),
    (
        "nan",
        b'{"identifier":"x","title":"","text":"t","annotations":[{"start":0,"end":1,"label":"L","score":NaN}]}',
        "NaN",
    ),
    ("overflow", b'{"identifier":"x","title":"","text":"t","metadata":{"n":1e999}}', "number"),
    ("nul", b'{"identifier":"x","title":"","text":"a\\u0000b"}', "NUL"),
    ("no text", b'{"identifier":"x","title":""}', "text"),
    ("blank text", b'{"identifier":"x","title":"","text":"  "}', "empty"),
    (
        "outside",
        b'{"identifier":"x","title":"","text":"abc","annotations":[{"start":2,"end":9,"label":"L"}]}',
        "not inside",
    ),
    (
        "backwards",
        b'{"identifier":"x","title":"","text":"abc","annotations":[{"start":2,"end":1,"label":"L"}]}',
        "not inside",
    ),
    (
        "nowhere",
        b'{"identifier":"x","title":"","text":"abc","annotations":[{"start":0,"end":3,"text":"xyz","label":"L"}]}',
        "nor anywhere else",
    ),
    ("no label", b'{"identifier":"x","title":"","text":"abc","annotations":[{"start":0,"end":3}]}', "no label"),
    (
        "bad date",
        b'{"identifier":"x","title":"","text":"abc","categories":[{"label":"L","createdDate":"soon"}]}',
        "date",
    ),
    (
        "overlap",
        b'{"identifier":"x","title":"","text":"abc","sentences":[{"start":0,"end":2},{"start":1,"end":3}]}',
        "overlap",
    ),
    ("no object", b"42", "object"),
    ("deep", b'{"identifier":"x","title":"","text":"t","metadata":' + b"[" * 3000 + b"]" * 3000 + b"}", "deep"),
    ("dots for an identifier", b'{"identifier":"..","title":"","text":"abc"}', "cannot be part of an address"),
    ("long identifier", json.dumps({"identifier": "x" * 300, "title": "", "text": "abc"}).encode(), "255"),
]


@pytest.mark.parametrize(
    ("content", "words"), [case[1:] for case in HOSTILE_ITEMS], ids=[case[0] for case in HOSTILE_ITEMS]
)
def test_only_the_hostile_item_is_refused(marie: Any, project: str, content: bytes, words: str) -> None:
    good = json.dumps(GOOD).encode()
    last = json.dumps(GOOD | {"identifier": "last"}).encode()
    job = import_documents(marie, project, b"[" + b",".join([good, content, last]) + b"]")
    lines = report_lines(job)
    assert [outcome for _, outcome, _ in lines] == ["imported", "refused", "imported"], lines
    assert words.lower() in (lines[1][2] or "").lower(), lines[1]
    assert job["status"] == "COMPLETED"
    assert job["statusMessage"] == "2 imported, 1 refused of 3 received"
    assert read_document(marie, project, "good")["text"] == GOOD["text"]
    assert read_document(marie, project, "last")["text"] == GOOD["text"]


def _encrypted() -> bytes:
    content = bytearray(archive({"secret.txt": b"secret", "ok.txt": b"Inside."}))
    place = content.index(b"PK\x01\x02")
    content[6] |= 1
    content[place + 8] |= 1
    return bytes(content)


def _damaged() -> bytes:
    content = bytearray(archive({"bad.txt": b"secret words " * 20, "ok.txt": b"Inside."}))
    content[45] ^= 0xFF
    return bytes(content)


def _link() -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        info = zipfile.ZipInfo("link.txt")
        info.external_attr = 0o120777 << 16
        file.writestr(info, "/etc/passwd")
        file.writestr("ok.txt", "Inside.")
    return target.getvalue()


HOSTILE_FILES: list[tuple[str, str, bytes, str]] = [
    ("no encoding", "fr.txt", b"\xff\xc0\xc1" * 9, "UTF-8"),
    ("utf-16", "fr.json", json.dumps([GOOD]).encode("utf-16"), "UTF-8"),
    ("nul", "raw.txt", b"a\x00b", "NUL"),
    ("empty", "nothing.txt", b"", "empty (0 bytes)"),
    ("no documents", "none.json", b"[]", "no document"),
    ("truncated zip", "cut.zip", archive({"a.txt": b"hello " * 100})[:-30], "damaged or cut off"),
    ("empty zip", "void.zip", archive({}), "nothing to import"),
    ("zip slip", "slip.zip", ZIP_SLIP, "outside"),
    ("encrypted", "secret.zip", _encrypted(), "encrypted"),
    ("checksum", "bad.zip", _damaged(), "damaged"),
    ("link", "link.zip", _link(), "link"),
    ("nested", "nested.zip", archive({"inner.zip": archive({"a.txt": b"a"}), "ok.txt": b"Inside."}), "archive within"),
    ("bomb", "bomb.zip", archive({"zeros.txt": bytes(40 << 20)}), "times its size"),
    ("named pdf", "paper.pdf", b"I am no pdf", "not pdf"),
    ("picture", "picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(64), "png"),
    ("unknown type", "data.xyz", b"some text", "xyz"),
]


@pytest.mark.parametrize(
    ("name", "content", "words"), [case[1:] for case in HOSTILE_FILES], ids=[case[0] for case in HOSTILE_FILES]
)
def test_only_the_hostile_file_is_refused(marie: Any, project: str, name: str, content: bytes, words: str) -> None:
    """C-051 for the encodings; T02, T03, T10 for the archives."""
    job = import_files(
        marie, project, {"good.json": json.dumps([GOOD]).encode(), name: content, "last.txt": b"Also good."}
    )
    lines = report_lines(job)
    refused = [(item, message) for item, outcome, message in lines if outcome == "refused"]
    assert refused, lines
    assert words in (refused[0][1] or ""), refused
    assert all(item.startswith(name) for item, _ in refused)
    assert job["status"] == "COMPLETED"
    assert read_document(marie, project, "good")["text"] == GOOD["text"]
    assert read_document(marie, project, "last.txt")["text"] == "Also good."
    if b"Inside." in content or "ok.txt" in str(lines):
        assert read_document(marie, project, "ok.txt")["text"] == "Inside."
    assert not (get_settings().data.parent / "evil.txt").exists()
    assert [path.name for path in get_settings().uploads_folder.iterdir() if path.name.startswith("import-")] == []


def test_overlapping_zip_entries_are_refused(marie: Any, project: str) -> None:
    content = bytearray(archive({"a.txt": b"hello", "b.txt": b"world"}))
    second = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 4)
    struct.pack_into("<I", content, second + 42, 0)  # the second entry refers to the bytes of the first one
    job = import_files(marie, project, {"overlap.zip": bytes(content)})
    assert job["status"] == "FAILED"
    assert "overlap" in job["statusMessage"]


def test_nothing_imported_is_a_failure_with_a_message(marie: Any, project: str) -> None:
    job = import_files(marie, project, {"fr.txt": b"\xff\xc0\xc1" * 9})
    assert job["status"] == "FAILED"
    assert job["statusMessage"].startswith("Nothing was imported: Not UTF-8")


def test_offsets_in_other_units_are_corrected_with_a_message(marie: Any, project: str) -> None:
    text = "😀 Marie\r\nlives in Paris 🏠 now"
    utf16 = len(text[: text.index("Paris")].encode("utf-16-le")) // 2
    one_line_end = text.index("Paris") - 1
    documents = [
        {
            "identifier": "utf16",
            "title": "",
            "text": text,
            "annotations": [_span(utf16, "Paris"), {"start": 3, "end": 8, "label": "P"}],
        },
        {"identifier": "crlf", "title": "", "text": text, "annotations": [_span(one_line_end, "Paris")]},
        {"identifier": "near", "title": "", "text": "Paris, Paris, Paris", "annotations": [_span(8, "Paris")]},
    ]
    job = import_documents(marie, project, documents)
    lines = report_lines(job)
    assert [outcome for _, outcome, _ in lines] == ["imported"] * 3, lines
    assert "UTF-16" in (lines[0][2] or "")
    assert "line end as one" in (lines[1][2] or "")
    assert "placed at 7-12" in (lines[2][2] or "")
    for identifier, start in (("utf16", text.index("Paris")), ("crlf", text.index("Paris")), ("near", 7)):
        annotations = read_document(marie, project, identifier)["annotations"]
        assert (start, start + 5, "Paris") in [(one["start"], one["end"], one["text"]) for one in annotations]
    assert read_document(marie, project, "utf16")["annotations"][0]["text"] == "Marie"


def _span(start: int, text: str) -> dict[str, Any]:
    return {"start": start, "end": start + len(text), "text": text, "label": "P"}


def test_second_document_of_the_same_identifier_is_refused(marie: Any, project: str) -> None:
    job = import_documents(marie, project, [GOOD, GOOD | {"text": "Another text."}])
    assert [line[1] for line in report_lines(job)] == ["imported", "refused"]
    assert "same identifier (good)" in (report_lines(job)[1][2] or "")
    assert read_document(marie, project, "good")["text"] == GOOD["text"]


def test_outcome_of_importing_an_existing_document(marie: Any, project: str) -> None:
    """T06: unchanged, replaced, or refused once users have worked on it."""
    import_documents(marie, project, [GOOD])
    assert report_lines(import_documents(marie, project, [GOOD]))[0][1] == "unchanged"
    assert report_lines(import_documents(marie, project, [GOOD | {"text": "Second text."}]))[0][1] == "replaced"
    assert read_document(marie, project, "good")["text"] == "Second text."
    with unit_of_work(actor="marie", write=True) as unit:
        document = unit.session.scalars(
            select(Document).where(Document.identifier == "good", Document.deleted_at.is_(None), _of(project))
        ).one()
        unit.session.add(
            History(
                project_id=document.project_id,
                document_id=document.id,
                entity="annotation",
                entity_id=1,
                action="created",
                actor="marie",
            )
        )
    job = import_documents(marie, project, [GOOD | {"text": "Third text."}])
    assert report_lines(job)[0][1:] == (
        "refused",
        "People have worked on this document since its import (1 change), so it was left unchanged",
    )
    assert read_document(marie, project, "good")["text"] == "Second text."
    assert report_lines(import_documents(marie, project, [GOOD | {"text": "Second text."}]))[0][1] == "unchanged"
    with unit_of_work(actor="", write=False) as unit:
        rows = unit.session.scalars(select(Document).where(Document.identifier == "good", _of(project))).all()
        assert sorted(row.deleted_at is None for row in rows) == [False, True]


def _of(project: str) -> Any:
    return Document.project_id == select(Project.id).where(Project.name == project).scalar_subquery()


def test_generated_identifiers_are_deterministic(marie: Any, project: str) -> None:
    documents = [{"title": "A", "text": "One."}, {"title": "B", "text": "One."}]
    assert [line[1] for line in report_lines(import_documents(marie, project, documents))] == ["imported", "imported"]
    assert [line[1] for line in report_lines(import_documents(marie, project, documents))] == ["unchanged", "unchanged"]


def test_documents_beyond_the_project_limit_are_refused(as_user: Any, client: Any) -> None:
    """E-024."""
    paul = as_user(client, "paul", "ProjectManager", groups=("press",))
    with unit_of_work(actor="", write=True) as unit:
        unit.session.scalars(select(Group).where(Group.name == "press")).one().max_docs_per_project = 2
    project = paul.post("/api/projects", json={"label": "Few"}).json()["projectName"]
    job = import_documents(paul, project, [GOOD | {"identifier": str(number)} for number in range(4)])
    assert job["statusMessage"].startswith(
        "Some documents have not been imported because the number of documents per project limit (2) has been reached"
    )
    assert [line[1] for line in report_lines(job)] == ["imported", "imported", "refused", "refused"]
    assert len(paul.get(f"/api/projects/{project}/documents").json()) == 2


def test_several_categories_make_the_project_non_exclusive(marie: Any) -> None:
    """T-020."""
    body = {"label": "Mails", "nature": "classification"}
    project = marie.post("/api/projects", json=body).json()["projectName"]
    import_documents(marie, project, [GOOD | {"categories": [{"label": "One"}]}])
    config = marie.get(f"/api/projects/{project}/config").json()
    assert config["classification"] == {"exclusive_classes": True}
    several = [GOOD | {"identifier": "two", "categories": [{"label": "One"}, {"label": "Two"}]}]
    job = import_documents(marie, project, several)
    config = marie.get(f"/api/projects/{project}/config").json()
    assert config["classification"] == {"exclusive_classes": False}
    assert job["statusMessage"].endswith(
        "Documents may have several categories from now on, because some of the imported ones do"
    )
    assert "several categories" not in import_documents(marie, project, several)["statusMessage"], "told once"


@pytest.mark.parametrize(
    ("policy", "given", "expected"),
    [
        ("compute_if_missing", None, [(0, 4), (5, 9)]),
        ("compute_if_missing", [(0, 9)], [(0, 9)]),
        ("always_recompute", [(0, 9)], [(0, 4), (5, 9)]),
        ("documents_as_segments", None, [(0, 9)]),
        ("no_segmentation", None, []),
        ("no_segmentation", [(0, 4)], [(0, 4)]),
    ],
)
def test_segmentation_policies(marie: Any, project: str, policy: str, given: Any, expected: Any) -> None:
    """C-059."""
    document: dict[str, Any] = {"identifier": "s", "title": "", "text": "One. Two."}
    if given is not None:
        document["sentences"] = [{"start": start, "end": end} for start, end in given]
    import_documents(marie, project, [document], segmentationPolicy=policy)
    sentences = read_document(marie, project, "s")["sentences"]
    assert [(one["start"], one["end"]) for one in sentences] == expected


def test_cleaning_the_text_moves_annotations(marie: Any, project: str) -> None:
    text = "<p>Hello 😀 <b>Marie</b> of Paris</p>"
    document = {
        "identifier": "c",
        "title": "",
        "text": text,
        "annotations": [_span(text.index("Marie"), "Marie"), _span(text.index("Paris"), "Paris")],
    }
    job = import_documents(marie, project, [document], cleanText="true")
    assert "removed" in (report_lines(job)[0][2] or "")
    stored = read_document(marie, project, "c")
    assert stored["text"] == "Hello  Marie of Paris"
    assert [one["text"] for one in stored["annotations"]] == ["Marie", "Paris"]
    assert all(one["text"] == stored["text"][one["start"] : one["end"]] for one in stored["annotations"])


def test_ignored_labelling_and_folder_categories(marie: Any, project: str) -> None:
    content = archive({"sport/a.txt": b"A ball.", "music/b.txt": b"A song."})
    import_files(marie, project, {"sorted.zip": content}, generateCategoriesFromSourceFolder="true")
    assert [one["labelName"] for one in read_document(marie, project, "sport%2Fa.txt")["categories"]] == ["sport"]
    import_documents(marie, project, [GOOD | {"annotations": [_span(0, "This")]}], ignoreLabelling="true")
    assert read_document(marie, project, "good")["annotations"] == []


def test_only_the_uploader_can_import_an_upload(as_user: Any, client: Any, marie: Any, project: str) -> None:
    """C-047, T16: another user's upload appears to be absent."""
    files = [("file", ("a.json", json.dumps([GOOD]).encode())), ("file", ("a.json", b"{not json"))]
    uploaded = marie.post("/api/uploads", files=files).json()
    assert [one["filename"] for one in uploaded] == ["a.json", "a.json"]
    path = f"/api/projects/{project}/documents/_load?wait=true"
    job = marie.post(path, json=uploaded).json()
    assert [line[:2] for line in report_lines(job)] == [("a.json#1", "imported"), ("a.json (2)#1", "refused")]
    other = as_user(client, "oscar", "ProjectManager")
    own = other.post("/api/projects", json={"label": "Other"}).json()["projectName"]
    stolen = other.post(f"/api/projects/{own}/documents/_load?wait=true", json=uploaded)
    assert stolen.status_code == 404


def test_import_requires_the_permission(as_user: Any, client: Any, make_project: Callable[..., Project]) -> None:
    project = make_project(owner="marie", writers=("anna",), readers=("rita",))
    folder = get_settings().uploads_folder
    folder.mkdir(parents=True, exist_ok=True)
    before = set(os.listdir(folder))
    anna = as_user(client, "anna", "Annotator")
    rita = as_user(client, "rita", "ProjectManager")
    nobody = as_user(client, "nobody", "ProjectManager")
    path = f"/api/projects/{project.name}/documents/_import_documents"
    assert anna.post(path, json=[GOOD]).status_code == 403
    assert rita.post(path, json=[GOOD]).status_code == 403
    assert nobody.post(path, json=[GOOD]).status_code == 404
    assert client.post(path, json=[GOOD]).status_code == 401
    assert set(os.listdir(folder)) == before


@pytest.mark.parametrize(
    ("nature", "expected"),
    [("classification", []), ("sequence_labelling", [(0, 4), (5, 9)]), ("question_answering", [(0, 4), (5, 9)])],
)
def test_default_segmentation_depends_on_the_nature(marie: Any, nature: str, expected: Any) -> None:
    """C-059: without a policy, an import into a classification project does not segment its texts."""
    created = marie.post("/api/projects", json={"label": f"usual {nature}", "nature": nature, "lang": "en"})
    assert created.status_code == 200, created.text
    name = created.json()["projectName"]
    import_documents(marie, name, [{"identifier": "s", "title": "", "text": "One. Two."}])
    sentences = read_document(marie, name, "s").get("sentences") or []
    assert [(one["start"], one["end"]) for one in sentences] == expected


def test_damaged_utf8_is_imported_and_reported(marie: Any, project: str) -> None:
    """An invalid byte neither refuses the file nor changes other characters."""
    job = import_files(marie, project, {"fr.txt": "déjà vu, été".encode() + b"\xff"})
    assert report_lines(job)[0][1:] == ("imported", "One damaged part of its UTF-8 was replaced by U+FFFD: byte 17")
    assert read_document(marie, project, "fr.txt")["text"] == "déjà vu, été\ufffd"
