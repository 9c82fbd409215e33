"""Questions answered in searches of segments."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.domains.segments.answer_slots import AnswerSlots, get_answer_slots
from annotarium.domains.segments.question_answering import MAX_QUESTION
from annotarium.errors import TooManyRequests
from annotarium.registry import get_registry
from annotarium.search.answer_client import get_answer_client

CANAL = (
    "The canal \U0001f6a2 is 66 km long. Its lock gates were made of oak by local carpenters. "
    "Barges carried coal to the city until 1950."
)
RIVER = "The river rises in the hills. Salmon return to the river every autumn."
QUESTION = "What were the lock gates made of?"
DEFAULTS = {"context": False, "contextOnly": False, "enabled": False, "html": False, "languageDetection": "project"}
"""What the published client sends with each search."""


@pytest.fixture
def canal(corpus: Corpus) -> Corpus:
    """A project with two documents."""
    corpus.add(document("canal", CANAL, title="The canal"), document("river", RIVER, title="The river"))
    return corpus


def ask(corpus: Corpus, question: str = QUESTION, status: int = 200, **parameters: Any) -> Any:
    """Ask with query parameters."""
    return corpus.post("/segments/_search", status, params={"query": question, "answerQuestion": True, **parameters})


def test_an_answer_cites_the_sentence_it_stands_on(canal: Corpus) -> None:
    found = ask(canal, facet=True)
    answer = found["answerDetails"]
    assert answer["status"] == "done" and answer["told"] and answer["error"] is None
    assert "oak" in found["answer"] and found["answer"] == answer["text"]
    assert answer["resultID"] == found["resultID"] and answer["question"] == QUESTION
    (citation, *_) = answer["citations"]
    passage = answer["passages"][citation["passage"] - 1]
    assert passage["number"] == citation["passage"] and passage["documentIdentifier"] == "canal"
    assert passage["text"] == CANAL[passage["start"] : passage["end"]]
    assert citation["quote"] == passage["text"][citation["start"] : citation["end"]]
    assert citation["quote"] == answer["text"][citation["answerStart"] : citation["answerEnd"]]
    assert passage["text"] in found["context"] and found["hits"] and found["aggregations"]


def test_a_question_that_the_documents_do_not_answer(canal: Corpus) -> None:
    answer = ask(canal, "Who won the football championship of 1998?")["answerDetails"]
    assert answer["status"] == "done" and not answer["told"]
    assert answer["text"] == "" and answer["citations"] == []


def test_a_project_without_documents_answers_nothing(corpus: Corpus) -> None:
    found = ask(corpus)
    assert found["hits"] == [] and found["answerDetails"]["passages"] == [] and not found["answerDetails"]["told"]


def test_the_filters_of_the_search_limit_the_passages(canal: Corpus) -> None:
    found = ask(canal, queryFilter="identifier:river")
    assert {one["documentIdentifier"] for one in found["answerDetails"]["passages"]} <= {"river"}
    assert "oak" not in found["context"] and not found["answerDetails"]["told"]


@pytest.mark.parametrize("question", ["AND OR (", 'title:"', "text:[1 TO", "*", "-gates +", "\\", "?", "\u202e gates"])
def test_a_question_has_no_operators(canal: Corpus, question: str) -> None:
    assert ask(canal, question)["answerDetails"]["status"] == "done"


def test_a_json_request_asks_as_the_published_client_does(canal: Corpus) -> None:
    enabled: dict[str, Any] = DEFAULTS | {"enabled": True}
    body = {"search": {"query": QUESTION}, "questionAnswering": enabled}
    assert "oak" in canal.post("/segments/_do_search", params={"asyncAnswer": False}, json=body)["answer"]
    context = {"search": {"query": QUESTION}, "questionAnswering": DEFAULTS | {"contextOnly": True}}
    found = canal.post("/segments/_do_search", json=context)
    assert "oak" in found["context"] and found.get("answer") is None and "answerDetails" not in found
    enabled["query"] = "How long is the canal?"
    assert "66" in canal.post("/segments/_do_search", json=body)["answer"]


def test_a_search_that_requests_no_answer_has_none(canal: Corpus) -> None:
    nothing = {"answerQuestion": False, "asyncAnswer": False, "query": "oak"}
    found = canal.post("/segments/_search", params=nothing)
    assert found["total"]["value"] >= 1 and "answerDetails" not in found
    body = {"search": {"query": "oak"}, "questionAnswering": DEFAULTS}
    for path in ("/segments/_do_search", "/documents/_do_search"):
        assert canal.post(path, json=body)["total"]["value"] >= 1
    assert canal.post("/segments/_do_search", json=body | {"questionAnswering": None})["total"]["value"] >= 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "a" * (MAX_QUESTION + 1)}, "query"),
        ({"answerer": "none_such"}, "answerer"),
    ],
)
def test_a_wrong_question_is_refused(canal: Corpus, wrong: dict[str, Any], field: str) -> None:
    refused = ask(canal, **({"question": wrong.pop("query")} if "query" in wrong else {}), status=400, **wrong)
    assert [one["field"] for one in refused["details"]] == [field]
    assert refused["message"] and refused["fix"]


@pytest.mark.parametrize("path", ["/segments/_similar", "/documents/_do_search"])
@pytest.mark.parametrize("name", ["enabled", "context", "contextOnly"])
def test_other_searches_refuse_to_answer(canal: Corpus, path: str, name: str) -> None:
    body = {"search": {"query": QUESTION}, "questionAnswering": {name: True}}
    refused = canal.post(path, 400, json=body)
    assert refused["details"][0]["field"] == f"questionAnswering.{name}"


def test_a_follow_up_finds_what_the_question_before_was_about(canal: Corpus) -> None:
    """Ours: `history`. Without it, the short question finds nothing about the canal."""
    canal.add(document("tower", "The tower is 90 m long, if laid down. The mast is 12 m long.", title="The tower"))

    def answered(history: list[dict[str, str]]) -> str:
        asked = {"enabled": True, "query": "And how long is it?", "history": history}
        body = {"search": {"query": asked["query"]}, "questionAnswering": asked}
        return str(canal.post("/segments/_do_search", json=body)["answer"])

    assert "66 km" in answered([{"question": "Where does the canal begin?", "answer": "In the city."}])
    assert "90 m" in answered([{"question": "Who built the tower?"}])


@pytest.mark.parametrize(
    "history",
    [[{"question": "a" * 2_001}], [{"question": "a"}] * 21, [{"answer": "a"}], 7],
)
def test_a_wrong_history_is_refused(canal: Corpus, history: Any) -> None:
    body = {"search": {"query": QUESTION}, "questionAnswering": {"enabled": True, "history": history}}
    assert canal.post("/segments/_do_search", 400, json=body)["message"]


def test_an_answer_as_html_is_refused(canal: Corpus) -> None:
    body = {"search": {"query": QUESTION}, "questionAnswering": {"enabled": True, "html": True}}
    assert canal.post("/segments/_do_search", 400, json=body)["details"][0]["field"] == "questionAnswering.html"


def test_plans_determine_how_questions_are_answered(canal: Corpus) -> None:
    """An active plan serves everyone; a plan can be named as answerer (S-051)."""
    step = {"questionAnswerer": "extractive_answerer", "parameters": {"threshold": 0.0, "sentences": 3}}
    made = canal.post("/plans", json={"label": "Long", "parameters": {"pipeline": [step]}, "tags": []})
    question = "How long is the canal, who made its lock gates, and what was the coal of the city?"
    assert len(ask(canal, question, answerer=made["name"])["answerDetails"]["citations"]) == 3
    assert len(ask(canal, question, answerer="extractive_answerer")["answerDetails"]["citations"]) == 1
    context = {"ragContextBuilder": "numbered_passages", "parameters": {"passages": 1, "window": 1}}
    tags = ["active-rag-context-builder"]
    canal.post("/plans", json={"label": "One", "parameters": {"pipeline": [context]}, "tags": tags})
    (passage,) = ask(canal)["answerDetails"]["passages"]
    assert passage["text"] == CANAL[passage["start"] : passage["end"]]
    assert len(passage["text"]) > len("Its lock gates were made of oak by local carpenters. ")


def test_a_failing_answerer_leaves_the_result(canal: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error stands in place of the answer; hits and context are there."""
    monkeypatch.setenv("ANNOTARIUM_LANGUAGE_MODEL", "http://127.0.0.1:9")
    get_answer_client().close()  # a new helper reads the setting
    get_registry.cache_clear()  # it remembers that the setting was missing
    try:
        found = ask(canal, answerer="language_model_answerer")
    finally:
        get_registry.cache_clear()
    answer = found["answerDetails"]
    assert answer["status"] == "failed" and answer["text"] == "" and found["hits"] and "oak" in found["context"]
    assert answer["error"]["message"] and answer["error"]["fix"]


