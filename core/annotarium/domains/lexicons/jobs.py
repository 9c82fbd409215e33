"""Jobs of lexicons: imports of terms, previews of files, removal of many terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Lexicon
from annotarium.db.page_cache import limited_page_cache
from annotarium.domains.imports import uploads
from annotarium.domains.imports.upload_receiving import upload_path
from annotarium.domains.lexicons import repository, service
from annotarium.domains.lexicons.term_reading import ReadPreview, ReadProblem, open_term_reader, read_terms
from annotarium.domains.lexicons.term_writing import (
    CUT_BATCH,
    cut_circles,
    find_circles,
    link_lexicon,
    recount_all,
    resolve_all,
    write_terms_batch,
)
from annotarium.errors import InvalidInput
from annotarium.importing.convert import ConverterProcess
from annotarium.importing.outcome import IMPORTED, OUTCOMES, REFUSED, REPLACED, Outcome, outcome_message
from annotarium.importing.report_lines import ReportLines
from annotarium.importing.repository import delete_job_items, insert_job_items, write_summary_items
from annotarium.importing.sources import Source
from annotarium.jobs.context import JobContext, LeaseLost, job_function
from annotarium.jobs.job_creation import start_job
from annotarium.search.indexer import get_outbox_relay
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import join_messages, message

BATCH = 1_000
_BATCH_CHARACTERS = 8_000_000
_PAGES = 16 << 20
"""Bytes of database pages that a job over all terms keeps in memory."""


@job_function("import_terms")
@limited_page_cache(_PAGES)
def import_terms(context: JobContext, project_name: str, **arguments: Any) -> None:
    """Import files into a lexicon; see `term_imports.start_import`. A second run leaves what the first one wrote.

    Raises:
        InvalidInput: no term could be imported; the report has the reasons.
    """
    importer = _TermImport(context, project_name, **arguments)
    try:
        importer.run()
    except LeaseLost:
        raise
    except Exception:  # cancelled, or failed after some terms were written: these stay
        importer.link_later()
        raise
    importer.finish()


class _TermImport:
    """One run of an import. Memory is bounded by one batch."""

    def __init__(
        self,
        context: JobContext,
        project_name: str,
        *,
        lexicon_id: int,
        upload_ids: list[str],
        format: str,
        parameters: dict[str, Any],
        importers: list[str],
    ) -> None:
        self._importers = importers
        self._context, self._project_name, self._lexicon_id = context, project_name, lexicon_id
        self._format, self._parameters = format, parameters
        self._import_id = int(context.job_id[:15], 16)
        with context.open(project_name) as call:
            delete_job_items(call.session, context.job_id)
            self._lexicon(call)
            files = uploads.require_uploads(call, upload_ids)
            self._language = call.project.lang
            self._sources = [
                Source(upload_path(one.id), one.filename, one.filename, one.content_type, one.sha256) for one in files
            ]
            self._bytes = sum(one.size for one in files)
        self._report = ReportLines(context.job_id, self._bytes, resumable=False)
        self._terms: list[Term] = []
        self._lines: list[Outcome] = []
        self._characters = self._ordinal = 0
        self._outcomes: Counter[str] = Counter()
        self._first_problem = ""

    def _lexicon(self, call: ProjectCall) -> Lexicon:
        return service.require_lexicon_by_id(call, self._lexicon_id)

    def _open(self) -> AbstractContextManager[ProjectCall]:
        return self._context.open(self._project_name)

    def run(self) -> None:
        """Read and write all terms, then the relations between them."""
        with open_term_reader(self._format, self._parameters, self._language, self._importers) as (reader, process):
            process.on_idle = self._context.idle
            for source in self._sources:
                for found in read_terms(reader, source):
                    self._take(found)
                    if len(self._terms) + len(self._lines) >= BATCH or self._characters >= _BATCH_CHARACTERS:
                        self._flush()
                    self._progress(process)
        self._flush()
        self._link()

    def _take(self, found: Term | ReadProblem | ReadPreview) -> None:
        if isinstance(found, Term):
            self._terms.append(found)
            self._characters += len(found.identifier) + sum(map(len, map(str, (found.properties or {}).values())))
        elif isinstance(found, ReadProblem):
            outcome = REFUSED if found.refused else IMPORTED
            line = self._line(found.place, outcome, found.message, found.fix, found.count, summed=found.summed)
            self._lines.append(line)
            if found.refused:
                self._outcomes[REFUSED] += found.count
                self._first_problem = self._first_problem or found.message

    def _line(
        self, place: str, outcome: str, text: str | None, fix: str | None, count: int = 1, *, summed: bool = False
    ) -> Outcome:
        self._ordinal += 1
        item = f"{place[:400]} \u00b7 {self._ordinal}"  # unique: a file may have the same identifier twice
        return Outcome(item, self._ordinal, outcome, None, text, fix, count=count, summed=summed)

    def _flush(self) -> None:
        """Write the pending terms and report lines in one transaction; then searches find the terms."""
        terms, lines = self._terms, self._lines
        self._terms, self._lines, self._characters = [], [], 0
        if not terms and not lines:
            return
        with self._open() as call:
            written = write_terms_batch(call, self._lexicon(call), terms, self._import_id) if terms else []
            lines += [self._line(one.identifier, REFUSED, one.message, one.fix) for one in written if one.message]
            self._write_report(call, lines)
        get_outbox_relay().delete_applied()
        self._outcomes.update(one.outcome for one in written)
        refused = (one.message for one in written if one.message)
        self._first_problem = self._first_problem or next(refused, "")

    def _write_report(self, call: ProjectCall, lines: Iterable[Outcome]) -> None:
        selected = self._report.select(lines)
        insert_job_items(call.session, self._context.job_id, selected.lines)
        write_summary_items(call.session, self._context.job_id, self._report.sums(selected))
        self._report.settle(selected)

    def _progress(self, process: ConverterProcess) -> None:
        number = sum(self._outcomes.values()) + len(self._terms)
        share = min(1.0, process.read_bytes / max(1, self._bytes))
        total = max(number, round(number / share)) if share > 0 else number
        words = message("doing.readTerms", "{count:,} terms read", one="{count:,} term read", count=number)
        self._context.progress(number, total, words)

    # --- relations ----------------------------------------------------------------------------------------------------

    def _link(self) -> None:
        """Derive relations and counts, and take out the relations that close a circle."""
        number = sum(self._outcomes.values())
        words = message("doing.linkTerms", "Linking broader and narrower terms")

        def report_progress(_done: int) -> None:
            self._context.progress(number, number, words)

        resolve_all(self._open, self._lexicon_id, report_progress)
        recount_all(self._open, self._lexicon_id, report_progress)
        closing = find_circles(self._lexicon_id)
        for begin in range(0, len(closing), CUT_BATCH):
            self._cut(closing[begin : begin + CUT_BATCH])
            report_progress(0)

    def link_later(self) -> None:
        """Start a job that derives relations and counts of the terms that were written."""
        if not self._outcomes[IMPORTED] + self._outcomes[REPLACED]:
            return
        with self._open() as call:
            lexicon = self._lexicon(call)
            start_job(
                call.unit,
                type="UNSPECIFIED",
                function="link_terms",
                arguments={"project_name": self._project_name, "lexicon_id": lexicon.id},
                project=call.project,
                created_by=call.username,
                description=message("start.linkTerms", "Linking the terms of {lexicon}", lexicon=lexicon.label),
            )

    def _cut(self, relation_ids: list[int]) -> None:
        with self._open() as call:
            cut = cut_circles(call.session, call.project.id, self._lexicon_id, relation_ids)
            for one in cut:
                call.unit.touch(call.project.id, "term", document_id=one.term_id)
            text = "{broader} is not a broader term of it: the two would be above each other"
            fix = message("fix.circle", "Decide in the file which of the two is the broader one")
            lines = [
                self._line(one.identifier, IMPORTED, message("term.circle", text, broader=one.broader[:200]), fix)
                for one in cut
            ]
            self._write_report(call, lines)

    def finish(self) -> None:
        """State what became of the terms."""
        with self._open() as call:
            lexicon = self._lexicon(call)
            missing = repository.count_open_relations(call.session, lexicon.id)
            service.notify_terms_changed(call, lexicon, "imported")
        good = self._outcomes[IMPORTED] + self._outcomes[REPLACED]
        counts = [
            outcome_message(one, self._outcomes[one]) for one in OUTCOMES if self._outcomes[one] or one == IMPORTED
        ]
        summary = message("done.terms", "Terms: {parts}", parts=join_messages(counts))
        if not good:
            raise InvalidInput(
                message("import.nothing", "Nothing was imported: {why}", why=self._first_problem or NO_TERMS),
                cause=summary,
                fix=message("fix.seeReport", "See the report"),
            )
        unknown = message(
            "done.openRelations",
            "{count:,} relations name terms that the lexicon does not have",
            one="{count:,} relation names a term that the lexicon does not have",
            count=missing,
        )
        result = dict(self._outcomes) | {"openRelations": missing}
        self._context.finish(message=join_messages([summary, unknown if missing else None], ". "), result=result)


@job_function("link_terms", interrupted="restarts")
@limited_page_cache(_PAGES)
def link_terms(context: JobContext, project_name: str, lexicon_id: int) -> None:
    """Derive relations and counts of a lexicon after an import that did not come to its end."""

    def report_progress(done: int) -> None:
        context.progress(done, done, message("doing.linkTerms", "Linking broader and narrower terms"))

    with context.open(project_name, write=False) as call:
        project_id = service.require_lexicon_by_id(call, lexicon_id).project_id
    link_lexicon(lambda: context.open(project_name), project_id, lexicon_id, report_progress)
    with context.open(project_name) as call:
        service.notify_terms_changed(call, service.require_lexicon_by_id(call, lexicon_id), "imported")


@job_function("copy_terms", interrupted="restarts")
@limited_page_cache(_PAGES)
def copy_terms(context: JobContext, project_name: str, source: str, source_id: int) -> None:
    """Copy the terms of another project into the lexicons of the same names. Memory is bounded by one batch.

    A second run leaves what the first one wrote. Terms that were changed meanwhile are replaced by those of the source.

    Raises:
        NotFound: the caller may not read the other project any more.
    """
    import_id, done = int(context.job_id[:15], 16), 0

    def report_progress(_done: int) -> None:
        words = message("doing.copyTerms", "{count:,} terms copied", one="{count:,} term copied", count=done)
        context.progress(done, max(done, 1), words)

    with context.open_other_project(source, source_id) as template:
        names = [row.name for row in repository.list_lexicons(template.session, template.project.id)]
    with context.open(project_name, write=False) as call:
        project_id = call.project.id
        own = {row.name: row.id for row in repository.list_lexicons(call.session, project_id)}
    for name in names:
        if name not in own:
            continue
        terms = service.iter_terms(template, [name])
        while batch := list(islice(terms, BATCH)):
            with context.open(project_name) as call:
                write_terms_batch(call, service.require_lexicon_by_id(call, own[name]), batch, import_id)
            get_outbox_relay().delete_applied()
            done += len(batch)
            report_progress(done)
        link_lexicon(lambda: context.open(project_name), project_id, own[name], report_progress)
        with context.open(project_name) as call:
            service.notify_terms_changed(call, service.require_lexicon_by_id(call, own[name]), "imported")
    words = message("doing.copyTerms", "{count:,} terms copied", one="{count:,} term copied", count=done)
    context.finish(message=words, result={"count": done})


NO_TERMS = message("import.noTerms", "The file contains no terms")


@job_function("preview_terms", interrupted="restarts")
def preview_terms(
    context: JobContext,
    project_name: str,
    upload_id: str,
    format: str,
    parameters: dict[str, Any],
    importers: list[str],
) -> None:
    """Read the beginning of a file; the result is a `TermPreview`. Nothing is stored.

    Raises:
        InvalidInput: the file cannot be read.
    """
    with context.open(project_name, write=False) as call:
        (file,) = uploads.require_uploads(call, [upload_id])
        language = call.project.lang
        source = Source(upload_path(file.id), file.filename, file.filename, file.content_type, file.sha256)
    with open_term_reader(format, parameters, language, importers, preview=True) as (reader, process):
        process.on_idle = context.idle
        for found in read_terms(reader, source):
            if isinstance(found, ReadPreview):
                context.finish(result=found.value | {"format": format})
                return
            if isinstance(found, ReadProblem):
                raise InvalidInput(found.message, fix=found.fix)
    raise InvalidInput(NO_TERMS)


@job_function("remove_terms", interrupted="resumes")
def remove_terms(context: JobContext, project_name: str, lexicon_id: int, unchanged_since: int) -> None:
    """Remove the terms of a lexicon that were not changed since, and the lexicon itself when it is deleted."""
    done = 0
    while True:
        with context.open(project_name) as call:
            removed = service.remove_some_terms(call, lexicon_id, service.DIRECT_MAX, unchanged_since=unchanged_since)
            if not removed:
                _end_removal(call, lexicon_id)
                break
        done += removed
        words = message("doing.removeTerms", "{count:,} terms removed", one="{count:,} term removed", count=done)
        context.progress(done, done, words)
    context.finish(
        message=message("doing.removeTerms", "{count:,} terms removed", one="{count:,} term removed", count=done),
        result={"count": done},
    )


def _end_removal(call: ProjectCall, lexicon_id: int) -> None:
    service.remove_purged_lexicon(call, lexicon_id)
    call.unit.touch(call.project.id, "lexicon", document_id=lexicon_id)
