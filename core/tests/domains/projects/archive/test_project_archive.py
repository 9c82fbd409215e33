"""Project archives through the API: exported, imported again, equal; what is refused and with which message."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from sqlalchemy import select
from support.factories import Corpus, document
from support.forged_archives import files_of, pack_files, update_manifest
from support.project_archives import export_project, import_project, upload_archive

from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Annotation, Document, History, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.projects.archive.archive_format import VERSION

TEXT = "Ada Lovelace 👩‍💻 met Charles Babbage\r\nin\tLondon. مرحبا بالعالم. Cafe\u0301 à Zürich."
VOLATILE = {"identifier", "createdDate", "modifiedDate"}
BROUGHT = {"importedBy", "importedDate"}
"""Who imported it and when, which differs for each import."""


def filled(corpus: Corpus) -> None:
    start = TEXT.index("London")
    for name in ("place_or_not", "crossing"):
        corpus.post("/labels", json={"name": name, "label": name.title(), "guideline": "Read\nthis"})
    corpus.add(
        document(
            "a",
            TEXT,
            ("Ada Lovelace", "person"),
            ("Charles Babbage", "person"),
            ("London", "location"),
            metadata={"year": 1833, "tags": ["x", "y"], "draft": False, "note": "é\t\n"},
            altTexts=[{"name": "summary", "text": "Two people 🎩"}],
            categories=[{"labelName": "history", "score": 0.5}],
        )
        | {"createdBy": "a-person-who-is-not-here"},
        document("b", "Nothing is labelled here. At all."),
    )
    corpus.annotate("a", "place_or_not", start, start + 6)
    corpus.annotate("a", "crossing", 4, 20, properties={"kbId": "Q7259"})
    doomed = corpus.annotate("a", "person", 0, 3)
    corpus.delete(f"/annotations/{doomed['identifier']}")
    corpus.patch("/config", 204, json={"description": "Ünïcode 🌍", "cleanHtml": True, "metafacets": ["year"]})


def content(caller: Any, name: str) -> Any:
    """All visible content of a project, without identifiers of rows."""

    def plain(value: Any, depth: int = 0) -> Any:
        if isinstance(value, dict):
            drop = BROUGHT | (VOLATILE if depth > 1 else set())
            return {key: plain(one, depth + 1) for key, one in value.items() if key not in drop}
        if isinstance(value, str):
            return remove_imported_prefix(value)  # imported settings differ in their author only
        return [plain(one, depth + 1) for one in value] if isinstance(value, list) else value

    documents = caller.get(f"/api/projects/{name}/documents").json()
    sets = caller.get(f"/api/projects/{name}/label_sets", params={"includeLabels": "true"}).json()
    config = caller.get(f"/api/projects/{name}/config").json()
    kept = {key: value for key, value in config.items() if key not in ("name", "owner", "private", "shared")}
    return plain([sorted(documents, key=lambda one: one["identifier"]), sets, [kept]])


@pytest.fixture
def full(corpus: Corpus) -> Corpus:
    filled(corpus)
    return corpus


def test_an_imported_archive_equals_the_exported_project(full: Corpus) -> None:
    """T-009: an imported archive has the content of the exported project."""
    name, job = import_project(full, export_project(full))
    assert job["status"] == "COMPLETED", job
    assert job["result"]["projectName"] == name
    assert name == f"{full.project.name}_2"
    assert content(full.caller, name) == content(full.caller, full.project.name)
    found = full.caller.post(f"/api/projects/{name}/documents/_search", params={"query": "Babbage"}).json()
    assert found["total"]["value"] == 1


def test_history_and_deleted_annotations_are_archived(full: Corpus) -> None:
    name, _ = import_project(full, export_project(full))
    bare, _ = import_project(full, export_project(full, includeHistory="false"))
    with unit_of_work(actor="", write=False) as unit:

        def rows(project: str, table: Any) -> list[Any]:
            query = select(table).join(Project, Project.id == table.project_id).where(Project.name == project)
            return list(unit.session.scalars(query))

        # The history of documents. Operations on labels and label sets are not exported.
        before, after = [one for one in rows(full.project.name, History) if one.document_id], rows(name, History)
        said = [(one.action, remove_imported_prefix(one.actor), one.at) for one in after]
        assert said == [(one.action, one.actor, one.at) for one in before]
        ids = {one.id for one in rows(name, Annotation)}
        assert {one.entity_id for one in after if one.entity == "annotation"} <= ids
        assert any(one.deleted_at for one in rows(name, Annotation))
        assert rows(bare, History) == []
        creators = {remove_imported_prefix(one.created_by) for one in rows(name, Document)}
        assert "a-person-who-is-not-here" in creators


def test_name_and_label_of_the_new_project(full: Corpus) -> None:
    data = export_project(full)
    name, _ = import_project(full, data, projectName="wished-name", projectLabel="Wished")
    assert name == "wished-name"
    assert full.caller.get("/api/projects/wished-name/_info").json()["label"] == "Wished"
    body = {"id": upload_archive(full.caller, data), "filename": "x.spa"}
    for parameters in ({"projectName": "wished-name"}, {"reuseProjectName": "true"}):
        assert full.caller.post("/api/projects/_load", json=body, params=parameters).status_code == 409
    bad = full.caller.post("/api/projects/_load", json=body, params={"projectName": "../x"})
    assert (bad.status_code, bad.json()["details"][0]["field"]) == (400, "projectName")
    long = full.caller.post("/api/projects/_load", json=body, params={"projectLabel": "x" * 31})
    assert (long.status_code, long.json()["details"][0]["field"]) == (400, "projectLabel")


def changed(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The archive with other files; the manifest is made to agree when it was not changed itself."""
    files = files_of(data)
    manifest = files["manifest.json"]
    change(files)
    if files.get("manifest.json") == manifest:
        update_manifest(files)
    return pack_files(files)


