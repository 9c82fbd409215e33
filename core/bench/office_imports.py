"""Import of mixed office files, some of them broken: `python core/bench/office_imports.py [FILES] [BROKEN]`.

One archive on a real server: first a check, then the import, then the same import again. Prints time and memory, and
each line of the report that names a broken file. The exit status is 1 unless the report names exactly the broken files
with cause and fix, the check predicted them, and the second import changed nothing.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

from support.installation import Installation
from support.office_files import make_files

PROJECT = "office"


def main() -> int:
    """Create the files, run and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=int, nargs="?", default=2_000)
    parser.add_argument("broken", type=int, nargs="?", default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        archive = Path(folder) / "office.zip"
        expected = _write_archive(archive, given.files, given.broken)
        server = Installation(Path(folder))
        server.start()
        try:
            faults = _check_and_import(server, archive, given.files, expected)
        finally:
            server.stop()
    for fault in faults:
        print(f"WRONG: {fault}")
    return 1 if faults else 0


def _write_archive(archive: Path, count: int, broken: int) -> dict[str, str]:
    expected = {}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content, words in make_files(count, broken):
            target.writestr(name, content)
            if words:
                expected[f"office.zip/{name}"] = words
    return expected


def _check_and_import(server: Installation, archive: Path, count: int, expected: dict[str, str]) -> list[str]:
    server.sign_in()
    _call(server, "POST", "/projects", json={"label": "Office", "name": PROJECT, "lang": "fr"})
    with archive.open("rb") as file:
        uploaded = _call(server, "POST", "/uploads", files={"file": ("office.zip", file)})
    reports = []
    for what, query in (("check", "dryRun=true&"), ("import", ""), ("import again", "")):
        with server.watched() as memory:
            started = time.perf_counter()
            path = f"/projects/{PROJECT}/documents/_load?{query}wait=true"
            job = _call(server, "POST", path, json=uploaded, timeout=900)
            seconds = time.perf_counter() - started
        print(
            f"{what:>14}: {seconds:6.1f} s, {count / seconds:6.0f} files/s,"
            f" {max(memory):5.0f} MB in all processes at the highest | {job['statusMessage']}"
        )
        reports.append(_report(server, job["id"]))
    return _differences(expected, *reports)


def _call(server: Installation, method: str, path: str, timeout: float = 300, **given: Any) -> Any:
    headers = {"authorization": f"Bearer {server.token}"}
    address = f"{server.address}/api{path}"
    answer = server.client.request(method, address, headers=headers, timeout=timeout, **given)
    answer.raise_for_status()
    return answer.json()


def _report(server: Installation, job: str) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []
    while True:
        page = _call(server, "GET", f"/projects/{PROJECT}/job/{job}/items?from={len(lines)}&size=1000")
        lines += page["items"]
        if len(lines) >= page["total"]:
            return lines


def _differences(
    expected: dict[str, str], check: list[dict[str, Any]], done: list[dict[str, Any]], again: list[dict[str, Any]]
) -> list[str]:
    refused = {line["item"]: line for line in done if line["outcome"] == "refused"}
    for item, line in refused.items():
        print(f"  {item}: {line.get('message')} | to do: {line.get('fix')}")
    faults = [f"not refused: {item}" for item in expected.keys() - refused.keys()]
    faults += [f"refused, though good: {item}" for item in refused.keys() - expected.keys()]
    for item in expected.keys() & refused.keys():
        line = refused[item]
        said = f"{line.get('message')} {line.get('fix')}".lower()
        if expected[item] not in said or not line.get("fix"):
            faults.append(f"{item} should say {expected[item]!r} and what to do: {line}")
    if _outcomes(check) != _outcomes(done):
        faults.append("the check foretold another report")
    if any(line["outcome"] not in ("unchanged", "refused") for line in again):
        faults.append("the second import changed something")
    return faults


def _outcomes(lines: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return sorted((line["item"], line["outcome"], line.get("message"), line.get("fix")) for line in lines)


if __name__ == "__main__":
    sys.exit(main())
