"""Plans: permissions, validation, tags, one active plan per type, consequences of activation."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.unit_of_work import Event

CONVERSION = {"converter": {"name": "csv", "parameters": {"text_columns": ["body"]}}, "pipeline": []}
READS_AND_ANNOTATES = CONVERSION | {"pipeline": [{"processor": "consolidate"}]}
WINDOWS = {"segmenter": {"name": "fixed_window", "parameters": {}}, "pipeline": []}
VECTORS = {"pipeline": [{"vectorizer": "lsa", "parameters": {"dimension": 16}}]}


def make(corpus: Corpus, parameters: dict[str, Any], *tags: str, label: str = "A plan") -> str:
    answer = corpus.post("/plans", json={"label": label, "parameters": parameters, "tags": list(tags)})
    name: str = answer["name"]
    return name


def jobs(answer: dict[str, Any]) -> list[str]:
    return [job["type"] for job in answer["triggeredJobs"]]


def tags(corpus: Corpus, name: str) -> list[str]:
    found: list[str] = corpus.get(f"/plans/{name}")["tags"]
    return found


def test_plans_are_created_read_changed_and_deleted(corpus: Corpus) -> None:
    """The label is generated where none is sent; a change contains only the changed fields."""
    created = corpus.post("/plans", json={"parameters": CONVERSION})
    assert created == {"name": "conversion", "triggeredJobs": []}
    plan = corpus.get("/plans/conversion")
    assert (plan["label"], plan["type"], plan["favorite"], plan["isActive"]) == (
        "Conversion",
        "conversion",
        False,
        False,
    )
    assert plan["parameters"]["converter"]["name"] == "csv"
    assert "encoding" in plan["parameters"]["converter"]["parameters"], "what was not said is its default, kept"
    assert (plan["createdBy"], plan["version"]) == ("root", 1)
    assert corpus.post("/plans/_label_hint", json={"label": "Conversion"}) == {"labelHint": "Conversion 2"}
    corpus.patch("/plans/conversion", json={"label": "Sheets"})
    changed = corpus.get("/plans/conversion")
    assert (changed["label"], changed["version"], changed["parameters"]) == ("Sheets", 2, plan["parameters"])
    assert [one["name"] for one in corpus.get("/plans")] == ["conversion"]
    corpus.delete("/plans/conversion")
    assert corpus.get("/plans") == []
    corpus.get("/plans/conversion", 404)
    corpus.delete("/plans/conversion", 404)
    assert make(corpus, CONVERSION, label="Conversion") == "conversion_2", "a name is not given twice"


def test_a_change_of_a_stale_version_is_refused(corpus: Corpus) -> None:
    name = make(corpus, CONVERSION)
    corpus.patch(f"/plans/{name}", json={"label": "First"}, headers={"If-Match": "1"})
    refused = corpus.patch(f"/plans/{name}", 412, json={"label": "Second"}, headers={"If-Match": "1"})
    assert refused["details"][0]["current"]["label"] == "First"


@pytest.mark.parametrize(
    ("parameters", "field", "words"),
    [
        (CONVERSION | {"converter": {"name": "nothing"}}, "converter.name", "no converter named nothing"),
        (
            CONVERSION | {"converter": {"name": "csv", "parameters": {"odd": 1}}},
            "converter.parameters.odd",
            "does not exist",
        ),
        ({"pipeline": [{"segmenter": "regex", "parameters": {"pattern": "("}}]}, "pipeline.0.parameters.pattern", ""),
        ({"pipeline": [{"annotator": "nobody"}]}, "pipeline.0.name", "no annotator named nobody"),
        (CONVERSION | {"pipeline": [{"converter": "txt"}]}, "pipeline.0.name", "only be the first step"),
        (CONVERSION | {"pipeline": [{"vectorizer": "lsa"}]}, "pipeline.0.name", "vectorization plan"),
        ({"pipeline": []}, "pipeline", "at least one step"),
        (
            {"pipeline": [{"segmenter": "document", "condition": {"metadata": {"name": ""}}}]},
            "pipeline.0.condition.metadata.name",
            "Enter the name of the metadata",
        ),
        (
            {"pipeline": [{"segmenter": "document", "applyTo": {"path": "$..x"}}]},
            "pipeline.0.applyTo.path",
            "Enter document",
        ),
    ],
)
def test_errors_name_the_part_and_the_field(corpus: Corpus, parameters: dict[str, Any], field: str, words: str) -> None:
    """Plan forms: components, conditions and metadata names must exist."""
    refused = corpus.post("/plans", 400, json={"parameters": parameters})
    found = {one["field"]: one["message"] for one in refused["details"]}
    assert field in found, found
    assert words in found[field]
    assert corpus.get("/plans") == []


@pytest.mark.parametrize(
    "step",
    [
        {"reranker": "x"},
        {"formatter": "csv"},
        {"annotator": "a", "processor": "b"},
        {"parallelizationBoundary": True},
        {},
        "x",
    ],
)
def test_steps_of_unknown_kinds_are_refused_clearly(corpus: Corpus, step: Any) -> None:
    """C-080, S-055, conflict 31 of the contract; a formatter is not a step."""
    refused = corpus.post("/plans", 400, json={"parameters": {"pipeline": [step]}})
    kinds = "annotator, processor, languageGuesser, segmenter, converter, vectorizer, searchParamsBuilder"
    assert f"exactly one of {kinds}, ragContextBuilder, questionAnswerer" in str(refused)


def test_types_follow_from_tags_and_parts(corpus: Corpus) -> None:
    """C-079, conflict 30 of the contract."""
    cut = {"pipeline": [{"segmenter": "document"}]}
    expected = {
        make(corpus, CONVERSION): "conversion",
        make(corpus, {"pipeline": [{"converter": "txt"}]}): "conversion",
        make(corpus, WINDOWS): "segmentation",
        make(corpus, cut): "segmentation",
        make(corpus, cut, "annotation"): "annotation",
        make(corpus, VECTORS): "vectorization",
        make(corpus, CONVERSION, "project-conversion", "mine"): "conversion",
        make(corpus, READS_AND_ANNOTATES): "annotation",
        make(corpus, READS_AND_ANNOTATES, "pipelines"): "annotation",
        make(corpus, READS_AND_ANNOTATES, "conversion"): "conversion",
        make(corpus, CONVERSION | {"pipeline": [{"segmenter": "document"}]}): "conversion",
    }
    assert {one["name"]: one["type"] for one in corpus.get("/plans")} == expected
    assert [one["tags"] for one in corpus.get("/plans", params={"tags": "mine"})] == [["project-conversion", "mine"]]
    corpus.post("/plans", 400, json={"parameters": WINDOWS, "tags": ["project-conversion"]})
    corpus.post("/plans", 400, json={"parameters": cut, "tags": ["annotation", "active-annotation"]})
    refused = corpus.post("/plans", 400, json={"parameters": CONVERSION, "tags": ["question-answerer"]})
    assert "the only step of this plan is a question answerer" in refused["message"]


def test_an_annotating_conversion_plan_keeps_its_type_without_tags(corpus: Corpus) -> None:
    """C-079, T-030: the tag determined its type; its parts alone would make it an annotation plan (conflict 30 of the
    contract).
    """
    first = make(corpus, READS_AND_ANNOTATES, "mine", "active-conversion")
    make(corpus, READS_AND_ANNOTATES, "active-conversion", label="Second")
    plan = corpus.get(f"/plans/{first}")
    assert (plan["type"], plan["isActive"], plan["tags"]) == ("conversion", False, ["mine", "conversion"])
    corpus.patch(f"/plans/{first}", json={"favorite": True})
    corpus.patch(f"/plans/{first}", json={"tags": ["mine"]})
    assert corpus.get(f"/plans/{first}")["type"] == "conversion"
    corpus.patch(f"/plans/{first}", json={"tags": ["annotation"]})
    assert corpus.get(f"/plans/{first}")["type"] == "annotation"


def test_favourite_and_active_are_tags(corpus: Corpus) -> None:
    """C-079, T-030: the favourite has the project tag; one plan per type is active, the former one loses both tags."""
    first, second = make(corpus, CONVERSION), make(corpus, CONVERSION, label="Second")
    corpus.patch(f"/plans/{first}", json={"favorite": True})
    assert tags(corpus, first) == ["project-conversion"]
    corpus.patch(f"/plans/{first}", json={"tags": ["project-conversion", "active-conversion"]})
    plan = corpus.get(f"/plans/{first}")
    assert (plan["favorite"], plan["isActive"]) == (True, True)
    assert corpus.patch(f"/plans/{second}", json={"tags": ["kept", "active-conversion"]})["triggeredJobs"] == []
    assert tags(corpus, first) == []
    assert tags(corpus, second) == ["kept", "active-conversion"]
    corpus.patch(f"/plans/{second}", json={"favorite": False})
    assert corpus.get(f"/plans/{second}")["isActive"] is True


def segments(corpus: Corpus) -> int:
    found: int = corpus.get("/documents/a")["sentences"].__len__()
    return found


def test_an_active_segmenter_segments_all_documents_again(corpus: Corpus) -> None:
    """T-031: also when its parameters change, when another plan replaces it and when it is deleted."""
    corpus.add(document("a", "One. Two. Three. Four. Five."))
    assert segments(corpus) == 5
    whole = {"segmenter": {"name": "document"}, "pipeline": []}
    dry = corpus.post("/plans", params={"dryRun": "true"}, json={"parameters": whole, "tags": ["active-segmentation"]})
    assert jobs(dry) == ["PROJECT_SEGMENTATION"]
    assert corpus.get("/plans") == []
    created = corpus.post("/plans", json={"parameters": whole, "tags": ["active-segmentation"]})
    assert jobs(created) == ["PROJECT_SEGMENTATION"]
    corpus.run_jobs()
    assert segments(corpus) == 1
    corpus.add(document("b", "One. Two."))
    assert len(corpus.get("/documents/b")["sentences"]) == 1, "new documents too"
    pattern = {"segmenter": {"name": "regex", "parameters": {"pattern": "T"}}, "pipeline": []}
    idle = make(corpus, pattern, label="Idle")
    assert jobs(corpus.delete(f"/plans/{idle}")) == [], "what does not work changes nothing"
    name = created["name"]
    assert jobs(corpus.patch(f"/plans/{name}", json={"label": "Same"})) == []
    assert jobs(corpus.patch(f"/plans/{name}", json={"parameters": pattern})) == ["PROJECT_SEGMENTATION"]
    corpus.run_jobs()
    assert segments(corpus) == 3
    again = corpus.post("/segments/_recompute")
    assert again["type"] == "PROJECT_SEGMENTATION"
    corpus.run_jobs()
    assert segments(corpus) == 3, "recomputing is as the active plan says"
    assert jobs(corpus.delete(f"/plans/{name}", params={"dryRun": "true"})) == ["PROJECT_SEGMENTATION"]
    assert jobs(corpus.delete(f"/plans/{name}")) == ["PROJECT_SEGMENTATION"]
    corpus.run_jobs()
    assert segments(corpus) == 5


def test_an_active_vectorizer_plan_computes_its_own_vectors(corpus: Corpus) -> None:
    """T-031: by a background job; they are deleted with the plan."""
    corpus.add(*(document(f"d{number}", f"Number {number} of the cats and dogs.") for number in range(20)))
    created = corpus.post("/plans", json={"label": "Near", "parameters": VECTORS, "tags": ["active-vectorization"]})
    assert jobs(created) == ["PROJECT_VECTORIZATION"]
    corpus.run_jobs()
    (made,) = corpus.get("/vectorizers")["vectorizations"]
    assert (made["name"], made["vectorizer"], made["state"], made["documents"]) == ("near", "lsa", "ready", 20)
    corpus.patch("/plans/near", json={"tags": []})
    assert corpus.get("/vectorizers")["vectorizations"] == []


def test_searches_use_the_vectors_of_the_one_active_plan(corpus: Corpus) -> None:
    """T-031, S-018. Without this, hybrid search fell back to text search, and vector search reported missing
    vectors."""
    corpus.add(*(document(f"d{number}", f"Number {number} of the cats and dogs.") for number in range(20)))
    corpus.post("/plans", json={"label": "Near", "parameters": VECTORS, "tags": ["active-vectorization"]})
    corpus.run_jobs()
    for kind in ("vector", "hybrid"):
        for path in ("/segments/_search", "/documents/_search"):
            answer = corpus.post(path, params={"query": "cats", "searchType": kind})
            assert (answer["searchType"], answer["total"]["value"]) == (kind, 20)
    named = corpus.post("/segments/_search", params={"query": "cats", "searchType": "vector", "vectorizer": "near"})
    plain = corpus.post("/segments/_search", params={"query": "cats", "searchType": "vector"})
    assert [hit["_id"] for hit in named["hits"]] == [hit["_id"] for hit in plain["hits"]]


def test_permissions_on_plans(client: Any, as_user: Any, make_project: Any) -> None:
    """Anonymous, a user without access, a reader, a writer, a user who may use the component, one who may activate
    plans.
    """
    project = make_project(owner="zoe", readers=("paul",), writers=("vera", "will", "wanda"))
    path = f"/api/projects/{project.name}/plans"
    body = {"label": "Sheets", "parameters": CONVERSION}
    active = body | {"tags": ["active-conversion"]}

    def post(username: str, given: Any, *rights: str) -> int:
        return int(as_user(client, username, *rights).post(path, json=given).status_code)

    assert client.get(path).status_code == client.post(path, json=body).status_code == 401
    assert post("someone", body, "useConverter:csv") == 404
    assert post("paul", body, "useConverter:csv") == 403, "read-only"
    assert post("vera", body) == 403, "the converter is not hers"
    assert post("will", body, "useConverter:csv") == 200
    assert post("will", active) == 403
    assert post("wanda", active, "useConverter:*", "changeProjectConfig") == 200
    assert post("zoe", active, "useConverter:csv") == 200, "the owner decides"
    (plan,) = as_user(client, "paul").get(path, params={"tags": "active-conversion"}).json()
    one = f"{path}/{plan['name']}"
    will = as_user(client, "will")
    assert will.get(one).status_code == 200
    assert will.patch(one, json={"tags": []}).status_code == 403
    assert will.patch(one, json={"parameters": CONVERSION}).status_code == 403
    assert will.delete(one).status_code == 403
    assert will.patch(one, json={"label": "Named by Will"}).status_code == 200
    assert as_user(client, "paul").delete(one).status_code == 403
    assert as_user(client, "paul").post(f"{path}/_label_hint", json={"label": "x"}).status_code == 200
    assert as_user(client, "someone").get(one).status_code == 404
    assert (
        client.get(one).status_code == client.patch(one, json={}).status_code == client.delete(one).status_code == 401
    )
    assert client.post(f"{path}/_label_hint", json={}).status_code == 401


def test_a_deleted_plan_is_restored_as_it_was(corpus: Corpus) -> None:
    """An active one is active again; another that took its place meanwhile is not."""
    body = {"label": "Sheets", "parameters": CONVERSION, "tags": ["active-conversion"]}
    name = corpus.post("/plans", json=body)["name"]
    corpus.post(f"/plans/{name}/_restore", 404)
    corpus.delete(f"/plans/{name}")
    other = corpus.post("/plans", json=body)["name"]
    assert corpus.post(f"/plans/{name}/_restore")["name"] == name
    plans = {one["name"]: one for one in corpus.get("/plans")}
    assert (plans[name]["isActive"], plans[other]["isActive"]) == (True, False)
    assert plans[name]["label"] == "Sheets 2"
    assert plans[name]["parameters"] == plans[other]["parameters"]


def test_who_may_restore_a_plan(client: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(owner="zoe", readers=("paul",), writers=("will",))
    path = f"/api/projects/{project.name}/plans"
    zoe = as_user(client, "zoe", "useConverter:csv")
    active = {"label": "Sheets", "parameters": CONVERSION, "tags": ["active-conversion"]}
    one = f"{path}/{zoe.post(path, json=active).json()['name']}"
    assert zoe.delete(one).status_code == 200
    back = f"{one}/_restore"
    assert as_user(client, "someone").post(back).status_code == 404
    assert as_user(client, "paul").post(back).status_code == 403
    assert as_user(client, "will", "useConverter:csv").post(back).status_code == 403, "it would be active"
    assert as_user(client, "zoe", "useConverter:csv").post(back).status_code == 200


def test_live_events(corpus: Corpus, emitted_events: list[Event]) -> None:
    """Whoever reads the project hears of its plans."""
    name = make(corpus, CONVERSION)
    corpus.patch(f"/plans/{name}", json={"label": "Other"})
    corpus.delete(f"/plans/{name}")
    told = [(one.project, one.arg["type"], one.arg["name"]) for one in emitted_events if one.mutation == "plans"]
    assert told == [(corpus.project.name, kind, name) for kind in ("created", "changed", "deleted")]
