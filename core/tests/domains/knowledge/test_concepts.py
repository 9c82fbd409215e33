"""The local knowledge base: loaded from a file, described in a language, empty responses where there is none."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from annotarium.domains.knowledge.service import load_concepts
from annotarium.server.commands import app as command

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PARIS = {
    "id": "Q90",
    "page": "22989",
    "terms": {"en": "Paris", "fr": "Paris", "ar": "باريس"},
    "definitions": {"en": ["Capital of France 🗼"], "fr": ["Capitale de la France"]},
    "statements": [
        {"property": {"en": "country", "fr": "pays"}, "value": "Q142"},
        {"property": {"en": "demonym"}, "value": {"en": "Parisian", "fr": "Parisien"}},
        {"property": {"en": "arrondissements"}, "value": 20},
    ],
    "image": base64.b64encode(PNG).decode(),
}
FRANCE = {"id": "Q142", "terms": {"fr": "France"}}
ADDRESS = "/api/service/kb/concept/"


def load(folder: Path, *lines: Any, replace: bool = False) -> list[str]:
    file = folder / "concepts.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), encoding="utf-8")
    return list(load_concepts(file, replace=replace))


@pytest.fixture(autouse=True)
def _clear_knowledge_base(client: Any, tmp_path: Path) -> None:
    load(tmp_path, replace=True)


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie")


def test_a_concept_is_returned_in_the_language_of_the_document(marie: Any, tmp_path: Path) -> None:
    """W-021: definition, statements with names or numbers of other items, picture; by item and by page."""
    load(tmp_path, PARIS, FRANCE)
    for reference in ("Q90", "22989"):
        body = marie.get(f"{ADDRESS}{reference}", params={"lang": "fr-CA"}).json()
        assert body["identifier"] == "Q90"
        assert body["preferredTerm"] == "Paris"
        assert body["definitions"] == [{"definition": "Capitale de la France"}]
        assert body["statements"] == [
            {"propertyName": "pays", "value": "Q142", "isWikidataId": True},
            {"propertyName": "demonym", "value": "Parisien", "isWikidataId": False},
            {"propertyName": "arrondissements", "value": 20, "isWikidataId": False},
        ]
        assert {"lang": "ar", "term": "باريس"} in body["multilingual"]
    picture = marie.get(f"/api{body['image']}")
    assert (picture.content, picture.headers["content-type"]) == (PNG, "image/png")
    assert (
        marie.get(f"{ADDRESS}Q90", params={"lang": "de"}).json()["definitions"][0]["definition"].startswith("Capital ")
    )
    assert marie.get(f"{ADDRESS}Q142", params={"lang": "en"}).json()["preferredTerm"] == "France"
    assert marie.get(f"{ADDRESS}Q142/image").status_code == 404


def test_without_a_knowledge_base_the_response_is_empty(marie: Any, client: Any, tmp_path: Path) -> None:
    answer = marie.get(f"{ADDRESS}Q90")
    assert answer.status_code == 404
    assert answer.json()["message"] == "There is no knowledge base on this server"
    assert "annotarium knowledge load" in answer.json()["fix"]
    assert client.get("/api/ui-config").json()["annotationDetails"] == {"entityFishing": False, "wikipediaImage": False}
    load(tmp_path, FRANCE)
    assert client.get("/api/ui-config").json()["annotationDetails"] == {"entityFishing": True, "wikipediaImage": False}
    assert marie.get(f"{ADDRESS}Q90").json()["message"] == "The knowledge base does not contain Q90"
    load(tmp_path, PARIS)
    assert client.get("/api/ui-config").json()["annotationDetails"] == {"entityFishing": True, "wikipediaImage": True}


@pytest.mark.parametrize("path", ["Q90", "Q90/image"])
def test_concepts_require_sign_in(client: Any, tmp_path: Path, path: str) -> None:
    load(tmp_path, PARIS)
    assert client.get(f"{ADDRESS}{path}").status_code == 401


def test_invalid_lines_are_reported_and_valid_ones_loaded(marie: Any, tmp_path: Path) -> None:
    svg = base64.b64encode(b"<svg onload='alert(1)'/>").decode()
    wrong = [
        "{",
        {"id": "Q1"},
        {"id": "a/b", "terms": {"en": "x"}},
        {"id": "Q2", "terms": {"en": "x"}, "image": svg},
        {"id": "Q3", "terms": {"en": "x\x00"}},
        {"id": "Q4", "terms": {"en": "x"}, "surprise": 1},
    ]
    said = load(tmp_path, *wrong, PARIS)
    assert [one.split(" was")[0] for one in said[:-1]] == [f"Line {number}" for number in range(1, 7)]
    assert said[-1] == "1 concepts loaded, 6 lines left out; 1 are known now"
    assert marie.get(f"{ADDRESS}Q90").status_code == 200
    assert load(tmp_path, PARIS | {"terms": {"en": "Lutetia"}}, FRANCE)[-1].endswith("2 are known now")
    assert marie.get(f"{ADDRESS}Q90").json()["preferredTerm"] == "Lutetia"
    assert load(tmp_path, FRANCE, replace=True) == ["1 concepts loaded, 0 lines left out; 1 are known now"]


def test_command_loads_a_knowledge_base(client: Any, data_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "concepts.jsonl"
    file.write_text(json.dumps(PARIS), encoding="utf-8")
    done = CliRunner().invoke(command, ["knowledge", "load", str(file), "--data", str(data_folder)])
    assert (done.exit_code, done.output) == (0, "1 concepts loaded, 0 lines left out; 1 are known now\n")
