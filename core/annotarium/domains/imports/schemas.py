"""Request and response models of uploads and imports; arguments of import jobs."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, Field

from annotarium.content.segmentation import Policy
from annotarium_schemas.shape import Shape

CleanText = Literal["true", "false", "default"]
SEGMENTATION = "By default `no_segmentation` in projects for classification, `compute_if_missing` in others"
CONVERTERS = 'Parameters of converters as JSON, by their names: `{"csv": {"text_columns": ["body"]}}`'
CONVERTER = "Reads all files, whatever their types; otherwise the converter that declares the type"
DUPLICATES = "Leave out new documents whose text the project has already"
DRY_RUN = "Only report what the import would do: the job writes nothing"
USE_PLAN = "Files are read as the active conversion plan says, when there is one and no converter is named"
METADATA_SPLIT = "Documents whose metadata `split` says `train` or `test` go to that part of the corpus"
EMPTY_REVIEWED = (
    "Documents whose list of labels is empty were read, and nothing was found: they count as annotated to the end. "
    "Without it an empty list says nothing; `reviewed` of a document goes before both"
)


class UploadedFile(Shape):
    """A received file; imports refer to its `id`."""

    id: str
    filename: str
    content_type: str | None = None


class UploadedFileInfo(Shape):
    """Confirms that an upload exists."""

    id: str


class AnnouncedFile(Shape):
    """A file that will be sent in chunks (extension)."""

    filename: str = Field(min_length=1, max_length=1_000)
    content_type: str | None = Field(default=None, max_length=255)
    size: int = Field(ge=0)
    """Size in bytes."""
    mark: str = Field(default="", max_length=255)
    """A fingerprint chosen by the client: announcing the same name, size and mark again resumes the upload."""


class PartialFile(Shape):
    """The state of a chunked upload (extension)."""

    id: str
    filename: str
    size: int
    offset: int
    """Number of bytes received: the offset of the next chunk."""
    piece_size: int
    """Recommended chunk size in bytes."""
    expires_at: int | None = None
    """When the upload expires unless another chunk arrives; milliseconds since 1970."""
    uploaded: UploadedFile | None = None
    """The resulting upload, once the file is complete."""


class UploadRef(Shape):
    """A reference to an uploaded file."""

    id: str = Field(min_length=1, max_length=64)
    filename: str | None = None
    content_type: str | None = Field(default=None, description="Accepted and not used: the type is that of the upload.")
    folder: str | None = Field(default=None, max_length=4096)
    """The folder of the file at its source, e.g. `press/2024`. Shown in the report; may become a category (extension).
    """


class ImportOptions(Shape):
    """The options of an import, as query parameters. Fields with `exclude` are resolved before the job starts."""

    model_config = ConfigDict(populate_by_name=False)

    segmentation_policy: Policy | None = Field(default=None, description=SEGMENTATION)
    """None = the default for the project's nature (C-059)."""
    ignore_labelling: bool = False
    split_corpus: bool = False
    clean_text: CleanText = "default"
    categories_from_folder: bool = Field(default=False, alias="generateCategoriesFromSourceFolder")
    group_name: str | None = Field(default=None, exclude=True)
    idp_group_identifier: str | None = Field(default=None, exclude=True)
    converter_parameters: str = Field(default="", exclude=True, description=CONVERTERS)
    converter: str = Field(default="", description=CONVERTER)
    skip_duplicates: bool = Field(default=False, exclude=True, description=DUPLICATES)
    dry_run: bool = Field(default=False, exclude=True, description=DRY_RUN)
    use_plan: bool = Field(default=True, exclude=True, alias="useActivePlan", description=USE_PLAN)
    metadata_split: bool = Field(default=True, description=METADATA_SPLIT)
    empty_reviewed: bool = Field(default=False, alias="emptyListsReviewed", description=EMPTY_REVIEWED)


class ImportJobArguments(ImportOptions):
    """The arguments of import jobs, serialised by field name.

    Jobs wait in the database across upgrades: never rename a field, and give every new field a default.
    """

    model_config = ConfigDict(populate_by_name=True, serialize_by_alias=False)
    shown: ClassVar = (
        *("segmentation_policy", "ignore_labelling", "split_corpus", "clean_text", "categories_from_folder"),
        *("converter", "converters", "distinct_texts", "metadata_split"),
    )
    """The fields that are shown to users with the job."""

    segmentation_policy: Policy
    clean_text: bool = False  # type: ignore[assignment]  # resolved: `default` is what the project says
    upload_ids: list[str]
    converters: dict[str, dict[str, Any]] | None = None
    """Parameters of converters, by converter name."""
    distinct_texts: bool = False
    folders: dict[str, str] | None = None
    """Source folders of uploads, by upload id."""
    origin_group_id: int | None = None
    plan: dict[str, Any] | None = None
    """The active conversion plan, as written by `ActivePlan.arguments`."""
