"""Starts and stops the parts of a process: the record, the index relay, live events, housekeeping."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from annotarium.access import key_use
from annotarium.db.unit import UnitOfWork, on_commit
from annotarium.settings import get_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

    from annotarium.housekeeping import Housekeeper

ANSWERS_SECONDS, LEFTOVERS_SECONDS, VECTORS_SECONDS, MAIL_SECONDS, SPACE_SECONDS = 600.0, 20.0, 5.0, 5.0, 30.0
MEMORY_SECONDS, TIDY_SECONDS = 10.0, 600.0


def connect_commits() -> None:
    """Have commits of this process reach the search index and the live events."""
    from annotarium.events.bus import publish_unit

    on_commit(_apply_outbox)
    on_commit(publish_unit)


def _apply_outbox(unit: UnitOfWork) -> None:
    if unit.touched:
        from annotarium.search.indexer import get_relay

        get_relay().on_commit(unit)


def _queue_answers() -> None:
    from annotarium.events.bus import open_client

    client = open_client()
    if client is not None:
        client.ping()


def _index_answers() -> None:
    from annotarium.domains.shell.health import NotReady
    from annotarium.search.engine import IndexIncomplete, IndexStarting
    from annotarium.search.indexer import get_engine
    from annotarium.search.shared_index import IndexDiffers, require_same_index

    try:
        require_same_index()
        get_engine().check()
    except IndexDiffers as differs:
        raise NotReady("index is not the one in use: another studio has moved it") from differs
    except IndexStarting as starting:
        raise NotReady("index starting") from starting
    except IndexIncomplete as incomplete:
        raise NotReady("index has lost a part") from incomplete


def _remove_leftovers() -> None:
    """What imports, uploads and trainings that were killed have left."""
    from annotarium.corpus.leftovers import remove_leftovers, remove_old

    settings = get_settings()
    remove_leftovers(settings.uploads_folder, ("*.part", "import-*"))
    remove_leftovers(settings.models_folder, ("*/*/.new-*",))
    remove_leftovers(settings.exports_folder, ("*.part",))
    remove_old(settings.exports_folder, "*.export", settings.export_ttl)
    remove_old(settings.uploads_folder, "*.pieces", settings.upload_ttl + 3600)


def prepare_installation() -> None:
    """Bring the record, its roles and the index up to date. To be done before requests are served; once is enough."""
    from annotarium.db.migrate import upgrade_database
    from annotarium.domains.auth.accounts import prepare_access
    from annotarium.search.locks import forget_notes
    from annotarium.search.moves import notice_engine, notice_missing

    upgrade_database()
    prepare_access()
    forget_notes()
    notice_engine()
    notice_missing()


def start_process(app: FastAPI) -> None:
    """Bring the record up to date, connect what follows a commit, start what runs beside the requests."""
    from annotarium.db.engine import get_database
    from annotarium.db.full import require_space
    from annotarium.db.space import give_back_space
    from annotarium.domains.segments.vectorization import ask_for_missing
    from annotarium.domains.shell.health import register_probe
    from annotarium.events.bus import get_publisher
    from annotarium.events.hub import get_hub
    from annotarium.housekeeping import Housekeeper, Office
    from annotarium.jobs.reconciler import TICK_SECONDS, Reconciler
    from annotarium.jobs.run import connect_domains
    from annotarium.memory import Returning
    from annotarium.search.indexer import get_engine, get_relay
    from annotarium.search.moves import OnceDone, notice_place, renew_old_indexes

    prepare_installation()
    connect_commits()
    connect_domains()
    register_probe("queue", _queue_answers)
    register_probe("index", _index_answers)
    register_probe("disk", require_space)
    keeper = Housekeeper()
    office = Office(get_settings().run_folder / "housekeeping.lock")
    reconciler = cache(Reconciler)  # made when its turn comes: it counts from its first look
    keeper.every(TICK_SECONDS, "jobs", office.only(lambda: reconciler().tick()))
    keeper.every(ANSWERS_SECONDS, "answers", office.only(lambda: reconciler().forget_answers()))
    keeper.every(LEFTOVERS_SECONDS, "leftovers", office.only(_remove_leftovers))
    keeper.every(MEMORY_SECONDS, "memory", Returning(lambda: get_database().let_go_of_pages()))
    keeper.every(SPACE_SECONDS, "space", office.only(give_back_space))
    hub = get_hub()
    keeper.every(2.0, "live connections", hub.check_rights)
    keeper.every(key_use.SECONDS, "use of API keys", key_use.write_noted)
    hub.start()
    keeper.beside(get_relay().follow, get_relay().stop)
    keeper.beside(get_publisher().follow, get_publisher().stop)
    # Indexing what others left may take minutes; jobs must not wait for it.
    index_keeper = Housekeeper()
    index_keeper.every(1.0, "outbox applied", get_relay().forget_applied)
    index_keeper.every(5.0, "outbox left behind", office.only(get_relay().apply_left_behind))
    index_keeper.every(1.0, "place of the index", office.only(OnceDone(notice_place)))
    index_keeper.every(1.0, "indexes of an earlier version", office.only(OnceDone(renew_old_indexes)))
    index_keeper.every(TIDY_SECONDS, "replaced items of the index", office.only(lambda: get_engine().tidy()))
    index_keeper.every(VECTORS_SECONDS, "vectors missing", office.only(ask_for_missing))
    keeper.beside(index_keeper.start, index_keeper.stop)
    if get_settings().sends_mail:
        from annotarium.mail.sending import send_due

        mail_keeper = Housekeeper()  # a mail server may let it wait
        mail_keeper.every(MAIL_SECONDS, "mail", office.only(send_due))
        keeper.beside(mail_keeper.start, mail_keeper.stop)
    keeper.beside(lambda: None, office.leave)
    keeper.start()
    app.state.housekeeper = keeper


async def stop_process(app: FastAPI) -> None:
    """Stop what `start_process` started."""
    from starlette.concurrency import run_in_threadpool

    from annotarium.events.hub import get_hub
    from annotarium.search.indexer import get_relay
    from annotarium.search.query_vectors import get_helper

    await get_hub().stop()
    keeper: Housekeeper = app.state.housekeeper
    await run_in_threadpool(keeper.stop)
    await run_in_threadpool(get_relay().forget_applied)
    await run_in_threadpool(get_helper().close)
