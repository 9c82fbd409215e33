"""Schemas of plans, as published."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from annotarium.domains.trainables.schemas import Words
from annotarium_schemas.plans import AnnotationPlan
from annotarium_schemas.shape import Command, Damaged, Shape
from annotarium_schemas.values import Tags


class PlanRead(Shape):
    """A plan. `type`, `isActive`: derived from tags and components (conflicts 30). `problem`: why it cannot run."""

    name: str
    label: str
    parameters: AnnotationPlan
    tags: list[str] = Field(default_factory=list)
    favorite: bool = False
    is_active: bool = False
    type: str = ""
    created_at: str = ""
    created_by: str = ""
    modified_at: str = ""
    modified_by: str = ""
    version: int = 1
    problem: str | None = None
    said: dict[str, Any] | None = None
    damaged: Damaged = None


class NewPlan(Command):
    """A new plan; without a label, one is generated (V-029)."""

    label: Words = ""
    parameters: AnnotationPlan
    tags: Tags = Field(default_factory=list)


class PlanPatch(Command):
    """Changes of a plan; absent fields stay unchanged (V-030)."""

    label: Words | None = None
    parameters: AnnotationPlan | None = None
    tags: Tags | None = None
    favorite: bool | None = None


class DefaultProcessorContext(Shape):
    """What default plans are requested for; empty = any."""

    language: str = ""
    nature: str = ""


class DefaultPlan(Shape):
    """A default plan; its tag is its type."""

    parameters: AnnotationPlan
    tags: list[str]


class PlanOperationResponse(Shape):
    """The plan and the jobs its change started; with `dryRun`, the jobs it would start."""

    name: str
    triggered_jobs: list[dict[str, Any]]
