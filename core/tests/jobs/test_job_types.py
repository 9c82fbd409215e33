"""C-082: the types of jobs that the server starts are the published ones, except those of features that do not exist
yet.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import annotarium
from annotarium.http.openapi.published_names import JOB_TYPES

ROOT = Path(annotarium.__file__).parent
STARTS = {"start_job", "_start", "_start_bulk_job"}
TYPE = re.compile(r"[A-Z]+(_[A-Z]+)*")
TO_COME = {"BACKUP_USER_SESSION", "SPLIT_CORPUS"}
"""Types of campaigns, which do not exist yet, and of operations that run within the request."""
NEVER = {"VECTORIZE"}
"""Required, and published as PROJECT_VECTORIZATION (conflicts 2)."""


def started() -> Iterator[str]:
    """Yield the types named by calls that start a job."""
    for path in (ROOT / "domains").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                named = isinstance(node.func, ast.Name) and node.func.id in STARTS
                for one in [word.value for word in node.keywords if word.arg == "type"] + (node.args if named else []):
                    choices = [one.body, one.orelse] if isinstance(one, ast.IfExp) else [one]
                    texts = (choice.value for choice in choices if isinstance(choice, ast.Constant))
                    yield from (text for text in texts if isinstance(text, str) and TYPE.fullmatch(text))


def test_started_job_types_are_the_published_ones() -> None:
    """C-082."""
    found = set(started())
    assert not found - set(JOB_TYPES), "started under a type that clients do not know"
    assert set(JOB_TYPES) - found == TO_COME, "neither started nor still to come"


def test_published_job_types_are_the_required_ones() -> None:
    """C-082: those of the requirements and those of the published description."""
    constants = (ROOT.parent / "specification" / "constants.md").read_text(encoding="utf-8")
    (line,) = [one for one in constants.splitlines() if "**C-082**" in one]
    assert {one for one in re.findall(r"[A-Z]+_[A-Z_]+|UNSPECIFIED|VECTORIZE", line)} == set(JOB_TYPES) | NEVER
