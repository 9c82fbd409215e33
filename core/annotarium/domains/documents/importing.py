"""One pass over the sources of an import: items are read, prepared and written, or only decided on.

Memory is bounded by one batch. A second run of the same job skips what the first one wrote.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import structlog
from sqlalchemy.exc import SQLAlchemyError

from annotarium.access.call import Call
from annotarium.corpus.deciding import BROUGHT, Line, limit_words
from annotarium.corpus.outcome import GOOD, IMPORTED, OUTCOMES, REFUSED, REPLACED, Outcome, say_outcome
from annotarium.corpus.prepare import ImportOptions, Prepared, RunSteps, prepare_document
from annotarium.corpus.preview import Preview
from annotarium.corpus.report_lines import Chosen, ReportLines, kind_of
from annotarium.corpus.repository import forget_job_items, insert_job_items, write_sums
from annotarium.corpus.segmentation import Segment
from annotarium.corpus.sources import Source, SourceItem
from annotarium.corpus.writer import write_documents
from annotarium.db.away import is_away
from annotarium.db.full import is_full
from annotarium.db.unit import UnitOfWork
from annotarium.domains.documents.reading import opened_reader
from annotarium.hooks import get_hooks
from annotarium.jobs.context import JobContext
from annotarium.jobs.turns import TurnOver
from annotarium.search.cutting import Cutter
from annotarium.search.feeding import IndexFeed, is_long
from annotarium.search.indexer import get_relay
from annotarium.search.repository import forget
from annotarium.settings import get_settings
from annotarium_schemas.documents import Document
from annotarium_schemas.said import joined, say

log = structlog.get_logger(__name__)

BATCH_DOCUMENTS = 400
_FIRST_BATCH = 50
"""Batches double from here on, so that the first documents are there at once and the index helper has work early."""
BATCH_CHARACTERS = 4_000_000


@dataclass
class Plan:
    """What one run of the job works with."""

    options: ImportOptions
    segment: Segment
    sources: list[Source]
    source_bytes: int
    limit: int
    folder_categories: bool
    converters: dict[str, dict[str, Any]]
    converter: str = ""
    """Reads every file whatever its type; empty = the one that declares the type."""
    steps: RunSteps | None = None
    """Of the conversion plan in use."""
    distinct_texts: bool = False
    """A new document whose text the project, or an earlier document, has is left out."""


@dataclass
class Tally:
    """What became of the items so far, and which identifiers were met."""

    outcomes: Counter[str] = field(default_factory=Counter)
    over_limit: int = 0
    limit: int = -1
    empty_lists: int = 0
    """Documents written that brought an empty list of labels of which nobody said what it means."""
    read_bytes: int = 0
    ordinal: int = 0
    identifiers: set[int] = field(default_factory=set)
    texts: set[int] = field(default_factory=set)

    def count(self, outcomes: Iterable[Outcome]) -> None:
        """Take outcomes into account."""
        limit = kind_of(limit_words(self.limit))
        for one in outcomes:
            self.outcomes[one.outcome] += one.count
            self.over_limit += one.message is not None and kind_of(one.message) == limit

    def any_good(self) -> bool:
        """Whether something was received that could be imported, or need not be."""
        return any(self.outcomes[good] for good in GOOD)

    def words(self) -> str:
        """The job's message: what came of everything that was received."""
        parts = [
            say_outcome(outcome, self.outcomes[outcome])
            for outcome in OUTCOMES
            if self.outcomes[outcome] or outcome == IMPORTED
        ]
        received = sum(self.outcomes.values())
        message = say("import.done", "{parts} of {count:,} received", parts=joined(parts), count=received)
        over = limit_words(self.limit) if self.over_limit else None
        empty = empty_words(self.empty_lists) if self.empty_lists else None
        return joined([over, message, empty], ". ") if over or empty else message


def empty_words(count: int) -> str:
    """What became of documents that brought an empty list of labels."""
    return say(
        "import.emptyLists",
        "{count:,} documents with an empty list of labels do not count as annotated to the end",
        one="1 document with an empty list of labels does not count as annotated to the end",
        count=count,
    )


