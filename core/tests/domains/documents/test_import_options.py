"""Options of imports, the check before an import, and reports as data."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from typing import Any

from sqlalchemy import func, select

from annotarium.db.models import Document, Group, Label, Outbox, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs.run import run_job


def upload(caller: Any, files: dict[str, bytes]) -> list[dict[str, Any]]:
    answer = caller.post("/api/uploads", files=[("file", one) for one in files.items()])
    assert answer.status_code == 200, answer.text
    refs: list[dict[str, Any]] = answer.json()
    return refs


def load(caller: Any, project: str, refs: Any, status: int = 200, **options: Any) -> dict[str, Any]:
    path = f"/api/projects/{project}/documents/_load"
    answer = caller.post(path, json=refs, params={"wait": "true", **options})
    assert answer.status_code == status, answer.text
    job: dict[str, Any] = answer.json()
    return job


def items(caller: Any, project: str, job: dict[str, Any], **query: Any) -> dict[str, Any]:
    answer = caller.get(f"/api/projects/{project}/job/{job['id']}/items", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def outcomes(caller: Any, project: str, job: dict[str, Any]) -> list[tuple[str, str]]:
    return [(line["item"], line["outcome"]) for line in items(caller, project, job)["items"]]


def documents(caller: Any, project: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller.get(f"/api/projects/{project}/documents").json()
    return found


def counts(project: str) -> tuple[int, int, int]:
    """Number of documents, labels and outbox rows in the database."""
    with unit_of_work(actor="", write=False) as unit:
        number = unit.session.scalar(select(Project.id).where(Project.name == project))
        tables = (Document, Label, Outbox)
        found = [
            unit.session.scalar(select(func.count()).select_from(one).where(one.project_id == number)) for one in tables
        ]
        return found[0] or 0, found[1] or 0, found[2] or 0


def body(*documents: dict[str, Any]) -> bytes:
    return json.dumps(documents).encode()


PERSON = {"start": 0, "end": 5, "text": "Marie", "label": "Person"}
FIRST = {"identifier": "first", "title": "First", "text": "Marie sleeps. It rains.", "annotations": [PERSON]}
CHANGED = FIRST | {"text": "Marie wakes. It rains. The end."}
OTHER = {
    "identifier": "other",
    "title": "=Other",
    "text": "A text without anything.",
    "categories": [{"label": "Dull"}],
}
SAME = {"identifier": "same", "title": "", "text": "Same."}
WRONG = {"identifier": "wrong", "title": "Wrong", "text": ""}


def test_check_reports_the_outcomes_of_the_import(marie: Any, project: str) -> None:
    """The check and the import that follows report the same outcomes; the check writes nothing."""
    load(marie, project, upload(marie, {"a.json": body(FIRST, SAME)}))
    before = counts(project)
    refs = upload(marie, {"b.json": body(CHANGED, OTHER, WRONG, SAME), "c.pdf": b"no"})
    check = load(marie, project, refs, dryRun="true")
    assert counts(project) == before
    assert (check["status"], check["type"]) == ("COMPLETED", "UNSPECIFIED")
    assert check["statusMessage"] == ("Check only: 1 imported, 1 replaced, 1 unchanged, 2 refused of 5 received")
    result = check["result"]
    assert (result["dryRun"], result["newLabels"], result["newLabelCount"]) == (True, ["Dull"], 1)
    assert (result["segments"], result["annotations"], result["categories"]) == (4, 1, 1)
    assert result["characters"] == len(CHANGED["text"]) + len(OTHER["text"])
    lines = items(marie, project, check)["items"]
    assert lines[0]["facts"] == {
        "title": "First",
        "start": CHANGED["text"],
        "characters": len(CHANGED["text"]),
        "segments": 3,
        "annotations": 1,
        "categories": 0,
    }
    imported = load(marie, project, refs)
    told = [(one["item"], one["outcome"], one.get("message"), one.get("fix")) for one in lines]
    done = items(marie, project, imported)["items"]
    assert told == [(one["item"], one["outcome"], one.get("message"), one.get("fix")) for one in done]
    assert all("facts" not in one for one in done)
    assert counts(project)[1] == before[1] + 1


def test_an_interrupted_check_starts_from_the_beginning(marie: Any, project: str) -> None:
    check = load(marie, project, upload(marie, {"a.json": body(FIRST, OTHER)}), dryRun="true")
    from annotarium.db.models import Job

    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.get_one(Job, check["id"])
        row.state, row.status = "waiting", "STARTED"
    run_job(check["id"])
    again = marie.get(f"/api/projects/{project}/job/{check['id']}").json()
    assert again["result"] == check["result"]
    assert outcomes(marie, project, check) == [("a.json#1", "imported"), ("a.json#2", "imported")]


def test_check_respects_the_document_limit(marie: Any, project: str, client: Any, as_user: Any) -> None:
    """E-024: the check stops at the same document as the import, for any batch size."""
    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.scalars(select(Project).where(Project.name == project)).one()
        group = Group(name="narrow", label="Narrow", max_docs_per_project=60)
        unit.session.add(group)
        unit.session.flush()
        row.group_id = group.id
    many = [OTHER | {"identifier": f"d{number}", "text": f"Text {number}."} for number in range(120)]
    refs = upload(marie, {"many.json": body(*many)})
    check = load(marie, project, refs, dryRun="true")
    words = (
        "Some documents have not been imported because the number of documents per project limit (60) has been reached"
    )
    assert check["statusMessage"].startswith(f"Check only: {words}. 60 imported, 60 refused")
    imported = load(marie, project, refs)
    assert imported["statusMessage"] == f"{words}. 60 imported, 60 refused of 120 received"


def test_second_run_changes_nothing(marie: Any, project: str) -> None:
    """The same files again: every line is `unchanged`, and the database stays as it was."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        file.writestr("sport/one.txt", "A match was played.")
        file.writestr("two.json", body(FIRST, OTHER))
    files = {"z.zip": target.getvalue(), "plain.txt": b"Only text.", "rows.csv": b"text\nalpha\nbeta\n"}
    for expected in ("imported", "unchanged"):
        options = {"generateCategoriesFromSourceFolder": "true"}
        job = load(marie, project, upload(marie, files), **options)
        assert {one for _, one in outcomes(marie, project, job)} == {expected}
        before = counts(project)
    assert counts(project) == before


