"""entity-fishing, against a local server of the tests that implements its published format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.entity_fishing_server import VARIABLE, EntityFishingServer, entity_fishing_server

from annotarium_engines.annotators import entity_fishing, entity_fishing_client
from annotarium_engines.annotators.entity_fishing import EntityFishingAnnotator, EntityFishingParameters
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.testing import AnnotatorContract
from annotarium_schemas.documents import Annotation, Document


@pytest.fixture(scope="module")
def running() -> Iterator[EntityFishingServer]:
    with entity_fishing_server() as state:
        yield state


@pytest.fixture(autouse=True)
def server(running: EntityFishingServer, monkeypatch: pytest.MonkeyPatch) -> EntityFishingServer:
    """The configured server, as new."""
    monkeypatch.setenv(VARIABLE, running.address)
    fresh = EntityFishingServer()
    running.asked, running.answer, running.unit, running.score = [], None, fresh.unit, fresh.score
    return running


def annotate(text: str, language: str = "en", **parameters: Any) -> list[Annotation]:
    component = EntityFishingAnnotator(EntityFishingParameters(**parameters))
    (done,) = component.annotate([Document(text=text)], language)
    return done.annotations


class TestEntityFishing(AnnotatorContract):
    component = EntityFishingAnnotator

    def documents(self) -> list[Document]:
        return [*super().documents(), Document(identifier="known", text="\U0001f600 Ada Lovelace saw Paris.")]


def test_entities_get_labels_scores_and_wikidata_identifiers() -> None:
    text = "\U0001f600\U0001f600 Ada Lovelace takes aspirin in Paris and learns algebra."
    found = annotate(text, defaultLabel="concept")
    assert [(one.text, one.label_name, one.score) for one in found] == [
        ("Ada Lovelace", "person", 0.75),
        ("aspirin", "drug", 0.75),
        ("Paris", "location", 0.75),
        ("algebra", "concept", 0.75),
    ]
    assert all(text[one.start : one.end] == one.text for one in found)
    assert next((term.lexicon, term.identifier) for one in found for term in one.terms or ()) == ("wikidata", "Q7259")
    assert [one.text for one in annotate(text)] == ["Ada Lovelace", "aspirin", "Paris"]


def test_requests_contain_text_language_and_minimum_score(server: EntityFishingServer) -> None:
    annotate("A Paris", "fr", minSelectorScore=0.4)
    annotate("A Paris", "xx")
    first, second = server.asked
    assert (first["path"], first["text"]) == ("/base/service/disambiguate", "A Paris")
    assert first["language"] == {"lang": "fr"}
    assert (first["minSelectorScore"], "language" in second, second["minSelectorScore"]) == (0.4, False, 0.1)


def test_no_request_for_a_text_that_the_server_refuses_as_too_short(server: EntityFishingServer) -> None:
    assert annotate(" \n ") == annotate("Paris") == annotate("  Paris   ") == []
    assert server.asked == []
    assert [one.text for one in annotate("Paris!")] == ["Paris"]


ASTRAL = "\U0001f600\U0001f469\u200d\U0001f469 Ada Lovelace \U00020000 saw Paris, \U0001f600, then Paris."


@pytest.mark.parametrize("unit", ["utf-16", "characters"])
def test_offsets_are_read_in_the_unit_in_which_the_server_counts(server: EntityFishingServer, unit: str) -> None:
    """Its documentation says characters, its implementation counts UTF-16 code units."""
    server.unit = unit
    found = annotate(ASTRAL)
    assert [(one.start, one.text) for one in found] == [
        (ASTRAL.index("Ada"), "Ada Lovelace"),
        (ASTRAL.index("Paris"), "Paris"),
        (ASTRAL.rindex("Paris"), "Paris"),
    ]
    assert all(ASTRAL[one.start : one.end] == one.text for one in found)


def test_a_range_that_cuts_a_character_is_refused(server: EntityFishingServer) -> None:
    entity = {"rawName": "\U0001f600", "offsetStart": 1, "offsetEnd": 3}
    server.answer = (200, json.dumps({"entities": [entity]}).encode())
    with pytest.raises(ComponentError, match="not in the text"):
        annotate("\U0001f600\U0001f600 Paris")


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ({"nerd_score": "0.54", "nerd_selection_score": "0.87"}, 0.87),  # as in the documentation's examples
        ({"confidence_score": 1.5}, 1.0),
        ({"confidence_score": "high", "nerd_score": 0.5}, 0.5),
        ({}, None),
    ],
)
def test_scores_are_numbers_or_texts(server: EntityFishingServer, said: dict[str, Any], score: float | None) -> None:
    server.score = said
    assert [one.score for one in annotate("In Paris.")] == [score]


def test_a_language_that_the_server_does_not_read_is_the_cause(server: EntityFishingServer) -> None:
    server.answer = (406, b"")
    with pytest.raises(ComponentError) as refused:
        annotate("In Paris.", "ja")
    assert "language" in str(refused.value.cause)


def test_an_answer_is_limited_in_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entity_fishing_client, "_MOST_BYTES", 10)
    with pytest.raises(ComponentError, match="cannot be read"):
        annotate("In Paris.")


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["Paris", "\U0001f468\u200d\U0001f469", "e\u0301", "\u0627\u0644", "\n", '"', "\\"])))
def test_offsets_are_code_points(pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = annotate(text)
    assert all(one.text == text[one.start : one.end] == "Paris" for one in found)
    assert len(found) == (pieces.count("Paris") if len(text.strip()) > 5 else 0)


def test_a_long_text_is_sent_in_windows(server: EntityFishingServer, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Paris was \U0001f600 fine.\n" * 20
    whole = annotate(text)
    monkeypatch.setattr(entity_fishing, "_MAX_WINDOW", 60)
    assert annotate(text) == whole
    assert len(server.asked) > 5


@pytest.mark.parametrize(
    "answer",
    [
        (503, b""),
        (302, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, json.dumps({"entities": [{"rawName": "Rome", "offsetStart": 0, "offsetEnd": 4}]}).encode()),
        (200, json.dumps({"entities": [{"rawName": "Paris", "offsetStart": 0, "offsetEnd": 900}]}).encode()),
    ],
)
def test_a_failing_server_is_reported_and_redirects_are_not_followed(
    server: EntityFishingServer, answer: tuple[int, bytes]
) -> None:
    server.answer = answer
    with pytest.raises(ComponentError):
        annotate("Paris.")


def test_no_request_without_a_configured_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("", "file:///etc/passwd", "ftp://example.org"):
        monkeypatch.setenv(VARIABLE, wrong)
        assert EntityFishingAnnotator.missing_setting() == VARIABLE
        with pytest.raises(ComponentError, match="no entity-fishing server"):
            annotate("Paris.")
