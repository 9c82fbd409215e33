"""The jobs of imports: uploads become documents, item by item, each with its line in the report; or only a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.active import ActivePlan, active_segmenter
from annotarium.content.plans.runner import plan_runner_for
from annotarium.content.plans.types import converter_of
from annotarium.content.repository import document_limit, exclusive_sets
from annotarium.content.segmentation import COMPUTING_POLICIES, Policy
from annotarium.content.segmenter_choice import SegmenterChoice, build_segmenter
from annotarium.domains.imports import uploads
from annotarium.domains.imports.converters import converter_for
from annotarium.domains.imports.importer import DryRunImporter, Importer, ImportRun, ImportTally
from annotarium.domains.imports.receiving import upload_path
from annotarium.domains.projects.split import split_documents
from annotarium.domains.trainables.examples import CLASSIFICATION
from annotarium.errors import InvalidInput
from annotarium.importing.prepare import PrepareOptions
from annotarium.importing.sources import Source
from annotarium.jobs.context import JobContext, job_function
from annotarium.settings import get_settings
from annotarium_schemas.messages import join_messages, message


def prepare() -> None:
    """Load what every import needs (see `jobs.run.preload_shared_modules`): half of the time that a small one takes."""
    import_module("annotarium.access.guard")
    if get_settings().engine_name != "opensearch":
        import_module("annotarium.search.embedded.engine")
    build_segmenter(SegmenterChoice())
    converter_for("json")


@job_function("import_documents", interrupted="resumes")
def import_documents(
    context: JobContext,
    project_name: str,
    upload_ids: list[str],
    segmentation_policy: Policy,
    split_corpus: bool = False,
    **options: Any,
) -> None:
    """Import uploads into a project; see `domains.imports.service.start_import`, and `_import_run` for the options.

    Raises:
        InvalidInput: nothing of what was received could be imported; the report says why, item by item.
    """
    with context.open(project_name, write=False) as call:
        plan = _import_run(call, upload_ids, segmentation_policy, **options)
        exclusive = _exclusive_label_sets(call)
    tally = ImportTally(limit=plan.limit)
    run = Importer(context, project_name, plan, tally)
    run.all()
    if split_corpus:
        with context.open(project_name) as call:
            split_documents(call, test_size=0.2, incremental=call.project.has_split)
    if not tally.has_successes():
        raise InvalidInput(
            message("import.nothing", "Nothing was imported: {why}", why=run.first_error),
            cause=tally.summary(),
            fix=message("fix.seeReport", "See the report"),
        )
    with context.open(project_name, write=False) as call:
        relaxed = exclusive - _exclusive_label_sets(call)
    words = tally.summary()
    if relaxed:
        note = message(
            "import.notExclusive", "A document may carry several categories from now on: some of those imported do"
        )
        words = join_messages([words, note], ". ")
    context.finish(message=words, result=dict(tally.outcomes))


def _exclusive_label_sets(call: ProjectCall) -> set[int]:
    """Where a document carries one category at most: ids of label sets, 0 for the project as a whole."""
    label_set_ids = {row.id for row in exclusive_sets(call.session, call.project.id)}
    return label_set_ids | {0} if call.project.exclusive_classes else label_set_ids


@job_function("check_import", interrupted="restarts")
def check_import(
    context: JobContext, project_name: str, upload_ids: list[str], segmentation_policy: Policy, **options: Any
) -> None:
    """Report what `import_documents` would do, without doing it. Nothing that can be imported is an answer too."""
    options.pop("split_corpus", None)
    with context.open(project_name, write=False) as call:
        plan = _import_run(call, upload_ids, segmentation_policy, **options)
    tally = ImportTally(limit=plan.limit)
    run = DryRunImporter(context, project_name, plan, tally)
    run.all()
    context.finish(
        message=message("import.checked", "Nothing was written: {what}", what=tally.summary()),
        result=dict(tally.outcomes) | run.preview.result(),
    )


def _import_run(
    call: ProjectCall,
    upload_ids: Sequence[str],
    policy: Policy,
    *,
    ignore_labelling: bool = False,
    clean_text: bool = False,
    categories_from_folder: bool = False,
    origin_group_id: int | None = None,
    converters: dict[str, dict[str, Any]] | None = None,
    converter: str = "",
    distinct_texts: bool = False,
    empty_reviewed: bool = False,
    folders: Mapping[str, str] | None = None,
    plan: dict[str, Any] | None = None,
    metadata_split: bool = True,
) -> ImportRun:
    """What a run works with.

    Args:
        folders: where uploads came from, by their ids.
        plan: the conversion plan in use, as `ActivePlan.arguments` wrote it.
    """
    active_plan = ActivePlan.model_validate(plan).plan if plan else None
    choice = active_segmenter(call.session, call.project, active_plan)
    reads = converter_of(active_plan) if active_plan else None
    files = uploads.require_uploads(call, upload_ids)
    names: Counter[str] = Counter()
    sources = []
    for file in files:
        folder = (folders or {}).get(file.id)
        filename = f"{folder}/{file.filename}" if folder else file.filename
        names[filename] += 1
        again = f" ({names[filename]})" if names[filename] > 1 else ""
        sources.append(Source(upload_path(file.id), filename + again, filename, file.content_type, file.sha256))
    return ImportRun(
        PrepareOptions(
            policy=policy,
            ignore_labelling=ignore_labelling,
            clean_text=clean_text,
            carriage_returns=call.project.replace_carriage_returns,
            language=call.project.lang,
            origin_group_id=origin_group_id,
            document_limit=get_settings().document_limit,
            annotations_whole=choice.annotations_whole,
            metadata_split=metadata_split,
            classification=call.project.nature == CLASSIFICATION,
            empty_reviewed=empty_reviewed,
        ),
        build_segmenter(choice) if policy in COMPUTING_POLICIES else _no_segment,
        sources,
        sum(file.size for file in files),
        document_limit(call.session, call.project),
        categories_from_folder,
        ({reads.name: reads.parameters} if reads else {}) | (converters or {}),
        reads.name if reads else converter,
        plan_runner_for(call, active_plan) if active_plan else None,
        distinct_texts,
    )


def _no_segment(text: str, language: str) -> list[tuple[int, int]]:
    """Stands where the policy has nothing cut, so that a missing segmenter does not hinder such an import."""
    return []
