"""Validation errors carry message codes, so that the web app can translate them."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from fastapi.testclient import TestClient
from pydantic import BaseModel, Field, ValidationError, field_validator

from annotarium.system.validation_messages import validation_message
from annotarium_schemas.messages import Message, message


class Form(BaseModel, extra="forbid"):
    text: str = Field("ab", min_length=1, max_length=3, pattern="^[a-z]*$")
    word: str = Field("abc", min_length=2)
    whole: int = Field(5, ge=1, le=9)
    real: float = Field(0.5, gt=0, lt=1, multiple_of=0.25)
    switch: bool = True
    choice: Literal["one", "two"] = "one"
    some: list[int] = Field([1], min_length=1, max_length=2)
    facts: dict[str, int] = {}

    @field_validator("facts")
    @classmethod
    def _whole(cls, facts: dict[str, int]) -> dict[str, int]:
        if "wrong" in facts:
            raise ValueError(message("fault.missing", "It is required"))
        if "plain" in facts:
            raise ValueError("said by a component in English")
        return facts


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({"text": ""}, "fault.empty", "It must not be empty"),
        ({"word": "a"}, "fault.short", "It must have at least 2 characters"),
        ({"text": "abcd"}, "fault.long", "It must have at most 3 characters"),
        ({"text": "A"}, "fault.pattern", "It must have the form ^[a-z]*$"),
        ({"text": 5}, "fault.noText", "It must be a text"),
        ({"whole": "many"}, "fault.noInteger", "It must be a whole number"),
        ({"whole": 1.5}, "fault.noInteger", "It must be a whole number"),
        ({"whole": 0}, "fault.atLeast", "It must be at least 1"),
        ({"whole": 10}, "fault.atMost", "It must be at most 9"),
        ({"real": "x"}, "fault.noNumber", "It must be a number"),
        ({"real": 0}, "fault.greaterThan", "It must be greater than 0"),
        ({"real": 1}, "fault.lessThan", "It must be less than 1"),
        ({"real": 0.3}, "fault.multiple", "It must be a multiple of 0.25"),
        ({"switch": "perhaps"}, "fault.noBoolean", "It must be true or false"),
        ({"choice": "three"}, "fault.oneOf", "It must be one of 'one' or 'two'"),
        ({"some": 3}, "fault.noList", "It must be a list"),
        ({"some": []}, "fault.few", "It must have at least 1 entries"),
        ({"some": [1, 2, 3]}, "fault.many", "It must have at most 2 entries"),
        ({"facts": 3}, "fault.noObject", "It must be an object"),
        ({"facts": {"wrong": 1}}, "fault.missing", "It is required"),
        ({"facts": {"plain": 1}}, None, "said by a component in English"),
        ({"strange": 1}, "fault.noParameter", "This parameter does not exist"),
    ],
)
def test_validation_messages_have_codes(given: dict[str, Any], code: str | None, words: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Form.model_validate(given)
    (item,) = raised.value.errors()
    found = validation_message(item)
    assert found == words
    assert (found.code if isinstance(found, Message) else None) == code


def test_a_refused_request_has_a_code_for_each_wrong_field(as_admin: TestClient) -> None:
    refused = as_admin.post("/api/projects", json={"nature": 5})
    assert refused.status_code == 400
    body = refused.json()
    assert body["said"]["message"]["code"] == "wrong.request"
    assert {one["said"]["message"]["code"] for one in body["details"]} >= {"fault.missing"}
    gone = as_admin.get("/api/projects/nowhere/_info").json()
    assert gone["said"] == {
        name: {"code": "none.project", "values": {"name": "nowhere"}} for name in ("message", "cause")
    }


def test_the_message_for_a_parameter_out_of_bounds_contains_its_bound(as_admin: TestClient, make_project: Any) -> None:
    project = make_project()
    refused = as_admin.post(f"/api/projects/{project.name}/documents/_search", params={"size": 99_999_999})
    assert refused.status_code == 400
    (detail,) = refused.json()["details"]
    assert detail["said"]["message"] == {"code": "fault.atMost", "values": {"number": 10_000}}
