"""The jobs of imports: uploads become documents, item by item, each with its line in the report; or only a check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling.examples import CLASSIFICATION
from annotarium.corpus.plans.active import PlanInUse, segmenter_in_use
from annotarium.corpus.plans.running import runner_for
from annotarium.corpus.plans.types import converter_of
from annotarium.corpus.prepare import ImportOptions
from annotarium.corpus.repository import document_limit, exclusive_sets
from annotarium.corpus.segmentation import COMPUTING, Policy
from annotarium.corpus.segmenter import SegmenterChoice, build_segmenter
from annotarium.corpus.sources import Source
from annotarium.domains.documents.components import converter_for
from annotarium.domains.documents.importing import CheckPass, ImportPass, Plan, Tally
from annotarium.domains.projects.split import split_documents
from annotarium.domains.uploads import service as uploads
from annotarium.domains.uploads.receiving import upload_path
from annotarium.errors import InvalidInput
from annotarium.jobs.context import JobContext, job_function
from annotarium.settings import get_settings
from annotarium_schemas.said import joined, say


def prepare() -> None:
    """Load what every import needs (see `jobs.run.load_common`): half of the time that a small one takes."""
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
    """Import uploads into a project; see `domains.documents.service.start_import`, and `_plan` for the options.

    Raises:
        InvalidInput: nothing of what was received could be imported; the report says why, item by item.
    """
    with context.open(project_name, write=False) as call:
        plan = _plan(call, upload_ids, segmentation_policy, **options)
        exclusive = _exclusive_places(call)
    tally = Tally(limit=plan.limit)
    run = ImportPass(context, project_name, plan, tally)
    run.all()
    if split_corpus:
        with context.open(project_name) as call:
            split_documents(call, test_size=0.2, incremental=call.project.has_split)
    if not tally.any_good():
        raise InvalidInput(
            say("import.nothing", "Nothing was imported: {why}", why=run.first_words),
            cause=tally.words(),
            fix=say("fix.seeReport", "See the report"),
        )
    with context.open(project_name, write=False) as call:
        relaxed = exclusive - _exclusive_places(call)
    words = tally.words()
    if relaxed:
        told = say(
            "import.notExclusive", "A document may carry several categories from now on: some of those imported do"
        )
        words = joined([words, told], ". ")
    context.finish(message=words, result=dict(tally.outcomes))


def _exclusive_places(call: ProjectCall) -> set[int]:
    """Where a document carries one category at most: ids of label sets, 0 for the project as a whole."""
    places = {row.id for row in exclusive_sets(call.session, call.project.id)}
    return places | {0} if call.project.exclusive_classes else places


@job_function("check_import", interrupted="restarts")
def check_import(
    context: JobContext, project_name: str, upload_ids: list[str], segmentation_policy: Policy, **options: Any
) -> None:
    """Report what `import_documents` would do, without doing it. Nothing that can be imported is an answer too."""
    options.pop("split_corpus", None)
    with context.open(project_name, write=False) as call:
        plan = _plan(call, upload_ids, segmentation_policy, **options)
    tally = Tally(limit=plan.limit)
    run = CheckPass(context, project_name, plan, tally)
    run.all()
    context.finish(
        message=say("import.checked", "Nothing was written: {what}", what=tally.words()),
        result=dict(tally.outcomes) | run.preview.result(),
    )


def _plan(
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
) -> Plan:
    """What a run works with.

    Args:
        folders: where uploads came from, by their ids.
        plan: the conversion plan in use, as `PlanInUse.arguments` wrote it.
    """
    used = PlanInUse.model_validate(plan).plan if plan else None
    choice = segmenter_in_use(call.session, call.project, used)
    reads = converter_of(used) if used else None
    files = uploads.require_uploads(call, upload_ids)
    names: Counter[str] = Counter()
    sources = []
    for file in files:
        folder = (folders or {}).get(file.id)
        filename = f"{folder}/{file.filename}" if folder else file.filename
        names[filename] += 1
        again = f" ({names[filename]})" if names[filename] > 1 else ""
        sources.append(Source(upload_path(file.id), filename + again, filename, file.content_type, file.sha256))
    return Plan(
        ImportOptions(
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
        build_segmenter(choice) if policy in COMPUTING else _no_segment,
        sources,
        sum(file.size for file in files),
        document_limit(call.session, call.project),
        categories_from_folder,
        ({reads.name: reads.parameters} if reads else {}) | (converters or {}),
        reads.name if reads else converter,
        runner_for(call, used) if used else None,
        distinct_texts,
    )


def _no_segment(text: str, language: str) -> list[tuple[int, int]]:
    """Stands where the policy has nothing cut, so that a missing segmenter does not hinder such an import."""
    return []
