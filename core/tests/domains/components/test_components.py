"""Components as the published API names them: engines, services, values, forms, and who can see which."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus

from annotarium.registry import get_registry


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
