"""Answers that follow the response in live events (`asyncAnswer`; C-061, T-014, conflicts 6)."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.access import rights_revision
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.db.models import Project, SignInSession, User, UserShare
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.domains.segments import background_answers
from annotarium.domains.segments.answer_slots import get_answer_slots
from annotarium.events import bus
from annotarium.registry import get_registry
from annotarium.search.answer_client import get_answer_client
from annotarium.search.answer_states import get_answer_states

CANAL = "The canal is 66 km long. Its lock gates were made of oak by local carpenters."
QUESTION = "What were the lock gates made of?"
WORDS = ("The lock gates ", "were made ", "of oak. [1] ", "Pirates burned them. [1]")


class Model:
    """A server with the interface of OpenAI that answers with `words`; it sends no word without a permit."""

    def __init__(self) -> None:
        self.words: tuple[str, ...] = WORDS
        self.permits = threading.Semaphore(0)
        self.asked: list[Any] = []
        self.broken = b""
        self.status, self.complete = 200, True

    def allow(self, count: int = 1_000) -> None:
        self.permits.release(count)


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            model.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(model.status)
            self.end_headers()
            if model.status != 200:
                return
            for word in model.words:
                model.permits.acquire(timeout=20)
                self._send(json.dumps({"choices": [{"delta": {"content": word}}]}).encode())
            model.permits.acquire(timeout=20)
            if model.broken:
                self._send(model.broken)
            elif model.complete:
                self._send(b"[DONE]")

        def _send(self, data: bytes) -> None:
            with suppress(OSError):
                self.wfile.write(b"data: " + data + b"\n\n")
                self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@pytest.fixture(scope="module")
def server(data_folder: Any) -> Iterator[list[Model]]:
    """Serve as the language model; the first model of the list answers. One server and helper for the module."""
    models: list[Model] = [Model()]

    class Current(BaseHTTPRequestHandler):
        def __new__(cls, *given: Any) -> Any:
            return _handler(models[0])(*given)

    made = ThreadingHTTPServer(("127.0.0.1", 0), Current)
    made.daemon_threads = True
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANNOTARIUM_LANGUAGE_MODEL", f"http://127.0.0.1:{made.server_address[1]}/v1")
        get_answer_client().close()
        get_registry.cache_clear()
        yield models
    made.shutdown()
    made.server_close()
    get_answer_client().close()
    get_registry.cache_clear()


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
