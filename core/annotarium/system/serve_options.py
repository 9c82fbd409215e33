"""What `annotarium serve` can be told, read without a library: the supervisor has to stay small and to start at once.

Only what is plainly right is read here. With anything else (a mistake, `--help`) the command line proper reads again
and says what it has to say. Defaults and bounds are those of the settings and of the command line too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from annotarium.system.lanes import count_cores

PREFIX = "ANNOTARIUM_"
HOST, DATA = "127.0.0.1", "annotarium-data"


class IntegerOption(NamedTuple):
    """A whole number somebody may give."""

    default: int
    minimum: int
    maximum: int

    def accepts(self, text: str) -> bool:
        """Whether the text is such a number."""
        return text.isascii() and text.isdigit() and len(text) < 10 and self.minimum <= int(text) <= self.maximum


PORT = IntegerOption(8040, 0, 65_535)
WORKERS = IntegerOption(min(2, count_cores()), 0, 64)
"""More than two only when asked: each further one costs memory where several jobs run."""
API_PROCESSES = IntegerOption(1, 1, 64)
_TEXTS = {"HOST": HOST, "DATA": DATA}
_NUMBERS = {"PORT": PORT, "WORKERS": WORKERS, "API_PROCESSES": API_PROCESSES}


class ServeOptions(NamedTuple):
    """What to run."""

    host: str
    port: int
    data: Path
    workers: int
    redis_url: str | None


def redis_url(environment: Mapping[str, str]) -> str | None:
    """Address of an outside queue server."""
    return environment.get(f"{PREFIX}REDIS_URL") or environment.get("REDIS_URL") or None


def parse_serve_options(
    arguments: Sequence[str], environment: Mapping[str, str]
) -> tuple[ServeOptions, dict[str, str]] | None:
    """What to run, and the environment variables that say it; None where more than a plain look is needed.

    Args:
        arguments: those behind `serve`; they win over the environment.
    """
    given = _parse_arguments(arguments)
    if given is None or any(name.upper().startswith(PREFIX) and name != name.upper() for name in environment):
        return None  # the settings read names of variables in any case
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