def test_a_killed_helper_does_not_lose_the_result(canal: Corpus) -> None:
    ask(canal)
    process = get_answer_client()._process
    assert process is not None
    process.kill()
    process.wait()
    assert ask(canal)["answerDetails"]["told"]


def test_rights(canal: Corpus, client: Any, as_user: Any, make_project: Any) -> None:
    """Anonymous callers and other tenants get nothing; who may only list segments may not ask."""
    path, parameters = f"{canal.path}/segments/_search", {"query": QUESTION, "answerQuestion": True}
    assert client.post(path, params=parameters).status_code == 401
    stranger = as_user(client, "stranger", "useSearch", "seeExplore", "useSvcProvider:*", groups=("elsewhere",))
    assert stranger.post(path, params=parameters).status_code == 404
    project = make_project(owner="ada", readers=("lister", "asker"), group="press")
    path = f"/api/projects/{project.name}/segments/_search"
    lister = as_user(client, "lister", "seeExplore", groups=("press",))
    assert lister.post(path, params={}).status_code == 200
    assert lister.post(path, params=parameters).status_code == 403
    asker = as_user(client, "asker", "useSearch", groups=("press",))
    assert asker.post(path, params=parameters).status_code == 200
    named = parameters | {"answerer": "extractive_answerer"}
    assert asker.post(path, params=named).status_code == 200
    other = asker.post(path, params=parameters | {"answerer": "first_tokens"})
    assert other.status_code in (400, 403)


