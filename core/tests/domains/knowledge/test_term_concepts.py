"""Concepts from the lexicons of a project and from a configured server."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus

from annotarium.domains.knowledge import host
from annotarium.domains.knowledge.host import concept_from_json, fetch_concept
from annotarium.settings import get_settings

ADDRESS = "/api/service/kb/concept/"
ASTHMA = {
    "identifier": "D1",
    "preferredForm": "asthma",
    "properties": {
        "forms": [
            {"form": "asthma", "language": "en", "type": "preferred"},
            {"form": "asthme", "language": "fr", "type": "preferred"},
        ],
        "definitions": [{"text": "A disease.", "language": "en"}, {"text": "Une maladie.", "language": "fr"}],
        "broader": ["D0"],
        "wikidataId": "Q35869",
    },
}


@pytest.fixture
def lexicon(corpus: Corpus) -> Corpus:
    name = corpus.post("/lexicons", json={"label": "Diseases"})["name"]
    for body in ({"identifier": "D0", "preferredForm": "lung disease"}, ASTHMA):
        corpus.post(f"/lexicons/{name}", json=body)
    return corpus


def test_a_term_is_a_concept(lexicon: Corpus, as_user: Any, client: Any) -> None:
    """W-021: in the language of the document; broader terms have their form; by identifier with or without lexicon."""
    for reference in ("D1", "diseases:D1"):
        asked = {"lang": "fr", "project": lexicon.project.name}
        body = lexicon.caller.get(f"{ADDRESS}{reference}", params=asked).json()
        assert (body["preferredTerm"], body["definitions"]) == ("asthme", [{"definition": "Une maladie."}])
        assert {"propertyName": "broader", "value": "lung disease", "isWikidataId": False} in body["statements"]
        assert {"propertyName": "wikidataId", "value": "Q35869", "isWikidataId": True} in body["statements"]
        assert body["multilingual"] == [{"lang": "en", "term": "asthma"}, {"lang": "fr", "term": "asthme"}]
    assert lexicon.caller.get(f"{ADDRESS}D1").status_code == 404, "without a project"
    stranger = as_user(client, "stranger")
    assert stranger.get(f"{ADDRESS}D1", params={"project": lexicon.project.name}).status_code == 404


def test_no_server_is_contacted_in_air_gapped_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor for a reference that is not an identifier: nothing that a request contains may become part of an address."""
    sent: list[Any] = []
    monkeypatch.setattr(host, "build_opener", lambda *given: sent.append(given))
    monkeypatch.setattr(get_settings(), "knowledge_host", "http://127.0.0.1:9")
    monkeypatch.setattr(get_settings(), "air_gapped", True)
    assert fetch_concept("Q1", "en") is None
    monkeypatch.setattr(get_settings(), "air_gapped", False)
    for wrong in ("../admin", "Q1?x=1", "Q1/..", "", "Q" + "1" * 30):
        assert fetch_concept(wrong, "en") is None
    assert sent == []


def test_a_server_that_does_not_respond_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "knowledge_host", "http://127.0.0.1:9")
    assert fetch_concept("Q1", "en") is None


@pytest.mark.parametrize("wrong", [None, [], {}, {"preferredTerm": 5}, {"definitions": [{"definition": "x"}]}])
def test_an_invalid_response_is_no_concept(wrong: Any) -> None:
    assert concept_from_json("Q1", wrong) is None


def test_parts_of_a_response_that_are_invalid_are_left_out() -> None:
    given = {
        "preferredTerm": "Paris",
        "definitions": [{"definition": "A city"}, 5, {"definition": None}],
        "statements": [{"propertyName": "country", "value": "Q142"}, {"propertyName": "x", "value": {}}],
        "multilingual": [{"lang": "fr", "term": "Paris"}, {"lang": "de"}],
    }
    found = concept_from_json("Q90", given)
    assert found is not None
    assert [one.definition for one in found.definitions] == ["A city"]
    assert [(one.property_name, one.value, one.is_wikidata_id) for one in found.statements] == [
        ("country", "Q142", True)
    ]
    assert [one.lang for one in found.multilingual] == ["fr"]
