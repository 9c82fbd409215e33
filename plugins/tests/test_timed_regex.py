"""Patterns of users run in a child process that can be killed."""

import gc
import re
import threading
import time

import pytest

from annotarium_plugins.timed_regex import PatternTimeout, TimedPattern


def test_spans_are_code_points_and_never_empty():
    assert TimedPattern(r"\w*").spans("é 𝔘𝔫 \n") == [(0, 1), (2, 4)]


def test_invalid_pattern_is_refused_immediately():
    with pytest.raises(re.error):
        TimedPattern("(")


def test_limit_holds_in_any_thread():
    """The limit must not depend on signals, which reach the main thread only."""
    caught = []

    def work():
        try:
            TimedPattern("(a|aa)+$", seconds=0.3).spans("a" * 60 + "b")
        except PatternTimeout as error:
            caught.append(str(error))

    thread = threading.Thread(target=work)
    start = time.perf_counter()
    thread.start()
    thread.join(timeout=20)
    assert caught == ["The pattern took more than 0.3 seconds on one text"]
    assert time.perf_counter() - start < 10


def test_child_process_is_reused_and_ends_with_its_pattern():
    pattern = TimedPattern("a")
    pattern.spans("a")
    child = pattern._child
    pattern.spans("b" * 300_000 + "a")
    assert pattern._child is child
    del pattern
    gc.collect()
    assert child is not None
    assert child.poll() is not None, "a child process was left behind"
