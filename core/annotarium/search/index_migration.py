"""The search index on another engine than at the last start, or of an earlier version: it is filled from the record."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import structlog

from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.search import repository
from annotarium.search.engine_factory import get_search_engine, has_index_files
from annotarium.search.index_and_search_types import INDEX_VERSION, KINDS, Kind
from annotarium.search.indexer import index_key
from annotarium.search.shared_index import publish_index, publish_index_store_id
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)


def reindex_after_engine_change() -> int:
    """Have every project indexed again, by whoever applies the outbox, when the engine has changed; how many.

    Until then searches find what the engine holds: all but the latest changes where `annotarium index rebuild` filled
    it before. The engine in use is remembered beside the embedded index, and in the database for whoever else writes.
    """
    settings = get_settings()
    mark = settings.index_folder / "engine"
    before = mark.read_text(encoding="ascii") if mark.exists() else "embedded"
    prefix = (publish_index() or {}).get("prefix", settings.opensearch_prefix)
    elsewhere = before == "opensearch" and prefix != settings.opensearch_prefix
    if before == settings.engine_name and mark.exists() and not elsewhere:
        return 0
    projects = 0
    if before != settings.engine_name or elsewhere:
        projects = reindex_all()
        log.warning("index_moves", engine=settings.engine_name, before=before, projects=projects)
    _write_engine_marker(mark, settings.engine_name)
    return projects


def reindex_after_server_change() -> int:
    """Have every project indexed again when the search server is another one than before; how many.

    Raises:
        ServiceUnavailable: the server is away.
    """
    if not publish_index_store_id():
        return 0
    projects = reindex_all()
    log.warning("index_moves", engine="opensearch", before="another search server", projects=projects)
    return projects


def reindex_all() -> int:
    """Have every project indexed again by whoever applies the outbox, in the background; how many."""
    projects = 0
    with unit_of_work(actor="", write=True) as unit:
        unit.relay = False
        for project in repository.list_projects(unit.session):
            unit.touch(project.id, "rebuild")
            projects += 1
    return projects


def reindex_missing() -> int:
    """Have projects whose index files are missing, as in a backup, indexed in the background; how many.

    To be done before a job of this start can begin such an index anew: it would hold what that job brings, and no more.
    """
    settings = get_settings()
    if settings.engine_name != "embedded":
        return 0
    with unit_of_work(actor="", write=False) as unit:
        filled = repository.projects_with_documents(unit.session) - repository.projects_to_rebuild(unit.session)
    missing = [one for one in filled if not has_index_files(settings, one)]
    if missing:
        with unit_of_work(actor="", write=True) as unit:
            unit.relay = False
            for project_id in missing:
                unit.touch(project_id, "rebuild")
        log.warning("indexes_missing", projects=missing)
    return len(missing)


def reindex_outdated() -> int:
    """Have projects whose index was made with an earlier `INDEX_VERSION` indexed again, in the background; how many.

    Until then searches find what the old index holds. Projects with documents and no index on the server too.
    """
    with unit_of_work(actor="", write=False) as unit:
        waiting = repository.projects_to_rebuild(unit.session)
        filled = repository.projects_with_documents(unit.session)
        projects = [one for one in repository.list_projects(unit.session) if one.id not in waiting]
        unit.session.expunge_all()
    old = [one for one in projects if _is_outdated(one, filled=one.id in filled)]
    if old:
        with unit_of_work(actor="", write=True) as unit:
            unit.relay = False
            for project in old:
                unit.touch(project.id, "rebuild")
        log.warning("indexes_renewed", projects=[project.name for project in old])
    return len(old)


def _is_outdated(project: Project, *, filled: bool) -> bool:
    versions = [_version(project, kind) for kind in KINDS]
    return any(0 < version < INDEX_VERSION for version in versions) or (filled and _version(project, "documents") == 0)


def _version(project: Project, kind: Kind) -> int:
    return get_search_engine().version(index_key(project, kind))


class RunUntilSuccess:
    """Does something when called, until it was done without an error."""

    def __init__(self, function: Callable[[], object]) -> None:
        self._function = function
        self._done = False

    def __call__(self) -> None:
        if not self._done:
            self._function()
            self._done = True


def _write_engine_marker(mark: Path, name: str) -> None:
    mark.parent.mkdir(parents=True, exist_ok=True)
    descriptor, path = tempfile.mkstemp(dir=mark.parent, prefix="engine.")
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(name)
    os.replace(path, mark)
