"""Plans that are one part of answering questions: search parameters, context, answerer (S-051, C-078, C-080)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus
from support.fake_components import FirstTokens, install_fake_components
from support.project_archives import export_project, import_project

from annotarium.content.plans.question_answering import (
    ComponentChoice,
    QuestionAnsweringSetup,
    question_answering_setup,
)
from annotarium.db.models import Plan, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.settings import get_settings

SEARCH = {"pipeline": [{"searchParamsBuilder": "literal_search"}]}
CONTEXT = {"pipeline": [{"ragContextBuilder": "joined_context"}]}
ANSWER = {"pipeline": [{"questionAnswerer": "first_tokens", "parameters": {"words": 3}}]}
PLANS = {"search-params-builder": SEARCH, "rag-context-builder": CONTEXT, "question-answerer": ANSWER}
DEFAULTS = """
[search_params_builder]
name = "literal_search"
[rag_context_builder]
name = "joined_context"
[question_answerer]
name = "first_tokens"
"""


@pytest.fixture(autouse=True)
def components(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """A component of each kind, which is the default of its kind."""
    install_fake_components(monkeypatch)
    path = tmp_path / "defaults.toml"
    path.write_text(DEFAULTS, encoding="utf-8")
    monkeypatch.setenv("ANNOTARIUM_DEFAULTS", str(path))
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()


def make(corpus: Corpus, parameters: dict[str, Any], *tags: str, label: str = "A plan") -> str:
    answer = corpus.post("/plans", json={"label": label, "parameters": parameters, "tags": list(tags)})
    assert answer["triggeredJobs"] == [], "nothing is recomputed"
    name: str = answer["name"]
    return name


def setup(corpus: Corpus, answerer: str = "") -> QuestionAnsweringSetup:
    with unit_of_work(actor="", write=False) as unit:
        project = unit.session.get(Project, corpus.project.id)
        assert project is not None
        return question_answering_setup(unit.session, project, answerer)


def refusal(corpus: Corpus, answerer: str = "") -> InvalidInput:
    with pytest.raises(InvalidInput) as refused:
        setup(corpus, answerer)
    return refused.value


def remove_component(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    registry = get_registry()
    rows = {key: row for key, row in registry._rows.items() if key[1] != name}
    monkeypatch.setattr(registry, "_rows", rows)


def require_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    remove_component(monkeypatch, "first_tokens")
    monkeypatch.setattr(FirstTokens, "setting", "FIRST_TOKENS")
    install_fake_components(monkeypatch, "questionAnswerer")  # again: a registry caches what is missing


def test_their_type_follows_from_their_only_step(corpus: Corpus) -> None:
    """C-078, C-080: with and without a tag; all parameters are stored."""
    for type_, parameters in PLANS.items():
        for tags in ([], [type_], [f"project-{type_}"]):
            plan = corpus.get(f"/plans/{make(corpus, parameters, *tags)}")
            assert (plan["type"], plan["isActive"], plan.get("problem")) == (type_, False, None)
    assert plan["parameters"]["pipeline"] == [
        {"questionAnswerer": "first_tokens", "parameters": {"words": 3}, "disabled": False}
    ]
    plain = {"pipeline": [{"question_answerer": "first_tokens"}]}
    assert corpus.get(f"/plans/{make(corpus, plain)}")["parameters"]["pipeline"][0]["parameters"] == {"words": 5}


@pytest.mark.parametrize(
    ("parameters", "tags", "field", "words"),
    [
        (
            ANSWER,
            ["rag-context-builder"],
            "pipeline.0.name",
            "Remove the question answerer: the only step of this plan is a context builder",
        ),
        (ANSWER, ["annotation"], "pipeline.0.name", "A question answerer is the only step of a plan of its own type"),
        (ANSWER, ["vectorization"], "pipeline.0.name", "the only step of a plan of its own type"),
        ({"pipeline": ANSWER["pipeline"] * 2}, [], "pipeline", "exactly one enabled step, a question answerer"),
        (
            {"pipeline": [ANSWER["pipeline"][0] | {"disabled": True}]},
            [],
            "pipeline",
            "exactly one enabled step",
        ),
        ({"pipeline": []}, ["question-answerer"], "pipeline", "exactly one enabled step, a question answerer"),
        (
            {"pipeline": [*ANSWER["pipeline"], *CONTEXT["pipeline"]]},
            [],
            "pipeline.1.name",
            "Remove the context builder: the only step of this plan is a question answerer",
        ),
        (
            {"pipeline": [{"processor": "count"}, *ANSWER["pipeline"]]},
            ["question-answerer"],
            "pipeline.0.name",
            "Remove the processor",
        ),
        (ANSWER | {"segmenter": {"name": "document"}}, [], "segmenter.name", "Remove the segmenter"),
        (ANSWER | {"formatter": {"name": "csv"}}, [], "formatter.name", "Remove the formatter"),
        ({"pipeline": [{"questionAnswerer": "nobody"}]}, [], "pipeline.0.name", "no question answerer named nobody"),
        (
            {"pipeline": [{"questionAnswerer": "first_tokens", "parameters": {"words": 0}}]},
            [],
            "pipeline.0.parameters.words",
            "1",
        ),
        (
            {"pipeline": [ANSWER["pipeline"][0] | {"condition": {"metadata": {"name": "x"}}}]},
            [],
            "pipeline.0.condition",
            "cannot have a condition",
        ),
    ],
)
def test_errors_name_the_part(
    corpus: Corpus, parameters: dict[str, Any], tags: list[str], field: str, words: str
) -> None:
    """C-080: such a plan is a single enabled step of the kind of its type; no other plan has such a step."""
    refused = corpus.post("/plans", 400, json={"parameters": parameters, "tags": tags})
    found = {one["field"]: one["message"] for one in refused["details"]}
    assert words in found.get(field, ""), found
    assert corpus.get("/plans") == []


def test_a_step_names_one_component_and_no_part_of_a_document(corpus: Corpus) -> None:
    both = {"pipeline": [{"questionAnswerer": "first_tokens", "ragContextBuilder": "joined_context"}]}
    assert "exactly one of" in str(corpus.post("/plans", 400, json={"parameters": both}))
    for more in ({"applyTo": {"path": "segments"}}, {"projectName": "other"}):
        corpus.post("/plans", 400, json={"parameters": {"pipeline": [ANSWER["pipeline"][0] | more]}})


def test_one_plan_of_a_type_is_active_and_its_component_answers(corpus: Corpus) -> None:
    """T-030, C-079: without active plans the installation's defaults; activating replaces the plan that was active."""
    assert setup(corpus) == QuestionAnsweringSetup(
        ComponentChoice("literal_search", {}),
        ComponentChoice("joined_context", {}),
        ComponentChoice("first_tokens", {"words": 5}),
    )
    first, second = make(corpus, ANSWER, "active-question-answerer"), make(corpus, ANSWER, label="Second")
    make(corpus, SEARCH, "active-search-params-builder")
    make(corpus, CONTEXT, "active-rag-context-builder")
    assert setup(corpus).question_answerer == ComponentChoice("first_tokens", {"words": 3})
    longer = {"pipeline": [{"questionAnswerer": "first_tokens", "parameters": {"words": 9}}]}
    changed = corpus.patch(f"/plans/{second}", json={"parameters": longer, "tags": ["active-question-answerer"]})
    assert changed["triggeredJobs"] == []
    active = {one["name"]: one["isActive"] for one in corpus.get("/plans") if one["type"] == "question-answerer"}
    assert active == {first: False, second: True}
    assert setup(corpus).question_answerer.parameters == {"words": 9}
    dry = corpus.patch(f"/plans/{second}", params={"dryRun": "true"}, json={"tags": []})
    assert dry["triggeredJobs"] == [], "and nothing would be"
    corpus.delete(f"/plans/{second}")
    assert setup(corpus).question_answerer.parameters == {"words": 5}
    corpus.post(f"/plans/{second}/_restore")
    assert setup(corpus).question_answerer.parameters == {"words": 9}


