"""`annotarium serve` parses simple options without any library, with the same result as the settings; others are left
to the settings.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from annotarium.settings import Settings
from annotarium.system.serve_options import parse_serve_options


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        ([], {}),
        (["--port", "0", "--host=0.0.0.0", "--data", "some/where"], {}),
        (["--workers", "3", "--api-processes", "2"], {"ANNOTARIUM_WORKERS": "5", "ANNOTARIUM_DATA": "else/where"}),
        ([], {"ANNOTARIUM_HOST": "::1", "ANNOTARIUM_PORT": "65535", "REDIS_URL": "redis://queue"}),
    ],
)
def test_simple_options_are_parsed_like_the_settings(
    arguments: list[str], environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [*os.environ]:
        if name.startswith("ANNOTARIUM_") or name == "REDIS_URL":
            monkeypatch.delenv(name)
    found = parse_serve_options(arguments, environment)
    assert found is not None
    plan, said = found
    for name, value in (environment | said).items():
        monkeypatch.setenv(name, value)
    settings = Settings()
    wanted = (settings.host, settings.port, settings.data.resolve(), settings.workers, settings.redis_url)
    assert tuple(plan) == wanted
    assert settings.api_processes == int(said.get("ANNOTARIUM_API_PROCESSES", 1))


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [
        (["--help"], {}),
        (["--port"], {}),
        (["--port", "65536"], {}),
        (["--port", "-1"], {}),
        (["--port", "²"], {}),
        (["--port=8040", "more"], {}),
        (["--unknown", "1"], {}),
        (["--api_processes", "1"], {}),
        (["--api-processes", "0"], {}),
        (["--data="], {}),
        ([], {"ANNOTARIUM_WORKERS": "many"}),
        ([], {"ANNOTARIUM_PORT": ""}),
        ([], {"annotarium_port": "9000"}),
    ],
)
def test_other_options_are_left_to_the_command_line(arguments: list[str], environment: dict[str, str]) -> None:
    assert parse_serve_options(arguments, environment) is None


def test_the_supervisor_loads_no_library() -> None:
    code = (
        "import sys, annotarium.cli, annotarium.system.serve_options, annotarium.server.supervisor; print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    heavy = {"typer", "pydantic", "structlog", "importlib.metadata", "email", "inspect", "dataclasses", "argparse"}
    assert not heavy & set(done.stdout.split())
