"""Schemas of the training and test split."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints
from pydantic.alias_generators import to_camel

from annotarium.search.selection import Selection
from annotarium_schemas.shape import Shape

Short = Annotated[str, StringConstraints(max_length=255)]


class SplitRead(Shape):
    """The size of the two parts. Documents in neither were added after the split; they are used for training."""

    has_split: bool
    train: int
    test: int
    neither: int
    facts: dict[str, Any] = Field(
        default_factory=dict, description="How it was made: `by`, `seed`, `testSize`, `groupField`, `field`, `at` (ms)"
    )


class SplitSearch(Shape):
    """How to split. `testSize` and `incremental` apply to a random split, the search fields to `by=search`."""

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
        """The selection of the documents for the test part."""
        return Selection(
            kind=self.search_in,
            query=self.query,
            simple=self.simple_query,
            query_filter=self.query_filter,
            selected_facets=tuple(self.selected_facets),
            dataset=self.dataset_selector,
            invert=self.invert_search,
        )
