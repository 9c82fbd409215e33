"""A list of labels in one request: new ones, known ones, wrong ones, rights."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus

from annotarium.content.palette import PALETTE


def test_a_list_becomes_labels_with_colours_and_guidelines(corpus: Corpus) -> None:
    corpus.post("/labels", json={"label": "Person"})
    place = {"label": "Place", "guideline": "Towns, countries"}
    listed = [place, {"label": "person"}, {"label": "Ship", "color": "#112233"}]
    answer = corpus.post("/labels/_list", json={"labels": listed})
    assert [label["name"] for label in answer["created"]] == ["place", "ship"]
    assert [label["name"] for label in answer["known"]] == ["person"]
    found = {label["name"]: label for label in corpus.get("/labels")}
    assert list(found) == ["person", "place", "ship"]
    assert (found["place"]["color"], found["place"]["guideline"]) == (PALETTE[1], "Towns, countries")
    assert (found["ship"]["color"], found["person"]["label"]) == ("#112233", "Person")


def test_the_same_text_twice_in_a_list_is_one_label(corpus: Corpus) -> None:
    answer = corpus.post("/labels/_list", json={"labels": [{"label": "Ship"}, {"label": "ship"}]})
    assert (len(answer["created"]), len(answer["known"])) == (1, 1)


def test_a_list_goes_into_the_named_set(corpus: Corpus) -> None:
    corpus.post("/label_sets", json={"label": "Events"})
    answer = corpus.post("/labels/_list", json={"labels": [{"label": "Storm"}], "labelSetName": "events"})
    assert answer["created"][0]["labelSetName"] == "events"
    corpus.post("/labels/_list", 404, json={"labels": [{"label": "Fog"}], "labelSetName": "nowhere"})
    assert [label["name"] for label in corpus.get("/labels")] == ["storm"]


def test_a_wrong_label_refuses_the_whole_list(corpus: Corpus) -> None:
    """V-008: the text is required."""
    for wrong in ({"label": " "}, {"guideline": "no text"}, {"label": "Ship", "color": "blue"}):
        corpus.post("/labels/_list", 400, json={"labels": [{"label": "Port"}, wrong]})
    corpus.post("/labels/_list", 400, json={"labels": []})
    corpus.post("/labels/_list", 400, json={"labels": [{"label": f"Label {number}"} for number in range(301)]})
    assert corpus.get("/labels") == []


def test_who_may_not_write_labels_creates_no_list(corpus: Corpus, as_user: Any, client: Any) -> None:
    body = {"labels": [{"label": "Ship"}]}
    assert client.post(f"{corpus.path}/labels/_list", json=body).status_code == 401
    stranger = as_user(client, "nora", "Annotator")
    assert stranger.post(f"{corpus.path}/labels/_list", json=body).status_code == 404
    reader = as_user(client, "rita", "Reader", "readProject:*", "writeProject:*")
    assert reader.post(f"{corpus.path}/labels/_list", json=body).status_code == 403
