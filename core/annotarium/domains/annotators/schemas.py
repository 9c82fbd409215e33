"""Published request and response models of annotators and annotated documents."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from annotarium.content.plans.trial import TRIAL_CHARACTERS
from annotarium_schemas.documents import Document
from annotarium_schemas.plans import AnnotationPlan, Formatter, Pipeline
from annotarium_schemas.shape import Command, Shape

MOST_CHARACTERS = 2_000_000
"""Maximum number of characters that one request annotates in total."""
MOST_DOCUMENTS = 10_000


class AnnotatorRead(Shape):
    """Something that can annotate: a trained experiment, a gazetteer, a suggester or a plan."""

    name: str
    label: str
    engine: str
    is_default: bool = False
    favorite: bool = False


class AnnotateOptions(Shape):
    """Options for the contents of annotated documents."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    inline_labels: bool = True
    inline_label_ids: bool = True
    inline_text: bool = True
    debug: bool = Field(default=False, description="Not served: true is refused, since the answer would not differ.")
    parallelize: bool = Field(
        default=False, description="Has no effect: the documents of a call are annotated one after the other."
    )
    error_policy: str = ""
    output_fields: str = ""
    """Comma-separated document fields to return, `!` before fields to omit; the text is always returned."""


class InputDocument(Document):
    """A document sent to be annotated; it is not stored."""

    text: str = Field(max_length=MOST_CHARACTERS)


class ContextOptions(AnnotateOptions):
    """Options for plans that are sent with the request."""

    project_context: str = ""
    """The project whose language, segmenter, labels and annotators are used; empty = none."""


class FormatOptions(AnnotateOptions):
    """Options for responses that a formatter writes."""

    formatter: str = ""
    """The formatter that writes the response, if the annotator does not name one (extension)."""


Documents = Annotated[list[InputDocument], Field(max_length=MOST_DOCUMENTS)]


class AnnotateTextWithPipeline(Command):
    """A text and the pipeline to run on it."""

    pipeline: Pipeline
    text: str = Field(max_length=MOST_CHARACTERS)


class AnnotateDocumentsWithPipeline(Command):
    """Documents and the pipeline to run on them."""

    documents: Documents
    pipeline: Pipeline


class FormatTextWithMany(AnnotateTextWithPipeline):
    """A text, the pipeline to run on it, and the formatter that writes the response."""

    formatter: Formatter


class FormatDocumentsWithMany(AnnotateDocumentsWithPipeline):
    """Documents, the pipeline to run on them, and the formatter that writes the response."""

    formatter: Formatter


class PlanTrialRequest(Command):
    """A plan, and what it is tried on: a text, or a document of the project."""

    parameters: AnnotationPlan | None = Field(default=None, description="The plan as it is being edited")
    plan: str = Field(default="", max_length=255, description="Instead of `parameters`: the name of a stored plan")
    text: str = Field(default="", max_length=TRIAL_CHARACTERS)
    document: str = Field(default="", max_length=1_000, description="Instead of `text`: identifier of a document")


class TrialItem(Shape):
    """An annotation or a category that a document had at some time of a trial."""

    id: int
    kind: Literal["annotation", "category"]
    label_name: str
    start: int | None = None
    end: int | None = None
    fragments: list[tuple[int, int]] | None = None
    text: str = ""
    score: float | None = None
    status: str | None = None
    creation_mode: str | None = None
    created_by: str | None = None


class TrialStart(Shape):
    """The document before the first step, cut into segments. `count` includes items that are not listed."""

    seconds: float
    items: list[int]
    count: int
    segments: list[tuple[int, int]]
    segment_count: int


class TrialStep(Shape):
    """What became of a step, and what it changed; the lists hold the ids of items.

    `state`: done; off (disabled); notMet (its condition); elsewhere (it works on files or on the index); failed;
    notReached (after a failure). `segments`, `metadata`, `language` are there if the step changed them.
    """

    state: Literal["done", "off", "notMet", "elsewhere", "failed", "notReached"]
    seconds: float = 0
    loading_seconds: float = 0
    added: list[int] = Field(default_factory=list)
    removed: list[int] = Field(default_factory=list)
    added_count: int = 0
    removed_count: int = 0
    kept_count: int = 0
    segments: list[tuple[int, int]] | None = None
    segment_count: int | None = None
    metadata: dict[str, Any] | None = None
    language: str | None = None
    problem: str | None = None
    fix: str | None = None
    said: dict[str, Any] | None = None


class PlanTrial(Shape):
    """A plan on one text, step by step. `cut`: only the beginning of a long document was tried."""

    text: str
    cut: bool = False
    items: list[TrialItem]
    start: TrialStart
    steps: list[TrialStep]


Options = Annotated[AnnotateOptions, Query()]
OptionsOfFile = Annotated[FormatOptions, Query()]
OptionsInContext = Annotated[ContextOptions, Query()]
