"""What an import costs: `python core/bench/imports.py [DOCUMENTS ...] [--profile FOLDER]`.

Runs the job itself, as a worker does, on documents of 1 kB with 8 spans, from one uploaded JSON file until searches
find all of them. Prints processor time per document of each of its processes, which other work on the machine does not
change much, and the proportional memory of all of them together at its highest (their own, and of mapped files), for
several sizes: their own must not grow.
With `--profile`, writes what cProfile saw of the importing process there (times in processor seconds).
"""

from __future__ import annotations

import argparse
import contextlib
import cProfile
import gc
import json
import os
import re
import resource
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from support.corpus import Corpus
from support.installation import PASSWORD, UPLOAD_DOCUMENTS

SIZES = (2_000, 10_000, 40_000)
_ENDED = b"the job has ended"
_KEPT = 2_000
"""Different documents in a file; larger ones repeat their texts under other identifiers."""


def main() -> int:
    """Read the options, measure each size in processes of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--profile", type=Path)
    parser.add_argument("--job", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.job:
        print(json.dumps(_measure(given.job, given.profile)))
        return 0
    heads = ("documents", "convert ms", "write ms", "index ms", "sum ms", "per cpu s", "per s", "memory MB", "files MB")
    print("".join(f"{head:>12}" for head in heads))
    for count in given.documents:
        with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
            _print(count, _import_in_own_process(Path(folder), count, given.profile))
    print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
    return 0


def _print(count: int, found: dict[str, Any]) -> None:
    milliseconds = [found[part] / count * 1000 for part in ("convert", "write", "index")]
    total = sum(milliseconds)
    figures = [f"{one:12.3f}" for one in (*milliseconds, total)]
    rates = f"{1000 / total:12,.0f}{count / found['seconds']:12,.0f}"
    print(
        f"{count:12,}",
        *figures,
        rates,
        f"{found['memory'] / 1e6:12.0f}{found['files'] / 1e6:12.0f}",
        sep="",
        flush=True,
    )


def _import_in_own_process(folder: Path, count: int, profile: Path | None) -> dict[str, Any]:
    file = folder / "documents.json"
    _write_file(file, count)
    environment = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
    environment |= {"ANNOTARIUM_DATA": str(folder / "data"), "ANNOTARIUM_LOG_LEVEL": "warning"}
    environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "ANNOTARIUM_BODY_LIMIT": str(1 << 30)}
    job = _prepare(file, environment)
    command = [sys.executable, __file__, "--job", job]
    if profile:
        profile.mkdir(parents=True, exist_ok=True)
        command += ["--profile", str(profile)]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    memory, files = _most_memory(process)
    said = process.communicate()[0]
    found: dict[str, Any] = json.loads(said.splitlines()[-1]) | {"memory": memory, "files": files}
    if found["message"] != f"{count:,} imported of {count:,} received" or found["found"] != count:
        raise RuntimeError(f"The import ended as {found}")
    return found


def _write_file(path: Path, count: int) -> None:
    corpus = Corpus()
    kept = [corpus.document(number) for number in range(min(count, _KEPT))]
    with path.open("w") as file:
        for number in range(count):
            document = kept[number % len(kept)]
            document |= {"identifier": f"document-{number:07d}", "title": f"Document {number}"}
            file.write(f"{',' if number else '['}\n{json.dumps(document)}")
        file.write("]")


_PREPARE = f"""
import sys
from starlette.testclient import TestClient
from annotarium.app import create_app
from annotarium.db.migrate import upgrade_database
from annotarium.domains.auth.operator_accounts import ensure_first_administrator
upgrade_database()
ensure_first_administrator()
{UPLOAD_DOCUMENTS}job = client.post("/api/projects/bench/documents/_load", json=upload, headers=headers)
print(job.json()["id"])
"""


def _prepare(file: Path, environment: dict[str, str]) -> str:
    """A data folder with an import job that waits; its id."""
    command = [sys.executable, "-W", "ignore", "-c", _PREPARE, PASSWORD, str(file)]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True, text=True).stdout.split()[-1]


def _measure(job: str, profile: Path | None) -> dict[str, Any]:
    """Run the job here, as the child of a worker does."""
    from annotarium.importing.convert import ConverterProcess
    from annotarium.jobs.run import load_job_functions, preload_shared_modules, run_job
    from annotarium.search.import_indexing import ImportIndexer
    from annotarium.server.launch import _COLLECTOR
    from annotarium.server.process_lifecycle import register_commit_listeners

    gc.set_threshold(*_COLLECTOR)
    register_commit_listeners()
    load_job_functions()
    preload_shared_modules()
    gc.freeze()
    spent = {"convert": 0.0, "index": 0.0}
    _add_children_time(ConverterProcess, "_reap", spent, "convert")
    _add_children_time(ImportIndexer, "_end_helpers", spent, "index")
    profiler = cProfile.Profile(time.process_time) if profile else None
    begin, used = time.perf_counter(), time.process_time()
    if profiler:
        profiler.runcall(run_job, job)
    else:
        run_job(job)
    seconds, write = time.perf_counter() - begin, time.process_time() - used
    print(_ENDED.decode(), flush=True)
    if profiler and profile:
        profiler.dump_stats(profile / "import.prof")
    return spent | {"write": write, "seconds": seconds} | _result(job)


def _add_children_time(cls: type, name: str, spent: dict[str, float], part: str) -> None:
    """Add the processor time of the children that this method waits for."""
    original: Callable[..., Any] = getattr(cls, name)

    def wrapped(*given: Any) -> Any:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            return original(*given)
        finally:
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent[part] += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    setattr(cls, name, wrapped)


def _result(job: str) -> dict[str, Any]:
    from annotarium.db.unit_of_work import unit_of_work
    from annotarium.jobs import repository
    from annotarium.search.engine_factory import get_search_engine
    from annotarium.search.index_and_search_types import KINDS
    from annotarium.search.index_verification import verify
    from annotarium.search.indexer import index_key

    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, job)
        assert found is not None
        row, project = found
        assert project is not None
        indexed = {kind: get_search_engine().stats(index_key(project, kind)).items for kind in KINDS}
    state = verify("bench")["bench"]
    right = state["documents"] == indexed["documents"] and state["segments"] == indexed["segments"]
    good = right and not state["differing"] and not state["waiting"]
    return {"message": row.status_message, "found": indexed["documents"] if good else -1}


def _most_memory(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    """Memory of a process and its children at its highest until it says that the job has ended, looked at four times a
    second: bytes of its own, and bytes of files it looks into (the system takes those back when it needs them)."""
    assert process.stdout is not None
    most = [0, 0]
    said = b""
    while process.poll() is None and _ENDED not in said:
        if select.select([process.stdout], [], [], 0.25)[0]:
            said += os.read(process.stdout.fileno(), 65_536)
        total = [0, 0]
        with contextlib.suppress(psutil.NoSuchProcess):
            top = psutil.Process(process.pid)
            for one in (top, *top.children(recursive=True)):
                with contextlib.suppress(OSError):
                    rolled = dict(re.findall(r"(\w+): +(\d+) kB", Path(f"/proc/{one.pid}/smaps_rollup").read_text()))
                    total = [total[0] + int(rolled["Pss_Anon"]) * 1024, total[1] + int(rolled["Pss_File"]) * 1024]
        most = [max(pair) for pair in zip(most, total, strict=True)]
    return most[0], most[1]


if __name__ == "__main__":
    sys.exit(main())
