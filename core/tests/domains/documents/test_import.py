"""Imports at the border: what goes in, what the report says, what comes out."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager")


@pytest.fixture
def project(marie: Any) -> str:
    answer = marie.post("/api/projects", json={"label": "Essais", "lang": "en", "nature": "sequence_labelling"})
    assert answer.status_code == 200, answer.text
    return answer.json()["projectName"]


def load(caller: Any, project: str, documents: Any, **options: Any) -> dict[str, Any]:
    path = f"/api/projects/{project}/documents/_import_documents"
    answer = caller.post(path, json=documents, params={"wait": "true", **options})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_import_and_read(marie: Any, project: str) -> None:
    job = load(
        marie,
        project,
        [
            {
                "identifier": "a",
                "title": "A",
                "text": "Paris is big. Marie sleeps.",
                "annotations": [{"start": 0, "end": 5, "text": "Paris", "label": "Place"}],
            }
        ],
    )
    assert job["status"] == "COMPLETED", job
    assert job["type"] == "DOC_IMPORT"
    document = marie.get(f"/api/projects/{project}/documents/a").json()
    assert document["text"] == "Paris is big. Marie sleeps."
    assert [(one["labelName"], one["text"]) for one in document["annotations"]] == [("place", "Paris")]
    assert [(one["start"], one["end"]) for one in document["sentences"]] == [(0, 13), (14, 27)]
