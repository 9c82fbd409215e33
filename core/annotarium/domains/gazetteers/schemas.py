"""Request and response models of gazetteers, as published, with `jobId`, `terms` and `lexicons` (extensions)."""

from __future__ import annotations

from pydantic import Field

from annotarium.domains.trainables.schemas import NewTrainable, TrainablePatch, TrainableRead
from annotarium.registry.model_signatures import ForeignState


class GazetteerRead(TrainableRead):
    """A gazetteer. `uptodate`: neither its parameters nor a term of its lexicons changed since it was synchronised."""

    favorite: bool = False
    email_notification: bool = False
    annotate_service: str | None = None
    terms: int = Field(default=0, description="Number of terms of the last synchronisation (extension)")
    lexicons: list[str] = Field(
        default_factory=list, description="Names of the lexicons that it reads; those that exist (extension)"
    )
    missing_lexicons: list[str] = Field(
        default_factory=list, description="Names in its parameters that no lexicon has any more (extension)"
    )
    foreign_model: ForeignState | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="Its model was built elsewhere: whether an administrator accepted it, or it crashed (extension)",
    )


class NewGazetteer(NewTrainable):
    """A new gazetteer."""

    email_notification: bool = False


class GazetteerPatch(TrainablePatch):
    """Changes of a gazetteer."""

    favorite: bool | None = None
    email_notification: bool | None = None
