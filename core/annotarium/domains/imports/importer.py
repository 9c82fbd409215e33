"""One pass over the sources of an import: items are read, prepared, and written (or, in a dry run, only resolved).

Memory is bounded by one batch. A resumed job skips what its earlier run wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from annotarium.access.call import Call
from annotarium.content.segmentation import SegmentFunction
from annotarium.db.disconnected import is_disconnected
from annotarium.db.disk_full import is_disk_full
from annotarium.db.unit_of_work import UnitOfWork
from annotarium.domains.imports.document_reading import open_reader
from annotarium.hooks import get_hooks
from annotarium.importing.document_preparation import PreparedDocument, PrepareOptions, RunSteps, prepare_document
from annotarium.importing.import_resolution import PRESENT_OUTCOMES, ImportItem, document_limit_message
from annotarium.importing.outcome import GOOD_OUTCOMES, IMPORTED, OUTCOMES, REFUSED, REPLACED, Outcome, outcome_message
from annotarium.importing.preview import ImportPreview
from annotarium.importing.report_lines import ReportLines, SelectedLines, message_kind
from annotarium.importing.repository import delete_job_items, insert_job_items, write_summary_items
from annotarium.importing.sources import Source, SourceItem
from annotarium.importing.writer import write_documents
from annotarium.jobs.context import JobContext
from annotarium.jobs.scheduling import Preempted
from annotarium.search.import_indexing import ImportIndexer, uses_indexing_processes
from annotarium.search.import_tokenizing import Tokenizer
from annotarium.search.indexer import get_outbox_relay
from annotarium.search.repository import delete_outbox_rows
from annotarium.settings import get_settings
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import join_messages, message

log = structlog.get_logger(__name__)

BATCH_DOCUMENTS = 400
_FIRST_BATCH = 50
"""Batch size doubles from here, so that the first documents appear early and the indexing processes get work early."""
BATCH_CHARACTERS = 4_000_000


@dataclass
class ImportRun:
    """Everything that one run of an import job needs."""

    options: PrepareOptions
    segment: SegmentFunction
    sources: list[Source]
    source_bytes: int
    limit: int
    folder_categories: bool
    converters: dict[str, dict[str, Any]]
    converter: str = ""
    """Converter for all files; empty = the one that declares the file type."""
    steps: RunSteps | None = None
    """The steps of the active conversion plan."""
    distinct_texts: bool = False
    """Skip new documents whose text is already in the project or in an earlier document of this import."""


@dataclass
class ImportTally:
    """Counts of the outcomes so far, and hashes of the identifiers and texts seen."""

    outcomes: Counter[str] = field(default_factory=Counter)
    over_limit: int = 0
    limit: int = -1
    empty_lists: int = 0
    """Number of written documents with an empty list of labels and no information on whether they are reviewed."""
    read_bytes: int = 0
    ordinal: int = 0
    identifiers: set[int] = field(default_factory=set)
    texts: set[int] = field(default_factory=set)

    def count(self, outcomes: Iterable[Outcome]) -> None:
        """Add outcomes to the counts."""
        limit = message_kind(document_limit_message(self.limit))
        for one in outcomes:
            self.outcomes[one.outcome] += one.count
            self.over_limit += one.message is not None and message_kind(one.message) == limit

    def has_successes(self) -> bool:
        """Whether at least one item was imported or did not need to be."""
        return any(self.outcomes[good] for good in GOOD_OUTCOMES)

    def message(self) -> str:
        """The job's final message: how many items had which outcome."""
        parts = [
            outcome_message(outcome, self.outcomes[outcome])
            for outcome in OUTCOMES
            if self.outcomes[outcome] or outcome == IMPORTED
        ]
        received = sum(self.outcomes.values())
        text = message("import.done", "{parts} of {count:,} received", parts=join_messages(parts), count=received)
        over = document_limit_message(self.limit) if self.over_limit else None
        empty = empty_label_lists_message(self.empty_lists) if self.empty_lists else None
        return join_messages([over, text, empty], ". ") if over or empty else text


def empty_label_lists_message(count: int) -> str:
    """The message about documents with an empty list of labels."""
    return message(
        "import.emptyLists",
        "{count:,} documents with an empty list of labels do not count as reviewed",
        one="{count:,} document with an empty list of labels does not count as reviewed",
        count=count,
    )


