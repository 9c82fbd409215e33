"""Request and response models of bulk operations: the search as query parameters, the operation, its effect."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from annotarium.search.index_and_search_types import Kind
from annotarium.search.selection import Selection
from annotarium_schemas.answers import CreatorCount, OperationCount
from annotarium_schemas.shape import Shape

IDS_MAX = 2_000
"""Maximum number of manually selected hits per request."""


class BulkSearch(Shape):
    """The documents to process: those that a search finds. `searchIn`, `datasetSelector` and `ids` are extensions."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    query: str = ""
    query_filter: str = ""
    simple_query: bool = False
    selected_facets: list[str] = Field(default_factory=list)
    invert_search: bool = False
    search_in: Literal["documents", "segments"] = Field(
        "documents", description="What the search is made over; of segments, the documents that hold one are meant."
    )
    dataset_selector: str = ""
    ids: list[str] = Field(
        default_factory=list, max_length=IDS_MAX, description="`_id`s of hits; then the search counts no more."
    )

    def selection(self, kind: Kind | None = None) -> Selection:
        """The selection for the search engine; `kind` overrides `searchIn`."""
        return Selection(
            kind=kind or self.search_in,
            query=self.query,
            simple=self.simple_query,
            query_filter=self.query_filter,
            selected_facets=tuple(self.selected_facets),
            dataset=self.dataset_selector,
            invert=self.invert_search,
            ids=tuple(self.ids),
        )


class LabellingSearch(BulkSearch):
    """The labelling to process; empty = any."""

    labels: list[str] = Field(default_factory=list)
    created_by: list[str] = Field(default_factory=list)


class CountSearch(LabellingSearch):
    """What to count before an operation."""

    labelling: bool = Field(False, description="Count annotations and categories too, by their creators.")


class AnnotateSearch(BulkSearch):
    """The documents to annotate, and the annotator."""

    annotator: str = Field(min_length=1)
    annotator_project: str = ""
    overwrite: bool = True
    restricted_on_dataset_segments: bool = False
    email_notification: bool = False


class ExportSearch(BulkSearch):
    """The documents to export; `format` is the name of a formatter, empty = JSON of the published shape."""

    output_fields: list[str] = Field(default_factory=list)
    format: str = ""


class CategoryAction(Shape):
    """A category to assign (`add`, the default) or to remove; the category itself is accepted too (conflicts 13)."""

    label_name: str = Field(min_length=1, max_length=255)
    add: bool = True

    @model_validator(mode="before")
    @classmethod
    def _named(cls, given: Any) -> Any:
        if isinstance(given, dict) and "labelName" not in given and "label_name" not in given and "name" in given:
            return given | {"labelName": given["name"]}
        return given


class ExportParameters(Shape):
    """Parameters of the formatter."""

    parameters: dict[str, Any] = Field(default_factory=dict)


class BulkCount(Shape):
    """What an operation would affect. The counts of the labelling are present if they were requested."""

    documents: int
    segments: int | None = None
    annotations: int | None = None
    categories: int | None = None
    annotation_creators: list[CreatorCount] | None = None
    category_creators: list[CreatorCount] | None = None


class Cleared(OperationCount):
    """The number of deleted items. `job` (extension) is present if a job deletes them because there are many."""

    job: dict[str, Any] | None = None
