"""Concepts from the lexicons of a project and from a configured server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from support.factories import Corpus

from annotarium.domains.knowledge import endpoints, host
from annotarium.domains.knowledge.host import concept_from_json, fetch_concept
from annotarium.settings import get_settings

ADDRESS = "/api/service/kb/concept/"
ASTHMA = {
    "identifier": "D1",
    "preferredForm": "asthma",
    "properties": {
        "forms": [
            {"form": "asthma", "language": "en", "type": "preferred"},
            {"form": "asthme", "language": "fr", "type": "preferred"},
        ],
        "definitions": [{"text": "A disease.", "language": "en"}, {"text": "Une maladie.", "language": "fr"}],
        "broader": ["D0"],
        "wikidataId": "Q35869",
    },
}


@pytest.fixture
def lexicon(corpus: Corpus) -> Corpus:
    name = corpus.post("/lexicons", json={"label": "Diseases"})["name"]
    for body in ({"identifier": "D0", "preferredForm": "lung disease"}, ASTHMA):
        corpus.post(f"/lexicons/{name}", json=body)
    return corpus


def test_a_term_is_a_concept(lexicon: Corpus, as_user: Any, client: Any) -> None:
    """W-021: in the language of the document; broader terms have their form; by identifier with or without lexicon."""
    for reference in ("D1", "diseases:D1"):
        asked = {"lang": "fr", "project": lexicon.project.name}
        body = lexicon.caller.get(f"{ADDRESS}{reference}", params=asked).json()
        assert (body["preferredTerm"], body["definitions"]) == ("asthme", [{"definition": "Une maladie."}])
        assert {"propertyName": "broader", "value": "lung disease", "isWikidataId": False} in body["statements"]
        assert {"propertyName": "wikidataId", "value": "Q35869", "isWikidataId": True} in body["statements"]
        assert body["multilingual"] == [{"lang": "en", "term": "asthma"}, {"lang": "fr", "term": "asthme"}]
    assert lexicon.caller.get(f"{ADDRESS}D1").status_code == 404, "without a project"
    stranger = as_user(client, "stranger")
    assert stranger.get(f"{ADDRESS}D1", params={"project": lexicon.project.name}).status_code == 404


@dataclass
class KnowledgeServer:
    """A local knowledge-base server. `answer`: status, headers and body; `asked`: the paths of its requests."""

    asked: list[str] = field(default_factory=list)
    answer: tuple[int, dict[str, str], bytes] = (200, {}, b"{}")
    released: Event = field(default_factory=Event)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[KnowledgeServer]:
    """The configured server; it responds at once unless a test clears `released`."""
    known = KnowledgeServer()
    known.released.set()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            known.asked.append(self.path)
            known.released.wait(10)
            status, headers, body = known.answer
            self.send_response(status)
            for name, value in (headers | {"Content-Length": str(len(body))}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=listening.serve_forever, daemon=True).start()
    monkeypatch.setattr(get_settings(), "knowledge_host", f"http://127.0.0.1:{listening.server_port}")
    monkeypatch.setattr(host._Outage, "until", 0.0)
    yield known
    known.released.set()
    listening.shutdown()
    listening.server_close()


PARIS = json.dumps({"preferredTerm": "Paris", "multilingual": [{"lang": "fr", "term": "Paris"}]}).encode()


def test_a_configured_server_describes_what_is_unknown_here(lexicon: Corpus, server: KnowledgeServer) -> None:
    """T-046: values that are identifiers are resolved by the same request; terms of the project precede the server."""
    server.answer = (200, {}, PARIS)
    answer = lexicon.caller.get(f"{ADDRESS}Q90", params={"lang": "fr"})
    assert (answer.status_code, answer.json()["preferredTerm"]) == (200, "Paris")
    assert server.asked == ["/service/kb/concept/Q90?lang=fr"]
    lexicon.caller.get(f"{ADDRESS}D1", params={"project": lexicon.project.name})
    assert len(server.asked) == 1
    server.answer = (404, {}, b"")
    assert lexicon.caller.get(f"{ADDRESS}Q91").status_code == 404
    assert lexicon.caller.get(f"{ADDRESS}Q92").status_code == 404
    assert len(server.asked) == 3, "a concept that it does not know is no outage"


def test_no_transaction_is_open_during_the_request_to_the_server(
    lexicon: Corpus, server: KnowledgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow server must not hold a connection of the database, nor a thread that serves requests."""
    open_calls: list[str] = []
    original = endpoints.open_call

    @contextmanager
    def counted(*given: Any) -> Iterator[Any]:
        open_calls.append("open")
        with original(*given) as call:
            yield call
        open_calls.pop()

    monkeypatch.setattr(endpoints, "open_call", counted)
    seen: list[int] = []
    fetch = host.fetch_concept

    def watched(*given: Any) -> Any:
        seen.append(len(open_calls))
        return fetch(*given)

    monkeypatch.setattr(host, "fetch_concept", watched)
    server.answer = (200, {}, PARIS)
    assert lexicon.caller.get(f"{ADDRESS}Q90").status_code == 200
    assert seen == [0]


