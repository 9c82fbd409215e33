"""The job that synchronises a gazetteer with its lexicons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labels import LabelKey, ensure_labels
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Gazetteer as GazetteerRow
from annotarium.domains.experiments.service import mark_dictionary_experiments_outdated
from annotarium.domains.gazetteers import service
from annotarium.domains.lexicons.service import iter_terms, lexicon_versions, require_lexicon
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.job_creation import start_job
from annotarium.registry import get_registry
from annotarium.registry.model_store import save_model
from annotarium_plugins.base.component import Progress
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_STEPS = 100
_REPORT_EVERY = 1_000


class _CountedTerms:
    """Terms of lexicons, counted as they are read; reports progress, and thereby notices that the job was cancelled."""

    def __init__(self, terms: Iterable[Term], progress: Progress) -> None:
        self._terms, self._progress = terms, progress
        self.count = 0

    def __iter__(self) -> Iterator[Term]:
        for term in self._terms:
            self.count += 1
            if self.count % _REPORT_EVERY == 0:
                text = message("doing.readTerms", "{count:,} terms read", one="{count:,} term read", count=self.count)
                self._progress(0, _STEPS, text)
            yield term


@job_function("synchronize_gazetteer")
def synchronize_gazetteer(
    context: JobContext,
    project_name: str,
    gazetteer: str,
    annotate_corpus: bool = False,
    mail_in: str | None = None,
) -> None:
    """Build the matcher from all terms of the lexicons and publish it; then annotate the corpus if requested.

    Idempotent: every run starts from the terms. The former matcher is used until this one is complete.
    """
    started = now_ms()
    with context.open(project_name, write=False) as call:
        row = service.gazetteers.require(call, gazetteer)
        project_id, owner_id, engine, parameters = row.project_id, row.id, row.engine, dict(row.parameters)
        # Read before the terms: if a term changes meanwhile, the mark differs, and the gazetteer counts as outdated.
        used, language = service.used_lexicons(parameters, lexicon_versions(call)), call.project.lang
        component = get_registry().build(service.KIND, engine, parameters)
        assert isinstance(component, Gazetteer)
        terms = _CountedTerms(iter_terms(call, list(used.versions)), context.progress)
    # No transaction is open here: the terms are read batch by batch.
    component.synchronize(terms, language=language, progress=context.progress)
    context.progress(_STEPS, _STEPS, message("doing.saveMatcher", "Saving the gazetteer"))
    timestamp = now_ms()
    facts: dict[str, Any] = {
        "gazetteer": engine,
        "parameters": parameters,
        "version": component.version,
        "lexicons": used.versions,
        "terms": terms.count,
    }
    save_model(
        component, project_id=project_id, owner=service.KIND, owner_id=owner_id, timestamp=timestamp, facts=facts
    )
    with context.open(project_name, write=True) as call:
        row = service.gazetteers.require(call, gazetteer)
        if not (row.models and row.uptodate and row.lexicon_versions == used.versions):
            mark_dictionary_experiments_outdated(call)
        row.models, row.timestamp, row.duration = 1, timestamp, timestamp - started
        row.terms, row.lexicon_versions, row.job_id = terms.count, used.versions, None
        row.uptodate = row.parameters == parameters  # they may have been changed while this ran
        call.unit.emit("gazetteers", {"type": "synchronized", "name": row.name}, project=project_name)
        if annotate_corpus:
            _start_corpus_annotation(call, context, row, list(used.versions), mail_in)
    text = message("done.synchronized", "{count:,} terms", one="{count:,} term", count=terms.count)
    context.finish(message=text, result={"terms": terms.count, "lexicons": len(used.versions)})


def _start_corpus_annotation(
    call: ProjectCall, context: JobContext, row: GazetteerRow, lexicons: list[str], mail_in: str | None
) -> None:
    if call.access.can("writeLabel"):
        names = service.lexicons_as_labels(row.parameters, lexicons)
        keys = [LabelKey(name=name, label=require_lexicon(call, name).label) for name in names]
        ensure_labels(call.session, call.project, keys, call.username)
    start_job(
        call.unit,
        type="CORPUS_ANNOTATE",
        function="annotate_corpus",
        arguments={"project_name": call.project.name, "annotator": row.name, "overwrite": True},
        project=call.project,
        created_by=context.username,
        description=message("start.annotateCorpus", "Annotating the corpus with {annotator}", annotator=row.label),
        queue="heavy",
        undoable=True,
        parameters={"annotator": row.name, "overwrite": True},
        mail_in=mail_in,
    )
