"""Schemas of projects, as published, with additional fields for the web app (contract conflicts 24 and 25)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from annotarium.content.segmenter_choice import SegmenterChoice
from annotarium_schemas.search import SearchDefaults
from annotarium_schemas.shape import Command, Damaged, Shape

LABEL_LENGTH = 30
"""Maximum length of a project's label (C-043, V-006)."""

Nature = Literal["sequence_labelling", "classification", "question_answering"]
Language = Literal["en", "fr", "de", "nl", "es", "it", "pt", "ru", "ar", "zh", "ja", "hi", "ur", "fa", "xx"]
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LABEL_LENGTH)]
ProjectName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,99}$")]
Description = Annotated[str, StringConstraints(max_length=10_000)]
Address = Annotated[str, StringConstraints(max_length=2048)]
Short = Annotated[str, StringConstraints(max_length=255)]


class Classification(BaseModel):
    """Whether a document has at most one category. Its key is snake_case in JSON."""

    model_config = ConfigDict(extra="forbid")

    exclusive_classes: bool = True


class NamedRef(Shape):
    """A group of a project."""

    name: str
    label: str


class PersonRef(Shape):
    """The owner of a project."""

    username: str
    profilename: str


class ProjectRead(Shape):
    """A project. Counts are present only on request; `readOnly`: the caller may not change it."""

    name: str
    label: str
    description: str = ""
    created_date: str
    created_by: str | None = None
    image: str = ""
    image_id: str | None = None
    image_filename: str | None = None
    lang: str
    nature: str
    group: NamedRef | None = None
    owner: PersonRef | None = None
    private: bool
    shared: bool
    has_split: bool
    read_only: bool
    shared_by: list[str] | None = None
    """Users who shared the project with the caller or with one of the caller's groups."""
    route_on_open_project: str | None = None
    collaborative_annotation: bool
    clean_html: bool
    markdown_content: bool
    replace_carriage_returns: bool
    classification: Classification
    metafacets: list[Any]
    segmenter: SegmenterChoice | None = None
    search_defaults: SearchDefaults | None = None
    """How it searches when a request does not say; absent = full text (ours)."""
    version: str
    engines: list[str] | None = None
    algorithms: list[str] | None = None
    components: list[str] | None = None
    vectorizers: list[str] = Field(default_factory=list)
    """Names of the sets of vectors that can be searched (C-061)."""
    documents: int | None = None
    segments: int | None = None
    annotations: int | None = None
    categories: int | None = None
    terms: int | None = None
    damaged: Damaged = None


class ProjectCreate(Command):
    """A new project. `name` is derived from the label when absent."""

    label: Label
    name: ProjectName | None = None
    description: Description = ""
    lang: Language = "en"
    nature: Nature = "sequence_labelling"
    image_filename: Short | None = None
    image_id: Short | None = None
    image_url: Address | None = None
    collaborative_annotation: bool = True
    metafacets: str | list[Any] | None = None
    properties: dict[str, Any] = Field(default_factory=dict)


class ProjectConfigPatch(Command):
    """Changes of settings; absent fields stay unchanged."""

    label: Label | None = None
    description: Description | None = None
    created_date: str | None = None
    image_filename: Short | None = None
    image_id: Short | None = None
    image_url: Address | None = None
    route_on_open_project: Short | None = None
    collaborative_annotation: bool | None = None
    clean_html: bool | None = None
    markdown_content: bool | None = None
    replace_carriage_returns: bool | None = None
    classification: Classification | None = None
    metafacets: list[Any] | None = None
    segmenter: SegmenterChoice | None = None
    search_defaults: SearchDefaults | None = None


class ProjectStatus(Shape):
    """Response to creating a project. It is completed within the request, so there is never a `pendingJob`."""

    project_name: str
    status: str
