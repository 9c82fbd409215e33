"""References of an archive to its own project, which has another name here."""

from __future__ import annotations

from typing import Any

from sqlalchemy import JSON, Table

NAMING = frozenset({"projectName", "project_name"})
"""What a field is called that names a project, wherever it stands: in the step of a plan, in parameters of a component
or of one that it chains."""


def rename_project_references(values: dict[str, Any], table: Table, old: str, new: str) -> None:
    """Write the new name where a row of settings names the archive's own project; other projects stay as they are.

    Args:
        values: by column name; JSON values are changed in place.
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
    """What the project of an archive was called where it was written; empty when the manifest does not say."""
    facts = manifest.get("project")
    name = facts.get("name") if isinstance(facts, dict) else None
    return name if isinstance(name, str) else ""
