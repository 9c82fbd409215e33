"""Request bodies with values that cannot be stored are refused with a message, whichever free field contains them."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

LOST = {
    "a number over 64 bits": ("12345678901234567890123", "too large"),
    "a number just over 64 bits": ("-9223372036854775809", "too large"),
    "a number that is infinite": ("1e400", "too large"),
    "half a pair": ('"\\ud800"', "surrogate"),
    "half a pair in a name": ('{"\\udc00": 1}', "surrogate"),
    "a NUL": ('"a\\u0000b"', "NUL"),
    "a NUL in a name": ('[{"\\u0000": 1}]', "NUL"),
    "not a number": ("NaN", "not JSON"),
    "deeper than anything": ("[" * 5_000 + "]" * 5_000, "not JSON"),
}


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("one", "John lives in Paris", ("John", "person")))
    return corpus


def _send(filled: Corpus, path: str, body: str) -> Any:
    headers = {"content-type": "application/json"}
    return filled.caller.post(f"{filled.path}{path}", content=body.encode(), headers=headers)


PLACES = {
    "/annotations": '{"documentIdentifier":"one","labelName":"person","start":0,"end":4,"properties":{"a":%s}}',
    "/documents/_search_and_tag": '{"name": "group", "value": %s}',
    "/documents/_tag?identifier=one": '{"name": "group", "value": %s}',
}


@pytest.mark.parametrize("path", PLACES)
def test_values_that_cannot_be_stored_are_refused_with_a_message(filled: Corpus, path: str) -> None:
    for what, (written, word) in LOST.items():
        answer = _send(filled, path, PLACES[path] % written)
        assert answer.status_code == 400, what
        told = answer.json()
        assert word in told["message"], what
        assert told["fix"], what
    assert filled.get("/documents/one")["metadata"] == {}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32-le"])
def test_json_in_an_older_encoding_and_the_largest_numbers_are_read(filled: Corpus, encoding: str) -> None:
    body = '{"name": "size", "value": "٣ 12345678901234567890123"}'
    headers = {"content-type": "application/json"}
    path = f"{filled.path}/documents/_tag?identifier=one"
    answer = filled.caller.post(path, content=body.encode(encoding), headers=headers)
    assert answer.status_code == 204, answer.text
    assert filled.get("/documents/one")["metadata"]["size"] == "٣ 12345678901234567890123"
    assert _send(filled, "/documents/_tag?identifier=one", '{"name": "size", "value": null}').status_code == 204


def test_an_address_with_a_nul_is_refused_by_every_database(filled: Corpus) -> None:
    assert "NUL" in filled.post("/categories/_count?createdBy=%00", 400)["message"]
    for name in ("plans", "documents"):
        assert "NUL" in filled.get(f"/{name}/a%00b", 404)["message"]


def test_missing_permission_is_reported_before_errors_of_the_body(filled: Corpus, client: Any) -> None:
    headers = {"content-type": "application/json"}
    path = f"{filled.path}/documents/_search_and_tag"
    for body in ('{"name": "a", "value": "\\ud800"}', "{"):
        assert client.post(path, content=body, headers=headers).status_code == 401
    assert client.get(f"{filled.path}/documents/a%00").status_code == 401
