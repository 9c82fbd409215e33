"""Query parameters that several endpoints take."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

LabelFilter = Annotated[list[str] | None, Query()]
"""Names of labels; none for all."""
CreatorFilter = Annotated[list[str] | None, Query(alias="createdBy")]
"""Names of users; none for all."""
