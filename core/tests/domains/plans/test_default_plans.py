"""Default plans (S-054): for a language and a nature, or for the settings of a project."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus
from support.fake_components import install_fake_components

SENTENCES = {"name": "rule_sentence", "parameters": {}}


def default(caller: Any, path: str = "/api", status: int = 200, **arguments: Any) -> Any:
    answer = caller.post(f"{path}/processors/_default", **arguments)
    assert answer.status_code == status, answer.text
    return answer.json()


def found(plans: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Components of the pipelines by tag."""
    kinds = ("annotator", "processor", "languageGuesser", "segmenter", "vectorizer")
    kinds += ("searchParamsBuilder", "ragContextBuilder", "questionAnswerer")
    return {
        plan["tags"][0]: [step[kind] for step in plan["parameters"]["pipeline"] for kind in kinds if kind in step]
        for plan in plans
    }


def test_default_plans_for_a_language_and_nature(as_admin: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-054: processors that recommend themselves; language detection where the language is unknown; vectors for
    questions.
    """
    labelling = {"json": {"language": "en", "nature": "sequence_labelling"}}
    assert found(default(as_admin, **labelling)) == {"segmentation": ["rule_sentence"]}
    install_fake_components(monkeypatch)
    assert found(default(as_admin, **labelling)) == {"annotation": ["count"], "segmentation": ["rule_sentence"]}
    assert found(default(as_admin, json={}))["annotation"] == ["french", "count"]
    german = default(as_admin, json={"language": "de", "nature": "question_answering"})
    assert found(german) == {
        "segmentation": ["rule_sentence"],
        "vectorization": ["lsa"],
        "search-params-builder": ["question_search"],
        "rag-context-builder": ["numbered_passages"],
        "question-answerer": ["extractive_answerer"],
    }
    for tags, types in (
        ("segmentation", ["segmentation"]),
        ("active-segmentation,project-segmentation", ["segmentation"]),
        ("annotation, segmentation", []),
        ("conversion", []),
    ):
        assert list(found(default(as_admin, params={"tags": tags}, **labelling))) == types


def test_default_plans_of_a_project_are_valid(corpus: Corpus, topics: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-054: the segmenter of the settings, as a step or next to the steps; each is a valid plan of its type."""
    install_fake_components(monkeypatch, "processor")
    choice = {"name": "fixed_window", "parameters": {"size": 5}}
    corpus.patch("/config", 204, json={"segmenter": choice})
    plans = default(corpus.caller, corpus.path)
    assert found(plans) == {"annotation": ["count"], "segmentation": ["fixed_window"]}
    assert plans[1]["parameters"]["pipeline"][0]["parameters"]["size"] == 5
    (beside,) = default(corpus.caller, corpus.path, params={"asPipeline": "false", "tags": "segmentation"})
    assert (beside["parameters"]["segmenter"]["name"], beside["parameters"]["pipeline"]) == ("fixed_window", [])
    for plan in (*plans, beside):
        name = corpus.post("/plans", json={"label": "New", **plan})["name"]
        assert corpus.get(f"/plans/{name}")["type"] == plan["tags"][0]
    assert found(default(topics.caller, topics.path))["segmentation"] == ["rule_sentence"]


def test_permissions_on_default_plans(
    corpus: Corpus, client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anonymous, a user without access to the project; components that the caller may not use are not proposed."""
    install_fake_components(monkeypatch)
    default(client, status=401, json={})
    default(client, corpus.path, status=401)
    few = as_user(client, "few", "useProcessor:count", f"readProject:{corpus.project.name}")
    assert found(default(few, json={"nature": "question_answering"})) == {"annotation": ["count"]}
    assert found(default(few, corpus.path)) == {"annotation": ["count"]}
    default(as_user(client, "someone"), corpus.path, status=404)
