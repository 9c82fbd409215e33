"""Export and import archives in tests: `from support.project_archives import export_project, import_project`."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus


def export_project(corpus: Corpus, **parameters: Any) -> bytes:
    answer = corpus.caller.get(f"{corpus.path}/_export", params=parameters)
    assert answer.status_code == 200, answer.text
    assert f'filename="{corpus.project.name}.spa"' in answer.headers["content-disposition"]
    return bytes(answer.content)


def upload_archive(caller: Any, data: bytes, name: str = "archive.spa") -> str:
    answer = caller.post("/api/uploads", files={"file": (name, data)})
    assert answer.status_code == 200, answer.text
    return str(answer.json()[0]["id"])


def import_project(corpus: Corpus, data: bytes, **parameters: Any) -> tuple[str, dict[str, Any]]:
    """Import an archive; returns the name of the new project and the ended job."""
    body = {"id": upload_archive(corpus.caller, data), "filename": "archive.spa"}
    answer = corpus.caller.post("/api/projects/_load", json=body, params=parameters)
    assert answer.status_code == 200, answer.text
    started = answer.json()
    assert (started["type"], started["status"]) == ("PROJECT_RESTORATION", "STARTED")
    assert started["project"] == started["projectName"]
    corpus.run_jobs()
    return started["projectName"], corpus.caller.get(f"/api/jobs/{started['id']}").json()
