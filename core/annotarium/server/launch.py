"""Entries of the processes we start: `python -m annotarium.server.launch api | worker NAME | index | vectors`."""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from annotarium.errors import AnnotariumError
from annotarium.files.private_files import make_new_files_private
from annotarium.server.logs import configure_logging
from annotarium.server.supervisor import FRESH_START, LISTEN_FD, READY_FD
from annotarium.settings import get_settings
from annotarium.system.child_processes import PARENT_FD, die_with_parent
from annotarium.system.lanes import plan_slots
from annotarium.system.library_threads import thread_limit_variables

if TYPE_CHECKING:
    from annotarium.domains.auth.operator_accounts import GeneratedPassword


_COLLECTOR = (50_000, 20, 50)
"""Allocations between runs of the collector. With Python's own figures it takes a third of the time of indexing."""

_FILES = 16_384
_QUEUE_LOOKS, _QUEUE_PAUSE = 3_000, 0.01


def exit_with_parent() -> None:
    """End with the supervisor where the system does not see to it (elsewhere than on Linux)."""
    given = os.environ.pop(PARENT_FD, None)
    if given is None:
        return
    if sys.platform == "linux":
        die_with_parent(os.getppid())
        return

    def watch() -> None:
        os.read(int(given), 1)  # returns when the supervisor's end is closed
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def prepare_database() -> GeneratedPassword | None:
    """Tables, roles, the first account; jobs a stop interrupted. Returns the password made for the first account."""
    from annotarium.db.data_folder import claim_data_folder, write_serving_machine
    from annotarium.db.migrate import upgrade_database
    from annotarium.domains.auth.operator_accounts import ensure_first_administrator
    from annotarium.domains.foreign_models.sign_existing import sign_existing_models

    upgrade_database()
    claim_data_folder()
    write_serving_machine()
    sign_existing_models()
    generated = ensure_first_administrator()
    # Only where record and queue belong to this machine alone can no other worker be at work.
    if os.environ.pop(FRESH_START, None) and get_settings().database_url is None:
        from annotarium.jobs.queue_client import connect_to_queue_server
        from annotarium.jobs.reconciler import Reconciler

        queue = connect_to_queue_server(
            retries=_QUEUE_LOOKS, pause=_QUEUE_PAUSE
        )  # it is started at the same time as this process
        if queue is not None:
            queue.ping()
            queue.close()
        Reconciler().recover()
    return generated


def raise_file_limit(wanted: int = _FILES) -> None:
    """Let this process have so many files open, as far as the system lets it: most start with 1,024 and allow more.

    Each thread that searches keeps the index files of several projects open, each live connection is a file too.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def serve_api() -> None:
    """Serve the API on the socket the supervisor holds, until told to stop; in several processes when so set."""
    gc.disable()  # until all is loaded (`ApiServer`): there is next to no garbage, and looking for it takes 0.2 s
    raise_file_limit()
    processes = get_settings().api_processes
    configure_logging(process="api")
    exit_with_parent()
    from annotarium.server.api_server import ApiServer, server_config
    from annotarium.server.memory import limit_memory_caches

    limit_memory_caches()
    generated = prepare_database()
    listening = socket.socket(fileno=int(os.environ[LISTEN_FD]))
    if processes > 1:
        from annotarium.server.api_processes import ApiProcesses

        given = os.environ.get(READY_FD)
        private = [int(given)] if given else []
        sys.exit(ApiProcesses(processes, listening, lambda: _notify_ready(generated), private).run())
    ApiServer(server_config(), lambda: _notify_ready(generated)).run(sockets=[listening])


def _notify_ready(generated: GeneratedPassword | None) -> None:
    given = os.environ.pop(READY_FD, None)
    if given is None:
        return
    said: dict[str, Any] = {}
    if generated is not None:
        said = {"username": generated.username, "password": generated.password}
    with os.fdopen(int(given), "w") as pipe:
        json.dump(said, pipe)


def run_worker(name: str | None) -> None:
    """Take jobs until told to stop, in the slots that the settings `workers` and `lanes` say."""
    gc.disable()  # until a slot has all it needs
    os.environ.update(thread_limit_variables(os.environ))  # before anything imports numpy
    configure_logging(process=name or "worker")
    exit_with_parent()
    from annotarium.db.data_folder import database_exists, require_database
    from annotarium.jobs.pool import WorkerPool
    from annotarium.jobs.queue_client import require_queue_server
    from annotarium.server.process_lifecycle import register_commit_listeners

    if get_settings().database_url is not None:
        _require_same_installation()
    by_hand = name is None  # not by the studio on this machine, whose settings it would have
    if by_hand and database_exists():
        _require_same_index()
    require_queue_server()
    if by_hand:
        require_database()
    register_commit_listeners()
    settings = get_settings()
    slots = plan_slots(max(1, settings.workers), settings.lanes)
    sys.exit(WorkerPool(slots, name, lambda slot: configure_logging(process=slot)).run())


def _require_same_installation() -> None:
    """That this worker may work for the installation whose database it was given."""
    from annotarium.db.data_folder import claim_data_folder, require_same_machine
    from annotarium.db.database import get_database
    from annotarium.db.migrate import await_upgrade

    await_upgrade()
    claim_data_folder()
    require_same_machine()
    get_database().dispose()  # nothing is open while it forks


def _require_same_index() -> None:
    """That this worker has the search index of the installation."""
    from annotarium.db.database import get_database
    from annotarium.db.migrate import await_upgrade
    from annotarium.search.shared_index import require_same_index

    await_upgrade()
    require_same_index()
    get_database().dispose()


def run_indexing_process() -> None:
    """Index what the importing process says, until it closes the pipe; it dies with that process."""
    from annotarium.search.indexing_process import serve_stdio

    configure_logging(process="index")
    die_with_parent(os.getppid())
    gc.freeze()
    serve_stdio()


def run_vector_process() -> None:
    """Turn questions into vectors for the process that started this one, until it closes the pipe.

    No parent-death signal here: the system sends it when the thread that started us ends, and request threads do.
    """
    configure_logging(process="vectors")
    from annotarium.search.vector_process import main as serve

    serve()


def main() -> None:
    """Entry of `python -m annotarium.server.launch`. SIGUSR1 prints where every thread stands."""
    make_new_files_private()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    gc.set_threshold(*_COLLECTOR)
    try:
        _run_process(sys.argv[1])
    except AnnotariumError as error:  # words for who started it, not the place in the program
        sys.exit(error.one_line())


def _run_process(part: str) -> None:
    if part == "api":
        serve_api()
    elif part == "index":
        run_indexing_process()
    elif part == "vectors":
        run_vector_process()
    else:
        run_worker(sys.argv[2] if len(sys.argv) > 2 else None)


if __name__ == "__main__":
    main()
