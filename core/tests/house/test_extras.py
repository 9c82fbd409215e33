"""An extra promises something: what it installs is used by a module, and a test exercises that."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PACKAGES = ("core/annotarium", "engines/annotarium_engines", "plugins/annotarium_plugins")
TESTS = ("core/tests", "engines/tests", "plugins/tests")
IMPORT_NAMES = {"opensearch-py": "opensearchpy", "umap-learn": "umap"}
"""Where a distribution and what is imported of it have two names."""
EXTRAS: dict[str, list[str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]
USED = [
    (extra, re.split(r"[\[<>=!~; ]", requirement)[0])
    for extra, requirements in EXTRAS.items()
    if extra != "all"
    for requirement in requirements
]


def is_found(pattern: str, folders: tuple[str, ...]) -> bool:
    found = re.compile(pattern, re.MULTILINE)
    sources = (path for folder in folders for path in (ROOT / folder).rglob("*.py") if path != Path(__file__))
    return any(found.search(path.read_text(encoding="utf-8")) for path in sources)


@pytest.mark.parametrize(("extra", "distribution"), USED)
def test_what_an_extra_installs_is_used_by_a_module(extra: str, distribution: str) -> None:
    name = IMPORT_NAMES.get(distribution, distribution)
    used = rf"^\s*(?:import|from) {name}\b|\+{name}\b"  # a driver is named in the URL of its database
    assert is_found(used, PACKAGES), f"[{extra}]: nothing uses {name}"


@pytest.mark.parametrize("extra", sorted({extra for extra, _ in USED}))
def test_a_test_exercises_each_extra(extra: str) -> None:
    names = [IMPORT_NAMES.get(distribution, distribution) for one, distribution in USED if one == extra]
    assert any(is_found(rf"\b{name}\b", TESTS) for name in names), f"[{extra}]: no test names {names}"


def test_all_means_every_extra() -> None:
    (everything,) = EXTRAS["all"]
    named = re.fullmatch(r"annotarium\[(.+)\]", everything)
    assert named is not None
    assert set(named[1].split(",")) == EXTRAS.keys() - {"all"}
