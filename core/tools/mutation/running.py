"""Processes the modules, each in its own process and in a copy of the checkout."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from mutation import targets_and_results
from mutation.targets_and_results import CAUGHT, ROOT, Draw, TargetModule

PACKAGES = ("core", "engines", "plugins", "schemas")
NEAR_SECONDS, WIDE_SECONDS = 60.0, 600.0
"""Time limits of the tests of one mutant, estimated from a run without a mutant. Some lines are reached by every test:
the test files named first in the table are run first.
"""


def run(targets: list[TargetModule], draw: Draw, results: Path, jobs: int, wide: bool) -> None:
    """Run the mutants without a result."""
    results.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutation-", ignore_cleanup_errors=True) as folder:
        spare = [_copy(Path(folder) / str(number)) for number in range(min(jobs, len(targets)))]

        def one(target: TargetModule) -> None:
            copy = spare.pop()
            try:
                _run_one(target, draw, results, copy, target.near)
                if wide:
                    _run_one(target, draw, results, copy, (*target.near, *target.wide), again=True)
            finally:
                spare.append(copy)

        with ThreadPoolExecutor(max(1, min(jobs, len(targets)))) as pool:
            list(pool.map(one, targets))


def _copy(folder: Path) -> Path:
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    ).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    modules = ROOT / "webapp/node_modules"
    if modules.exists():
        (folder / "webapp/node_modules").symlink_to(modules)
    subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], cwd=folder, check=False)
    return folder


def _run_one(
    target: TargetModule, draw: Draw, results: Path, copy: Path, tests: tuple[str, ...], *, again: bool = False
) -> None:
    file = target.file(results).resolve()
    outcomes = targets_and_results.read_results(file)
    tested = _digest_of_tests(tests)
    judged, source = targets_and_results.equivalents(), target.source
    left = [
        mutant
        for mutant in targets_and_results.draw_mutants(target, draw)
        if (found := outcomes.get(mutant.name)) is None
        or (
            found["outcome"] not in CAUGHT
            and found.get("tests") != tested
            and mutant.key(source) not in judged
            and not mutant.is_quiet
        )
    ]
    if again:
        left = [mutant for mutant in left if mutant.name in outcomes]
    if not left:
        return
    print(f"{target.path}: {len(left)} mutants", flush=True)
    fresh = file.with_suffix(".running")
    fresh.unlink(missing_ok=True)
    try:
        if target.is_web:
            from mutation.web import run_web

            run_web(target.path, left, copy, tuple(test for test in tests if (copy / test).exists()), fresh)
        else:
            _run_session(
                target, [asdict(mutant) for mutant in left], copy, tests, fresh, WIDE_SECONDS if again else NEAR_SECONDS
            )
    finally:
        if fresh.exists():
            with file.open("a") as kept:
                for line in fresh.read_text().splitlines():
                    kept.write(json.dumps(json.loads(line) | {"tests": tested}) + "\n")
            fresh.unlink()


def _run_session(
    target: TargetModule,
    mutants: list[dict[str, object]],
    copy: Path,
    tests: tuple[str, ...],
    fresh: Path,
    seconds: float,
) -> None:
    order = copy / "order.json"
    values = {
        "module": target.path,
        "tests": [test for test in tests if (copy / test).exists()],
        "mutants": mutants,
        "results": str(fresh),
        "reached": str(fresh.with_suffix(".reached")),
        "other_processes": target.processes,
        "seconds": seconds,
    }
    order.write_text(json.dumps(values))
    temporary = copy.parent / f"{copy.name}-temporary"
    temporary.mkdir(exist_ok=True)
    paths = [str(copy / name) for name in (*PACKAGES, "core/tools")]
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "TMPDIR": str(temporary),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    for pyc in (copy / target.path).parent.glob(f"__pycache__/{Path(target.path).stem}.*"):
        pyc.unlink()
    with fresh.with_suffix(".log").open("w") as log:
        status = subprocess.run(
            [sys.executable, "-m", "mutation.session", str(order)],
            cwd=copy,
            env=environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            check=False,
        ).returncode
    (copy / target.path).write_text(target.source)
    if status:
        print(f"{target.path}: ended with {status}, see {log.name}", flush=True)


def _digest_of_tests(tests: tuple[str, ...]) -> str:
    digest = hashlib.sha256()
    for test in tests:
        path = ROOT / test
        for file in [path] if path.is_file() else sorted(path.rglob("test_*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:12]
