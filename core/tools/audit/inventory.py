"""Which packages are in use, with versions and licences as their authors state them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[3]
LOCK = ROOT / "webapp" / "package-lock.json"
OWN = "annotarium"
_LONGEST_NAME = 60
"""Some write the whole text of the licence into the field of its name."""


@dataclass(frozen=True)
class Package:
    """A package that is installed, or would be by the lock file."""

    ecosystem: str
    """`pypi` or `npm`."""
    name: str
    version: str
    stated: tuple[str, ...]
    """An SPDX expression where it has one, else all that it states: a free text, classifiers of the package index."""
    shipped: bool
    """Whether it is part of the default install, or of the built studio; else it is a tool or optional."""


def canonical(name: str) -> str:
    """The one spelling of a Python package's name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def python_packages() -> list[Package]:
    """Everything in this environment but ourselves, by name."""
    shipped = default_install_packages()
    found = {canonical(one.name): one for one in distributions() if one.name}
    return [
        Package("pypi", name, one.version, _stated_licences(one), name in shipped)
        for name, one in sorted(found.items())
        if name != OWN
    ]


def default_install_packages() -> set[str]:
    """Names of what `pip install annotarium` brings, by pyproject.toml and what its packages require in turn."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dependency_closure(project["dependencies"])


def dependency_closure(requirements: Iterable[str]) -> set[str]:
    """The packages asked for, with all that they require; what is not installed here is named but not followed."""
    found: set[str] = set()
    waiting: list[tuple[str, frozenset[str]]] = _applicable_requirements(requirements, frozenset())
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        name, extras = one
        found.add(name)
        try:
            waiting += _applicable_requirements(distribution(name).requires or (), extras)
        except PackageNotFoundError:
            continue
    return found


def _applicable_requirements(requirements: Iterable[str], extras: frozenset[str]) -> list[tuple[str, frozenset[str]]]:
    parsed = [Requirement(text) for text in requirements]
    return [
        (canonical(one.name), frozenset(one.extras))
        for one in parsed
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in (*extras, ""))
    ]


def _stated_licences(one: Distribution) -> tuple[str, ...]:
    exact = one.metadata.get("License-Expression")
    if exact:
        return (exact,)
    words = (one.metadata.get("License") or "").strip()
    classes = [
        line.rpartition("::")[2].strip()
        for line in one.metadata.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    named = words if words and len(words) <= _LONGEST_NAME and "\n" not in words and words != "UNKNOWN" else ""
    return tuple(part for part in (named, *classes) if part)


def npm_packages(lock: Path = LOCK) -> list[Package]:
    """Everything the lock file of the studio names; what is only for development is not shipped."""
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    found = {
        (name, facts["version"]): Package(
            "npm", name, facts["version"], _stated_npm_licences(facts.get("license")), not facts.get("dev", False)
        )
        for path, facts in packages.items()
        if path and (name := path.rpartition("node_modules/")[2])
    }
    return [found[key] for key in sorted(found)]


def _stated_npm_licences(licence: object) -> tuple[str, ...]:
    return (licence,) if isinstance(licence, str) and licence else ()
