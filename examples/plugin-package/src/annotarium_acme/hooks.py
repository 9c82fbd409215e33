"""Hook implementations that log the events. Arguments that are not needed may be omitted."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from annotarium_plugins.hookspecs import hookimpl

log = logging.getLogger(__name__)


@hookimpl
def documents_imported(project: str, document_ids: Sequence[str]) -> None:
    """Documents were imported."""
    log.info("acme: %d documents in project %s", len(document_ids), project)


@hookimpl
def model_trained(project: str, experiment: str, report: Mapping[str, Any]) -> None:
    """A model was trained."""
    log.info("acme: experiment %s of project %s is trained: %s", experiment, project, sorted(report))
