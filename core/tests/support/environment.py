"""What the tests read of the environment."""

from __future__ import annotations

import os


def database_kind() -> str:
    """`sqlite` (the default) or `postgresql`: which database the tests of the server run on."""
    return os.environ.get("ANNOTARIUM_TEST_DATABASE_KIND") or os.environ.get("ANNOTARIUM_TEST_RECORD") or "sqlite"
