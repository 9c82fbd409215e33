"""The import of files of questions: documents and questions are written as by any import, judgements at its end."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import IO, Any

import orjson

from annotarium.access.call import ProjectCall
from annotarium.content.questions import is_question
from annotarium.domains.imports.importer import Importer
from annotarium.domains.questions import judgement_writing
from annotarium.domains.questions.file_reading import open_question_reader
from annotarium.domains.questions.question_items import BATCH, JudgementBatch, ReadJudgement
from annotarium.errors import TooLarge
from annotarium.importing.document_preparation import PreparedDocument, prepare_document
from annotarium.importing.outcome import REFUSED
from annotarium.importing.sources import SourceItem
from annotarium.settings import get_settings
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import join_messages, message

MAX_JUDGEMENTS = 2_000_000
"""Judgements in one import."""


class QuestionImporter(Importer):
    """Imports files of questions. Judgements refer to documents of any file: they wait on disk until all are read."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._judged: Counter[str] = Counter()
        self._waiting = 0
        self._spool: IO[bytes] | None = None

    def run(self) -> None:
        """Import all items, then write the judgements."""
        with tempfile.TemporaryFile(dir=get_settings().uploads_folder, prefix="import-") as self._spool:
            super().run()

    def has_successes(self) -> bool:
        """Whether at least one item or judgement is in the project now."""
        return super().has_successes() or bool(self._judged["written"] + self._judged["unchanged"])

    def message(self) -> str:
        """The job's final message."""
        written = self._judged["written"] + self._judged["unchanged"]
        if not written:
            return super().message()
        judged = message("import.judged", "{count:,} judgements", one="{count:,} judgement", count=written)
        return join_messages([super().message(), judged], ". ")

    def result(self) -> dict[str, Any]:
        """The number of judgements that are in the project now, and of those refused."""
        written = self._judged["written"] + self._judged["unchanged"]
        return {"judgements": written, "judgementsRefused": self._judged["refused"]}

    def _read_all(self) -> None:
        super()._read_all()
        self._write_judgements()

    def _items(self) -> Iterator[SourceItem]:
        with open_question_reader(self._finish, self._run.options.language) as (reader, process):
            process.tokenize, process.on_idle = self._tokenize, self._context.idle
            for source in self._run.sources:
                for item in reader.read(source):
                    self._tally.read_bytes = process.read_bytes
                    if item.document is not None and not item.document.identifier:
                        self._keep(item)
                    else:
                        yield item

    def _finish(self, document: Document) -> PreparedDocument:
        """Runs in the child process. Texts are not cleaned: that would move the offsets of judgements."""
        if isinstance(document, JudgementBatch):
            return _carrier(document.text)
        options = replace(self._run.options, clean_text=False, carriage_returns=False)
        if is_question(document.metadata):
            options = replace(options, policy="documents_as_segments", metadata_split=False)
        return prepare_document(document, options=options, segment=self._run.segment)

    def _tokenize(self, document: PreparedDocument) -> tuple[bytes, bytes]:
        return super()._tokenize(document) if document.identifier else (b"", b"")

    def _keep(self, item: SourceItem) -> None:
        assert item.document is not None
        assert self._spool is not None
        lines = item.document.text.split("\n")
        self._waiting += len(lines)
        if self._waiting > MAX_JUDGEMENTS:
            raise TooLarge(
                message("import.manyJudgements", "The files have more than {count:,} judgements", count=MAX_JUDGEMENTS),
                fix=message("fix.split", "Split the file"),
            )
        name = orjson.dumps(item.item.rpartition("#")[0])
        self._spool.writelines(b"%s\t%s\n" % (name, line.encode()) for line in lines)

    def _write_judgements(self) -> None:
        assert self._spool is not None
        self._spool.seek(0)
        read = self._spooled()
        done = 0
        while batch := list(islice(read, BATCH)):
            with self._context.open(self._project_name) as call:
                problems = self._write_batch(call, batch)
            for name, judgement, problem in problems:
                item = SourceItem(f"{name}: {judgement.place}"[:400], None, judgement.question[:255], problem)
                self._tally.ordinal += 1
                self._refuse(item, self._tally.ordinal, problem, None)
            self._flush()
            done += len(batch)
            words = message(
                "doing.judge", "{count:,} judgements written", one="{count:,} judgement written", count=done
            )
            self._context.progress(done, self._waiting, words)

    def _write_batch(
        self, call: ProjectCall, batch: Sequence[tuple[str, ReadJudgement]]
    ) -> list[tuple[str, ReadJudgement, str]]:
        outcomes = judgement_writing.write_judgements(call, [judgement for _, judgement in batch])
        problems = []
        for (name, judgement), outcome in zip(batch, outcomes, strict=True):
            self._judged[outcome.outcome] += 1
            if outcome.outcome == REFUSED:
                problems.append((name, judgement, outcome.problem))
        return problems

    def _spooled(self) -> Iterator[tuple[str, ReadJudgement]]:
        assert self._spool is not None
        for line in self._spool:
            name, _, judgement = line.partition(b"\t")
            yield orjson.loads(name), ReadJudgement(*orjson.loads(judgement))


def _carrier(text: str) -> PreparedDocument:
    """A batch of judgements in the shape in which the child process sends documents: it has no identifier."""
    nothing: dict[str, Any] = {"metadata": {}, "created_by": None, "created_at": None, "modified_at": None}
    lists: dict[str, Any] = {name: [] for name in ("segments", "annotations", "categories", "alt_texts", "notes")}
    return PreparedDocument(identifier="", title="", text=text, reviewed=None, **nothing, **lists)
