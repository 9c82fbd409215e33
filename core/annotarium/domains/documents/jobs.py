"""The import job: uploads become documents, item by item, each with its line in the report.

Memory is bounded by one batch. A second run of the same job skips what the first one wrote.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from annotarium.access.call import Call, ProjectCall
from annotarium.corpus import archives
from annotarium.corpus.convert import ConverterProcess
from annotarium.corpus.leftovers import held
from annotarium.corpus.outcome import IMPORTED, REFUSED, REPLACED, UNCHANGED, Outcome
from annotarium.corpus.prepare import ImportOptions, Prepared, prepare_document
from annotarium.corpus.repository import document_limit, insert_job_items
from annotarium.corpus.segmentation import COMPUTING, Policy, Segment
from annotarium.corpus.segmenter import build_segmenter, segmenter_choice
from annotarium.corpus.sources import Source, SourceItem, SourceReader
from annotarium.corpus.writer import Line, limit_words, write_documents
from annotarium.domains.documents.components import build_converter, converter_for
from annotarium.domains.projects.split import split_documents
from annotarium.domains.uploads import service as uploads
from annotarium.domains.uploads.receiving import upload_path
from annotarium.errors import InvalidInput
from annotarium.hooks import get_hooks
from annotarium.jobs.context import JobContext, job_function
from annotarium.search.feeding import IndexFeed
from annotarium.search.indexer import get_relay
from annotarium.search.repository import forget
from annotarium.settings import get_settings
from annotarium_schemas.documents import Document

log = structlog.get_logger(__name__)

BATCH_DOCUMENTS = 400
_FIRST_BATCH = 50
"""Batches double from here on, so that the first documents are there at once and the index helper has work early."""
BATCH_CHARACTERS = 4_000_000
_DUPLICATE = "Another document of this import has the same identifier"


@dataclass
class _Plan:
    """What one run of the job works with."""

    options: ImportOptions
    segment: Segment
    sources: list[Source]
    source_bytes: int
    limit: int
    folder_categories: bool
    converters: dict[str, dict[str, Any]]


@dataclass
class _Tally:
    """What became of the items so far, and which identifiers were met."""

    outcomes: Counter[str] = field(default_factory=Counter)
    over_limit: int = 0
    limit: int = -1
    read_bytes: int = 0
    ordinal: int = 0
    identifiers: set[int] = field(default_factory=set)

    def count(self, outcomes: Iterable[Outcome]) -> None:
        """Take outcomes into account."""
        words = limit_words(self.limit)
        for one in outcomes:
            self.outcomes[one.outcome] += 1
            self.over_limit += one.message == words

    def words(self) -> str:
        """The job's message: what came of everything that was received."""
        parts = [
            f"{self.outcomes[outcome]:,} {outcome}"
            for outcome in (IMPORTED, REPLACED, UNCHANGED, REFUSED)
            if self.outcomes[outcome] or outcome == IMPORTED
        ]
        message = f"{', '.join(parts)} of {sum(self.outcomes.values()):,} received"
        return f"{limit_words(self.limit)}. {message}" if self.over_limit else message


@job_function("import_documents")
def import_documents(
    context: JobContext,
    project_name: str,
    upload_ids: list[str],
    segmentation_policy: Policy,
    ignore_labelling: bool = False,
    split_corpus: bool = False,
    clean_text: bool = False,
    categories_from_folder: bool = False,
    origin_group_id: int | None = None,
    converters: dict[str, dict[str, Any]] | None = None,
) -> None:
    """Import uploads into a project; see `domains.documents.service.start_import`.

    Raises:
        InvalidInput: nothing of what was received could be imported; the report says why, item by item.
    """
    with context.open(project_name, write=False) as call:
        plan = _plan(
            call,
            upload_ids,
            ImportOptions(
                policy=segmentation_policy,
                ignore_labelling=ignore_labelling,
                clean_text=clean_text,
                carriage_returns=call.project.replace_carriage_returns,
                language=call.project.lang,
                origin_group_id=origin_group_id,
                document_limit=get_settings().document_limit,
                annotations_whole=segmenter_choice(call.project).annotations_whole,
            ),
            categories_from_folder,
            converters or {},
        )
    tally = _Tally(limit=plan.limit)
    run = _Run(context, project_name, plan, tally)
    run.all()
    if split_corpus:
        with context.open(project_name) as call:
            split_documents(call, test_size=0.2, incremental=call.project.has_split)
    result = dict(tally.outcomes)
    if not any(tally.outcomes[good] for good in (IMPORTED, REPLACED, UNCHANGED)):
        raise InvalidInput(f"Nothing was imported: {run.first_words}", cause=tally.words(), fix="See the report")
    context.finish(message=tally.words(), result=result)


def _plan(
    call: ProjectCall,
    upload_ids: Sequence[str],
    options: ImportOptions,
    folder_categories: bool,
    converters: dict[str, dict[str, Any]],
) -> _Plan:
    files = uploads.require_uploads(call, upload_ids)
    names: Counter[str] = Counter()
    sources = []
    for file in files:
        names[file.filename] += 1
        again = f" ({names[file.filename]})" if names[file.filename] > 1 else ""
        sources.append(
            Source(upload_path(file.id), file.filename + again, file.filename, file.content_type, file.sha256)
        )
    return _Plan(
        options,
        build_segmenter(segmenter_choice(call.project)) if options.policy in COMPUTING else _no_segment,
        sources,
        sum(file.size for file in files),
        document_limit(call.session, call.project),
        folder_categories,
        converters,
    )


