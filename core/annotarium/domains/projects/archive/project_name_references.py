"""Renames references of an archive to its own project, which may have another name here."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Table

NAMING = frozenset({"projectName", "project_name"})
"""Names of fields that refer to a project, at any depth: in steps of plans, in parameters of components."""


def rename_project_references(values: dict[str, Any], table: Table, old: str, new: str) -> None:
    """Replace references to the archive's own project in a row; references to other projects are kept.

    Args:
        values: by column name; JSON values are changed in place.
        old: name of the project in the archive.
        new: its name here.
    """
    if old and old != new:
        for column in table.c:
            if isinstance(column.type, JSON):
                _rename_in_value(values.get(column.name), old, new)


def _rename_in_value(value: Any, old: str, new: str) -> None:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            for key in NAMING & one.keys():
                if one[key] == old:
                    one[key] = new
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)


def archived_project_name(manifest: dict[str, Any]) -> str:
    """The name of the project in the archive, empty if the manifest has none."""
    facts = manifest.get("project")
    name = facts.get("name") if isinstance(facts, dict) else None
    return name if isinstance(name, str) else ""
