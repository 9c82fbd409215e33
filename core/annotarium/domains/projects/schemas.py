"""Shapes of projects, as published plus the keys the studio needs (contract conflicts 24 and 25)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from annotarium.content.segmenter_choice import SegmenterChoice
from annotarium.search.selection import Selection
from annotarium_schemas.shape import Command, Damaged, Shape

LABEL_LENGTH = 30
"""Characters of a project's label (C-043, V-006)."""

Nature = Literal["sequence_labelling", "classification", "question_answering"]
Language = Literal["en", "fr", "de", "nl", "es", "it", "pt", "ru", "ar", "zh", "ja", "hi", "ur", "fa", "xx"]
Label = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LABEL_LENGTH)]
ProjectName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,99}$")]
Description = Annotated[str, StringConstraints(max_length=10_000)]
Address = Annotated[str, StringConstraints(max_length=2048)]
Short = Annotated[str, StringConstraints(max_length=255)]


class Classification(BaseModel):
    """Whether at most one category holds per document; its key is snake_case on the wire."""

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
    """A project; the counts only when asked for, `readOnly` when the caller may not change it."""

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
    """Who shared the project with the caller or with one of the caller's groups."""
    route_on_open_project: str | None = None
    collaborative_annotation: bool
    clean_html: bool
    markdown_content: bool
    replace_carriage_returns: bool
    classification: Classification
    metafacets: list[Any]
    segmenter: SegmenterChoice | None = None
    version: str
    engines: list[str] | None = None
    algorithms: list[str] | None = None
    components: list[str] | None = None
    vectorizers: list[str] = Field(default_factory=list)
    """Sets of vectors that searches can use (C-061)."""
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
    """Settings to change; what is absent stays."""

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


class ProjectStatus(Shape):
    """Answer to creating a project, which is done at once: there is never a `pendingJob`."""

    project_name: str
    status: str


class Ack(Shape):
    """Answer to a deletion."""

    ok: bool = True


class SplitRead(Shape):
    """The two parts of a corpus. Documents in neither came after the split; they are learned from."""

    has_split: bool
    train: int
    test: int
    neither: int
    facts: dict[str, Any] = Field(
        default_factory=dict, description="How it was made: `by`, `seed`, `testSize`, `groupField`, `field`, `at` (ms)"
    )


class SplitSearch(Shape):
    """How the corpus is split. `testSize` and `incremental` are for a split at random, the search for one by search."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore", allow_inf_nan=False)

    by: Literal["random", "metadata", "search"] = "random"
    test_size: float = 0.2
    incremental: bool = False
    group_field: Short = Field("", description="Metadata field whose values keep documents in one part.")
    metadata_field: Short = Field("split", description="Metadata field that tells the part.")
    test_values: list[str] = Field(
        default_factory=list,
        max_length=1000,
        description="Its values that mean the test part; empty = the field says `train` or `test` itself.",
    )
    query: str = ""
    query_filter: str = ""
    simple_query: bool = False
    selected_facets: list[str] = Field(default_factory=list)
    invert_search: bool = False
    search_in: Literal["documents", "segments"] = "documents"
    dataset_selector: str = ""

    def selection(self) -> Selection:
        """The documents meant to be tested on, as the search engine is asked for them."""
        return Selection(
            kind=self.search_in,
            query=self.query,
            simple=self.simple_query,
            query_filter=self.query_filter,
            selected_facets=tuple(self.selected_facets),
            dataset=self.dataset_selector,
            invert=self.invert_search,
        )
