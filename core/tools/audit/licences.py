"""Checks the licences of packages against `policy.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boolean.boolean import DualBase, Expression, ParseError
from license_expression import OR, ExpressionError, LicenseSymbol, LicenseWithExceptionSymbol, Licensing

from audit.inventory import Package

POLICY = Path(__file__).with_name("policy.toml")
_SYNTAX = Licensing()


class Policy:
    """Allowed licences, and exceptions for individual packages."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.allowed = frozenset(content["allowed"])
        self.beside = self.allowed | frozenset(content.get("allowed_beside", ()))
        self.spellings: dict[str, str] = content.get("spellings", {})
        self.exceptions: dict[str, dict[str, Any]] = content.get("exceptions", {})

    @classmethod
    def read(cls, path: Path = POLICY) -> Policy:
        """Read the policy of the project."""
        return cls(tomllib.loads(path.read_text(encoding="utf-8")))

    def expression(self, package: Package) -> str | None:
        """Return the licence of a package as an expression; None when it states none, or nothing that can be parsed.

        Several statements are combined with AND, because they do not offer a choice.
        """
        words = dict.fromkeys(self.spellings.get(one, one) for one in package.stated)
        several = [one for one in words if one]
        try:
            return str(_SYNTAX.parse(" AND ".join(f"({one})" for one in several))) if several else None
        except (ExpressionError, ParseError, IndexError):  # IndexError is raised for an operator without operand
            return None

    def refusal(self, package: Package) -> str | None:
        """Return why a package must not be used; None when it may."""
        exception = self.exceptions.get(package.ecosystem, {}).get(package.name)
        if exception is not None:
            if exception["stated"] in package.stated:
                return None
            stated = f"is for {exception['stated']}, it states {_stated_licences_text(package)}"
            return f"{_describe_package(package)}: the exception in policy.toml {stated}"
        expression = self.expression(package)
        if expression is None:
            return (
                f"{_describe_package(package)}: no licence that can be read, it states {_stated_licences_text(package)}"
            )
        if self._allows(_SYNTAX.parse(expression), self.allowed if package.shipped else self.beside):
            return None
        return f"{_describe_package(package)}: {expression} is not among the licences that policy.toml allows"

    def _allows(self, found: Expression, names: frozenset[str]) -> bool:
        if isinstance(found, LicenseWithExceptionSymbol):  # an exception only adds permissions
            return found.license_symbol.key in names
        if isinstance(found, LicenseSymbol):
            return found.key in names
        if isinstance(found, DualBase):
            combine = any if isinstance(found, OR) else all
            return combine(self._allows(one, names) for one in found.args)
        return False


def licence_refusals(packages: Iterable[Package], policy: Policy) -> list[str]:
    """Return one line per refused package."""
    return [words for package in packages if (words := policy.refusal(package)) is not None]


def unused_exceptions(packages: Iterable[Package], policy: Policy) -> list[str]:
    """Return exceptions for packages that are no longer in use."""
    there = {(package.ecosystem, package.name) for package in packages}
    named = ((ecosystem, name) for ecosystem, names in policy.exceptions.items() for name in names)
    return [f"{ecosystem} {name}" for ecosystem, name in named if (ecosystem, name) not in there]


def _describe_package(package: Package) -> str:
    use = "shipped" if package.shipped else "tool or optional"
    return f"{package.name} {package.version} ({package.ecosystem}, {use})"


def _stated_licences_text(package: Package) -> str:
    return ", ".join(package.stated) or "nothing"