class Importer:
    """Writes the documents that are read, and has them indexed."""

    _resumes = True
    """Whether a second run of the job skips what the first one wrote."""

    def __init__(self, context: JobContext, project_name: str, import_run: ImportRun, tally: ImportTally) -> None:
        self._context, self._project_name, self._run, self._tally = context, project_name, import_run, tally
        self._done = context.done_items()
        self._reported_up_to = context.last_ordinal() if self._resumes else 0
        if self._reported_up_to:
            context.start_replay()
        self._report = ReportLines(context.job_id, import_run.source_bytes, resumable=self._resumes)
        self._ready: list[ImportItem] = []
        self._refused: list[Outcome] = []
        self._characters = 0
        self._batch = _FIRST_BATCH
        self._feed = ImportIndexer(import_run.options.language)
        self._inflected: list[bytes] = []
        self._tokenizer: Tokenizer | None = None
        self._tokenized_documents = 0
        self.first_error = ""

    def run(self) -> None:
        """Read, prepare and write all items; when this returns, searches find what was written."""
        try:
            try:
                self._read_all()
            except Preempted:
                self._flush()  # guarantees progress in every time slice, however slowly documents arrive
                self._apply()
                raise
            self._apply()
        finally:
            self._feed.close()

    def has_successes(self) -> bool:
        """Whether at least one item was imported or did not need to be."""
        return self._tally.has_successes()

    def message(self) -> str:
        """The job's final message."""
        return self._tally.message()

    def result(self) -> dict[str, Any]:
        """What the job's result has in addition to the number of items by outcome."""
        return {}

    def _apply(self) -> None:
        self._feed.finish()
        self._forget_applied()

    def _read_all(self) -> None:
        for item in self._items():
            if self._tally.ordinal >= self._reported_up_to:
                self._context.end_replay()
            self._take(item, self._tally.ordinal + 1)
            self._tally.ordinal += item.count
            waiting = len(self._ready) + len(self._refused)
            if waiting >= min(self._batch, BATCH_DOCUMENTS) or self._characters >= BATCH_CHARACTERS:
                self._flush()
                self._batch = min(2 * self._batch, BATCH_DOCUMENTS)
            self._progress()
        self._flush()
        self._progress(at_end=True)

    def _forget_applied(self) -> None:
        get_outbox_relay().delete_applied()
        with self._context.open(self._project_name) as call:
            delete_outbox_rows(call.session, self._feed.applied())
            # Clients that reloaded their lists after a batch was committed may have missed documents not indexed yet.
            arg = {"type": "indexed", "by": call.username}
            call.unit.emit("documents", arg, project=call.project.name)

    def _items(self) -> Iterator[SourceItem]:
        import_run = self._run
        opened = open_reader(
            self._finish,
            import_run.options.language,
            converter=import_run.converter,
            parameters=import_run.converters,
            folder_categories=import_run.folder_categories,
        )
        with opened as (reader, process):
            process.tokenize, process.on_idle = self._tokenize, self._context.idle
            for source in import_run.sources:
                for item in reader.read(source):
                    self._tally.read_bytes = process.read_bytes
                    yield item

    def _finish(self, document: Document) -> PreparedDocument:
        import_run = self._run
        return prepare_document(
            document, options=import_run.options, segment=import_run.segment, steps=import_run.steps
        )

    def _tokenize(self, document: PreparedDocument) -> tuple[bytes, bytes]:
        """Tokenize for the indexing processes; runs in the converter process. Short imports have none of them."""
        self._tokenized_documents += 1
        if not uses_indexing_processes(self._tokenized_documents) or get_settings().engine_name != "embedded":
            return b"", b""
        if self._tokenizer is None:
            self._tokenizer = Tokenizer(self._run.options.language)
        words = self._tokenizer.tokenize(document.text, [(start, end) for start, end, _ in document.segments])
        return words, self._tokenizer.new_inflected()

    def _progress(self, *, at_end: bool = False) -> None:
        number = self._tally.ordinal
        share = self._tally.read_bytes / max(1, self._run.source_bytes)
        total = max(number, round(number / share)) if share > 0 and not at_end else number
        self._context.progress(
            number,
            total,
            message("doing.read", "{count:,} documents read", one="{count:,} document read", count=number),
        )

    def _take(self, item: SourceItem, ordinal: int) -> None:
        document = item.document
        if document is None:
            self._refuse(item, ordinal, item.message, item.fix)
            return
        if document.inflected_tokens:
            self._inflected.append(document.inflected_tokens)
        mark = hash(document.identifier)
        duplicate = mark in self._tally.identifiers
        self._tally.identifiers.add(mark)
        if item.item in self._done:
            self._note_text(document.text)
            self._tally.outcomes[self._done[item.item]] += 1
        elif duplicate:
            text = "Another document of this import has the same identifier ({identifier})"
            words = message("import.twin", text, identifier=document.identifier[:100])
            fix = message("fix.ownIdentifier", "Use a different identifier for each document")
            self._refuse(item, ordinal, words, fix)
        else:
            self._ready.append(ImportItem(item.item, ordinal, document))
            self._characters += len(document.text)

    @property
    def _texts(self) -> set[int] | None:
        """Hashes of the texts seen, if duplicates are to be skipped; otherwise None."""
        return self._tally.texts if self._run.distinct_texts else None

    def _note_text(self, text: str) -> None:
        if self._texts is not None:
            self._texts.add(hash(text))

    def _refuse(self, item: SourceItem, ordinal: int, message: str, fix: str | None) -> None:
        self.first_error = self.first_error or message
        if item.item in self._done and not item.summed:
            self._tally.outcomes[self._done[item.item]] += item.count
            self._report.note_done(REFUSED, message)
            return
        line = Outcome(item.item, ordinal, REFUSED, item.identifier, message, fix)
        self._refused.append(replace(line, count=item.count, summed=item.summed))

    def _flush(self) -> None:
        """Write the pending items in one transaction; if it fails, one by one, so that only the bad ones fail."""
        batch, refused = self._ready, self._refused
        self._ready, self._refused, self._characters = [], [], 0
        if not batch and not refused:
            return
        try:
            self._write(batch, refused)
        except SQLAlchemyError as error:
            if is_disconnected(error) or is_disk_full(error):  # not caused by these documents
                raise
            log.warning("import_batch_failed", error=str(error.__cause__ or error)[:300])
            self._write([], refused)
            for one in batch:
                self._write_alone(one)

    def _write_alone(self, one: ImportItem) -> None:
        try:
            self._write([one], [])
        except SQLAlchemyError as error:
            if is_disconnected(error) or is_disk_full(error):
                raise
            log.warning("import_item_failed", item=one.item, error=str(error.__cause__ or error)[:300])
            words = message("import.notTaken", "The database refused this document")
            fix = message("fix.contactSupport", "Contact support")
            identifier = one.document.identifier
            self._write([], [Outcome(one.item, one.ordinal, REFUSED, identifier, words, fix)])

    def _write(self, batch: list[ImportItem], refused: list[Outcome]) -> None:
        with self._context.open(self._project_name) as call:
            call.unit.relay = False
            delete_outbox_rows(call.session, self._feed.applied())
            outcomes = write_documents(call, batch, self._run.options, self._texts) if batch else []
            lines = [*refused, *outcomes]
            selected = self._write_report(call, lines)
            stored = [line.identifier for line in outcomes if line.outcome in (IMPORTED, REPLACED) and line.identifier]
            if stored:
                self._notify_hooks(call, stored)
        self._feed.take(call.unit.touched, _tokens_by_document_id(call.unit, batch, outcomes), self._inflected)
        self._inflected = []
        self._report.settle(selected)
        self._count(batch, lines)

    def _write_report(self, call: Call, lines: list[Outcome]) -> SelectedLines:
        selected = self._report.select(lines)
        insert_job_items(call.session, self._context.job_id, selected.lines)
        write_summary_items(call.session, self._context.job_id, self._report.sums(selected))
        return selected

    def _count(self, batch: list[ImportItem], lines: list[Outcome]) -> None:
        self._tally.count(lines)
        brought = {line.item for line in lines if line.outcome in PRESENT_OUTCOMES}
        written = {line.item for line in lines if line.outcome in (IMPORTED, REPLACED)}
        for one in batch:
            if one.item in brought:
                self._note_text(one.document.text)
            self._tally.empty_lists += one.item in written and one.document.reviewed is None
        for line in lines:
            if line.outcome == REFUSED and line.message and not self.first_error:
                self.first_error = line.message

    def _notify_hooks(self, call: Call, stored: list[str]) -> None:
        arguments: dict[str, Any] = {
            "project": self._project_name,
            "document_ids": stored,
            "job_id": self._context.job_id,
        }
        call.unit.after_commit(lambda: get_hooks().call("documents_imported", **arguments))


