"""C-074: the suggester EntityFishing, against a local server of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import pytest
from support.entity_fishing_server import VARIABLE, EntityFishingServer, entity_fishing_server

from annotarium_engines.suggesters.entity_fishing_suggester import EntityFishingSuggester
from annotarium_plugins.base.suggester import Suggestion
from annotarium_plugins.testing import UntrainedSuggesterContract
from annotarium_schemas.documents import Document

LABELS = ("person", "location", "concept")


@pytest.fixture(scope="module", autouse=True)
def server() -> Iterator[EntityFishingServer]:
    with entity_fishing_server() as state, pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, state.address)
        yield state


def build(**parameters: Any) -> EntityFishingSuggester:
    return EntityFishingSuggester(EntityFishingSuggester.parameters_model.model_validate(parameters))


def suggest(text: str, **parameters: Any) -> list[Suggestion]:
    suggester = build(**parameters)
    return list(suggester.suggest(suggester.find_candidates([Document(text=text)], "en"), labels=LABELS))


class TestEntityFishingSuggester(UntrainedSuggesterContract):
    component = EntityFishingSuggester

    segments: ClassVar = (
        Document(identifier="none", text="Nothing here."),
        Document(identifier="short", text="Ada"),
        Document(identifier="known", text="\U0001f600 Ada Lovelace saw Paris."),
        Document(identifier="last", text="In Paris again."),
    )


def test_the_published_defaults(server: EntityFishingServer) -> None:
    """C-074: minSelectorScore 0.1."""
    assert build().parameters.minSelectorScore == 0.1
    suggest("In Paris.")
    assert server.asked[-1]["minSelectorScore"] == 0.1


def test_only_labels_of_the_project_are_proposed() -> None:
    text = "\U0001f600 Ada Lovelace takes aspirin in Paris and learns algebra."
    (one,) = suggest(text)
    assert [(item.text, item.label_name) for item in one.annotations] == [
        ("Ada Lovelace", "person"),
        ("Paris", "location"),
    ]
    (one,) = suggest(text, defaultLabel="concept", labels=[])
    assert [item.label_name for item in one.annotations] == ["concept"] * 4
    assert suggest("Take aspirin.") == [], "the project has no label for it"


def test_what_the_server_is_undecided_about_comes_first(server: EntityFishingServer) -> None:
    found = []
    for score in (0.5, 0.75, 1.0):
        server.score = {"confidence_score": score}
        (one,) = suggest("In Paris.")
        found.append((one.confidence, one.priority))
    server.score = {}
    (one,) = suggest("In Paris.", minSelectorScore=0.3)
    server.score = {"confidence_score": 0.75}
    assert found == [(0.5, 1.0), (0.75, 0.5), (1.0, 0.0)]
    assert one.confidence == 0.3, "without a score: it has passed the threshold"


def test_it_lacks_its_setting_without_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    assert EntityFishingSuggester.missing_setting() == ""
    monkeypatch.delenv(VARIABLE)
    assert EntityFishingSuggester.missing_setting() == VARIABLE
