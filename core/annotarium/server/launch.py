"""Entry point of child processes: `python -m annotarium.server.launch api| worker NAME | index | vectors | answers`."""

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
"""Allocations between runs of the garbage collector. With Python's defaults it takes a third of the indexing time."""

_FILES = 16_384
_QUEUE_LOOKS, _QUEUE_PAUSE = 3_000, 0.01


def exit_with_parent() -> None:
    """End this process with the supervisor: by parent-death signal on Linux, elsewhere by watching a pipe."""
    given = os.environ.pop(PARENT_FD, None)
    if given is None:
        return
    if sys.platform == "linux":
        die_with_parent(os.getppid())
        return

    def watch() -> None:
        os.read(int(given), 1)  # returns when the supervisor's end of the pipe is closed
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def prepare_database() -> GeneratedPassword | None:
    """Prepare tables, roles, the first account, and jobs that a stop interrupted.

    Returns the password generated for the first account, if any.
    """
    from annotarium.db.data_folder import claim_data_folder, write_serving_machine
    from annotarium.db.migrate import upgrade_database
    from annotarium.domains.auth.operator_accounts import ensure_first_administrator
    from annotarium.domains.foreign_models.sign_existing import sign_existing_models

    upgrade_database()
    claim_data_folder()
    write_serving_machine()
    sign_existing_models()
    generated = ensure_first_administrator()
    # Only if the database and the queue belong to this machine alone can no other worker be running jobs.
    if os.environ.pop(FRESH_START, None) and get_settings().database_url is None:
        from annotarium.jobs.queue_client import connect_to_queue_server
        from annotarium.jobs.reconciler import Reconciler

        queue = connect_to_queue_server(
            retries=_QUEUE_LOOKS, pause=_QUEUE_PAUSE
        )  # the queue server starts at the same time as this process
        if queue is not None:
            queue.ping()
            queue.close()
        Reconciler().recover()
    return generated


def raise_file_limit(wanted: int = _FILES) -> None:
    """Raise the limit of open files, up to the hard limit: most systems start with 1,024 and allow more.

    Each thread that searches keeps index files of several projects open, and each WebSocket is a file too.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def serve_api() -> None:
    """Serve the API on the supervisor's socket until a stop signal, in several processes if so configured."""
    gc.disable()  # until everything is loaded (`ApiServer`): collecting takes 0.2 s and would find almost nothing
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
    """Run jobs until a stop signal, in the slots given by the settings `workers` and `lanes`."""
    gc.disable()  # until a slot has loaded everything
    os.environ.update(thread_limit_variables(os.environ))  # before numpy is imported
    configure_logging(process=name or "worker")
    exit_with_parent()
    from annotarium.db.data_folder import database_exists, require_database
    from annotarium.jobs.pool import WorkerPool
    from annotarium.jobs.queue_client import require_queue_server
    from annotarium.server.process_lifecycle import register_commit_listeners

    if get_settings().database_url is not None:
        _require_same_installation()
    by_hand = name is None  # not started by the supervisor of this machine, so it may have other settings
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
    """Check that this worker belongs to the installation that owns the database."""
    from annotarium.db.data_folder import claim_data_folder, require_same_machine
    from annotarium.db.database import get_database
    from annotarium.db.migrate import await_upgrade

    await_upgrade()
    claim_data_folder()
    require_same_machine()
    get_database().dispose()  # no connection may be open when it forks


def _require_same_index() -> None:
    """Check that this worker uses the search index of the installation."""
    from annotarium.db.database import get_database
    from annotarium.db.migrate import await_upgrade
    from annotarium.search.shared_index import require_same_index

    await_upgrade()
    require_same_index()
    get_database().dispose()


def run_indexing_process() -> None:
    """Index what the importing process sends until it closes the pipe; dies with that process."""
    from annotarium.search.indexing_process import serve_stdio

    configure_logging(process="index")
    die_with_parent(os.getppid())
    gc.freeze()
    serve_stdio()


def run_vector_process() -> None:
    """Compute query vectors for the process that started this one, until it closes the pipe.

    There is no parent-death signal here: the system would send it when the starting thread ends, as request threads do.
    """
    configure_logging(process="vectors")
    from annotarium.search.vector_process import main as serve

    serve()


def run_answer_process() -> None:
    """Run the components that answer questions for the process that started this one (see `run_vector_process`)."""
    configure_logging(process="answers")
    from annotarium.search.answer_process import main as serve

    serve()


def main() -> None:
    """Entry point of `python -m annotarium.server.launch`. SIGUSR1 prints the stacks of all threads."""
    make_new_files_private()
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    gc.set_threshold(*_COLLECTOR)
    try:
        _run_process(sys.argv[1])
    except AnnotariumError as error:  # the message only, without a traceback
        sys.exit(error.one_line())


def _run_process(part: str) -> None:
    if part == "api":
        serve_api()
    elif part == "index":
        run_indexing_process()
    elif part == "vectors":
        run_vector_process()
    elif part == "answers":
        run_answer_process()
    else:
        run_worker(sys.argv[2] if len(sys.argv) > 2 else None)


if __name__ == "__main__":
    main()
