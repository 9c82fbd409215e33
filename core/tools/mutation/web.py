"""Mutants of the web app: created by `web_mutants.mjs`, tested with vitest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from mutation.mutants import Mutant

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LONGEST = 60.0
CONFIG = "vitest.mutation.config.ts"
"""Written into the copy. Configures tests without a DOM, whose creation takes most of the time of a run; modules that
need one are not in the table.
"""


def mutants_of_web(path: str) -> list[Mutant]:
    """Return all mutants of a TypeScript module."""
    command = ["node", str(HERE / "web_mutants.mjs"), str(ROOT / "webapp/node_modules"), str(ROOT / path)]
    made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = [Mutant(path=path, **values) for values in json.loads(made)]
    return sorted({one.name: one for one in found}.values(), key=lambda one: (one.start, one.end, one.text))


def run_web(path: str, mutants: list[Mutant], copy: Path, tests: tuple[str, ...], results: Path) -> None:
    """Run the tests with each mutant, in a copy of the checkout."""
    file = copy / path
    source = file.read_text()
    (copy / "webapp" / CONFIG).write_text((HERE / CONFIG).read_text())
    names = [str(Path(test).relative_to("webapp")) for test in tests]
    if _passes(copy, names) is not True:
        raise RuntimeError(f"{path}: its tests fail without a mutant")
    for mutant in mutants:
        begun = time.monotonic()
        file.write_text(mutant.apply(source))
        try:
            passed = _passes(copy, names)
        finally:
            file.write_text(source)
        outcome = {True: "survived", False: "killed", None: "slow"}[passed]
        line = {"name": mutant.name, "outcome": outcome, "seconds": round(time.monotonic() - begun, 2), "by": ""}
        with results.open("a") as report:
            report.write(json.dumps(line) + "\n")


def _passes(copy: Path, names: list[str]) -> bool | None:
    """Return whether the tests pass; None when they exceed the time limit."""
    command = ["node", "node_modules/vitest/vitest.mjs", "run", "--config", CONFIG]
    command += ["--bail=1", "--reporter=dot", *names]
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=copy / "webapp", stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        return process.wait(LONGEST) == 0
    except subprocess.TimeoutExpired:
        return None
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
