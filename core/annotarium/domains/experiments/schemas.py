"""Request and response models of experiments, as published, with `jobId` and `annotateService` (conflicts 27)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from annotarium.domains.trainables.schemas import NewTrainable, TrainablePatch, TrainableRead
from annotarium.registry.model_signatures import ForeignState
from annotarium_schemas.shape import Shape

GroupField = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=255),
    Field(description="Metadata field whose values keep documents on one side when a test part is drawn"),
]
TrainOnAll = Annotated[
    bool,
    Field(description="Once measured, the model in use learns from the drawn test part too; never from the project's"),
]


class ExperimentRead(TrainableRead):
    """An experiment with the report of its last training; `history` contains the last ten reports, newest first."""

    favorite: bool = False
    email_notification: bool = False
    group_field: str = ""
    train_on_all: bool = True
    classes: list[str] = Field(default_factory=list)
    report: dict[str, Any] | None = None
    annotate_service: str | None = None
    history: list[dict[str, Any]] = Field(default_factory=list)
    finds_topics: bool = Field(
        default=False, description="Its engine finds topics without labels, instead of learning labels (extension)"
    )
    foreign_model: ForeignState | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="Its model was trained elsewhere: whether an administrator accepted it, or it crashed (extension)",
    )


class NewExperiment(NewTrainable):
    """A new experiment."""

    email_notification: bool = False
    group_field: GroupField = ""
    train_on_all: TrainOnAll = True


class ExperimentPatch(TrainablePatch):
    """Changes of an experiment."""

    favorite: bool | None = None
    email_notification: bool | None = None
    group_field: GroupField | None = None
    train_on_all: TrainOnAll | None = None


class MetadataField(Shape):
    """A metadata field of annotated documents and the number of its different values."""

    name: str
    values: int


class MeasurementForecast(Shape):
    """How a training started now would be evaluated.

    `train` and `test` count annotated documents; `groups` counts the groups that are split.
    """

    method: Literal["project", "heldOut", "crossValidation", "none"]
    group_field: str
    seed: int
    share: float
    folds: int | None = None
    train: int
    test: int
    groups: int
    cautions: list[str] = Field(default_factory=list)
    fields: list[MetadataField] = Field(default_factory=list, description="What documents can be grouped by")
