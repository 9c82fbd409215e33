"""entity-fishing, against a server in this test that implements its published format."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.testing import AnnotatorContract
from annotarium_schemas.documents import Annotation, Document

VARIABLE = "ANNOTARIUM_ENTITY_FISHING"
KNOWN = {
    "Ada Lovelace": {"type": "PERSON", "wikidataId": "Q7259", "domains": ["Biography"]},
    "Paris": {"type": "LOCATION", "wikidataId": "Q90"},
    "aspirin": {"domains": ["Chemistry", "Pharmacy"], "wikidataId": "Q18216"},
    "algebra": {"domains": ["Mathematics"], "wikidataId": "Q3968"},
}


class Server(BaseHTTPRequestHandler):
    """Knows some names; counts offsets in UTF-16 code units, as the real server does."""

    asked: ClassVar[list[dict[str, Any]]] = []
    answer: ClassVar[tuple[int, bytes] | None] = None

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        query = json.loads(body.partition("\r\n\r\n")[2].rpartition("\r\n--")[0])
        Server.asked.append({"path": self.path, **query})
        status, content = Server.answer or (200, json.dumps({"entities": self._entities(query["text"])}).encode())
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
        self.end_headers()
        self.wfile.write(content)

    def _entities(self, text: str) -> list[dict[str, Any]]:
        found = []
        for name, facts in KNOWN.items():
            at = text.find(name)
            while at >= 0:
                start = len(text[:at].encode("utf-16-le")) // 2
                end = start + len(name)
                found.append(
                    {"rawName": name, "offsetStart": start, "offsetEnd": end, "confidence_score": 0.75, **facts}
                )
                at = text.find(name, at + 1)
        return sorted(found, key=lambda one: one["offsetStart"])

    def log_message(self, *_: Any) -> None:
        """Write no log."""


SERVER = ThreadingHTTPServer(("127.0.0.1", 0), Server)
Thread(target=SERVER.serve_forever, daemon=True).start()
ADDRESS = f"http://127.0.0.1:{SERVER.server_address[1]}/base/"
before = os.environ.get(VARIABLE)
os.environ[VARIABLE] = ADDRESS  # the component is available only where a server is configured
from annotarium_engines.annotators import entity_fishing  # noqa: E402
from annotarium_engines.annotators.entity_fishing import (  # noqa: E402
    EntityFishingAnnotator,
    EntityFishingParameters,
)

del os.environ[VARIABLE]
if before is not None:
    os.environ[VARIABLE] = before


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, ADDRESS)
    Server.asked, Server.answer = [], None
    yield
    Server.answer = None


def annotate(text: str, language: str = "en", **parameters: Any) -> list[Annotation]:
    component = EntityFishingAnnotator(EntityFishingParameters(**parameters))
    (done,) = component.annotate([Document(text=text)], language)
    return done.annotations


class TestEntityFishing(AnnotatorContract):
    component = EntityFishingAnnotator

    def documents(self) -> list[Document]:
        return [*super().documents(), Document(identifier="known", text="\U0001f600 Ada Lovelace saw Paris.")]


def test_entities_get_labels_scores_and_wikidata_identifiers() -> None:
    text = "\U0001f600\U0001f600 Ada Lovelace takes aspirin in Paris and learns algebra."
    found = annotate(text, defaultLabel="concept")
    assert [(one.text, one.label_name, one.score) for one in found] == [
        ("Ada Lovelace", "person", 0.75),
        ("aspirin", "drug", 0.75),
        ("Paris", "location", 0.75),
        ("algebra", "concept", 0.75),
    ]
    assert all(text[one.start : one.end] == one.text for one in found)
    assert next((term.lexicon, term.identifier) for one in found for term in one.terms or ()) == ("wikidata", "Q7259")
    assert [one.text for one in annotate(text)] == ["Ada Lovelace", "aspirin", "Paris"]


def test_requests_contain_text_language_and_minimum_score() -> None:
    annotate("Paris", "fr", minSelectorScore=0.4)
    annotate("Paris", "xx")
    first, second = Server.asked
    assert (first["path"], first["text"], first["language"]) == ("/base/service/disambiguate", "Paris", {"lang": "fr"})
    assert (first["minSelectorScore"], "language" in second, second["minSelectorScore"]) == (0.4, False, 0.1)


def test_no_request_for_an_empty_text() -> None:
    assert annotate(" \n ") == []
    assert Server.asked == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(["Paris", "\U0001f468\u200d\U0001f469", "e\u0301", "\u0627\u0644", "\n", '"', "\\"])))
def test_offsets_are_code_points(pieces: list[str]) -> None:
    text = " ".join(pieces)
    found = annotate(text)
    assert all(one.text == text[one.start : one.end] == "Paris" for one in found)
    assert len(found) == pieces.count("Paris")


def test_a_long_text_is_sent_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Paris was \U0001f600 fine.\n" * 20
    whole = annotate(text)
    monkeypatch.setattr(entity_fishing, "_MAX_WINDOW", 60)
    assert annotate(text) == whole
    assert len(Server.asked) > 5


@pytest.mark.parametrize(
    "answer",
    [
        (503, b""),
        (302, b""),
        (200, b"<html>"),
        (200, b"[]"),
        (200, json.dumps({"entities": [{"rawName": "Rome", "offsetStart": 0, "offsetEnd": 4}]}).encode()),
        (200, json.dumps({"entities": [{"rawName": "Paris", "offsetStart": 0, "offsetEnd": 900}]}).encode()),
    ],
)
def test_a_failing_server_is_reported_and_redirects_are_not_followed(answer: tuple[int, bytes]) -> None:
    Server.answer = answer
    with pytest.raises(ComponentError):
        annotate("Paris")


def test_no_request_without_a_configured_server(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("", "file:///etc/passwd", "ftp://example.org"):
        monkeypatch.setenv(VARIABLE, wrong)
        with pytest.raises(ComponentError, match="no entity-fishing server"):
            annotate("Paris")
