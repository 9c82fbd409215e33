"""The search index on another engine than at the last start: it is filled from the record."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import structlog

from annotarium.db.unit import unit_of_work
from annotarium.search import repository
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)


def notice_engine() -> int:
    """Have every project indexed again, by whoever applies the outbox, when the engine has changed; how many.

    Until then searches find what the engine holds: all but the latest changes where `annotarium index rebuild` filled
    it before. The engine in use is remembered beside the embedded index.
    """
    settings = get_settings()
    mark = settings.index_folder / "engine"
    before = mark.read_text(encoding="ascii") if mark.exists() else "embedded"
    if before == settings.engine_name and mark.exists():
        return 0
    projects = 0
    if before != settings.engine_name:
        with unit_of_work(actor="", write=True) as unit:
            unit.relay = False  # in the background
            for project in repository.list_projects(unit.session):
                unit.touch(project.id, "project")
                projects += 1
        log.warning("index_moves", engine=settings.engine_name, before=before, projects=projects)
    _write(mark, settings.engine_name)
    return projects


def _write(mark: Path, name: str) -> None:
    mark.parent.mkdir(parents=True, exist_ok=True)
    descriptor, path = tempfile.mkstemp(dir=mark.parent, prefix="engine.")
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(name)
    os.replace(path, mark)
