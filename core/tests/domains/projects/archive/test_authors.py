"""Archives and files name authors; no local account is credited with work that was imported under its name (decision
0117).
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project

from annotarium.db.models import Annotation, Project
from annotarium.db.unit_of_work import unit_of_work

VICTIM = "marie"


@pytest.fixture
def full(corpus: Corpus, as_user: Any, client: Any) -> Corpus:
    """A project with work by root: a document, two annotations with a relation, a category, a deleted annotation."""
    as_user(client, VICTIM, "Reader")
    corpus.add(document("a", "Rome is in Italy. Oslo is not.", ("Oslo", "city")))
    for label in ("country", "travel"):
        corpus.post("/labels", json={"name": label, "label": label})
    ends = [corpus.annotate("a", "city", 0, 4)["identifier"], corpus.annotate("a", "country", 11, 16)["identifier"]]
    link = {"documentIdentifier": "a", "name": "in", "source": ends[0], "target": ends[1]}
    corpus.post("/relations", json=link)
    corpus.post("/categories", json={"documentIdentifier": "a", "labelName": "travel"})
    gone = corpus.annotate("a", "city", 18, 22)
    corpus.delete(f"/annotations/{gone['identifier']}")
    return corpus


def forged(data: bytes, author: str) -> bytes:
    """The archive with this author on everything, as if it was edited by hand."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    for name in files:
        if name.endswith(".jsonl"):
            files[name] = files[name].replace(b'"root"', json.dumps(author).encode())
    facts = json.loads(files["manifest.json"])
    for name in facts["files"]:
        facts["files"][name] |= {"sha256": sha256(files[name]).hexdigest(), "size": len(files[name])}
    files["manifest.json"] = json.dumps(facts).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, body in files.items():
            archive.writestr(name, body)
    return packed.getvalue()


def restored(corpus: Corpus, data: bytes) -> Corpus:
    name, job = import_project(corpus, data)
    assert job["status"] == "COMPLETED", job
    with unit_of_work(actor="", write=False) as unit:
        project = unit.session.query(Project).filter_by(name=name).one()
        unit.session.expunge_all()
    return Corpus(corpus.caller, project, corpus.run_jobs)


def everything(corpus: Corpus) -> list[dict[str, Any]]:
    """Every object that has an author."""
    found = corpus.get("/documents/a", params={"outputFields": "annotations,categories,relations,createdBy"})
    parts = [found, *found["annotations"], *found["categories"], *found["relations"]]
    segments = corpus.post("/segments/_search")["hits"]
    parts += [one for hit in segments for one in hit["segment"].get("annotations", [])]
    return parts


@pytest.mark.parametrize("author", [VICTIM, "nobody-here", "imported:marie"])
def test_imported_objects_state_their_importer(full: Corpus, author: str) -> None:
    """T-009: the names remain readable, as a statement of the archive; who imported them, and when, is stored too."""
    copy = restored(full, forged(export_project(full), author))
    parts = everything(copy)
    assert len(parts) >= 7
    for one in parts:
        assert one["createdBy"] == author.removeprefix("imported:")
        assert one["importedBy"] == "root"
        assert one["importedDate"].startswith("20")
    entries = copy.get("/documents/a/_history")["entries"]
    assert {(one["by"], one["importedBy"]) for one in entries} == {(author.removeprefix("imported:"), "root")}


def test_no_account_is_credited_in_figures(full: Corpus) -> None:
    copy = restored(full, forged(export_project(full), VICTIM))
    assert copy.facet("createdBy") == {f"imported:{VICTIM}": 1}
    assert copy.facet(f"label({VICTIM})") == {}
    assert copy.facet(f"label(imported:{VICTIM})") == {"city": 1, "country": 1}
    details = copy.get("/annotationMetrics", params={"details": "true"})["details"]
    assert {one["_id"] for one in details["creators"]} == {f"imported:{VICTIM}"}
    assert copy.post("/annotations/_count_creators") == [{"createdBy": f"imported:{VICTIM}", "count": 2}]
    assert copy.post("/annotations/_count", params={"createdBy": [VICTIM]})["count"] == 0
    assert copy.post("/annotations/_count", params={"createdBy": [f"imported:{VICTIM}"]})["count"] == 2
    assert {one["createdBy"] for one in copy.get("/documents/a/_history")["people"]} == {f"imported:{VICTIM}"}


def test_work_after_the_import_is_credited_to_its_author(full: Corpus) -> None:
    copy = restored(full, export_project(full))
    made = copy.annotate("a", "city", 24, 26)
    assert (made["createdBy"], made.get("importedBy")) == ("root", None)
    assert copy.facet("createdBy") == {"imported:root": 1, "root": 1}


def test_users_can_read_imported_work_under_their_name(full: Corpus, as_user: Any, client: Any) -> None:
    """A team that restores its project can still read its own work (decision 0117)."""
    copy = restored(full, forged(export_project(full), VICTIM))
    reads = ("readProject:*", "seeDocuments")
    marie, paul = as_user(client, VICTIM, *reads), as_user(client, "paul", *reads)
    path = f"{copy.path}/documents/a"
    assert len(marie.get(path).json()["annotations"]) == 2
    assert paul.get(path).json()["annotations"] == []


def test_author_prefixes_do_not_accumulate_over_archives(full: Corpus) -> None:
    once = restored(full, export_project(full))
    twice = restored(once, export_project(once))
    assert {one["createdBy"] for one in everything(twice)} == {"root"}
    assert twice.facet("createdBy") == {"imported:root": 1}


def test_annotators_keep_their_names(full: Corpus) -> None:
    """The annotator's next run replaces its earlier suggestions; a user account of that name does not count as an
    annotator.
    """
    for author in ("crf", VICTIM):
        with unit_of_work(actor="", write=True) as unit:
            row = unit.session.query(Annotation).filter_by(project_id=full.project.id, text="Italy").one()
            row.created_by, row.creation_mode, row.status = author, "automatic", None
        copy = restored(full, export_project(full))
        with unit_of_work(actor="", write=False) as unit:
            found = unit.session.query(Annotation).filter_by(project_id=copy.project.id, text="Italy").one()
            assert found.created_by == ("crf" if author == "crf" else f"imported:{VICTIM}")


def test_documents_imported_with_an_author_name_their_importer(
    full: Corpus, make_project: Callable[..., Project]
) -> None:
    """A file can be forged as easily as an archive."""
    other = Corpus(full.caller, make_project(lang="en"), full.run_jobs)
    spans = [
        {"start": 0, "end": 4, "labelName": "city", "createdBy": VICTIM},
        {"start": 11, "end": 16, "labelName": "city", "createdBy": "root"},
        {"start": 18, "end": 22, "labelName": "city", "createdBy": "crf", "creationMode": "automatic"},
        {"start": 24, "end": 26, "labelName": "city", "createdBy": VICTIM, "creationMode": "automatic"},
    ]
    other.add(document("a", "Rome is in Italy. Oslo is not.") | {"annotations": spans, "createdBy": VICTIM})
    found = other.get("/documents/a")
    assert (found["createdBy"], found["importedBy"]) == (VICTIM, "root")
    told = [(one["createdBy"], one.get("importedBy")) for one in found["annotations"]]
    assert told == [(VICTIM, "root"), ("root", None), ("crf", None), (VICTIM, "root")]
    assert other.facet("createdBy") == {f"imported:{VICTIM}": 1, "root": 1, "crf": 1}
    again = other.add(*other.get("/documents"))
    assert again["result"] == {"unchanged": 1}