def test_only_the_configured_server_is_contacted(server: KnowledgeServer) -> None:
    """A redirect is not followed: its target, which may be in a private network, was not configured."""
    server.answer = (302, {"Location": "/service/kb/concept/secret"}, b"")
    assert fetch_concept("Q90", "en") is None
    assert server.asked == ["/service/kb/concept/Q90?lang=en"]
    assert fetch_concept("Q90", "../../x") is None
    assert server.asked[1:] == ["/service/kb/concept/Q90?lang=en"], "an invalid language is not sent"
    assert fetch_concept("Q\u0661", "en") is None
    assert len(server.asked) == 2, "a digit of another script"


@pytest.mark.parametrize("body", [b"[" * 100_000, b"\xff\xfe", b'{"preferredTerm": "' + b"x" * 5_000_000 + b'"}'])
def test_a_response_that_cannot_be_read_is_no_error(server: KnowledgeServer, body: bytes) -> None:
    """Too deep, not UTF-8, too long."""
    server.answer = (200, {}, body)
    assert fetch_concept("Q90", "en") is None
    server.answer = (200, {}, PARIS)
    assert fetch_concept("Q90", "en") is not None, "it is no outage"


def test_nobody_waits_again_for_a_server_that_is_down(server: KnowledgeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a timeout it is left alone for a while."""
    monkeypatch.setattr(host, "_SECONDS", 0.2)
    server.released.clear()
    assert fetch_concept("Q90", "en") is None
    assert fetch_concept("Q91", "en") is None
    assert len(server.asked) == 1
    server.released.set()
    server.answer = (200, {}, PARIS)
    monkeypatch.setattr(host._Outage, "until", 0.0)
    assert fetch_concept("Q91", "en") is not None


def test_anonymous_callers_learn_nothing(client: Any, server: KnowledgeServer) -> None:
    assert client.get(f"{ADDRESS}Q90").status_code == 401
    assert server.asked == []


def test_no_server_is_contacted_in_air_gapped_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor for a reference that is not an identifier: nothing that a request contains may become part of an address."""
    sent: list[Any] = []
    monkeypatch.setattr(host, "build_opener", lambda *given: sent.append(given))
    monkeypatch.setattr(get_settings(), "knowledge_host", "http://127.0.0.1:9")
    monkeypatch.setattr(get_settings(), "air_gapped", True)
    assert fetch_concept("Q1", "en") is None
    monkeypatch.setattr(get_settings(), "air_gapped", False)
    for wrong in ("../admin", "Q1?x=1", "Q1/..", "", "Q" + "1" * 30):
        assert fetch_concept(wrong, "en") is None
    assert sent == []


def test_a_server_that_does_not_respond_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "knowledge_host", "http://127.0.0.1:9")
    monkeypatch.setattr(host._Outage, "until", 0.0)
    assert fetch_concept("Q1", "en") is None
    monkeypatch.setattr(host._Outage, "until", 0.0)


@pytest.mark.parametrize("wrong", [None, [], {}, {"preferredTerm": 5}, {"definitions": [{"definition": "x"}]}])
def test_an_invalid_response_is_no_concept(wrong: Any) -> None:
    assert concept_from_json("Q1", wrong) is None


def test_parts_of_a_response_that_are_invalid_are_left_out() -> None:
    given = {
        "preferredTerm": "Paris",
        "definitions": [{"definition": "A city"}, 5, {"definition": None}],
        "statements": [{"propertyName": "country", "value": "Q142"}, {"propertyName": "x", "value": {}}],
        "multilingual": [{"lang": "fr", "term": "Paris"}, {"lang": "de"}],
    }
    found = concept_from_json("Q90", given)
    assert found is not None
    assert [one.definition for one in found.definitions] == ["A city"]
    assert [(one.property_name, one.value, one.is_wikidata_id) for one in found.statements] == [
        ("country", "Q142", True)
    ]
    assert [one.lang for one in found.multilingual] == ["fr"]
