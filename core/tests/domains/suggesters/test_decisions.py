"""S-042: what people decided about the proposals of each suggester."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document


def suggester(corpus: Corpus, label: str = "") -> str:
    name: str = corpus.post("/suggesters", json={"engine": "margin", "label": label})["name"]
    return name


def answer(corpus: Corpus, name: str, start: int, status: str, **more: Any) -> str:
    body = {"documentIdentifier": "d1", "labelName": "person", "start": start, "end": start + 1, "status": status}
    made = corpus.post("/annotations", json=body | {"properties": {"suggester": name}} | more)
    return str(made["identifier"])


def test_decisions_are_counted_for_each_suggester(corpus: Corpus) -> None:
    """S-042: accepted / (accepted + rejected); undone and deleted answers do not count."""
    corpus.add(document("d1", "Anna came to Paris on Monday.", ("Paris", "place")))
    corpus.post("/labels", json={"name": "person", "label": "Person"})
    first, second = suggester(corpus), suggester(corpus)
    assert corpus.get("/suggesters/_decisions") == [
        {"name": first, "accepted": 0, "rejected": 0},
        {"name": second, "accepted": 0, "rejected": 0},
    ]
    for start in range(3):
        answer(corpus, first, start, "OK")
    answer(corpus, first, 3, "KO")
    answer(corpus, second, 4, "KO")
    answer(corpus, "nothing", 5, "OK")
    corpus.annotate("d1", "person", 6, 7)
    expected = {"name": first, "accepted": 3, "rejected": 1, "acceptanceRate": 0.75}
    assert corpus.get("/suggesters/_decisions") == [
        expected,
        {"name": second, "accepted": 0, "rejected": 1, "acceptanceRate": 0.0},
    ]
    answer(corpus, first, 8, "OK")
    corpus.post("/documents/d1/_history/_undo")
    assert corpus.get("/suggesters/_decisions")[0] == expected
    identifier = answer(corpus, first, 9, "OK")
    assert corpus.get("/suggesters/_decisions")[0]["accepted"] == 4
    corpus.patch(f"/annotations/{identifier}", json={"status": "KO"})
    assert corpus.get("/suggesters/_decisions")[0]["acceptanceRate"] == 0.6, "who changes an answer decides anew"


def test_decisions_about_categories(topics: Corpus) -> None:
    topics.add(document("d1", "A text."), document("d2", "Another."), segmentationPolicy="no_segmentation")
    topics.post("/labels", json={"name": "sport", "label": "Sport"})
    name: str = topics.post("/suggesters", json={"engine": "margin_categories"})["name"]
    for identifier, status in (("d1", "OK"), ("d2", "KO")):
        body = {"documentIdentifier": identifier, "labelName": "sport", "status": status}
        topics.post("/categories", json=body | {"properties": {"suggester": name}})
    assert topics.get("/suggesters/_decisions") == [{"name": name, "accepted": 1, "rejected": 1, "acceptanceRate": 0.5}]


def test_decisions_do_not_pass_to_another_suggester_of_the_same_name(corpus: Corpus) -> None:
    corpus.add(document("d1", "Anna came.", ("Anna", "place")))
    corpus.post("/labels", json={"name": "person", "label": "Person"})
    name = suggester(corpus, "Mine")
    answer(corpus, name, 0, "OK")
    corpus.delete(f"/suggesters/{name}")
    assert suggester(corpus, "Mine") == name
    assert corpus.get("/suggesters/_decisions") == [{"name": name, "accepted": 0, "rejected": 0}]


def test_decisions_are_counted_as_far_as_one_may_read(corpus: Corpus, client: Any, as_user: Any) -> None:
    corpus.add(document("d1", "Anna came.", ("Anna", "place")))
    corpus.post("/labels", json={"name": "person", "label": "Person"})
    name = suggester(corpus)
    answer(corpus, name, 0, "OK")
    path, right = f"{corpus.path}/suggesters/_decisions", f"readProject:{corpus.project.name}"
    assert client.get(path).status_code == 401
    assert as_user(client, "sven").get(path).status_code == 404
    manager = as_user(client, "max", right, "readUserAnnot:*", "readModeAnnot:all")
    assert manager.get(path).json()[0]["accepted"] == 1
    assert as_user(client, "own", right).get(path).json()[0]["accepted"] == 0


def test_the_learner_of_a_suggester_and_its_parameters_are_checked(corpus: Corpus, client: Any, as_user: Any) -> None:
    """S-042: the form of the chosen learner is drawn, so its faults belong to its fields."""
    faults = (
        ({"learner": "nothing"}, "learner"),
        ({"learner_parameters": {"iterations": -1}}, "learner_parameters.iterations"),
        ({"learner_parameters": {"colour": "red"}}, "learner_parameters.colour"),
    )
    name = suggester(corpus)
    for parameters, field in faults:
        refused = corpus.post("/suggesters", 400, json={"engine": "margin", "parameters": parameters})
        assert [one["field"] for one in refused["details"]] == [field]
        refused = corpus.patch(f"/suggesters/{name}", 400, json={"parameters": parameters})
        assert [one["field"] for one in refused["details"]] == [field]
    assert [one["name"] for one in corpus.get("/suggesters")] == [name]
    rights = (f"writeProject:{corpus.project.name}", "seeSuggestersSettings", "useEngine:margin")
    limited = as_user(client, "lim", *rights)
    assert limited.post(f"{corpus.path}/suggesters", json={"engine": "margin"}).status_code == 403
    schema = corpus.get("/engine_parameters", params={"type": "suggester", "engine": "margin"})["properties"]
    assert schema["learner"]["x-widget"] == "learner"
    assert schema["learner_parameters"]["x-parameters-of"] == "learner"
