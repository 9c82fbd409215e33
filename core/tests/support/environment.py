"""Environment variables of the tests."""

from __future__ import annotations

import os


def database_kind() -> str:
    """Return `sqlite` (the default) or `postgresql`: the database that the tests of the server run on."""
    return os.environ.get("ANNOTARIUM_TEST_DATABASE_KIND") or os.environ.get("ANNOTARIUM_TEST_RECORD") or "sqlite"
