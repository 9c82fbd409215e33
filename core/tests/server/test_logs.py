"""The log: one line per event, no forged lines, no secrets."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import orjson
import pytest
import structlog

from annotarium.server.api_server import server_config
from annotarium.server.logs import configure_logging, mask_and_escape_text
from annotarium.settings import get_settings


@pytest.fixture
def _log(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ANNOTARIUM_LOG_FORMAT", "json")
    get_settings.cache_clear()
    before = structlog.get_config(), logging.getLogger().handlers[:], logging.getLogger().level
    yield
    structlog.configure(**before[0])
    logging.getLogger().handlers[:] = before[1]
    logging.getLogger().setLevel(before[2])
    structlog.contextvars.clear_contextvars()
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.mark.usefixtures("_log")
def test_lines_of_the_server_and_of_libraries_are_json_with_ids(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(process="api")
    structlog.contextvars.bind_contextvars(request_id="r1", job_id="j1")
    structlog.get_logger("ours").info("done", count=3)
    logging.getLogger("uvicorn.error").warning("from %s", "uvicorn")
    logging.getLogger("rq.worker").error("from rq")
    lines = [orjson.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["event"] for line in lines] == ["done", "from uvicorn", "from rq"]
    assert all(line["request_id"] == "r1" and line["job_id"] == "j1" and line["process"] == "api" for line in lines)
    assert lines[0]["count"] == 3
    assert lines[1]["level"] == "warning"


@pytest.mark.usefixtures("_log")
@pytest.mark.parametrize("form", ["json", "console"])
def test_line_breaks_in_values_cannot_forge_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("ANNOTARIUM_LOG_FORMAT", form)
    get_settings.cache_clear()
    configure_logging()
    evil = "a\nb\r\nc\x1b[31m\u2028d"
    structlog.get_logger().warning(evil, name_of_file=evil, nested={"k": evil})
    logging.getLogger("other").warning(evil)
    written = capsys.readouterr().err
    assert len(written.splitlines()) == 2
    assert "\x1b" not in written


@pytest.mark.usefixtures("_log")
def test_secrets_are_masked(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging()
    structlog.get_logger().info("x", password="hunter2", access_token="abc", cookie="c")
    logging.getLogger("uvicorn.access").info('"WebSocket /api/events?token=abc.def.ghi" [accepted]')
    structlog.get_logger().info("Authorization: Bearer abcdefghij.klm")
    written = capsys.readouterr().err
    assert "hunter2" not in written
    assert "abc" not in written
    assert written.count("***") == 5


@pytest.mark.usefixtures("_log")
def test_an_exception_is_one_json_line_with_its_trace(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging()
    try:
        raise ValueError("boom")
    except ValueError:
        structlog.get_logger().exception("failed")
    (line,) = capsys.readouterr().err.splitlines()
    assert "ValueError: boom" in orjson.loads(line)["exception"]


def test_the_plain_text_format_is_unchanged() -> None:
    assert mask_and_escape_text("Grüße, 30 % of 5 = 1.5; token ring") == "Grüße, 30 % of 5 = 1.5; token ring"


@pytest.mark.usefixtures("_log")
@pytest.mark.parametrize(("form", "level", "told"), [("json", "info", True), ("console", "info", False)])
def test_requests_are_logged_in_the_json_format_only(
    monkeypatch: pytest.MonkeyPatch, form: str, level: str, told: bool
) -> None:
    """One process or several: each configures its log again after the fork."""
    monkeypatch.setenv("ANNOTARIUM_LOG_FORMAT", form)
    monkeypatch.setenv("ANNOTARIUM_LOG_LEVEL", level)
    get_settings.cache_clear()
    server_config(forks=True)
    configure_logging(process="api-1")
    assert logging.getLogger("uvicorn.access").hasHandlers() is told  # the condition that uvicorn tests
