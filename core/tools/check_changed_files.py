"""Checks style, types and unit tests of changed files in about a minute; `make test` runs everything.

Changed files are those that differ from the merge base with `--base` (by default `origin/HEAD`, otherwise the last
commit), and uncommitted ones. The tests of a module are in the folder that mirrors its folder; files without tests are
covered by the house tests.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOUSE = [f"core/tests/house/test_{name}.py" for name in ("code_rules", "names", "messages", "documentation")]
MIRRORS = (
    ("core/annotarium/", "core/tests/"),
    ("engines/annotarium_engines/", "engines/tests/"),
    ("plugins/annotarium_plugins/builtin/", "plugins/tests/"),
    ("plugins/annotarium_plugins/", "plugins/tests/"),
    ("schemas/annotarium_schemas/", "schemas/tests/"),
    ("core/tools/", "core/tests/tools/"),
)
"""Source folders and their test folders."""
TEST_SECONDS = 45
"""Tests that have not finished by then are left to `make test`."""


def _git(*arguments: str) -> list[str]:
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()


def changed(base: str) -> list[str]:
    """Return existing paths that differ from `base`, including new ones."""
    left = _git("merge-base", base, "HEAD") or ["HEAD"]
    names = {*_git("diff", "--name-only", left[0]), *_git("ls-files", "--others", "--exclude-standard")}
    return sorted(name for name in names if (ROOT / name).is_file())


def tests_of(names: Iterable[str]) -> list[str]:
    """Return test files and folders for changed files: `core/annotarium/jobs/job_creation.py` ->
    `core/tests/jobs/test_job_creation.py`, or `core/tests/jobs` when there is no test file of that name.
    """
    found: set[str] = set()
    for name in names:
        path = Path(name)
        if path.name.startswith("test_") and path.suffix == ".py":
            found.add(name)
            continue
        mirror = next(((old, new) for old, new in MIRRORS if name.startswith(old) and path.suffix == ".py"), None)
        if mirror is None:
            continue
        folder = ROOT / mirror[1] / path.relative_to(mirror[0]).parent
        own = folder / f"test_{path.stem}.py"
        root = ROOT / mirror[1]
        if own.is_file():
            found.add(own.relative_to(ROOT).as_posix())
        elif folder.is_dir() and folder != root:
            found.add(folder.relative_to(ROOT).as_posix())
    return sorted(name for name in found if not any(name.startswith(f"{one}/") for one in found))


def steps(names: Sequence[str]) -> list[tuple[str, list[str], str]]:
    """Return what to run: name, command, folder."""
    bin_folder = Path(sys.executable).parent
    python = [name for name in names if name.endswith(".py")]
    web = [name.removeprefix("webapp/") for name in names if name.startswith("webapp/")]
    scripts = [name for name in web if name.endswith((".ts", ".tsx"))]
    plain = [name for name in web if name.endswith((".ts", ".tsx", ".css")) and name.startswith(("src/", "e2e/"))]
    todo: list[tuple[str, list[str], str]] = []
    if python:
        todo += [
            ("style", [f"{bin_folder}/ruff", "check", "--force-exclude", *python], "."),
            ("format", [f"{bin_folder}/ruff", "format", "--check", "--force-exclude", *python], "."),
            ("imports", [f"{bin_folder}/lint-imports"], "."),
            ("types", [f"{bin_folder}/mypy"], "."),
        ]
    limit = f"--session-timeout={TEST_SECONDS}"
    todo.append(("tests", [f"{bin_folder}/pytest", "-x", limit, *HOUSE, *tests_of(names)], "."))
    if scripts:
        todo += [
            ("web style", ["npx", "eslint", *scripts], "webapp"),
            ("web types", ["npm", "run", "--silent", "types"], "webapp"),
            ("web tests", ["npx", "vitest", "related", "--run", "--passWithNoTests", *scripts], "webapp"),
        ]
    if plain:
        todo.append(("web format", ["npx", "prettier", "--check", *plain], "webapp"))
    return todo


def run(step: tuple[str, list[str], str]) -> bool:
    """Run one step, print its output and return whether it succeeded. Tests that exceed the time limit do not count as
    failed.
    """
    name, command, folder = step
    begin = time.monotonic()
    done = subprocess.run(command, cwd=ROOT / folder, check=False, capture_output=True, text=True)
    late = "session-timeout" in done.stdout and "FAILED" not in done.stdout
    good = done.returncode == 0 or late
    lines = [] if good else [done.stdout, done.stderr]
    state = "failed" if not good else "the rest is left to `make test`" if late else "ok"
    sys.stdout.write("\n".join([*lines, f"{name}: {state}, {time.monotonic() - begin:.0f} s"]) + "\n")
    sys.stdout.flush()
    return good


def main() -> int:
    """Run all steps, two at a time; 1 when one of them fails."""
    parser = argparse.ArgumentParser(description="Style, types and the unit tests of what changed")
    parser.add_argument("--base", default="origin/HEAD", help="what the branch is compared with")
    names = changed(parser.parse_args().base)
    begin, todo = time.monotonic(), steps(names)
    with ThreadPoolExecutor(2) as pool:
        good = list(pool.map(run, todo))
    failed = [name for (name, _, _), fine in zip(todo, good, strict=True) if not fine]
    sys.stdout.write(f"{len(names)} changed files, {time.monotonic() - begin:.0f} s; failed: {failed or 'nothing'}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
