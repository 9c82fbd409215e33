"""Response models of projects made from templates."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from annotarium_schemas.shape import Shape


class ProjectFromTemplate(Shape):
    """A new project, and what of its template it has."""

    project_name: str
    labels: int
    lexicons: int = Field(description="Copied without their terms, which `job` copies if requested")
    plans: int
    job: dict[str, Any] | None = None
    left_out_plans: list[str] = Field(
        default_factory=list,
        description="Labels of plans that cannot work in the new project: their models or components are not there",
    )
