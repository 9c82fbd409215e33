"""Question answering is not supported yet: a search that requests an answer is refused with a message, never run
without it.
"""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

DEFAULTS = {"context": False, "contextOnly": False, "enabled": False, "html": False, "languageDetection": "project"}
"""What the published client sends with each search."""


@pytest.mark.parametrize(
    ("parameter", "arguments"),
    [
        ("answerQuestion", {"params": {"answerQuestion": True}}),
        ("answerer", {"params": {"answerer": "any"}}),
        ("asyncAnswer", {"params": {"asyncAnswer": True}}),
    ],
)
@pytest.mark.parametrize("action", ["_search", "_similar"])
def test_an_answer_requested_in_the_query_is_refused(
    corpus: Corpus, action: str, parameter: str, arguments: dict[str, Any]
) -> None:
    refused = corpus.post(f"/segments/{action}", 400, **arguments)
    assert [one["field"] for one in refused["details"]] == [parameter]
    assert parameter in refused["message"] and "cannot be answered yet" in refused["message"]
    assert parameter in refused["fix"]


@pytest.mark.parametrize(
    "asked",
    [{"enabled": True}, {"context": True}, {"contextOnly": True}, {"generator": "any"}, DEFAULTS | {"enabled": True}],
)
@pytest.mark.parametrize("path", ["/segments/_do_search", "/segments/_similar", "/documents/_do_search"])
def test_an_answer_requested_in_the_body_is_refused(corpus: Corpus, path: str, asked: dict[str, Any]) -> None:
    refused = corpus.post(path, 400, json={"questionAnswering": asked, "search": {"query": "who"}})
    (field,) = [one["field"] for one in refused["details"]]
    assert field.removeprefix("questionAnswering.") in asked
    assert "cannot be answered yet" in refused["message"]


def test_an_asynchronous_answer_is_refused(corpus: Corpus) -> None:
    refused = corpus.post("/segments/_do_search", 400, params={"asyncAnswer": True}, json={})
    assert refused["details"][0]["field"] == "asyncAnswer"


def test_a_search_that_requests_no_answer_succeeds(corpus: Corpus) -> None:
    """The parameters as the published client sends them; those that documents do not have are ignored there."""
    corpus.add(document("a", "Marie slept."))
    nothing = {"answerQuestion": False, "asyncAnswer": False, "query": "slept"}
    assert corpus.post("/segments/_search", params=nothing)["total"]["value"] == 1
    body = {"search": {"query": "slept"}, "questionAnswering": DEFAULTS}
    assert corpus.post("/segments/_do_search", params={"asyncAnswer": False}, json=body)["total"]["value"] == 1
    assert corpus.post("/segments/_do_search", json=body | {"questionAnswering": None})["total"]["value"] == 1
    assert corpus.post("/documents/_do_search", json=body)["total"]["value"] == 1
