"""A project like another one: labels, sets, relation names, settings and plans, but no documents and no people."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document
from support.vocabularies import add_lexicon

PLAN = {"label": "Tidy", "parameters": {"pipeline": [{"processor": "consolidate", "parameters": {}}]}}


def _fill(corpus: Corpus) -> None:
    corpus.post("/label_sets", json={"label": "Events", "guideline": "What happens", "tags": ["draft"]})
    corpus.post("/labels", json={"label": "Person", "color": "#112233", "guideline": "People", "identifier": "Q5"})
    corpus.post("/labels", json={"label": "Storm", "labelSetName": "events"})
    corpus.post("/labels", json={"label": "Gone"})
    corpus.delete("/labels/gone")
    corpus.post("/relation_names", json={"name": "works for"})
    add_lexicon(corpus, "People")
    corpus.patch("/lexicons/people", json={"color": "#112233", "manualEditionAllowed": False})
    add_lexicon(corpus, "Gone")
    corpus.delete("/lexicons/gone")
    corpus.patch("/config", 204, json={"description": "The first", "metafacets": ["author"], "cleanHtml": True})
    corpus.patch("/_preferences", json={"hotkeys": {"person": "p"}})
    corpus.add(document("d1", "Anna met Bob.", ("Anna", "person")))


def _new(caller: Any, answer: dict[str, Any], path: str) -> Any:
    found = caller.get(f"/api/projects/{answer['projectName']}{path}")
    assert found.status_code == 200, found.text
    return found.json()


def test_the_new_project_has_all_but_documents(corpus: Corpus) -> None:
    _fill(corpus)
    answer = corpus.post("/_use_as_template", json={"label": "Second", "nature": "classification", "lang": "fr"})
    about = _new(corpus.caller, answer, "/_info?computeMetrics=true")
    assert (about["label"], about["nature"], about["lang"]) == ("Second", "sequence_labelling", "fr")
    assert (about["documents"], about["annotations"], about["cleanHtml"], about["description"]) == (0, 0, True, "")
    assert about["metafacets"] == corpus.get("/_info")["metafacets"]
    wanted = ("name", "label", "color", "labelSetName", "identifier", "guideline")
    labels = [[label.get(field) for field in wanted] for label in _new(corpus.caller, answer, "/labels")]
    assert labels == [[label.get(field) for field in wanted] for label in corpus.get("/labels")]
    assert [label[0] for label in labels] == ["person", "storm"]
    sets = {one["name"]: one for one in _new(corpus.caller, answer, "/label_sets")}
    assert (sets["events"]["guideline"], sets["events"]["tags"]) == ("What happens", ["draft"])
    assert [one["name"] for one in _new(corpus.caller, answer, "/relation_names")] == ["works for"]
    assert _new(corpus.caller, answer, "/_preferences")["hotkeys"] == {"person": "p"}
    assert (answer["labels"], answer["lexicons"]) == (2, 1)
    (lexicon,) = _new(corpus.caller, answer, "/lexicons?computeMetrics=true")
    assert (lexicon["name"], lexicon["label"], lexicon["color"]) == ("people", "People", "#112233")
    assert (lexicon["manualEditionAllowed"], lexicon["terms"]) == (False, 0)


def test_plans_come_along_unless_they_cannot_work_there(corpus: Corpus) -> None:
    _fill(corpus)
    corpus.post("/plans", json=PLAN)
    answer = corpus.post("/_use_as_template", json={"label": "Second"})
    assert (answer["plans"], answer["leftOutPlans"]) == (1, [])
    (plan,) = _new(corpus.caller, answer, "/plans")
    assert (plan["label"], plan["isActive"]) == ("Tidy", False)


def test_who_may_not_read_the_template_or_create_projects_gets_nothing(
    corpus: Corpus, as_user: Any, client: Any
) -> None:
    path, body = f"{corpus.path}/_use_as_template", {"label": "Second"}
    assert client.post(path, json=body).status_code == 401
    assert as_user(client, "nora", "ProjectManager").post(path, json=body).status_code == 404
    assert as_user(client, "rita", "Reader", "readProject:*").post(path, json=body).status_code == 403
    marie = as_user(client, "marie", "ProjectManager", "readProject:*")
    assert marie.post(path, json=body).status_code == 200