def _tokens_by_document_id(unit: UnitOfWork, batch: list[ImportItem], outcomes: list[Outcome]) -> dict[int, bytes]:
    """Tokens of the written documents, by document id; rows and outcomes are in the order of the batch."""
    ids = [row.document_id for row in unit.touched if row.operation == "document" and row.document_id is not None]
    written = [
        line.document.tokens
        for line, outcome in zip(batch, outcomes, strict=True)
        if outcome.outcome in (IMPORTED, REPLACED)
    ]
    return {number: tokens for number, tokens in zip(ids, written, strict=True) if tokens}


class DryRunImporter(Importer):
    """Reports what an import would do: reads and prepares like an import but writes no documents.

    An interrupted run starts again, as its counts are only in memory.
    """

    _resumes = False

    def __init__(self, context: JobContext, project_name: str, import_run: ImportRun, tally: ImportTally) -> None:
        with context.open(project_name) as call:
            delete_job_items(call.session, context.job_id)
        super().__init__(context, project_name, import_run, tally)
        self.preview = ImportPreview()

    def _tokenize(self, document: PreparedDocument) -> tuple[bytes, bytes]:
        return b"", b""

    def run(self) -> None:
        """Read, prepare and resolve all items."""
        self._read_all()

    def _write(self, batch: list[ImportItem], refused: list[Outcome]) -> None:
        with self._context.open(self._project_name) as call:
            lines = [*refused, *self.preview.add_batch(call, batch, self._texts)]
            selected = self._write_report(call, lines)
        self._report.settle(selected)
        self._count(batch, lines)
