"""A second user who writes while a function of the server works."""

from __future__ import annotations

import threading
from types import ModuleType
from typing import Any

import pytest

from annotarium.db.unit_of_work import unit_of_work

PATIENCE_SECONDS = 5


def write_during(monkeypatch: pytest.MonkeyPatch, module: ModuleType, function: str) -> list[bool]:
    """Let somebody write when the function starts; the list says for each of its calls whether it was possible."""
    original = getattr(module, function)
    written: list[bool] = []

    def write() -> None:
        with unit_of_work(actor="tests", write=True):
            pass

    def run(*given: Any, **options: Any) -> Any:
        writer = threading.Thread(target=write)
        writer.start()
        writer.join(PATIENCE_SECONDS)
        written.append(not writer.is_alive())
        return original(*given, **options)

    monkeypatch.setattr(module, function, run)
    return written
