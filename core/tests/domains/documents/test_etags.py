"""Reading a document: every stored part is in the response, and an unchanged document is not sent again."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")

TEXT = "Zoë met 🙂 Ann. They talked."
SPAN = {"start": 0, "end": 14, "text": TEXT[:14], "labelName": "pair", "status": "OK", "creationMode": "manual"}
PARTS = {"fragments": [[0, 3], [10, 13]], "properties": {"why": ["é", {"n": 1.5}], "none": None}, "score": 0.25}
TERMS = [{"lexicon": "people", "identifier": "zoe", "properties": {"rank": 1}}]
GIVEN = {
    "identifier": "a/b",
    "title": "A",
    "text": TEXT,
    "metadata": {"year": 2026, "tags": ["x", "y"]},
    "sentences": [{"start": 0, "end": 15, "metadata": {"page": 3}}, {"start": 15, "end": len(TEXT)}],
    "annotations": [
        {"start": 15, "end": 19, "text": TEXT[15:19], "labelName": "pair", "status": "KO"},
        SPAN | PARTS | {"terms": TERMS, "end": 13, "text": TEXT[:13]},
        {"start": 0, "end": 3, "text": TEXT[:3], "labelName": "pair", "creationMode": "automatic"},
    ],
    "categories": [
        {"labelName": "topic", "status": "OK"},
        {"labelName": "topic", "start": 15, "end": len(TEXT)},
    ],
    "altTexts": [{"name": "en", "text": "Zoe met Ann."}],
}


@pytest.fixture
def place(client: Any, as_user: Any) -> tuple[Any, str]:
    """Marie and the path of her document."""
    marie = as_user(client, "marie", "ProjectManager")
    project = marie.post("/api/projects", json={"label": "Answers"}).json()["projectName"]
    path = f"/api/projects/{project}/documents"
    job = marie.post(f"{path}/_import_documents?wait=true", content=json.dumps([GIVEN]).encode()).json()
    assert job["status"] == "COMPLETED", job
    return marie, f"{path}/a%2Fb"


def test_every_stored_part_is_returned(place: tuple[Any, str]) -> None:
    """JSON columns, absent values, order by position."""
    marie, path = place
    document = marie.get(path).json()
    assert {key: document[key] for key in ("identifier", "title", "text", "metadata", "altTexts")} == {
        key: GIVEN[key] for key in ("identifier", "title", "text", "metadata", "altTexts")
    }
    short, pair, other = document["annotations"]
    assert (short["start"], short["end"], short["creationMode"]) == (0, 3, "automatic")
    assert not {"status", "score", "properties", "terms", "fragments"} & short.keys()
    assert {key: pair[key] for key in PARTS} == PARTS
    assert pair["fragmentsText"] == ["Zoë", "Ann"]
    assert pair["terms"][0]["lexicon"] == "people"
    assert (other["start"], other["status"]) == (15, "KO")
    assert document["sentences"][0]["metadata"] == {"page": 3}
    assert "metadata" not in document["sentences"][1]
    assert [one["labelName"] for one in document["sentences"][1]["categories"]] == ["topic"]
    assert [("start" in one, one["status"]) for one in document["categories"]] == [(False, "OK")]


def test_an_unchanged_document_is_not_sent_again(place: tuple[Any, str]) -> None:
    """An ETag identifies the document as the caller sees it; any change gives another."""
    marie, path = place
    first = marie.get(path)
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "private, no-cache"
    assert first.headers["content-type"] == "application/json"
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = marie.get(path, headers={"if-none-match": known})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert marie.get(path, headers={"if-none-match": '"other"'}).json() == first.json()
    annotation = first.json()["annotations"][0]
    project = path.rsplit("/documents/", 1)[0]
    changed = marie.patch(f"{project}/annotations/{annotation['identifier']}", json={"status": "OK"})
    assert changed.status_code == 200
    after = marie.get(path, headers={"if-none-match": tag})
    assert after.status_code == 200
    assert after.headers["etag"] != tag
    assert after.json()["annotations"][0]["status"] == "OK"


def test_an_etag_grants_no_access(place: tuple[Any, str], as_user: Any, client: Any) -> None:
    """A caller who may not read the document does not learn whether it changed."""
    marie, path = place
    tag = marie.get(path).headers["etag"]
    paul = as_user(client, "paul", "Reader")
    assert paul.get(path, headers={"if-none-match": tag}).status_code == 404
    assert paul.get(path, headers={"if-none-match": "*"}).status_code == 404
    client.cookies.clear()
    assert client.get(path, headers={"if-none-match": tag}).status_code == 401
