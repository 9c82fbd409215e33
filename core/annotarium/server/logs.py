"""Logging: structlog on top of the standard library, as JSON lines or human-readable, on standard error.

Each line carries its request id or job id. Line breaks in values are escaped, so that log lines cannot be forged;
tokens and passwords are masked.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import orjson

from annotarium.settings import get_settings


@contextmanager
def _import_blocked(name: str) -> Iterator[None]:
    """Make the import of that module fail inside the `with` block."""
    known = sys.modules.get(name)
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]
        if known is not None:
            sys.modules[name] = known


# If rich is installed, structlog uses it for tracebacks, with the values of all variables. Ours are plain; without its
# 90 modules each process starts 70 ms earlier and is 4 MB smaller.
with _import_blocked("rich"):
    import structlog

Line = MutableMapping[str, Any]
_MASK = "***"
_SECRET_NAMES = re.compile(r"pass(word|wd|phrase)|secret|authorization|cookie|token|api_?key", re.IGNORECASE)
_SECRET_TEXTS = re.compile(
    r"(?P<name>(?:access_)?token|password|key|secret)=(?P<value>[^&\s\"']+)|(?P<bearer>Bearer|Basic)\s+[\w.~+/=-]{8,}",
    re.IGNORECASE,
)
_CONTROLS = {code: f"\\x{code:02x}" for code in range(32)} | {10: "\\n", 13: "\\r", 9: "\\t", 127: "\\x7f"}
_CONTROLS |= {0x2028: "\\u2028", 0x2029: "\\u2029"}


def _hide(found: re.Match[str]) -> str:
    if found["bearer"]:
        return f"{found['bearer']} {_MASK}"
    return f"{found['name']}={_MASK}"


def mask_and_escape_text(text: str) -> str:
    """The text on one line, with secrets masked (such as a token in a URL)."""
    return _SECRET_TEXTS.sub(_hide, text).translate(_CONTROLS)


def _mask_and_escape_line(_logger: Any, _method: str, line: Line) -> Line:
    for name, value in line.items():
        if name in ("exception", "stack"):
            line[name] = _SECRET_TEXTS.sub(_hide, str(value))  # multi-line, but produced by our own formatter
        elif _SECRET_NAMES.search(name):
            line[name] = _MASK
        elif isinstance(value, str):
            line[name] = mask_and_escape_text(value)
        elif not isinstance(value, (int, float, bool, type(None))):
            line[name] = mask_and_escape_text(str(value))
    return line


def _drop_private_fields(_logger: Any, _method: str, line: Line) -> Line:
    for name in ("color_message", "_record", "_from_structlog"):
        line.pop(name, None)
    return line


def _json(_logger: Any, _method: str, line: Line) -> str:
    return orjson.dumps(dict(line), default=str).decode()


def logs_requests() -> bool:
    """Whether each request is logged: with JSON output, or with level `debug`."""
    settings = get_settings()
    return settings.log_level == "debug" or settings.log_format == "json"


def configure_logging(*, process: str | None = None) -> None:
    """Send all log lines of this process through one formatter; can be called again.

    Args:
        process: name added to each line (`api`, `worker-1`).
    """
    settings = get_settings()
    common: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _add_process_name(process),
    ]
    as_json = settings.log_format == "json"
    renderer = _json if as_json else structlog.dev.ConsoleRenderer(colors=False, sort_keys=False)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*common, structlog.stdlib.ExtraAdder()],
        processors=[_drop_private_fields, structlog.processors.format_exc_info, _mask_and_escape_line, renderer],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    _configure_library_loggers(settings.log_level)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *common,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _add_process_name(process: str | None) -> Any:
    def add(_logger: Any, _method: str, line: Line) -> Line:
        if process:
            line.setdefault("process", process)
        return line

    return add


def _configure_library_loggers(level: str) -> None:
    for name in (
        "uvicorn",
        "uvicorn.error",
        "uvicorn.access",
        "rq.worker",
        "rq.job",
        "rq.queue",
        "alembic",
    ):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = name != "uvicorn.access" or logs_requests()
        logger.setLevel(logging.NOTSET)
    logging.getLogger("sqlalchemy").setLevel(logging.WARNING)  # the level that it sets itself when it is imported
    if level != "debug":
        for name in ("uvicorn.error", "rq.worker", "rq.job", "rq.queue", "alembic", "httptools", "websockets"):
            logging.getLogger(name).setLevel(logging.WARNING)
