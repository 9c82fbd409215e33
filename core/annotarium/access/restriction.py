"""Restrictions: the most that a token or an API key may do, regardless of its user's rights.

A restriction is stored with its sign-in or key (never in the token) and narrows the user's rights at each request: the
effective rights are the intersection of both. Routes are ordered by what they do (`Effect`), and each restriction
allows routes up to one of these steps:

    annotate  texts are annotated, nothing is stored: `*_annotate*` routes and what their clients need
    read      projects are read, searched, exported
    write     projects are created and changed
    chmod     access to a project changes: shares, owner, group
    account   accounts, groups, roles, passwords, sign-ins, keys: never with a restriction, which they could circumvent
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, get_args

import orjson
from pydantic_core import SchemaError, SchemaValidator, core_schema

from annotarium.access.permissions import COMPONENT_FAMILIES, is_permission
from annotarium.errors import AccessDenied, InvalidInput
from annotarium_schemas.messages import message

AccessMode = Literal["read", "write", "chmod"]
Effect = Literal["annotate", "read", "write", "chmod", "account"]
EFFECTS: tuple[Effect, ...] = get_args(Effect)
PATTERN_MAX = 200
"""Maximum length of an expression over project names, in characters."""
_PROJECT_FAMILIES = ("readProject:", "writeProject:")
_ACCOUNT_FAMILIES = ("createUserIn:", "writeGroup:", "assignRole:")


@lru_cache(maxsize=32)
def _compiled_project_filter(pattern: str) -> SchemaValidator:
    """A matcher for whole project names that runs in time linear to their length, whatever the expression.

    The regex engine supports no look-around and no back-references, and limits the compiled size (about 20 MB).

    Raises:
        SchemaError: not a valid expression.
    """
    for text in (pattern, rf"\A(?:{pattern})\z"):  # the pattern alone first: `a)|(b` must not break out of the group
        matcher = SchemaValidator(core_schema.str_schema(pattern=text, regex_engine="rust-regex"))
    return matcher


def check_project_filter(pattern: str, field: str = "projectFilter") -> None:
    """Raise `InvalidInput` unless the text is a valid project filter."""
    why = ""
    if not pattern.strip():
        why = "It is empty"
    elif len(pattern) > PATTERN_MAX:
        why = f"It has more than {PATTERN_MAX} characters"
    else:
        try:
            _compiled_project_filter(pattern)
        except SchemaError as error:
            why = re.sub(r"^error: ", "", str(error).strip().rpartition("\n")[2].strip())[:200]
    if why:
        raise InvalidInput(
            message("wrong.projectFilter", "The project filter is not a valid regular expression"),
            cause=why,
            fix=message(
                "fix.projectFilter",
                "Enter an expression for whole project names, such as news_.* or (films|press), "
                "without look-around and back references",
            ),
            details=[{"field": field, "message": why}],
        )


def _covers_permission(held: Iterable[str], permission: str) -> bool:
    family, colon, _ = permission.partition(":")
    return permission in held or (bool(colon) and f"{family}:{'all' if family == 'readModeAnnot' else '*'}" in held)


@dataclass(frozen=True)
class Restriction:
    """The most that a token or key may do.

    Attributes:
        project_filter: regular expression that must match the whole name of a project, None = all projects.
        access_mode: the most it may do with projects; None and `chmod` = everything.
        annotate_only: texts may only be annotated, nothing is stored.
        permissions: the only permissions it has, if its user holds them; None = all, empty = none. Rights on projects
            through ownership, shares and group administration remain.
    """

    project_filter: str | None = None
    access_mode: AccessMode | None = None
    annotate_only: bool = False
    permissions: frozenset[str] | None = None

    @property
    def effect(self) -> Effect:
        """The furthest step that the restriction allows."""
        if self.annotate_only:
            return "annotate"
        return self.access_mode or "chmod"

    @cached_property
    def text(self) -> str:
        """The restriction as stored; equal restrictions have equal texts. Empty if it restricts nothing."""
        facts: dict[str, Any] = {}
        if self.project_filter is not None:
            facts["projectFilter"] = self.project_filter
        if self.access_mode is not None and self.access_mode != "chmod":
            facts["projectAccessMode"] = self.access_mode
        if self.annotate_only:
            facts["annotateOnly"] = True
        if self.permissions is not None:
            facts["permissions"] = sorted(self.permissions)
        return orjson.dumps(facts, option=orjson.OPT_SORT_KEYS).decode() if facts else ""

    def opens(self, project_name: str) -> bool:
        """Whether the restriction allows a project of that name."""
        return self.project_filter is None or _compiled_project_filter(self.project_filter).isinstance_python(
            project_name
        )

    def require_effect(self, effect: Effect) -> None:
        """Raise `AccessDenied` if the effect goes further than the restriction allows."""
        if EFFECTS.index(effect) > EFFECTS.index(self.effect):
            raise AccessDenied(
                message("denied.restricted", "The token or API key does not allow this"),
                cause=message("denied.restrictedTo", "It is restricted to: {effect}", effect=self.effect),
                fix=message("fix.unrestricted", "Sign in without restrictions, or with a restriction that allows it"),
            )

    def narrowed(self, held: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        """The permissions that remain of those a user holds, and those among them that open projects by name.

        The first set is used by `Access.can`; with a project filter it contains no `*` for projects any more. The
        second set contains `readProject:` and `writeProject:`, whose `*` then means all projects that match the filter.
        """
        remaining = held if self.permissions is None else self._selected(held)
        remaining = frozenset(one for one in remaining if not one.startswith(_ACCOUNT_FAMILIES))
        if self.effect in ("annotate", "read"):  # write access to a project includes read access
            remaining = frozenset(one.replace("writeProject:", "readProject:", 1) for one in remaining)
        opening = frozenset(
            one for one in remaining if one.startswith(_PROJECT_FAMILIES) and self._opens_named(one.partition(":")[2])
        )
        rest = frozenset(one for one in remaining if not one.startswith(_PROJECT_FAMILIES))
        if self.project_filter is None:
            rest |= opening
        else:
            rest |= frozenset(one for one in opening if not one.endswith(":*"))
        if self.effect in ("annotate", "read", "write"):
            rest -= {"shareProject"}
        if self.effect == "annotate":
            families = (*COMPONENT_FAMILIES, "readModeAnnot", "readProject")
            rest = frozenset(one for one in rest if one == "useProduction" or one.partition(":")[0] in families)
        return rest, opening

    def _opens_named(self, name: str) -> bool:
        return name == "*" or self.opens(name)

    def _selected(self, held: frozenset[str]) -> frozenset[str]:
        selected = self.permissions or frozenset()
        return frozenset(
            {one for one in selected if _covers_permission(held, one)}
            | {one for one in held if _covers_permission(selected, one)}
        )


@lru_cache(maxsize=1_024)
def parse_restriction(text: str) -> Restriction:
    """Parse the stored form, `Restriction.text`."""
    facts = orjson.loads(text)
    permissions = facts.get("permissions")
    return Restriction(
        project_filter=facts.get("projectFilter"),
        access_mode=facts.get("projectAccessMode"),
        annotate_only=bool(facts.get("annotateOnly")),
        permissions=frozenset(permissions) if permissions is not None else None,
    )


def make_restriction(
    *,
    project_filter: str | None = None,
    access_mode: AccessMode | None = None,
    annotate_only: bool = False,
    no_permissions: bool = False,
    permissions: Iterable[str] | None = None,
) -> Restriction:
    """Build a restriction from the values of a request, and validate them.

    Raises:
        InvalidInput: the filter is not a usable expression, or a name in `permissions` is not a permission.
    """
    if project_filter is not None:
        check_project_filter(project_filter)
    selected = frozenset(permissions) if permissions is not None else None
    for one in sorted(selected or ()):
        if not is_permission(one):
            text = message("none.permission", "{name} is not a permission", name=one[:80])
            raise InvalidInput(text, details=[{"field": "permissions", "message": text}])
    return Restriction(project_filter, access_mode, annotate_only, frozenset() if no_permissions else selected)