def test_duplicate_texts_are_skipped_on_request(marie: Any, project: str) -> None:
    """By text: a duplicate under another name, in the project or earlier in the import, is skipped; the same identifier
    is `unchanged`.
    """
    load(marie, project, upload(marie, {"a.json": body(FIRST)}))
    copies = body(
        FIRST | {"identifier": "copy"}, FIRST, OTHER, OTHER | {"identifier": "twin"}, OTHER | {"identifier": "other"}
    )
    refs = upload(marie, {"b.json": copies})
    check = load(marie, project, refs, skipDuplicates="true", dryRun="true")
    job = load(marie, project, refs, skipDuplicates="true")
    expected = ["skipped", "unchanged", "imported", "skipped", "refused"]
    for one in (check, job):
        assert [line["outcome"] for line in items(marie, project, one)["items"]] == expected
    lines = items(marie, project, job, outcome="skipped")["items"]
    assert lines[0]["message"] == "The document first already has the same text"
    assert lines[1]["message"] == "An earlier document of this import has the same text"
    assert all("without skipping duplicates" in line["fix"] for line in lines)
    only = load(marie, project, upload(marie, {"c.json": body(OTHER | {"identifier": "third"})}), skipDuplicates="true")
    assert only["status"] == "COMPLETED"
    assert len(documents(marie, project)) == 2
    without = load(marie, project, refs)
    assert "2 imported" in without["statusMessage"]