def test_an_answerer_is_named_by_plan_or_component(corpus: Corpus) -> None:
    make(corpus, ANSWER, label="Short")
    make(corpus, CONTEXT, label="Passages")
    assert setup(corpus, "short").question_answerer == ComponentChoice("first_tokens", {"words": 3})
    assert setup(corpus, "first_tokens").question_answerer.parameters == {"words": 5}
    for name in ("nobody", "passages", "joined_context", "Short\x00", "x" * 10_000):
        refused = refusal(corpus, name)
        assert f"named {name}" in refused.message and "the active plan or the default" in str(refused.fix)
    make(corpus, {"pipeline": [{"questionAnswerer": "first_tokens", "parameters": {"words": 1}}]}, label="first_tokens")
    assert setup(corpus, "first_tokens").question_answerer.parameters == {"words": 1}, "the project decides"


def test_a_plan_of_another_project_is_unknown(corpus: Corpus, topics: Corpus) -> None:
    make(topics, ANSWER, label="Theirs")
    make(topics, ANSWER, "active-question-answerer", label="Active there")
    assert "named theirs" in refusal(corpus, "theirs").message
    assert setup(corpus).question_answerer.parameters == {"words": 5}


def test_an_active_plan_without_its_component_names_itself(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uninstalled, or without a setting; the same holds for a plan that is named."""
    name = make(corpus, ANSWER, "active-question-answerer", label="Language model")
    require_setting(monkeypatch)
    for refused in (refusal(corpus), refusal(corpus, name)):
        assert refused.message == "The plan Language model does not work: This server is not set up for first_tokens"
        assert "administrator" in str(refused.fix) and "FIRST_TOKENS" not in str(refused.body())
    assert "deactivate this plan" in str(refusal(corpus).fix)
    assert "not set up for first_tokens" in corpus.get(f"/plans/{name}")["problem"]
    assert "not set up for first_tokens" in str(corpus.post("/plans", 400, json={"parameters": ANSWER}))
    remove_component(monkeypatch, "first_tokens")
    assert "There is no question answerer named first_tokens" in refusal(corpus).message
    corpus.patch(f"/plans/{name}", json={"tags": []})
    refused = refusal(corpus)
    assert "There is no question answerer named first_tokens" in refused.message
    assert "Activate a plan of this type" in str(refused.fix)


def test_a_damaged_active_plan_names_itself(corpus: Corpus) -> None:
    name = make(corpus, ANSWER, "active-question-answerer", label="Broken")
    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.scalars(select(Plan).where(Plan.name == name)).one()
        row.parameters = {"pipeline": [{"odd": "x"}]}
    assert "The plan Broken does not work: Its content is damaged" in refusal(corpus).message
    assert "The plan Broken does not work" in refusal(corpus, name).message


def test_they_do_not_annotate(corpus: Corpus) -> None:
    """C-080: neither stored, nor sent, nor as a trial; they are not annotators."""
    name = make(corpus, ANSWER)
    text = {"text": "Anna sleeps."}
    answer = corpus.caller.post("/api/annotate/_annotate_text", json=text | ANSWER)
    sent = [answer.json(), corpus.post("/plans/_try", 400, json=text | {"parameters": ANSWER})]
    assert answer.status_code == 400
    assert all("the only step of a plan of its own type" in refused["message"] for refused in sent), sent
    stored = corpus.post("/plans/_try", 400, json=text | {"plan": name})
    assert "The plan A plan answers questions: it cannot annotate" in stored["message"]
    assert corpus.get("/annotators_by_type")["plan"] == []
    corpus.post(f"/annotators/{name}/_annotate_corpus", 404)


def test_default_plans_of_question_answering(corpus: Corpus, as_admin: Any, client: Any, as_user: Any) -> None:
    """S-052, S-054: only for this nature, only of components that the caller may use; each is a valid plan."""
    path = "/api/processors/_default"
    answer = as_admin.post(path, json={"nature": "question_answering", "language": "en"}).json()
    types = [plan["tags"][0] for plan in answer]
    assert types == ["annotation", "segmentation", "vectorization", *PLANS]
    for plan in answer:
        if plan["tags"][0] in PLANS:
            name = corpus.post("/plans", json={"label": "New", **plan})["name"]
            assert corpus.get(f"/plans/{name}")["type"] == plan["tags"][0]
    for nature in ("classification", "sequence_labelling", ""):
        found = as_admin.post(path, json={"nature": nature, "language": "en"}).json()
        assert not {plan["tags"][0] for plan in found} & {"vectorization", *PLANS}
    few = as_user(client, "few", "useSvcProvider:joined_context")
    found = few.post(path, json={"nature": "question_answering", "language": "en"}).json()
    assert [plan["tags"] for plan in found] == [["rag-context-builder"]]


def test_permissions_on_question_plans(client: Any, as_user: Any, make_project: Any) -> None:
    """C-080: anonymous, a reader, a writer without and with the component, who may activate, another tenant."""
    project = make_project(owner="zoe", readers=("paul",), writers=("vera", "will"), nature="question_answering")
    path = f"/api/projects/{project.name}/plans"
    body = {"label": "Short", "parameters": ANSWER}
    active = body | {"tags": ["active-question-answerer"]}
    right = "useSvcProvider:first_tokens"

    def post(username: str, given: Any, *rights: str) -> int:
        return int(as_user(client, username, *rights).post(path, json=given).status_code)

    assert client.post(path, json=body).status_code == 401
    assert post("someone", body, right) == 404
    assert post("paul", body, right) == 403, "read-only"
    assert post("vera", body, "useSvcProvider:joined_context", "useEngine:first_tokens") == 403
    assert post("will", body, right) == 200
    assert post("will", active) == 403, "she may not activate"
    assert post("zoe", active, right) == 200
    largest = {"label": "x" * 255, "parameters": {"pipeline": ANSWER["pipeline"] * 100}}
    assert post("zoe", largest) == 400
    assert post("zoe", {"parameters": {"pipeline": [{"questionAnswerer": "x" * 300}]}}) == 400


def test_archives_carry_them_and_templates_copy_them(corpus: Corpus) -> None:
    """An archive has them as they were; a project like this one has them, none active."""
    for type_, parameters in PLANS.items():
        make(corpus, parameters, f"active-{type_}", label=type_)
    wanted = [(one["label"], one["type"], one["isActive"], one["parameters"]) for one in corpus.get("/plans")]
    carried, job = import_project(corpus, export_project(corpus))
    assert job["status"] == "COMPLETED", job
    found = corpus.caller.get(f"/api/projects/{carried}/plans").json()
    assert [(one["label"], one["type"], one["isActive"], one["parameters"]) for one in found] == wanted
    answer = corpus.post("/_use_as_template", json={"label": "Second", "nature": "question_answering", "lang": "en"})
    assert (answer["plans"], answer["leftOutPlans"]) == (3, [])
    found = corpus.caller.get(f"/api/projects/{answer['projectName']}/plans").json()
    assert [(one["type"], one["isActive"], one["parameters"]) for one in found] == [
        (type_, False, parameters) for _, type_, _, parameters in wanted
    ]


def test_components_that_lack_a_setting_are_listed(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, client: Any, as_user: Any
) -> None:
    """The kinds that answer questions as well as engines; another kind is refused."""
    path = "/unavailable_engines"
    for kind in ("searchParamsBuilder", "reranker", "ragContextBuilder", "questionAnswerer"):
        assert "first_tokens" not in [one["name"] for one in corpus.get(path, params={"type": kind})]
    require_setting(monkeypatch)
    listed = corpus.get(path, params={"type": "questionAnswerer"})
    assert ("first_tokens", "FIRST_TOKENS") in [(one["name"], one.get("setting")) for one in listed]
    assert "questionAnswerer" in corpus.get(path, 404, params={"type": "converter"})["fix"]
    member = as_user(client, "max", "useSvcProvider:first_tokens", f"readProject:{corpus.project.name}")
    assert "setting" not in member.get(f"{corpus.path}{path}", params={"type": "questionAnswerer"}).json()[0]
    assert client.get(f"{corpus.path}{path}", params={"type": "questionAnswerer"}).status_code == 401
