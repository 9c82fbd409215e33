"""Reindexes from the database when the search engine differs from that of the last start, or the index is outdated."""

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
    """When the search engine has changed, schedule the reindexing of every project, and return the number of projects.

    Until then searches find what the new engine contains; if `annotarium index rebuild` filled it before, only the
    latest changes are missing. The engine in use is stored next to the embedded index, and in the database for other
    processes.
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
    """When the search server is another one than before, schedule the reindexing of every project; returns their
    number.

    Raises:
        ServiceUnavailable: the server is unreachable.
    """
    if not publish_index_store_id():
        return 0
    projects = reindex_all()
    log.warning("index_moves", engine="opensearch", before="another search server", projects=projects)
    return projects


def reindex_all() -> int:
    """Schedule the reindexing of every project, by the process that applies the outbox.

    Returns the number of projects.
    """
    projects = 0
    with unit_of_work(actor="", write=True) as unit:
        unit.relay = False
        for project in repository.list_projects(unit.session):
            unit.touch(project.id, "rebuild")
            projects += 1
    return projects


def reindex_missing() -> int:
    """Schedule the reindexing of projects without index files, as after restoring a backup. Returns their number.

    Must run before jobs start: a job would create such an index anew, and it would then contain only the job's changes.
    """
    settings = get_settings()
    if settings.engine_name != "embedded":
        return 0
    with unit_of_work(actor="", write=False) as unit:
        filled = repository.projects_with_documents(unit.session) | repository.projects_with_terms(unit.session)
        filled -= repository.projects_to_rebuild(unit.session)
    missing = [one for one in filled if not has_index_files(settings, one)]
    if missing:
        with unit_of_work(actor="", write=True) as unit:
            unit.relay = False
            for project_id in missing:
                unit.touch(project_id, "rebuild")
        log.warning("indexes_missing", projects=missing)
    return len(missing)


def reindex_outdated() -> int:
    """Schedule the reindexing of projects whose index has an earlier `INDEX_VERSION`. Returns their number.

    Until then searches use the old index. Projects that have documents but no index are included.
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
    versions = [_version(project, kind) for kind in (*KINDS, "terms")]
    return any(0 < version < INDEX_VERSION for version in versions) or (filled and _version(project, "documents") == 0)


def _version(project: Project, kind: Kind) -> int:
    return get_search_engine().version(index_key(project, kind))


class RunUntilSuccess:
    """A callable that calls a function until it has returned once without an exception."""

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
