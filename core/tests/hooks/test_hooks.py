"""Hooks: plugins are notified one by one; a failing plugin affects neither the caller nor other plugins."""

import types

import pytest
from structlog.testing import capture_logs

from annotarium.hooks import Hooks
from annotarium.registry import ComponentInfo
from annotarium_plugins.hookspecs import hookimpl

CALL = {"project": "p", "document_ids": ["1"], "job_id": "j"}


def plugin(name, **functions):
    """Return the registry row of a hook module and the module."""
    module = types.ModuleType(name)
    for key, function in functions.items():
        setattr(module, key, function)
    return ComponentInfo("hook", name, f"dist-{name}", "1"), module


def recorder(told):
    @hookimpl
    def documents_imported(project, document_ids):
        told.append((project, document_ids))

    return documents_imported


def test_a_failing_plugin_does_not_stop_the_others():
    @hookimpl
    def documents_imported(project):
        raise RuntimeError("plugin fault")

    told = []
    hooks = Hooks(
        [
            plugin("first", documents_imported=recorder(told)),
            plugin("bad", documents_imported=documents_imported),
            plugin("last", documents_imported=recorder(told)),
        ]
    )
    with capture_logs() as logs:
        hooks.call("documents_imported", **CALL)
    assert told == [("p", ["1"]), ("p", ["1"])]
    failures = [log for log in logs if log["event"] == "hooks.implementation_failed"]
    assert [failure["plugin"] for failure in failures] == ["dist-bad:bad"]


def test_an_unknown_argument_or_hook_fails_only_its_plugin():
    @hookimpl
    def documents_imported(project, password):
        raise AssertionError("must not be called")

    @hookimpl
    def documents_eaten(project):
        raise AssertionError("must not be called")

    told = []
    hooks = Hooks(
        [
            plugin("argument", documents_imported=documents_imported),
            plugin("unknown", documents_eaten=documents_eaten),
            plugin("good", documents_imported=recorder(told)),
        ]
    )
    rows = {row.name: row for row in hooks.rows()}
    assert rows["argument"].state == rows["unknown"].state == "unavailable"
    assert "password" in rows["argument"].reason
    assert "documents_eaten" in rows["unknown"].reason
    assert rows["good"].state == "available"
    hooks.call("documents_imported", **CALL)
    assert told == [("p", ["1"])]


def test_wrappers_are_refused():
    @hookimpl(wrapper=True)
    def documents_imported(project):
        yield

    rows = Hooks([plugin("wrapper", documents_imported=documents_imported)]).rows()
    assert rows[0].state == "unavailable"
    assert "wrappers" in rows[0].reason


def test_a_module_that_did_not_load_is_listed():
    info = ComponentInfo("hook", "gone", "dist", "1", "unavailable", "No module named 'gone'")
    hooks = Hooks([(info, None)])
    assert hooks.rows() == [info]
    hooks.call("documents_imported", **CALL)


def test_a_module_registered_twice_is_called_once():
    told = []
    info, module = plugin("one", documents_imported=recorder(told))
    hooks = Hooks([(info, module), (ComponentInfo("hook", "two", "dist-one", "1"), module)])
    assert [row.state for row in hooks.rows()] == ["available", "unavailable"]
    hooks.call("documents_imported", **CALL)
    assert len(told) == 1


@pytest.mark.parametrize(("hook", "arguments"), [("no_such_hook", {}), ("documents_imported", {"project": "p"})])
def test_a_wrong_call_is_an_error_of_the_caller(hook, arguments):
    with pytest.raises(LookupError):
        Hooks([]).call(hook, **arguments)
