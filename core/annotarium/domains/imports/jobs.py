"""Import jobs: uploads become documents, with a report of every item; or are only checked."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.active import ActivePlan, active_segmenter
from annotarium.content.plans.plan_types import converter_of
from annotarium.content.plans.runner import plan_runner_for
from annotarium.content.segmentation import COMPUTING_POLICIES, segment_nothing
from annotarium.content.segmenter_choice import SegmenterChoice, build_segmenter
from annotarium.db.models import CLASSIFICATION
from annotarium.domains.imports import uploads
from annotarium.domains.imports.converters import converter_name_for_extension
from annotarium.domains.imports.importer import DryRunImporter, Importer, ImportRun, ImportTally
from annotarium.domains.imports.schemas import ImportJobArguments
from annotarium.domains.imports.upload_receiving import upload_path
from annotarium.domains.splits.service import split_documents
from annotarium.errors import InvalidInput
from annotarium.importing.document_preparation import PrepareOptions
from annotarium.importing.repository import document_limit, exclusive_label_sets
from annotarium.importing.sources import Source
from annotarium.jobs.context import JobContext, job_function
from annotarium.settings import get_settings
from annotarium_schemas.messages import join_messages, message


def prepare() -> None:
    """Import the modules that every import needs, which takes half the time of a small import.

    See `jobs.run.preload_shared_modules`.
    """
    import_module("annotarium.access.guard")
    if get_settings().engine_name != "opensearch":
        import_module("annotarium.search.embedded.engine")
    build_segmenter(SegmenterChoice())
    converter_name_for_extension("json")


@job_function("import_documents", interrupted="resumes")
def import_documents(context: JobContext, project_name: str, **arguments: Any) -> None:
    """Import uploads into a project; see `domains.imports.service.start_import`.

    Args:
        arguments: the fields of `ImportJobArguments`.

    Raises:
        InvalidInput: no item could be imported; the report has the reason for each item.
    """
    run_import(context, project_name, arguments)


def run_import(
    context: JobContext, project_name: str, arguments: dict[str, Any], importer_type: type[Importer] = Importer
) -> None:
    """Run an import job with this kind of importer; see `import_documents`."""
    options = ImportJobArguments.model_validate(arguments)
    with context.open(project_name, write=False) as call:
        import_run = _build_import_run(call, options)
        exclusive = _exclusive_label_sets(call)
    tally = ImportTally(limit=import_run.limit)
    importer = importer_type(context, project_name, import_run, tally)
    importer.run()
    if options.split_corpus:
        with context.open(project_name) as call:
            split_documents(call, test_size=0.2, incremental=call.project.has_split)
    if not importer.has_successes():
        raise InvalidInput(
            message("import.nothing", "Nothing was imported: {why}", why=importer.first_error),
            cause=tally.message(),
            fix=message("fix.seeReport", "See the report"),
        )
    with context.open(project_name, write=False) as call:
        relaxed = exclusive - _exclusive_label_sets(call)
    summary = importer.message()
    if relaxed:
        note = message(
            "import.notExclusive",
            "Documents may have several categories from now on, because some of the imported ones do",
        )
        summary = join_messages([summary, note], ". ")
    context.finish(message=summary, result=dict(tally.outcomes) | importer.result())


def _exclusive_label_sets(call: ProjectCall) -> set[int]:
    """Ids of the label sets that allow a document one category at most; 0 stands for the project as a whole."""
    label_set_ids = {row.id for row in exclusive_label_sets(call.session, call.project.id)}
    return label_set_ids | {0} if call.project.exclusive_classes else label_set_ids


@job_function("check_import", interrupted="restarts")
def check_import(context: JobContext, project_name: str, **arguments: Any) -> None:
    """Report what `import_documents` would do, without doing it. Succeeds even if nothing can be imported."""
    options = ImportJobArguments.model_validate(arguments)
    with context.open(project_name, write=False) as call:
        import_run = _build_import_run(call, options)
    tally = ImportTally(limit=import_run.limit)
    importer = DryRunImporter(context, project_name, import_run, tally)
    importer.run()
    context.finish(
        message=message("import.checked", "Check only: {what}", what=tally.message()),
        result=dict(tally.outcomes) | importer.preview.result(),
    )


def _build_import_run(call: ProjectCall, options: ImportJobArguments) -> ImportRun:
    """Resolve the job's arguments into an `ImportRun`."""
    active_plan = ActivePlan.model_validate(options.plan).plan if options.plan else None
    choice = active_segmenter(call.session, call.project, active_plan)
    reads = converter_of(active_plan) if active_plan else None
    files = uploads.require_uploads(call, options.upload_ids)
    names: Counter[str] = Counter()
    sources = []
    for file in files:
        folder = (options.folders or {}).get(file.id)
        filename = f"{folder}/{file.filename}" if folder else file.filename
        names[filename] += 1
        again = f" ({names[filename]})" if names[filename] > 1 else ""
        sources.append(Source(upload_path(file.id), filename + again, filename, file.content_type, file.sha256))
    return ImportRun(
        options=_build_prepare_options(call, options, choice),
        segment=build_segmenter(choice) if options.segmentation_policy in COMPUTING_POLICIES else segment_nothing,
        sources=sources,
        source_bytes=sum(file.size for file in files),
        limit=document_limit(call.session, call.project),
        folder_categories=options.categories_from_folder,
        converters=({reads.name: reads.parameters} if reads else {}) | (options.converters or {}),
        converter=reads.name if reads else options.converter,
        steps=plan_runner_for(call, active_plan) if active_plan else None,
        distinct_texts=options.distinct_texts,
    )


def _build_prepare_options(call: ProjectCall, options: ImportJobArguments, choice: SegmenterChoice) -> PrepareOptions:
    return PrepareOptions(
        policy=options.segmentation_policy,
        ignore_labelling=options.ignore_labelling,
        clean_text=options.clean_text,
        carriage_returns=call.project.replace_carriage_returns,
        language=call.project.lang,
        origin_group_id=options.origin_group_id,
        document_limit=get_settings().document_limit,
        annotations_whole=choice.annotations_whole,
        metadata_split=options.metadata_split,
        classification=call.project.nature == CLASSIFICATION,
        empty_reviewed=options.empty_reviewed,
    )
