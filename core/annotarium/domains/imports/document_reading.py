"""Reads files into documents, in a child process with resource limits: for imports, and to annotate without storing."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from annotarium.access.call import Call, ProjectCall
from annotarium.content.plans.active import active_conversion_plan
from annotarium.content.plans.plan_annotator import segment_function_for
from annotarium.content.plans.plan_types import converter_of
from annotarium.content.plans.runner import UNKNOWN_LANGUAGE, plan_runner_for, project_of
from annotarium.content.segmentation import SegmentFunction, segment_nothing
from annotarium.db.timestamps import iso
from annotarium.domains.imports.converters import build_converter, converter_name_for_extension
from annotarium.errors import InvalidInput, TooLarge
from annotarium.files.file_locks import locked_folder
from annotarium.importing import archives
from annotarium.importing.convert import ConverterProcess, PrepareConverted
from annotarium.importing.document_preparation import (
    LabelledItem,
    PreparedDocument,
    PrepareOptions,
    RunSteps,
    prepare_document,
)
from annotarium.importing.sources import Source, SourceReader
from annotarium.settings import get_settings
from annotarium_schemas.documents import AltText, Annotation, Category, Document, Sentence
from annotarium_schemas.messages import message
from annotarium_schemas.plans import AnnotationPlan


@contextmanager
def open_reader(
    finish: PrepareConverted,
    language: str,
    *,
    converter: str = "",
    parameters: Mapping[str, dict[str, Any]] | None = None,
    folder_categories: bool = False,
) -> Iterator[tuple[SourceReader, ConverterProcess]]:
    """Open a reader of files and the process that runs its converters.

    Args:
        finish: prepares a converted document, inside that process.
        converter: name of a converter for all files; empty = the one that declares the file type.
        parameters: parameters of converters, by converter name.
        folder_categories: make categories from source folders.
    """
    settings = get_settings()
    limits = archives.ArchiveLimits(settings.archive_entries, settings.archive_bytes, settings.archive_ratio)
    with (
        tempfile.TemporaryDirectory(dir=settings.uploads_folder, prefix="import-") as folder,
        locked_folder(Path(folder)),
        ConverterProcess(build_converter, finish) as process,
    ):
        yield (
            SourceReader(
                process,
                lambda extension: converter or converter_name_for_extension(extension),
                Path(folder),
                limits,
                language,
                folder_categories=folder_categories,
                parameters=parameters,
            ),
            process,
        )


@dataclass(frozen=True)
class ReadSettings:
    """How to read a file that is not imported; resolved while a call is open."""

    options: PrepareOptions
    segment: SegmentFunction | None
    converter: str = ""
    parameters: Mapping[str, dict[str, Any]] | None = None
    steps: RunSteps | None = None

    @classmethod
    def of(cls, call: Call, plan: AnnotationPlan) -> ReadSettings:
        """The settings for a plan: its own converter; else, in a project, those of its imports; else by file type.

        Raises:
            InvalidInput: the active conversion plan of the project cannot run.
        """
        project = project_of(call)
        segment = segment_function_for(call, plan)
        options = PrepareOptions(
            policy="compute_if_missing" if segment is not None else "no_segmentation",
            language=project.lang if project is not None else UNKNOWN_LANGUAGE,
            carriage_returns=project.replace_carriage_returns if project is not None else False,
            document_limit=get_settings().document_limit,
        )
        own = converter_of(plan)
        if own is not None:
            return cls(options, segment, own.name, {own.name: own.parameters})
        used = active_conversion_plan(call) if isinstance(call, ProjectCall) else None
        reads = converter_of(used.plan) if used is not None else None
        if used is None or reads is None:
            return cls(options, segment)
        return cls(options, segment, reads.name, {reads.name: reads.parameters}, plan_runner_for(call, used.plan))


def read_documents(source: Source, how: ReadSettings, *, limit: int) -> list[Document]:
    """Read the documents of a file without storing them.

    Args:
        limit: maximum number of characters of all texts together.

    Raises:
        InvalidInput: an item of the file cannot be read; `details` lists all of them.
        TooLarge: the texts exceed the limit.
    """
    finish = partial(prepare_document, options=how.options, segment=how.segment or segment_nothing, steps=how.steps)
    found: list[Document] = []
    refused: list[tuple[str, str, str | None]] = []
    size = 0
    opened = open_reader(finish, how.options.language, converter=how.converter, parameters=how.parameters)
    with opened as (reader, _):
        for item in reader.read(source):
            if item.document is None:
                refused.append((item.item, item.message, item.fix))
                continue
            found.append(_prepared_to_document(item.document))
            size += len(item.document.text)
            if size > limit:
                words = message("annotate.large", "The text to annotate is over {count:,} characters", count=limit)
                raise TooLarge(words, fix=message("fix.annotateCorpus", "Import it and annotate the corpus"))
    if refused:
        _, problem, fix = refused[0]
        details = [{"field": item, "message": str(words)} for item, words, _ in refused]
        text = "The file cannot be annotated: {why}"
        raise InvalidInput(message("annotate.unread", text, why=problem), fix=fix, details=details)
    return found


def _prepared_to_document(prepared: PreparedDocument) -> Document:
    """Convert a prepared document to the form that components receive. Categories of sentences carry their offsets."""
    annotations = [
        Annotation(**_common_labelling_fields(one), start=one.start or 0, end=one.end or 0, terms=one.terms, text="")
        for one in prepared.annotations
    ]
    for index, fragments in prepared.fragments:
        annotations[index].fragments = [(start, end) for start, end in fragments]
    for one in annotations:
        one.text = prepared.text[one.start : one.end]
    return Document(
        identifier=prepared.identifier,
        title=prepared.title,
        text=prepared.text,
        metadata=prepared.metadata,
        annotations=annotations,
        categories=[
            Category(**_common_labelling_fields(one), start=one.start, end=one.end) for one in prepared.categories
        ],
        sentences=_sentences_from_segments(prepared.segments) or None,
        alt_texts=[AltText(name=name, text=text) for name, text in prepared.alt_texts],
    )


def _sentences_from_segments(rows: Sequence[tuple[int, int, dict[str, Any] | None]]) -> list[Sentence]:
    return [Sentence(start=start, end=end, metadata=metadata) for start, end, metadata in rows]


def _common_labelling_fields(one: LabelledItem) -> dict[str, Any]:
    return {
        "label_name": one.name,
        "label": one.label,
        "label_id": one.label_id,
        "status": one.status,
        "creation_mode": one.mode,
        "score": one.score,
        "properties": one.properties,
        "created_by": one.created_by,
        "created_date": iso(one.created_at),
        "modified_date": iso(one.modified_at),
    }
