"""Starts and stops the parts of an API process: database, outbox relay, live events, periodic tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from annotarium.access import api_key_usage
from annotarium.db.unit_of_work import UnitOfWork, committed
from annotarium.settings import get_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from annotarium.server.leader import LeaderLock
    from annotarium.server.periodic_tasks import PeriodicTasks

ANSWERS_SECONDS, TEMPORARY_FILES_SECONDS, VECTORS_SECONDS, MAIL_SECONDS, SPACE_SECONDS = 600.0, 20.0, 5.0, 5.0, 30.0
MEMORY_SECONDS, TIDY_SECONDS = 10.0, 600.0


def register_commit_listeners() -> None:
    """Forward commits of this process to the search index and the live events."""
    from annotarium.events.bus import publish_events_of_unit

    committed.connect(_apply_outbox)
    committed.connect(publish_events_of_unit)


def _apply_outbox(unit: UnitOfWork) -> None:
    if unit.touched:
        from annotarium.search.indexer import get_outbox_relay

        get_outbox_relay().on_commit(unit)


def _check_queue() -> None:
    from annotarium.events.bus import get_queue_server_client

    client = get_queue_server_client()
    if client is not None:
        client.ping()


def _check_index() -> None:
    from annotarium.domains.shell.health import NotReady
    from annotarium.search.engine import IndexIncomplete, IndexStarting
    from annotarium.search.engine_factory import get_search_engine
    from annotarium.search.shared_index import IndexDiffers, require_same_index

    try:
        require_same_index()
        get_search_engine().check()
    except IndexDiffers as differs:
        raise NotReady("index is not the one in use: another studio has moved it") from differs
    except IndexStarting as starting:
        raise NotReady("index starting") from starting
    except IndexIncomplete as incomplete:
        raise NotReady("index has lost a part") from incomplete


def _remove_temporary_files() -> None:
    """Remove temporary files left by killed imports, uploads and trainings, and expired exports and uploads."""
    from annotarium.files.file_locks import remove_old, remove_unlocked

    settings = get_settings()
    remove_unlocked(settings.uploads_folder, ("*.part", "import-*"))
    remove_unlocked(settings.models_folder, ("*/*/.new-*",))
    remove_unlocked(settings.exports_folder, ("*.part",))
    remove_old(settings.exports_folder, "*.export", settings.export_ttl)
    remove_old(settings.uploads_folder, "*.pieces", settings.upload_ttl + 3600)


def prepare_installation() -> None:
    """Upgrade the database, its roles and the index. Needed before requests are served; can be repeated."""
    from annotarium.db.migrate import upgrade_database
    from annotarium.domains.auth.operator_accounts import update_roles_and_delete_old_sign_ins
    from annotarium.search.index_locks import clear_applied_outbox_notes
    from annotarium.search.index_migration import reindex_after_engine_change, reindex_missing

    upgrade_database()
    update_roles_and_delete_old_sign_ins()
    clear_applied_outbox_notes()
    reindex_after_engine_change()
    reindex_missing()


@dataclass(frozen=True)
class _TaskRow:
    """A periodic task. Of several API processes only the leader runs it, unless it is for `each_process`."""

    seconds: float
    name: str
    function: Callable[[], object]
    each_process: bool = False


def _main_tasks() -> list[_TaskRow]:
    from annotarium.db.database import get_database
    from annotarium.db.sqlite_vacuum import shrink_database
    from annotarium.events.hub import get_hub
    from annotarium.jobs.reconciler import TICK_SECONDS, Reconciler
    from annotarium.registry.deleted_models import remove_expired_models
    from annotarium.server.memory import MemoryTrimmer

    reconciler = cache(Reconciler)  # created when first needed, because it measures from its first run
    trim_memory = MemoryTrimmer(lambda: get_database().release_idle_connections())
    return [
        _TaskRow(TICK_SECONDS, "jobs", lambda: reconciler().tick()),
        _TaskRow(ANSWERS_SECONDS, "answers", lambda: reconciler().delete_interactive_jobs()),
        _TaskRow(TEMPORARY_FILES_SECONDS, "leftovers", _remove_temporary_files),
        _TaskRow(TEMPORARY_FILES_SECONDS, "deleted models", remove_expired_models),
        _TaskRow(MEMORY_SECONDS, "memory", trim_memory, each_process=True),
        _TaskRow(SPACE_SECONDS, "space", shrink_database),
        _TaskRow(2.0, "live connections", get_hub().check_rights, each_process=True),
        _TaskRow(api_key_usage.CHECK_SECONDS, "use of API keys", api_key_usage.write_noted_uses, each_process=True),
    ]


def _index_tasks() -> list[_TaskRow]:
    """Separate from the main tasks: indexing orphaned changes may take minutes, and jobs must not wait for it."""
    from annotarium.domains.segments.vectorization import start_missing_vectorizations
    from annotarium.search.engine_factory import get_search_engine
    from annotarium.search.index_migration import RunUntilSuccess, reindex_after_server_change, reindex_outdated
    from annotarium.search.indexer import get_outbox_relay

    return [
        _TaskRow(1.0, "outbox applied", get_outbox_relay().delete_applied, each_process=True),
        _TaskRow(5.0, "outbox left behind", get_outbox_relay().apply_orphaned),
        _TaskRow(1.0, "place of the index", RunUntilSuccess(reindex_after_server_change)),
        _TaskRow(1.0, "indexes of an earlier version", RunUntilSuccess(reindex_outdated)),
        _TaskRow(TIDY_SECONDS, "replaced items of the index", lambda: get_search_engine().tidy()),
        _TaskRow(VECTORS_SECONDS, "vectors missing", start_missing_vectorizations),
    ]


def _mail_tasks() -> list[_TaskRow]:
    """Separate from the other tasks, because a mail server may be slow."""
    if not get_settings().sends_mail:
        return []
    from annotarium.mail.sending import send_due_mails

    return [_TaskRow(MAIL_SECONDS, "mail", send_due_mails)]


def _schedule(rows: Sequence[_TaskRow], leader: LeaderLock) -> PeriodicTasks:
    from annotarium.server.periodic_tasks import PeriodicTasks

    tasks = PeriodicTasks()
    for row in rows:
        function = row.function if row.each_process else leader.only_as_leader(row.function)
        tasks.every(row.seconds, row.name, function)
    return tasks


def _register_probes() -> None:
    from annotarium.db.disk_full import require_disk_space
    from annotarium.domains.shell.health import register_health_probe

    register_health_probe("queue", _check_queue)
    register_health_probe("index", _check_index)
    register_health_probe("disk", require_disk_space)


def start_background_services(app: FastAPI) -> None:
    """Upgrade the database, register commit listeners and start everything that runs in parallel to requests."""
    from annotarium.events.bus import get_publisher
    from annotarium.events.hub import get_hub
    from annotarium.jobs.run import connect_domain_listeners
    from annotarium.search.indexer import get_outbox_relay
    from annotarium.server.leader import LeaderLock

    prepare_installation()
    register_commit_listeners()
    connect_domain_listeners()
    _register_probes()
    leader = LeaderLock(get_settings().run_folder / "housekeeping.lock")
    tasks = _schedule(_main_tasks(), leader)
    get_hub().start()
    tasks.attach(get_outbox_relay().follow, get_outbox_relay().stop)
    tasks.attach(get_publisher().follow, get_publisher().stop)
    for rows in (_index_tasks(), _mail_tasks()):  # each in its own thread
        if rows:
            others = _schedule(rows, leader)
            tasks.attach(others.start, others.stop)
    tasks.attach(lambda: None, leader.release)
    tasks.start()
    app.state.periodic_tasks = tasks


async def stop_background_services(app: FastAPI) -> None:
    from starlette.concurrency import run_in_threadpool

    from annotarium.events.hub import get_hub
    from annotarium.search.answer_client import get_answer_client
    from annotarium.search.indexer import get_outbox_relay
    from annotarium.search.query_vectors import get_vector_client

    await get_hub().stop()
    tasks: PeriodicTasks = app.state.periodic_tasks
    await run_in_threadpool(tasks.stop)
    await run_in_threadpool(get_outbox_relay().delete_applied)
    await run_in_threadpool(get_vector_client().close)
    await run_in_threadpool(get_answer_client().close)
