"""A project like another one: labels, sets, relation names, settings and plans, but no documents and no people."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.vocabularies import DISEASES, add_lexicon

from annotarium.domains.lexicons import jobs

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


def test_terms_come_along_if_requested(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """In batches, with their relations; lexicons that were deleted stay away."""
    monkeypatch.setattr(jobs, "BATCH", 2)
    _fill(corpus)
    many = {f"T{number}": (f"town {number}", [f"t{number}"]) for number in range(5)}
    towns = add_lexicon(corpus, "Towns", many)
    corpus.post(f"/lexicons/{towns}/_update_term", json={"identifier": "T1", "properties": {"broader": ["T0"]}})
    assert "job" not in corpus.post("/_use_as_template", json={"label": "Without"})
    answer = corpus.post("/_use_as_template", params={"withTerms": True}, json={"label": "Second"})
    corpus.run_jobs()
    ended = corpus.caller.get(f"/api/jobs/{answer['job']['id']}").json()
    assert (ended["status"], ended.get("result", {}).get("count")) == ("COMPLETED", 5 + len(DISEASES)), ended
    found = _new(corpus.caller, answer, "/lexicons?computeMetrics=true")
    assert {one["name"]: one["terms"] for one in found} == {"people": len(DISEASES), "towns": 5}
    roots = _new(corpus.caller, answer, "/lexicons/towns/_roots")
    assert [one["identifier"] for one in roots["terms"]] == ["T0", "T2", "T3", "T4"]
    exported = [
        sorted(str(term) for term in corpus.caller.post(f"{path}/lexicons/towns/_export").json())
        for path in (corpus.path, f"/api/projects/{answer['projectName']}")
    ]
    assert exported[0] == exported[1] != []


def test_terms_of_a_template_that_may_not_be_read_any_more_stay_there(
    corpus: Corpus, as_user: Any, client: Any
) -> None:
    """The job has the rights of its caller when it runs, not when it was started."""
    add_lexicon(corpus, "Towns")
    share = {"read": True, "write": False}
    marie = as_user(client, "marie", "ProjectManager")
    assert corpus.caller.post(f"{corpus.path}/shares/users?username=marie", json=share).status_code == 204
    path = f"{corpus.path}/_use_as_template"
    answer = marie.post(path, json={"label": "Second"}, params={"withTerms": True}).json()
    corpus.caller.delete(f"{corpus.path}/shares/users/marie")
    corpus.run_jobs()
    (lexicon,) = _new(marie, answer, "/lexicons?computeMetrics=true")
    assert lexicon["terms"] == 0
    assert marie.get(f"/api/jobs/{answer['job']['id']}").json()["status"] == "FAILED"