def manifest_with(**values: Any) -> Callable[[dict[str, bytes]], None]:
    def change(files: dict[str, bytes]) -> None:
        files["manifest.json"] = json.dumps(json.loads(files["manifest.json"]) | values).encode()

    return change


def test_invalid_archives_are_refused_immediately(full: Corpus) -> None:
    data = export_project(full)
    models = full.caller.post(f"{full.path}/_export_models")
    assert models.status_code == 200
    cases = {
        "damaged or cut off": data[: len(data) // 2],
        "newer release": changed(data, manifest_with(version=VERSION + 1)),
        "the version of its format": changed(data, manifest_with(version="1")),
        "of another type": changed(data, manifest_with(format="something-else")),
        "an archive of models": models.content,
        "not a project archive": changed(data, lambda files: files.pop("manifest.json") and None),
    }
    before = len(full.caller.get("/api/projects").json())
    for words, body in cases.items():
        reference = {"id": upload_archive(full.caller, body), "filename": "x.spa"}
        answer = full.caller.post("/api/projects/_load", json=reference)
        assert (answer.status_code, words in answer.json()["message"]) == (400, True), (words, answer.text)
    assert len(full.caller.get("/api/projects").json()) == before


def line_with(part: str, **values: Any) -> Callable[[dict[str, bytes]], None]:
    """Change the first row of a part of the first document."""

    def change(files: dict[str, bytes]) -> None:
        first, *others = files["documents.jsonl"].splitlines(keepends=True)
        line = orjson.loads(first)
        row = line["document"] if part == "document" else line[part][0]
        row.update(values)
        files["documents.jsonl"] = orjson.dumps(line) + b"\n" + b"".join(others)

    return change


def plan_with(**values: Any) -> Callable[[dict[str, bytes]], None]:
    """Add a plan to the rows."""
    row = {"id": 1, "name": "p", "label": "P", "parameters": {"pipeline": []}, "tags": []} | values
    return lambda files: files.update({"tables/plans.jsonl": orjson.dumps(row) + b"\n"})


def tampered(files: dict[str, bytes]) -> None:
    """Rename a label without updating the manifest."""
    files["tables/labels.jsonl"] = files["tables/labels.jsonl"].replace(b"person", b"nobody")
    manifest_with()(files)


@pytest.mark.parametrize(
    ("words", "change"),
    [
        ("differs from the document", line_with("annotations", end=7)),
        ("differs from the document", line_with("annotations", start=-3)),
        ("of another type", line_with("annotations", start="0")),
        ("of another type", line_with("document", metadata=["no object"])),
        ("NUL", line_with("document", title="a\x00b")),
        ("overlap", line_with("segments", ordinal=7)),
        ("status", line_with("categories", status="XX")),
        ("not whole", manifest_with(counts={"documents": 3})),
        ("which is not in its manifest", manifest_with(files={"project.json": {"sha256": "0"}})),
        ("differs from what was exported", tampered),
        ("points outside", lambda files: files.update({"models/experiment-1/2/../../x": b"x"})),
        ("can run code", lambda files: files.update({"models/experiment-1/2/model.pkl": b"x"})),
        ("can run code", lambda files: files.update({"models/experiment-1/2/model.json": b"\x80\x04."})),
        ("strange name", lambda files: files.update({"more.txt": b"x"})),
        ("not JSON", lambda files: files.update({"tables/labels.jsonl": b"{"})),
        ("unknown steps", plan_with(parameters={"pipeline": [{"odd": "x"}]})),
        ("unknown steps", plan_with(parameters={"pipeline": [{"annotator": "x", "condition": {"odd": 1}}]})),
        ("a tag that is not a text", plan_with(tags=[1])),
        ("same name", lambda files: files.update({"tables/labels.jsonl": files["tables/labels.jsonl"] * 2})),
    ],
)
def test_a_failed_import_leaves_no_project(
    full: Corpus, words: str, change: Callable[[dict[str, bytes]], None]
) -> None:
    name, job = import_project(full, changed(export_project(full), change), projectName="never-there")
    assert job["status"] == "FAILED", job
    assert words in job["error"]["message"]
    assert "code" in job["error"]["said"]["message"], "the studio says it in the reader's language"
    assert full.caller.get(f"/api/projects/{name}/_info").status_code == 404
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.scalar(select(Project.id).where(Project.name == "never-there")) is None


def test_highly_compressible_projects_are_imported(full: Corpus) -> None:
    """A model that is mostly zeros, or documents that repeat one line: not a decompression bomb, but an exported
    project.
    """
    zeros = {"models/experiment-1/2/weights.bin": bytes(12 << 20)}
    data = changed(export_project(full), lambda files: files.update(zeros))
    assert len(data) < 200_000
    _, job = import_project(full, data)
    assert job["status"] == "COMPLETED", job


def test_restoring_keeps_a_copy_of_the_former_state(full: Corpus, as_user: Any, client: Any) -> None:
    data = export_project(full)
    before = content(full.caller, full.project.name)
    full.post(
        "/shares/users",
        204,
        params={"username": as_user(client, "paul", "Reader").username},
        json={"read": True, "write": False},
    )
    full.delete("/documents/a")
    answer = full.caller.post(f"{full.path}/_restore", files={"file": ("x.spa", data)})
    assert answer.json()["projectName"] == full.project.name
    full.run_jobs()
    assert content(full.caller, full.project.name) == before
    assert [share["username"] for share in full.get("/shares/users")] == ["paul"]
    with unit_of_work(actor="", write=False) as unit:
        kept = unit.session.scalars(select(Project).where(Project.name.startswith(f"{full.project.name}~"))).all()
        assert [one.deleted_at is not None for one in kept] == [True]


def test_restoring_from_the_folder_of_the_operator(full: Corpus, data_folder: Any) -> None:
    folder = data_folder / "archives"
    folder.mkdir(exist_ok=True)
    (folder / "nightly.spa").write_bytes(export_project(full))
    assert full.post("/_load_image", 404, params={"archiveName": "other.spa"})
    assert full.post("/_load_image", 404, params={"archiveName": "../annotarium.sqlite"})
    full.delete("/documents/b")
    full.post("/_load_image", params={"archiveName": "nightly.spa"})
    full.run_jobs()
    assert len(full.get("/documents")) == 2


def test_export_as_a_job_is_fetched_by_its_creator_only(full: Corpus, as_user: Any, client: Any) -> None:
    job = full.post("/_export_async")
    assert job["type"] == "UNSPECIFIED"
    full.run_jobs()
    result = full.get(f"/job/{job['id']}")["result"]
    assert result["filename"] == f"{full.project.name}.spa"
    fetched = full.caller.get(f"/api{result['download']}")
    assert fetched.status_code == 200
    name, ended = import_project(full, fetched.content)
    assert (ended["status"], len(full.caller.get(f"/api/projects/{name}/documents").json())) == ("COMPLETED", 2)
    other = as_user(client, "curious", "ProjectManager")
    assert other.get(f"/api{result['download']}").status_code == 404


def test_permissions_to_export_and_import(full: Corpus, as_user: Any, client: Any) -> None:
    data = export_project(full)
    reader = as_user(client, "rita", "Reader", f"readProject:{full.project.name}")
    outsider = as_user(client, "otto", "ProjectManager")
    anonymous = client
    for caller, status in ((anonymous, 401), (reader, 403), (outsider, 404)):
        for method, path in (("GET", "_export"), ("POST", "_export"), ("POST", "_export_async"), ("POST", "_restore")):
            assert caller.request(method, f"{full.path}/{path}").status_code == status, path
    body = {"id": upload_archive(outsider, data), "filename": "x.spa"}
    assert anonymous.post("/api/projects/_load", json=body).status_code == 401
    assert reader.post("/api/projects/_load", json=body).status_code == 403
    assert full.caller.post("/api/projects/_load", json=body).status_code == 404  # another user's upload
    assert outsider.post("/api/projects/_load", json=body).status_code == 200
    sent = outsider.post("/api/projects/_import", files={"file": ("x.spa", data)}, params={"projectLabel": "Sent"})
    assert sent.status_code == 200
    full.run_jobs()
    assert outsider.get(f"/api/projects/{sent.json()['projectName']}/_info").json()["label"] == "Sent"
    two = {"files": [("file", ("x.spa", data)), ("file", ("y.spa", data))]}
    assert outsider.post("/api/projects/_import", **two).status_code == 400  # C-046


def test_archive_contains_only_what_its_creator_may_read(full: Corpus, as_user: Any, client: Any) -> None:
    marie = as_user(client, "marie", "Reader", "exportProject", f"readProject:{full.project.name}", "createProject")
    ends = [one["identifier"] for one in full.get("/documents/a")["annotations"][:2]]
    body = {"documentIdentifier": "a", "name": "met", "source": ends[0], "target": ends[1]}
    full.post("/relations", json=body)
    answer = marie.get(f"{full.path}/_export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        lines = [json.loads(one) for one in archive.read("documents.jsonl").splitlines()]
        manifest = json.loads(archive.read("manifest.json"))
    assert "history" not in manifest["counts"]
    assert len(lines) == 2
    assert not any({"annotations", "relations"} & one.keys() for one in lines)  # all of them belong to other users


def test_relations_are_archived_with_names_fragments_and_history(corpus: Corpus) -> None:
    """Includes deleted relations, and what an undone change recorded about other annotations."""
    corpus.add(document("d", TEXT))
    corpus.post("/labels", json={"label": "person"})
    ada = corpus.annotate("d", "person", 0, 12, fragments=[[0, 3], [4, 12]])["identifier"]
    start = TEXT.index("Charles")
    babbage = corpus.annotate("d", "person", start, start + 15)["identifier"]
    other = corpus.annotate("d", "person", 0, 3)["identifier"]

    def link(name: str, source: str, target: str) -> str:
        body = {"documentIdentifier": "d", "name": name, "source": source, "target": target}
        return str(corpus.post("/relations", json=body)["identifier"])

    changed = link("met", ada, babbage)
    corpus.patch(f"/relations/{changed}", json={"target": other, "properties": {"at": "London"}})
    corpus.delete(f"/relations/{link('is', ada, other)}")
    link("knows", ada, babbage)
    corpus.delete(f"/annotations/{other}")
    name, job = import_project(corpus, export_project(corpus))
    assert job["status"] == "COMPLETED", job
    assert not job["result"].get("leftOut")
    copy = Corpus(corpus.caller, type(corpus.project)(name=name), corpus.run_jobs)
    assert copy.get("/relation_names") == corpus.get("/relation_names")
    read = copy.get("/documents/d")
    assert [one["fragments"] for one in read["annotations"] if "fragments" in one] == [[[0, 3], [4, 12]]]
    assert [one["name"] for one in read["relations"]] == ["knows"]
    said = [
        [(one["entity"], one["action"], one.get("after", {}).get("targetText")) for one in entries]
        for entries in (copy.get("/documents/d/_history")["entries"], corpus.get("/documents/d/_history")["entries"])
    ]
    assert said[0] == said[1]
    with unit_of_work(actor="", write=True) as unit:  # as if done here: work done elsewhere cannot be undone
        project = unit.session.scalars(select(Project).where(Project.name == name)).one()
        for change in unit.session.scalars(select(History).where(History.project_id == project.id)):
            change.actor = remove_imported_prefix(change.actor)
    for path, expected in (
        ("_undo", ["knows", "met"]),
        ("_undo", ["met"]),
        ("_undo", ["is", "met"]),
        ("_undo", ["met"]),
    ):
        copy.post(f"/documents/d/_history/{path}")
        assert sorted(one["name"] for one in copy.get("/documents/d").get("relations", ())) == expected
    copy.post("/documents/d/_history/_undo")
    words = {one["identifier"]: one["text"] for one in copy.get("/documents/d")["annotations"]}
    assert [words[one["target"]] for one in copy.get("/documents/d")["relations"]] == ["Charles Babbage"]