class TestAnswerSlots:
    def test_two_answers_per_user(self) -> None:
        slots = AnswerSlots()
        with slots.slot("ada"), slots.slot("ada"):
            with pytest.raises(TooManyRequests), slots.slot("ada"):
                pass
            with slots.slot("grace"):
                pass
        with slots.slot("ada"):
            pass

    def test_others_wait_until_answers_end(self) -> None:
        slots, entered, release = AnswerSlots(), [], threading.Event()

        def hold(name: str) -> None:
            with slots.slot(name):
                entered.append(name)
                release.wait(10)

        threads = [threading.Thread(target=hold, args=(f"user{number}",)) for number in range(20)]
        for thread in threads:
            thread.start()
        release.set()
        for thread in threads:
            thread.join(10)
        assert len(entered) == 20

    def test_nobody_waits_forever(self) -> None:
        slots = AnswerSlots()
        held = [slots.slot(f"user{number}") for number in range(16)]
        for one in held:
            one.__enter__()
        with pytest.raises(TooManyRequests) as caught, slots.slot("late", seconds=0.01):
            pass
        assert caught.value.retry_after
        held.pop().__exit__(None, None, None)
        with slots.slot("late", seconds=0.01):
            pass

    def test_one_per_process(self) -> None:
        assert get_answer_slots() is get_answer_slots()
