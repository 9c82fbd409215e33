"""Hook specifications: events that plugins are notified of. One module; a hook is added together with a plugin that
uses it.

Names are in the past tense: hooks are called after the event, and results are ignored. Implementations are marked
with `hookimpl`, may omit arguments, and run one after the other in the process of the event (a job's). A failing one
is logged and stops neither the others nor the caller. Entry-point group `annotarium.hooks`; value: the module that
contains the implementations.
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
    """Called after an import has committed documents (new or replaced) of a project, possibly several times per job."""


@hookspec
def model_trained(project: str, experiment: str, report: Mapping[str, Any]) -> None:
    """Called after the model of an experiment was trained and stored; `report` is its quality report, as the API
    returns it.
    """
