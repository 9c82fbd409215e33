"""`place`: a project of Marie's that batches of documents are written to."""

from __future__ import annotations

from typing import Any

import pytest
from support.import_batches import ImportTarget


@pytest.fixture
def place(client: Any, as_user: Any, make_project: Any, open_as: Any) -> ImportTarget:
    as_user(client, "marie", "ProjectManager")
    return ImportTarget(make_project(owner="marie", lang="en"), open_as)
