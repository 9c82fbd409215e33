"""Third-party components may still import messages from the former module name."""

from __future__ import annotations

import importlib
import sys

import pytest

from annotarium_schemas.messages import Message


def test_the_former_module_works_and_warns() -> None:
    sys.modules.pop("annotarium_schemas.said", None)
    with pytest.warns(DeprecationWarning, match=r"annotarium_schemas\.messages"):
        former = importlib.import_module("annotarium_schemas.said")
    text = former.say("doing.read", "{count:,} documents read", count=1200)
    assert isinstance(text, Message)
    assert isinstance(text, former.Said)
    written = former.said_of(message=text)
    assert written == {"message": {"code": "doing.read", "values": {"count": 1200}}}
    assert former.said_again(str(text), written["message"]).code == "doing.read"
    assert former.joined(["a", None, "b"]) == "a, b"
