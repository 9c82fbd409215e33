"""Contract of every component."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar, get_args

from pydantic import ValidationError

from annotarium_plugins.base.component import NATURES, Component
from annotarium_plugins.parameters import HINTS, Parameters, Widget
from annotarium_plugins.testing.checks import check_safe_files

_LIGHT = """
import importlib, json, sys, time
from annotarium_plugins.heavy import heavy_modules
module, name, parameters = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
try:
    cls = getattr(importlib.import_module(module), name)
except ModuleNotFoundError as error:
    if (module + ".").startswith(f"{error.name}."):
        sys.exit(77)
    raise
imported = heavy_modules()
start = time.perf_counter()
cls(cls.parameters_model.model_validate(parameters))
print(json.dumps([imported, heavy_modules(), time.perf_counter() - start]))
"""

_NOT_IMPORTABLE = 77


class ComponentContract:
    """Base of all contracts.

    Attributes:
        component: the class under test.
        parameters: arguments of its parameter model; needed when a parameter has no default.
    """

    component: ClassVar[type[Component[Any]]]
    parameters: ClassVar[dict[str, Any]] = {}

    def build(self) -> Any:
        """Return a new component."""
        return self.component(self.component.parameters_model.model_validate(self.parameters))

    def reloaded(self, component: Any, folder: Path) -> Any:
        """A new component that loaded what this one saved; what was saved is in safe formats."""
        component.save(folder)
        check_safe_files(folder)
        restored = self.build()
        restored.load(folder)
        return restored

    def test_facts_are_usable(self) -> None:
        """Title and description are set, natures are known, version is a string."""
        cls = self.component
        assert cls.title, "title is missing"
        assert cls.description, "description is missing"
        assert set(cls.natures) <= set(NATURES), f"unknown natures in {cls.natures}"
        assert all(isinstance(code, str) and 2 <= len(code) <= 3 for code in cls.languages), cls.languages
        assert isinstance(cls.version, str), "version is missing"
        assert cls.version, "version is missing"

    def test_parameters_round_trip(self) -> None:
        """Accepted parameters are serialised to JSON and read back equal."""
        model = self.component.parameters_model
        assert issubclass(model, Parameters), "parameters_model is not a Parameters class"
        given = model.model_validate(self.parameters)
        wire = json.loads(given.model_dump_json())
        assert model.model_validate(wire) == given, "parameters change on the way through JSON"

    def test_parameters_draw_a_form(self) -> None:
        """The schema is JSON, every field has a title, hints are from the closed list."""
        schema = self.component.parameters_model.model_json_schema()
        json.dumps(schema, allow_nan=False)
        for name, field in self.component.parameters_model.model_fields.items():
            assert field.title, f"parameter {name} has no title"
        for name, facts in schema.get("properties", {}).items():
            unknown = [key for key in facts if key.startswith("x-") and key not in HINTS]
            assert not unknown, f"parameter {name} has unknown hints {unknown}"
            assert facts.get("x-widget") in (None, *get_args(Widget)), f"parameter {name} has an unknown widget"

    def test_unknown_parameter_is_refused(self) -> None:
        """A misspelt parameter is refused."""
        try:
            self.component.parameters_model.model_validate({**self.parameters, "no_such_parameter": 1})
        except ValidationError:
            return
        raise AssertionError("an unknown parameter is accepted")

    def test_import_and_construction_are_light(self) -> None:
        """Neither importing the module nor constructing the component imports a heavy library; both run in a fresh
        interpreter.
        """
        module = self.component.__module__
        command = [sys.executable, "-c", _LIGHT, module, self.component.__qualname__, json.dumps(self.parameters)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, timeout=120)
        if done.returncode == _NOT_IMPORTABLE:
            return  # the class is defined in a test file
        assert done.returncode == 0, done.stderr
        imported, constructed, seconds = json.loads(done.stdout.splitlines()[-1])
        assert not imported, f"importing {module} imports {imported}: import them inside the methods"
        assert not constructed, f"constructing imports {constructed}: start heavy work in the verb"
        assert seconds < 1.0, f"constructing takes {seconds:.2f} s: start heavy work in the verb"
