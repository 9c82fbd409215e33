"""Starts and stops the parts of a process: the record, the index relay, live events, housekeeping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from annotarium.db.unit import UnitOfWork, on_commit

if TYPE_CHECKING:
    from fastapi import FastAPI

    from annotarium.housekeeping import Housekeeper


def connect_commits() -> None:
    """Have commits of this process reach the search index and the live events."""
    from annotarium.events.bus import publish_unit

    on_commit(_apply_outbox)
    on_commit(publish_unit)


def _apply_outbox(unit: UnitOfWork) -> None:
    if unit.touched:
        from annotarium.search.indexer import get_relay

        get_relay().on_commit(unit)


def start_process(app: FastAPI) -> None:
    """Bring the record up to date, connect what follows a commit, start what runs beside the requests."""
    from annotarium.db.migrate import upgrade_database
    from annotarium.domains.auth.accounts import prepare_access
    from annotarium.events.hub import get_hub
    from annotarium.housekeeping import Housekeeper
    from annotarium.jobs.reconciler import TICK_SECONDS, Reconciler
    from annotarium.search.indexer import get_relay

    upgrade_database()
    prepare_access()
    connect_commits()
    keeper = Housekeeper()
    reconciler = Reconciler()
    keeper.every(TICK_SECONDS, "jobs", reconciler.tick)
    keeper.every(1.0, "outbox applied", get_relay().forget_applied)
    keeper.every(5.0, "outbox left behind", get_relay().apply_left_behind)
    hub = get_hub()
    keeper.every(2.0, "live connections", hub.check_rights)
    hub.start()
    keeper.beside(get_relay().follow, get_relay().stop)
    keeper.start()
    app.state.housekeeper = keeper


async def stop_process(app: FastAPI) -> None:
    """Stop what `start_process` started."""
    from starlette.concurrency import run_in_threadpool

    from annotarium.events.hub import get_hub
    from annotarium.search.indexer import get_relay

    await get_hub().stop()
    keeper: Housekeeper = app.state.housekeeper
    await run_in_threadpool(keeper.stop)
    await run_in_threadpool(get_relay().forget_applied)
