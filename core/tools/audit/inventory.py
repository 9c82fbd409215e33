"""Lists the packages in use with their versions and the licences that their authors state."""

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
"""Maximum length of a licence name: some packages put the whole licence text in this field."""


@dataclass(frozen=True)
class Package:
    """A package that is installed, or listed in the lock file."""

    ecosystem: str
    """`pypi` or `npm`."""
    name: str
    version: str
    stated: tuple[str, ...]
    """The SPDX expression if there is one, otherwise everything it states: free text, classifiers of the package index.
    """
    shipped: bool
    """Whether it is part of the default installation or of the built web app; otherwise it is a tool or optional."""


def canonical(name: str) -> str:
    """Return the normalised spelling of a Python package name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def python_packages() -> list[Package]:
    """Return all packages in this environment except Annotarium, by name."""
    shipped = default_install_packages()
    found = {canonical(one.name): one for one in distributions() if one.name}
    return [
        Package("pypi", name, one.version, _stated_licences(one), name in shipped)
        for name, one in sorted(found.items())
        if name != OWN
    ]


def default_install_packages() -> set[str]:
    """Return the packages that `pip install annotarium` installs: those of pyproject.toml and their dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return dependency_closure(project["dependencies"])


def dependency_closure(requirements: Iterable[str]) -> set[str]:
    """Return the packages in `requirements` and their dependencies; packages that are not installed are included, but
    not followed.
    """
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
    """Return all packages in the lock file of the web app; development dependencies are not shipped."""
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
