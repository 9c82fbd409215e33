"""Answers that follow the response in live events (`asyncAnswer`; T-014, conflicts 6)."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest
from support.factories import Corpus, document
from support.language_model_server import WORDS, Model, served_models

from annotarium.access import rights_revision
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.db.models import Project, SignInSession, User, UserShare
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.domains.segments import background_answers
from annotarium.domains.segments.answer_slots import get_answer_slots
from annotarium.events import bus
from annotarium.search.answer_client import get_answer_client
from annotarium.search.answer_states import get_answer_states

CANAL = "The canal is 66 km long. Its lock gates were made of oak by local carpenters."
QUESTION = "What were the lock gates made of?"


@pytest.fixture(scope="module")
def server(data_folder: Any) -> Iterator[list[Model]]:
    """Serve as the language model; the first model of the list answers. One server and helper for the module."""
    with served_models() as models:
        yield models


@pytest.fixture
def model(server: list[Model]) -> Iterator[Model]:
    server[0] = Model()
    yield server[0]
    server[0].allow()
    wait_for(lambda: not get_answer_slots()._running)


@pytest.fixture
def canal(corpus: Corpus) -> Corpus:
    corpus.add(document("canal", CANAL, title="The canal"))
    return corpus


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Event]]:
    """All events of this process."""
    found: list[Event] = []
    bus.received_locally.connect(found.extend)
    yield found
    bus.received_locally.disconnect(found.extend)


def wait_for(condition: Callable[[], Any], seconds: float = 30.0) -> Any:
    limit = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < limit, "it did not happen in time"
        time.sleep(0.01)
    return found


def ask(corpus: Corpus, answerer: str = "language_model_answerer", status: int = 200, **more: Any) -> Any:
    body = {"search": {"query": QUESTION}, "questionAnswering": {"enabled": True, "generator": answerer} | more}
    return corpus.post("/segments/_do_search", status, params={"asyncAnswer": True}, json=body)


def ended(corpus: Corpus, result_id: str) -> Any:
    def state() -> Any:
        found = corpus.get(f"/answers/{result_id}")
        return None if found["status"] == "running" else found

    return wait_for(state)


def answers(heard: list[Event]) -> list[Any]:
    return [event.arg["answerDetails"] for event in heard if event.mutation == "answer"]


def test_an_answer_grows_in_events_for_its_asker(canal: Corpus, model: Model, heard: list[Event]) -> None:
    found = ask(canal)
    first = found["answerDetails"]
    assert found["hits"] and "oak" in found["context"] and found["answer"] == ""
    assert first["status"] == "running" and first["resultID"] == found["resultID"] and first["passages"]
    model.allow(2)
    wait_for(lambda: any(one["text"] == "The lock gates were made " for one in answers(heard)))
    model.allow()
    last = ended(canal, found["resultID"])
    assert last["status"] == "done" and last["passages"] == first["passages"] and last["context"] == found["context"]
    assert [one["quote"] for one in last["citations"]] == ["Its lock gates were made of oak by local carpenters."]
    assert [last["text"][one["start"] : one["end"]] for one in last["unsupported"]] == ["Pirates burned them. [1]"]
    told = wait_for(lambda: answers(heard) if answers(heard)[-1]["status"] == "done" else None)
    assert all(one["text"].startswith(before["text"]) for before, one in pairwise(told))
    assert {"passages", "context"}.isdisjoint(told[-1]) and told[-1]["text"] == last["text"]
    events = [event for event in heard if event.mutation == "answer"]
    assert {event.user for event in events} == {"root"}
    assert {event.arg["resultID"] for event in events} == {found["resultID"]}


def test_an_extractive_answer_follows_too(canal: Corpus) -> None:
    found = canal.post("/segments/_search", params={"query": QUESTION, "answerQuestion": True, "asyncAnswer": True})
    assert found["answerDetails"]["status"] == "running"
    last = ended(canal, found["resultID"])
    assert last["status"] == "done" and "oak" in last["text"] and last["citations"]
    assert canal.post("/segments/_search", params={"query": "oak", "asyncAnswer": True})["total"]["value"] == 1


def test_events_are_throttled(canal: Corpus, model: Model, heard: list[Event]) -> None:
    """However fast words come, at most about five events a second are sent, and the last state is among them."""
    model.words = tuple(f"word{number} " for number in range(500))
    model.allow(2_000)
    begin = time.monotonic()
    last = ended(canal, ask(canal)["resultID"])
    seconds = time.monotonic() - begin
    told = wait_for(lambda: [one for one in answers(heard) if one["status"] == "done"] and answers(heard))
    assert last["text"].startswith("word0 word1 ") and last["text"].rstrip().endswith("word499")
    assert len(told) <= seconds / background_answers.INTERVAL_SECONDS + 2


def test_a_stopped_answer_keeps_its_text(canal: Corpus, model: Model, heard: list[Event]) -> None:
    result = ask(canal)["resultID"]
    model.allow(1)
    wait_for(lambda: canal.get(f"/answers/{result}")["text"])
    assert canal.post(f"/answers/{result}/_stop")["status"] == "running"
    last = ended(canal, result)
    assert last["status"] == "stopped" and last["text"] == WORDS[0] and last["error"] is None
    assert wait_for(lambda: answers(heard)[-1]["status"] == "stopped")
    assert canal.post(f"/answers/{result}/_stop")["status"] == "stopped"
    wait_for(lambda: not get_answer_slots()._running)


@pytest.mark.parametrize("how", ["disconnect", "broken", "refused", "killed"])
def test_a_failing_model_leaves_the_part_that_came(canal: Corpus, model: Model, how: str) -> None:
    if how == "refused":
        model.status = 401
    model.broken = b"{broken" if how == "broken" else b""
    model.complete = how not in ("disconnect",)
    result = ask(canal)["resultID"]
    if how != "refused":
        model.allow(2)
        wait_for(lambda: canal.get(f"/answers/{result}")["text"] == WORDS[0] + WORDS[1])
    if how == "killed":
        process = get_answer_client()._process
        assert process is not None
        process.kill()
    model.allow()
    last = ended(canal, result)
    assert last["status"] == "failed" and last["error"]["message"] and last["error"]["fix"] and last["passages"]
    assert last["text"].startswith("" if how == "refused" else WORDS[0] + WORDS[1])
    model.status, model.broken, model.complete = 200, b"", True
    assert ended(canal, ask(canal)["resultID"])["status"] == "done", "asking again does not work"


def test_a_refusal_that_passes_is_tried_again(canal: Corpus, model: Model) -> None:
    """429 with `Retry-After`: the asker waits, and notices nothing else."""
    model.refusals = ((429, "1"), (503, "0"))
    model.allow()
    last = ended(canal, ask(canal)["resultID"])
    assert last["status"] == "done" and last["text"].startswith("The lock gates were made of oak.")
    assert len(model.asked) == 3 and model.asked_at[1] - model.asked_at[0] >= 0.9


PLACES = ("Velm", "Orsa", "Tarn", "Pell", "Quill", "Hasp", "Lund", "Mirk")
MATERIALS = ("oak", "steel", "granite", "bronze", "elm", "concrete", "brick", "iron")
FACT = re.compile(r"gates of (\w+) were made of (\w+)")


def _scripted_answer(asked: Any) -> list[str]:
    """For each passage a sentence that it supports; then four kinds of sentences that their passage does not."""
    passages = json.loads(asked["messages"][-1]["content"])["passages"]
    facts = [(one["number"], *FACT.search(one["text"]).groups()) for one in passages]  # type: ignore[union-attr]
    words = [f"The gates of {place} were made of {material}. [{number}] " for number, place, material in facts]
    words += [f"The gates of {place} were made of {material}. [{number - 1}] " for number, place, material in facts[1:]]
    words += [f"Pirates burned the bridge in {1700 + number}. [{number}] " for number, _, _ in facts]
    words += [f"The mayor of {place} sold melons to sailors. [{number}] " for number, place, _ in facts]
    return [*words, "Nobody ever repaired anything afterwards. [99]"]


def test_nearly_all_citations_are_right(corpus: Corpus, model: Model) -> None:
    """Of a model that cites rightly and wrongly, at least 95 % of the citations that remain support their sentence."""
    corpus.add(
        *(
            document(place.lower(), f"The lock gates of {place} were made of {material} by local carpenters.")
            for place, material in zip(PLACES, MATERIALS, strict=True)
        )
    )
    model.script = _scripted_answer
    model.allow()
    last = ended(corpus, ask(corpus)["resultID"])
    passages = {one["number"]: one["text"] for one in last["passages"]}
    assert last["status"] == "done" and len(passages) >= 5
    right = 0
    for one in last["citations"]:
        place = next(name for name in PLACES if name in passages[one["passage"]])
        right += f"gates of {place} were made" in last["text"][one["answerStart"] : one["answerEnd"]]
    assert len(last["citations"]) >= len(passages) and right / len(last["citations"]) >= 0.95
    marked = [last["text"][one["start"] : one["end"]] for one in last["unsupported"]]
    assert sum("Pirates" in one for one in marked) == sum("melons" in one for one in marked) == len(passages)
    assert sum("were made" in one for one in marked) == len(passages) - 1
    assert sum("Nobody" in one for one in marked) == 1


def test_two_answers_of_a_user_at_once(canal: Corpus, model: Model) -> None:
    results = [ask(canal)["resultID"] for _ in range(2)]
    refused = ask(canal, status=429)
    assert refused["message"] and refused["fix"]
    for result in results:
        canal.post(f"/answers/{result}/_stop")
    assert {ended(canal, result)["status"] for result in results} == {"stopped"}
    wait_for(lambda: not get_answer_slots()._running)
    model.allow()
    assert ended(canal, ask(canal)["resultID"])["status"] == "done"


def test_an_answer_is_its_askers_alone(
    canal: Corpus, model: Model, client: Any, as_user: Any, make_project: Any
) -> None:
    """Others get nothing: in the project, in another one, without an account, or by guessing."""
    project = make_project(owner="ada", readers=("grace",), group="press")
    ada, grace = (as_user(client, name, "useSearch", "seeExplore", groups=("press",)) for name in ("ada", "grace"))
    body = {"search": {"query": QUESTION}, "questionAnswering": {"enabled": True}}
    path = f"/api/projects/{project.name}"
    found = ada.post(f"{path}/segments/_do_search", params={"asyncAnswer": True}, json=body).json()
    own = f"/answers/{found['resultID']}"
    wait_for(lambda: ada.get(f"{path}{own}").json()["status"] == "done")
    assert grace.get(f"{path}{own}").status_code == 404 and grace.post(f"{path}{own}/_stop").status_code == 404
    assert canal.get(own, 404)["message"] and canal.post(f"{own}/_stop", 404)
    stranger = as_user(client, "stranger", "useSearch", groups=("elsewhere",))
    assert stranger.get(f"{path}{own}").status_code == 404
    assert as_user(client, "lister", "seeExplore", groups=("press",)).get(f"{path}{own}").status_code in (403, 404)
    client.cookies.clear()
    assert client.get(f"{path}{own}").status_code == 401 and client.post(f"{path}{own}/_stop").status_code == 401
    for guess in ("0" * 16, "x", "..", "%00", "a" * 5_000, "*", "annotarium:answer:" + found["resultID"]):
        assert ada.get(f"{path}/answers/{guess}").status_code in (400, 404, 405, 414), guess


def _lose(username: str, how: str) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        session = unit.session
        user = session.query(User).filter_by(username=username).one()
        if how == "disabled":
            user.disabled = True
        elif how == "signed out":
            session.query(SignInSession).filter_by(user_id=user.id).update({"ended_at": 1})
        elif how == "share":
            session.query(UserShare).filter_by(user_id=user.id).delete()
        elif how == "permission":
            user.permissions = ["seeExplore"]
        else:
            session.query(Project).filter_by(owner_id=user.id).update({"deleted_at": 1})
        rights_revision.note_rights_change(session)


@pytest.mark.parametrize("how", ["disabled", "signed out", "share", "permission", "project"])
def test_an_asker_who_loses_access_hears_nothing_more(
    how: str, model: Model, heard: list[Event], as_user: Any, client: Any, make_project: Any, run_jobs: Any
) -> None:
    """The answer ends too: nobody would read it."""
    name = f"asker-{how.replace(' ', '-')}"
    asker = as_user(client, name, "useSearch", "useSvcProvider:*", "seeExplore")
    project = make_project(owner=name if how == "project" else "ada", readers=() if how == "project" else (name,))
    owner = (
        as_user(client, "ada", *PREDEFINED_BY_NAME)
        if how != "project"
        else as_user(client, "root", *PREDEFINED_BY_NAME)
    )
    Corpus(owner, project, run_jobs).add(document("canal", CANAL))
    heard.clear()
    result = ask(Corpus(asker, project, run_jobs))["resultID"]
    model.allow(1)
    wait_for(lambda: answers(heard))
    _lose(name, how)
    model.allow()
    wait_for(lambda: not get_answer_slots()._running)
    state = get_answer_states().find(result)
    assert state is not None and state.details["status"] == "stopped"
    assert all(one["status"] == "running" for one in answers(heard))
