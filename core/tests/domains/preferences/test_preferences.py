"""Preferences of a user for a project: stored per user, the same on every machine, for readable projects only."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus


def test_preferences_are_stored_per_user_and_project(
    corpus: Corpus, make_project: Any, as_user: Any, client: Any
) -> None:
    """Anonymous, forbidden, valid."""
    path = f"{corpus.path}/_preferences"
    assert client.get(path).status_code == 401
    assert client.patch(path, json={}).status_code == 401
    assert corpus.get("/_preferences") == {}
    assert corpus.patch("/_preferences", json={"hotkeys": {"person": "p", "place": "é"}})["hotkeys"]["place"] == "é"
    assert corpus.patch("/_preferences", json={}) == corpus.get("/_preferences")
    reader = as_user(client, "rene", "Reader", f"readProject:{corpus.project.name}")
    assert reader.get(path).json() == {}
    assert reader.patch(path, json={"hotkeys": {"person": "x"}}).json() == {"hotkeys": {"person": "x"}}
    stranger = as_user(client, "sven", "Reader")
    assert stranger.get(path).status_code == 404
    assert stranger.patch(path, json={}).status_code == 404
    other = Corpus(corpus.caller, make_project(lang="en"), corpus.run_jobs)
    assert other.get("/_preferences") == {}
    assert corpus.get("/_preferences") == {"hotkeys": {"person": "p", "place": "é"}}


def test_a_preference_is_replaced_as_a_whole_and_deleted_by_null(corpus: Corpus) -> None:
    corpus.patch("/_preferences", json={"hotkeys": {"person": "p", "place": "l"}})
    assert corpus.patch("/_preferences", json={"hotkeys": {"place": "p"}}) == {"hotkeys": {"place": "p"}}
    assert corpus.patch("/_preferences", json={"hotkeys": {}}) == {"hotkeys": {}}
    assert corpus.patch("/_preferences", json={"hotkeys": None}) == {}


def test_text_display_is_stored_with_the_hotkeys(corpus: Corpus) -> None:
    """S-011: formatted or plain, the same on every machine."""
    corpus.patch("/_preferences", json={"hotkeys": {"person": "p"}})
    assert corpus.patch("/_preferences", json={"textLook": "formatted"})["textLook"] == "formatted"
    assert corpus.get("/_preferences") == {"hotkeys": {"person": "p"}, "textLook": "formatted"}
    assert corpus.patch("/_preferences", json={"textLook": "plain"})["textLook"] == "plain"
    assert corpus.patch("/_preferences", json={"textLook": None}) == {"hotkeys": {"person": "p"}}


def test_invalid_preferences_are_refused_with_their_field(corpus: Corpus) -> None:
    for wrong in (
        {"hotkeys": {"person": ""}},
        {"hotkeys": {"person": "x" * 17}},
        {"hotkeys": ["p"]},
        {"colour": {}},
        {"textLook": "x"},
    ):
        answer = corpus.patch("/_preferences", 400, json=wrong)
        assert next(iter(wrong)) in str(answer["details"]), answer
    assert corpus.get("/_preferences") == {}
