"""Who imported an item whose author is another user, as the API returns it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

ImportedBy = Annotated[
    str | None,
    Field(
        exclude_if=lambda value: value is None,
        description="Who brought it in a file or an archive that names `createdBy` as its author; absent for what was "
        "made here (ours)",
    ),
]
ImportedDate = Annotated[
    str | None, Field(exclude_if=lambda value: value is None, description="When that was, ISO 8601 (ours)")
]