def _no_segment(text: str, language: str) -> list[tuple[int, int]]:
    """Stands where the policy has nothing cut, so that a missing segmenter does not hinder such an import."""
    return []


class _Run:
    """One pass over the sources."""

    def __init__(self, context: JobContext, project_name: str, plan: _Plan, tally: _Tally) -> None:
        self._context, self._project_name, self._plan, self._tally = context, project_name, plan, tally
        self._done = context.done_items()
        self._ready: list[Line] = []
        self._refused: list[Outcome] = []
        self._characters = 0
        self._batch = _FIRST_BATCH
        self._feed = IndexFeed()
        self.first_words = ""

    def all(self) -> None:
        """Read, prepare and write everything; what was written is found by searches when this returns."""
        try:
            for item in self._items():
                self._tally.ordinal += 1
                self._take(item, self._tally.ordinal)
                waiting = len(self._ready) + len(self._refused)
                if waiting >= min(self._batch, BATCH_DOCUMENTS) or self._characters >= BATCH_CHARACTERS:
                    self._flush()
                    self._batch = min(2 * self._batch, BATCH_DOCUMENTS)
                self._progress()
            self._flush()
            self._feed.finish()
            self._forget_applied()
        finally:
            self._feed.close()

    def _forget_applied(self) -> None:
        get_relay().forget_applied()
        with self._context.open(self._project_name) as call:
            forget(call.session, self._feed.applied())
            # Lists that were read again when a batch was committed may have missed what was not indexed yet.
            arg = {"type": "indexed", "by": call.username}
            call.unit.emit("documents", arg, project=call.project.name)

    def _items(self) -> Iterator[SourceItem]:
        settings = get_settings()
        limits = archives.Limits(settings.archive_entries, settings.archive_bytes, settings.archive_ratio)
        with (
            tempfile.TemporaryDirectory(dir=settings.uploads_folder, prefix="import-") as folder,
            held(Path(folder)),
            ConverterProcess(build_converter, self._finish) as process,
        ):
            reader = SourceReader(
                process,
                converter_for,
                Path(folder),
                limits,
                self._plan.options.language,
                folder_categories=self._plan.folder_categories,
                parameters=self._plan.converters,
            )
            for source in self._plan.sources:
                for item in reader.read(source):
                    self._tally.read_bytes = process.read_bytes
                    yield item

    def _finish(self, document: Document) -> Prepared:
        return prepare_document(document, options=self._plan.options, segment=self._plan.segment)

    def _progress(self) -> None:
        number = self._tally.ordinal
        share = self._tally.read_bytes / max(1, self._plan.source_bytes)
        total = max(number, round(number / share)) if share > 0 else number
        self._context.progress(number, total, f"{number:,} documents read")

    def _take(self, item: SourceItem, ordinal: int) -> None:
        document = item.document
        if document is None:
            self._refuse(item, ordinal, item.message, item.fix)
            return
        mark = hash(document.identifier)
        duplicate = mark in self._tally.identifiers
        self._tally.identifiers.add(mark)
        if item.item in self._done:
            self._tally.outcomes[UNCHANGED] += 1
        elif duplicate:
            words = f"{_DUPLICATE} ({document.identifier[:100]})"
            self._refuse(item, ordinal, words, "Give each document an identifier of its own")
        else:
            self._ready.append(Line(item.item, ordinal, document))
            self._characters += len(document.text)

    def _refuse(self, item: SourceItem, ordinal: int, message: str, fix: str | None) -> None:
        self.first_words = self.first_words or message
        if item.item in self._done:
            self._tally.outcomes[REFUSED] += 1
            return
        self._refused.append(Outcome(item.item, ordinal, REFUSED, item.identifier, message, fix))

    def _flush(self) -> None:
        """Write what waits: together, or one by one when the batch fails, so that no document spoils another."""
        batch, refused = self._ready, self._refused
        self._ready, self._refused, self._characters = [], [], 0
        if not batch and not refused:
            return
        try:
            self._write(batch, refused)
        except SQLAlchemyError as error:
            log.warning("import_batch_failed", error=str(error.__cause__ or error)[:300])
            self._write([], refused)
            for one in batch:
                self._write_alone(one)

    def _write_alone(self, one: Line) -> None:
        try:
            self._write([one], [])
        except SQLAlchemyError as error:
            log.warning("import_item_failed", item=one.item, error=str(error.__cause__ or error)[:300])
            words = "The database did not take this document"
            identifier = one.document.identifier
            self._write([], [Outcome(one.item, one.ordinal, REFUSED, identifier, words, "Contact support")])

    def _write(self, batch: list[Line], refused: list[Outcome]) -> None:
        with self._context.open(self._project_name) as call:
            call.unit.relay = False
            forget(call.session, self._feed.applied())
            outcomes = write_documents(call, batch, self._plan.options) if batch else []
            lines = [*refused, *outcomes]
            insert_job_items(call.session, self._context.job_id, lines)
            stored = [line.identifier for line in outcomes if line.outcome in (IMPORTED, REPLACED) and line.identifier]
            if stored:
                self._tell_hooks(call, stored)
        self._feed.take(call.unit.touched)
        self._tally.count(lines)
        for line in lines:
            if line.outcome == REFUSED and line.message and not self.first_words:
                self.first_words = line.message

    def _tell_hooks(self, call: Call, stored: list[str]) -> None:
        arguments: dict[str, Any] = {
            "project": self._project_name,
            "document_ids": stored,
            "job_id": self._context.job_id,
        }
        call.unit.after_commit(lambda: get_hooks().call("documents_imported", **arguments))
