"""requirements.lock holds a version of everything that pyproject.toml asks for; `make lock` writes it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDED = sorted(
    [*PROJECT["project"]["dependencies"], *(one for one in PROJECT["dependency-groups"]["dev"] if isinstance(one, str))]
)


def locked() -> dict[str, list[Requirement]]:
    """The pinned versions by name; several where they depend on the version of Python."""
    found: dict[str, list[Requirement]] = {}
    for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines():
        if line and not line.lstrip().startswith("#"):
            requirement = Requirement(line)
            found.setdefault(canonicalize_name(requirement.name), []).append(requirement)
    return found


@pytest.mark.parametrize("needed", NEEDED)
def test_each_dependency_is_locked_within_its_range(needed: str) -> None:
    requirement = Requirement(needed)
    pins = locked().get(canonicalize_name(requirement.name), [])
    assert pins, "make lock"
    for pin in pins:
        (specifier,) = pin.specifier
        assert specifier.operator == "=="
        assert requirement.specifier.contains(specifier.version, prereleases=True), f"{pin}: make lock"


def test_the_lock_names_no_other_source() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert len(locked()) > 80