class ImportPass:
    """Writes what is read, and has it found by searches."""

    _resumes = True
    """A second run of the job skips what the first one wrote."""

    def __init__(self, context: JobContext, project_name: str, plan: Plan, tally: Tally) -> None:
        self._context, self._project_name, self._plan, self._tally = context, project_name, plan, tally
        self._done = context.done_items()
        self._reported_up_to = context.last_ordinal() if self._resumes else 0
        if self._reported_up_to:
            context.fall_behind()
        self._report = ReportLines(context.job_id, plan.source_bytes, resumable=self._resumes)
        self._ready: list[Line] = []
        self._refused: list[Outcome] = []
        self._characters = 0
        self._batch = _FIRST_BATCH
        self._feed = IndexFeed(plan.options.language)
        self._inflected: list[bytes] = []
        self._cutter: Cutter | None = None
        self._cut_documents = 0
        self.first_words = ""

    def all(self) -> None:
        """Read, prepare and write everything; what was written is found by searches when this returns."""
        try:
            try:
                self._read_all()
            except TurnOver:
                self._flush()  # however slowly documents come, each turn brings some
                self._apply()
                raise
            self._apply()
        finally:
            self._feed.close()

    def _apply(self) -> None:
        self._feed.finish()
        self._forget_applied()

    def _read_all(self) -> None:
        for item in self._items():
            if self._tally.ordinal >= self._reported_up_to:
                self._context.catch_up()
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
        get_relay().forget_applied()
        with self._context.open(self._project_name) as call:
            forget(call.session, self._feed.applied())
            # Lists that were read again when a batch was committed may have missed what was not indexed yet.
            arg = {"type": "indexed", "by": call.username}
            call.unit.emit("documents", arg, project=call.project.name)

    def _items(self) -> Iterator[SourceItem]:
        plan = self._plan
        opened = opened_reader(
            self._finish,
            plan.options.language,
            converter=plan.converter,
            parameters=plan.converters,
            folder_categories=plan.folder_categories,
        )
        with opened as (reader, process):
            process.cut, process.on_idle = self._cut, self._context.idle
            for source in plan.sources:
                for item in reader.read(source):
                    self._tally.read_bytes = process.read_bytes
                    yield item

    def _finish(self, document: Document) -> Prepared:
        plan = self._plan
        return prepare_document(document, options=plan.options, segment=plan.segment, steps=plan.steps)

    def _cut(self, document: Prepared) -> tuple[bytes, bytes]:
        """The words for the index helpers, in the process that converts. A short import has none of them."""
        self._cut_documents += 1
        if not is_long(self._cut_documents) or get_settings().engine_name != "embedded":
            return b"", b""
        if self._cutter is None:
            self._cutter = Cutter(self._plan.options.language)
        words = self._cutter.cut(document.text, [(start, end) for start, end, _ in document.segments])
        return words, self._cutter.news()

    def _progress(self, *, at_end: bool = False) -> None:
        number = self._tally.ordinal
        share = self._tally.read_bytes / max(1, self._plan.source_bytes)
        total = max(number, round(number / share)) if share > 0 and not at_end else number
        self._context.progress(number, total, say("doing.read", "{count:,} documents read", count=number))

    def _take(self, item: SourceItem, ordinal: int) -> None:
        document = item.document
        if document is None:
            self._refuse(item, ordinal, item.message, item.fix)
            return
        if document.inflected:
            self._inflected.append(document.inflected)
        mark = hash(document.identifier)
        duplicate = mark in self._tally.identifiers
        self._tally.identifiers.add(mark)
        if item.item in self._done:
            self._note_text(document.text)
            self._tally.outcomes[self._done[item.item]] += 1
        elif duplicate:
            text = "Another document of this import has the same identifier ({identifier})"
            words = say("import.twin", text, identifier=document.identifier[:100])
            fix = say("fix.ownIdentifier", "Give each document an identifier of its own")
            self._refuse(item, ordinal, words, fix)
        else:
            self._ready.append(Line(item.item, ordinal, document))
            self._characters += len(document.text)

    @property
    def _texts(self) -> set[int] | None:
        """Texts met so far, when they must not come twice."""
        return self._tally.texts if self._plan.distinct_texts else None

    def _note_text(self, text: str) -> None:
        if self._texts is not None:
            self._texts.add(hash(text))

    def _refuse(self, item: SourceItem, ordinal: int, message: str, fix: str | None) -> None:
        self.first_words = self.first_words or message
        if item.item in self._done and not item.summed:
            self._tally.outcomes[self._done[item.item]] += item.count
            self._report.note_done(REFUSED, message)
            return
        line = Outcome(item.item, ordinal, REFUSED, item.identifier, message, fix)
        self._refused.append(replace(line, count=item.count, summed=item.summed))

    def _flush(self) -> None:
        """Write what waits: together, or one by one when the batch fails, so that no document spoils another."""
        batch, refused = self._ready, self._refused
        self._ready, self._refused, self._characters = [], [], 0
        if not batch and not refused:
            return
        try:
            self._write(batch, refused)
        except SQLAlchemyError as error:
            if is_away(error) or is_full(error):  # no fault of these documents
                raise
            log.warning("import_batch_failed", error=str(error.__cause__ or error)[:300])
            self._write([], refused)
            for one in batch:
                self._write_alone(one)

    def _write_alone(self, one: Line) -> None:
        try:
            self._write([one], [])
        except SQLAlchemyError as error:
            if is_away(error) or is_full(error):
                raise
            log.warning("import_item_failed", item=one.item, error=str(error.__cause__ or error)[:300])
            words = say("import.notTaken", "The database did not take this document")
            fix = say("fix.contactSupport", "Contact support")
            identifier = one.document.identifier
            self._write([], [Outcome(one.item, one.ordinal, REFUSED, identifier, words, fix)])

    def _write(self, batch: list[Line], refused: list[Outcome]) -> None:
        with self._context.open(self._project_name) as call:
            call.unit.relay = False
            forget(call.session, self._feed.applied())
            outcomes = write_documents(call, batch, self._plan.options, self._texts) if batch else []
            lines = [*refused, *outcomes]
            chosen = self._write_report(call, lines)
            stored = [line.identifier for line in outcomes if line.outcome in (IMPORTED, REPLACED) and line.identifier]
            if stored:
                self._tell_hooks(call, stored)
        self._feed.take(call.unit.touched, _words(call.unit, batch, outcomes), self._inflected)
        self._inflected = []
        self._report.settle(chosen)
        self._count(batch, lines)

    def _write_report(self, call: Call, lines: list[Outcome]) -> Chosen:
        chosen = self._report.choose(lines)
        insert_job_items(call.session, self._context.job_id, chosen.lines)
        write_sums(call.session, self._context.job_id, self._report.sums(chosen))
        return chosen

    def _count(self, batch: list[Line], lines: list[Outcome]) -> None:
        self._tally.count(lines)
        brought = {line.item for line in lines if line.outcome in BROUGHT}
        written = {line.item for line in lines if line.outcome in (IMPORTED, REPLACED)}
        for one in batch:
            if one.item in brought:
                self._note_text(one.document.text)
            self._tally.empty_lists += one.item in written and one.document.reviewed is None
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


