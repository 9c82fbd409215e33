"""Parses the options of `annotarium serve` without libraries, so that the supervisor stays small and starts fast.

Only unambiguous input is handled here. For anything else (an error, `--help`) the full command line parser starts and
reports. It and the settings use the same defaults and bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from annotarium.system.lanes import count_cores

PREFIX = "ANNOTARIUM_"
HOST, DATA = "127.0.0.1", "annotarium-data"


class IntegerOption(NamedTuple):
    """An integer option with its bounds."""

    default: int
    minimum: int
    maximum: int

    def accepts(self, text: str) -> bool:
        """Whether the text is a number within the bounds."""
        return text.isascii() and text.isdigit() and len(text) < 10 and self.minimum <= int(text) <= self.maximum


PORT = IntegerOption(8040, 0, 65_535)
WORKERS = IntegerOption(min(2, count_cores()), 0, 64)
"""The default is at most two: each further worker costs memory when several jobs run."""
API_PROCESSES = IntegerOption(1, 1, 64)
_TEXTS = {"HOST": HOST, "DATA": DATA}
_NUMBERS = {"PORT": PORT, "WORKERS": WORKERS, "API_PROCESSES": API_PROCESSES}


class ServeOptions(NamedTuple):
    """The options of the supervisor."""

    host: str
    port: int
    data: Path
    workers: int
    redis_url: str | None


def redis_url(environment: Mapping[str, str]) -> str | None:
    """Address of an external queue server, None if it is not set."""
    return environment.get(f"{PREFIX}REDIS_URL") or environment.get("REDIS_URL") or None


def parse_serve_options(
    arguments: Sequence[str], environment: Mapping[str, str]
) -> tuple[ServeOptions, dict[str, str]] | None:
    """The options, and environment variables with the given arguments; None if the full parser is needed.

    Args:
        arguments: those after `serve`; they take precedence over the environment.
    """
    given = _parse_arguments(arguments)
    if given is None or any(name.upper().startswith(PREFIX) and name != name.upper() for name in environment):
        return None  # the settings read variable names case-insensitively
    values = {name: environment[PREFIX + name] for name in (*_TEXTS, *_NUMBERS) if PREFIX + name in environment} | given
    if not all(values.get(name, "-") for name in _TEXTS):
        return None
    if not all(kind.accepts(values.get(name, str(kind.default))) for name, kind in _NUMBERS.items()):
        return None
    text = {name: values.get(name, default) for name, default in _TEXTS.items()}
    number = {name: int(values.get(name, kind.default)) for name, kind in _NUMBERS.items()}
    plan = ServeOptions(
        text["HOST"], number["PORT"], Path(text["DATA"]).resolve(), number["WORKERS"], redis_url(environment)
    )
    return plan, {PREFIX + name: value for name, value in given.items()}


def _parse_arguments(arguments: Sequence[str]) -> dict[str, str] | None:
    found: dict[str, str] = {}
    waiting = list(arguments)
    while waiting:
        option, together, value = waiting.pop(0).partition("=")
        name = option.removeprefix("--").replace("-", "_").upper()
        known = option == option.lower() and "_" not in option and name in {**_TEXTS, **_NUMBERS}
        if not option.startswith("--") or not known:
            return None
        if not together:
            if not waiting:
                return None
            value = waiting.pop(0)
        if value.startswith("-"):
            return None
        found[name] = value
    return found
