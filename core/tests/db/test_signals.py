"""Signals: who is called, in which order, and what a failing listener does to the others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from structlog.testing import capture_logs

from annotarium.db.signals import QuerySignal, Signal


def listeners(heard: list[str], *names: str) -> list[Callable[[int], None]]:
    """Listeners that note their name and what they were sent."""
    return [lambda value, name=name: heard.append(f"{name}{value}") for name in names]  # type: ignore[misc]


def fail(value: int) -> None:
    raise LookupError(f"no {value}")


def test_listeners_are_called_in_the_order_in_which_they_were_connected() -> None:
    signal, heard = Signal[[int]]("counted"), list[str]()
    for listener in listeners(heard, "b", "a", "c"):
        signal.connect(listener)
    signal.send(1)
    signal.send(2)
    assert heard == ["b1", "a1", "c1", "b2", "a2", "c2"]


def test_connecting_twice_is_connecting_once_and_keeps_the_order() -> None:
    signal, heard = Signal[[int]]("counted"), list[str]()
    first, second = listeners(heard, "a", "b")
    for listener in (first, second, first):
        signal.connect(listener)
    signal.send(1)
    assert heard == ["a1", "b1"]


def test_methods_of_one_object_are_one_listener() -> None:
    signal, heard = Signal[[str]]("counted"), list[str]()
    signal.connect(heard.append)
    signal.send("a")
    signal.disconnect(heard.append)
    signal.disconnect(heard.append)
    signal.send("b")
    assert heard == ["a"]


def test_an_exception_reaches_the_sender_and_ends_the_round() -> None:
    """In a transaction that is what rolls it back."""
    signal, heard = Signal[[int]]("counted"), list[str]()
    before, after = listeners(heard, "a", "b")
    for listener in (before, fail, after):
        signal.connect(listener)
    with pytest.raises(LookupError, match="no 1"):
        signal.send(1)
    assert heard == ["a1"]


def test_failures_of_an_isolated_signal_are_logged_and_the_others_run() -> None:
    signal, heard = Signal[[int]]("counted", isolated=True), list[str]()
    before, after = listeners(heard, "a", "b")
    for listener in (before, fail, after):
        signal.connect(listener)
    with capture_logs() as logged:
        signal.send(1)
    assert heard == ["a1", "b1"]
    assert [(line["event"], line["signal"], line["log_level"]) for line in logged] == [
        ("listener_failed", "counted", "error")
    ]


def test_a_listener_may_disconnect_itself() -> None:
    signal, heard = Signal[[int]]("counted"), list[str]()

    def once(value: int) -> None:
        heard.append(f"once{value}")
        signal.disconnect(once)

    signal.connect(once)
    signal.connect(listeners(heard, "a")[0])
    signal.send(1)
    signal.send(2)
    assert heard == ["once1", "a1", "a2"]


def test_listening_and_silenced_end_with_their_block() -> None:
    signal, heard = Signal[[int]]("counted"), list[str]()
    always, sometimes = listeners(heard, "a", "b")
    signal.connect(always)
    with signal.listening(sometimes):
        signal.send(1)
    with signal.silenced():
        signal.send(2)
        signal.connect(sometimes)
        signal.send(3)
    with pytest.raises(LookupError), signal.listening(fail):
        signal.send(4)
    signal.send(5)
    assert heard == ["a1", "b1", "b3", "a4", "a5"]


def test_a_query_joins_the_answers_of_all_it_asks() -> None:
    query = QuerySignal[[int], str]()
    assert query.ask(1) == []
    query.connect(lambda value: [f"a{value}", f"b{value}"])
    query.connect(lambda value: [])
    query.connect(lambda value: (f"c{value}",))
    assert query.ask(2) == ["a2", "b2", "c2"]
    query.connect(fail_to_answer)
    with pytest.raises(LookupError):
        query.ask(3)


def fail_to_answer(value: int) -> list[str]:
    raise LookupError(f"no {value}")