def _words(unit: UnitOfWork, batch: list[Line], outcomes: list[Outcome]) -> dict[int, bytes]:
    """Words of the documents that were written, by their ids; both come in the order of the batch."""
    ids = [row.document_id for row in unit.touched if row.operation == "document" and row.document_id is not None]
    written = [
        line.document.words
        for line, outcome in zip(batch, outcomes, strict=True)
        if outcome.outcome in (IMPORTED, REPLACED)
    ]
    return {number: words for number, words in zip(ids, written, strict=True) if words}


class CheckPass(ImportPass):
    """Says what an import would do: the same way through the sources, and nothing of theirs is written.

    A run that was interrupted begins anew: what is counted is kept in memory only.
    """

    _resumes = False

    def __init__(self, context: JobContext, project_name: str, plan: Plan, tally: Tally) -> None:
        with context.open(project_name) as call:
            forget_job_items(call.session, context.job_id)
        super().__init__(context, project_name, plan, tally)
        self.preview = Preview()

    def _cut(self, document: Prepared) -> tuple[bytes, bytes]:
        return b"", b""

    def all(self) -> None:
        """Read, prepare and decide on everything."""
        self._read_all()

    def _write(self, batch: list[Line], refused: list[Outcome]) -> None:
        with self._context.open(self._project_name) as call:
            lines = [*refused, *self.preview.take(call, batch, self._texts)]
            chosen = self._write_report(call, lines)
        self._report.settle(chosen)
        self._count(batch, lines)
