"""Starts and stops the parts of a process: the record, the index relay, the event bus. For API and workers."""

from __future__ import annotations

from fastapi import FastAPI

from annotarium.db.migrate import upgrade_database


def start_process(app: FastAPI) -> None:
    """Bring the record up to date and connect what follows a commit."""
    upgrade_database()


async def stop_process(app: FastAPI) -> None:
    """Close connections."""
