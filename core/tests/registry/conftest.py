"""Install packages into a folder of the test and run code that sees them in a new interpreter."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

RunPython = Callable[..., Any]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder that `run_python` puts on the path: packages installed there are found."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


@pytest.fixture
def run_python(site: Path, tmp_path: Path) -> RunPython:
    """A function that runs code whose last line prints JSON, and returns the parsed JSON."""

    def run(code: str, **environment: str) -> Any:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("ANNOTARIUM_")}
        variables = {**clean, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(tmp_path / "cache"), **environment}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            capture_output=True,
            text=True,
            env=variables,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.strip().splitlines()[-1])

    return run


def install(
    site: Path,
    name: str,
    modules: Mapping[str, str],
    entry_points: Mapping[str, Mapping[str, str]],
    version: str = "1.0",
) -> None:
    """Write what an installer leaves for a package: its modules and its metadata."""
    package = site / name.replace("-", "_")
    package.mkdir()
    for module, source in {"__init__": "", **modules}.items():
        (package / f"{module}.py").write_text(source)
    info = site / f"{package.name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = [
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
        for group, points in entry_points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))


@pytest.fixture
def install_package(site: Path) -> Callable[..., None]:
    """`install` bound to the folder of this test."""

    def run(name: str, modules: Mapping[str, str], entry_points: Mapping[str, Mapping[str, str]]) -> None:
        install(site, name, modules, entry_points)

    return run
