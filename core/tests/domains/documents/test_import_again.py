"""Importing an export again changes nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

pytestmark = pytest.mark.parametrize("database_kind", ["sqlite", "postgresql"], indirect=True, scope="module")

TEXT = "# Head\n\nZoë met 🙂 **Ann**. They talked.\n\n- one\n- two\n"
GIVEN = [
    {
        "identifier": "all",
        "title": "",
        "text": TEXT,
        "metadata": {"year": 2026, "tags": ["b", "a"]},
        "annotations": [
            {"identifier": "2", "start": 20, "end": 23, "text": "Ann", "label": "Some Person", "score": 0.5},
            {"identifier": "1", "start": 8, "end": 23, "label": "Pair", "labelName": "pair", "status": "OK"}
            | {"fragments": [[8, 11], [20, 23]], "properties": {"b": 1, "a": [True]}},
            {"identifier": "3", "start": 8, "end": 11, "label": "Some Person", "creationMode": "automatic"},
        ],
        "relations": [{"name": "knows", "source": "3", "target": "2", "properties": {"since": 1}}],
        "categories": [{"label": "Meeting"}, {"label": "A Talk", "status": "KO"}],
        "altTexts": [{"name": "fr", "text": "Zoé"}, {"name": "en", "text": "Zoe"}],
    },
    {"identifier": "plain", "title": "Plain", "text": "Nothing here. At all."},
]


class Place:
    """A project of Marie's."""

    def __init__(self, marie: Any, project: str) -> None:
        self.marie, self.path = marie, f"/api/projects/{project}"

    def load(self, documents: list[dict[str, Any]]) -> str:
        """Import the documents; returns the status message of the job."""
        job = self.marie.post(
            f"{self.path}/documents/_import_documents?wait=true", content=json.dumps(documents)
        ).json()
        assert job["status"] == "COMPLETED", job
        words: str = job["statusMessage"]
        return words

    def export(self) -> list[dict[str, Any]]:
        """All documents."""
        found: list[dict[str, Any]] = self.marie.get(f"{self.path}/documents").json()
        return found


@pytest.fixture
def place(client: Any, as_user: Any) -> Place:
    """An empty project."""
    marie = as_user(client, "marie", "ProjectManager")
    return Place(marie, marie.post("/api/projects", json={"label": "Again", "lang": "en"}).json()["projectName"])


@pytest.mark.parametrize("markdown", [False, True])
def test_importing_an_export_changes_nothing(place: Place, markdown: bool) -> None:
    """Markdown texts are exported with the layout that follows from them."""
    if markdown:
        place.marie.patch(f"{place.path}/config", json={"markdownContent": True})
    assert place.load(GIVEN) == "2 imported of 2 received"
    before = place.export()
    assert [bool(one.get("layout")) for one in before] == [markdown, False]
    assert place.load(before) == "0 imported, 2 unchanged of 2 received"
    assert place.export() == before


def test_importing_an_export_with_user_annotations_changes_nothing(place: Place) -> None:
    """The export contains the users' annotations, so importing it again is no change to the document."""
    place.load(GIVEN)
    span = {"documentIdentifier": "plain", "labelName": "pair", "start": 0, "end": 7, "text": "Nothing", "status": "OK"}
    assert place.marie.post(f"{place.path}/annotations", json=span).status_code == 200
    out = place.export()
    assert place.load(out) == "0 imported, 2 unchanged of 2 received"
    assert place.load(GIVEN) == "0 imported, 2 unchanged of 2 received"
    assert place.export() == out
    out[1]["annotations"][0]["status"] = "KO"
    assert place.load(out) == "0 imported, 1 unchanged, 1 refused of 2 received"


def _set(*path: Any) -> Callable[[dict[str, Any]], None]:
    *way, last, value = path

    def change(document: dict[str, Any]) -> None:
        for step in way:
            document = document[step]
        document[last] = value

    return change


CHANGES: dict[str, Callable[[dict[str, Any]], None]] = {
    "title": _set("title", "Other"),
    "text": _set("text", TEXT + "more"),
    "metadata": _set("metadata", "year", "2026"),
    "order of a list": _set("metadata", "tags", ["a", "b"]),
    "reviewed": _set("reviewed", False),
    "label": _set("annotations", 0, "labelName", "other"),
    "status": _set("annotations", 0, "status", "KO"),
    "score": _set("annotations", 2, "score", 0.25),
    "mode": _set("annotations", 0, "creationMode", "manual"),
    "properties": _set("annotations", 1, "properties", {"b": True, "a": [True]}),
    "pieces": lambda document: document["annotations"][1].pop("fragments"),
    "an annotation less": lambda document: document["annotations"].pop(0) and document.pop("relations"),
    "an annotation twice": lambda document: document["annotations"].append(
        document["annotations"][0] | {"identifier": "9"}
    ),
    "category": lambda document: document["categories"].pop(),
    "sentence": lambda document: document["sentences"].pop(),
    "alternative text": _set("altTexts", 0, "text", "Zo"),
    "name of a relation": _set("relations", 0, "name", "met"),
    "relation turned round": lambda document: document["relations"][0].update(
        source=document["relations"][0]["target"], target=document["relations"][0]["source"]
    ),
    "a relation less": lambda document: document.pop("relations"),
    "layout": _set("layout", [{"kind": "strong", "start": 0, "end": 3}]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_any_changed_value_replaces_the_document(place: Place, change: Callable[[dict[str, Any]], None]) -> None:
    """One value changed in an export: that document is replaced, the other one stays."""
    place.load(GIVEN)
    out = place.export()
    changed = deepcopy(out)
    change(changed[0])
    assert json.dumps(changed) != json.dumps(out)
    assert place.load(changed) == "0 imported, 1 replaced, 1 unchanged of 2 received"