def test_source_folder_becomes_the_category_and_part_of_the_file_name(marie: Any, project: str) -> None:
    """D-005: names of files include their folder, so that files of one name in two folders are two documents."""
    refs = upload(marie, {"a.txt": b"A match was played."}) + upload(marie, {"a.txt": b"A law was passed."})
    refs[0]["folder"], refs[1]["folder"] = "press/Sport", "../..\\press/./Politics\u0001"
    job = load(marie, project, refs, generateCategoriesFromSourceFolder="true")
    assert outcomes(marie, project, job) == [
        ("press/Sport/a.txt#1", "imported"),
        ("press/Politics/a.txt#1", "imported"),
    ]
    found = {one["text"]: one["categories"][0]["labelName"] for one in documents(marie, project)}
    assert found == {"A match was played.": "sport", "A law was passed.": "politics"}


def test_a_converter_can_be_selected(marie: Any, project: str) -> None:
    """The chosen converter reads a type that no converter declares; an unknown converter is refused before the job
    starts.
    """
    refs = upload(marie, {"server.zzz": b"One line.\nAnother."})
    assert "no converter reads them" in items(marie, project, load(marie, project, refs))["items"][0]["message"]
    job = load(marie, project, refs, converter="txt")
    assert outcomes(marie, project, job) == [("server.zzz#1", "imported")]
    load(marie, project, refs, status=404, converter="nothing")


def test_converter_choice_requires_import_permission(marie: Any, project: str, as_user: Any, client: Any) -> None:
    """The roles that import have `useConverter:*`; a custom role has only the converters it was given."""
    load(marie, project, upload(marie, {"a.zzz": b"text\nOne line."}), converter="csv")
    sam = as_user(client, "sam", "writeProject:*", "readProject:*", "importDocuments", "useConverter:txt")
    refs = upload(sam, {"b.zzz": b"text\nOne line."})
    load(sam, project, refs, status=403, converter="csv")
    load(sam, project, refs, converter="txt")


def test_report_is_filtered_paged_and_exported(marie: Any, project: str, as_user: Any, client: Any) -> None:
    """Filter by outcome, search, paging, a table whose cells no spreadsheet runs; only for users who may see the
    job."""
    names = [f"d{number}" for number in range(5)]
    many = [OTHER | {"identifier": name, "text": f"Text {name}."} for name in names]
    refs = upload(marie, {"a.json": body(*many, OTHER | {"identifier": "=cmd()", "text": "Text."}, WRONG)})
    job = load(marie, project, refs, dryRun="true")
    page = items(marie, project, job, **{"from": 1, "size": 2})
    assert (page["total"], page["outcomes"]) == (7, {"imported": 6, "refused": 1})
    assert [one["documentIdentifier"] for one in page["items"]] == ["d1", "d2"]
    assert items(marie, project, job, query="D3")["total"] == 1
    assert items(marie, project, job, query="%")["total"] == 0
    path = f"/api/projects/{project}/job/{job['id']}/items/_export"
    answer = marie.get(path)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0][:5] == ["item", "outcome", "document", "message", "fix"]
    assert [row[2] for row in rows[1:]] == [*names, "'=cmd()", ""]
    assert rows[1][5] == "'=Other"
    assert len(list(csv.reader(io.StringIO(marie.get(path, params={"outcome": "refused"}).text)))) == 2
    assert client.get(path).status_code == 401
    assert as_user(client, "oscar", "ProjectManager").get(path).status_code == 404
    assert marie.get(path.replace(job["id"], "0" * 32)).status_code == 404


def test_check_requires_the_permissions_of_the_import(marie: Any, project: str, as_user: Any, client: Any) -> None:
    refs = upload(marie, {"a.json": body(FIRST)})
    path = f"/api/projects/{project}/documents/_load"
    assert client.post(path, json=refs, params={"dryRun": "true"}).status_code == 401
    assert (
        as_user(client, "oscar", "ProjectManager").post(path, json=refs, params={"dryRun": "true"}).status_code == 404
    )
