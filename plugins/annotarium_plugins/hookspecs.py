"""Hooks: what a plugin can be told. One flat file; a hook is added together with a plugin that uses it.

Past tense: it happened, results are ignored. Implementations are marked with `hookimpl`, may leave arguments out, and
run one by one in the process where it happened (a job's): a failing one is logged and stops neither the others nor the
caller. Entry-point group `annotarium.hooks`, value: the module that holds the implementations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pluggy

MARKER = "annotarium"

hookspec = pluggy.HookspecMarker(MARKER)
hookimpl = pluggy.HookimplMarker(MARKER)


@hookspec
def documents_imported(project: str, document_ids: Sequence[str], job_id: str) -> None:
    """An import stored documents (new or replaced) of a project; called after the commit, maybe several times a job."""


@hookspec
def model_trained(project: str, experiment: str, report: Mapping[str, Any]) -> None:
    """A model of an experiment is trained and stored; `report` is its quality report, as the API shows it."""
