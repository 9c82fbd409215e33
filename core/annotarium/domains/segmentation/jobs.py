"""Jobs that recompute segments, or preview the effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.segmenter_choice import SegmenterChoice, build_segmenter
from annotarium.content.training_data import training_data_changed
from annotarium.db.models import History
from annotarium.domains.segmentation import repository
from annotarium.domains.segmentation.resegmentation import (
    SEGMENT_BOUND,
    Resegmentation,
    batches_of_document_ids,
    detached_message,
    resegment,
)
from annotarium.domains.segmentation.schemas import Preview, Tied, Tried
from annotarium.errors import InvalidInput
from annotarium.importing.outcome import REFUSED, REPLACED, Outcome
from annotarium.importing.repository import insert_job_items
from annotarium.jobs.context import JobContext, job_function
from annotarium.search.repository import count_documents
from annotarium_schemas.messages import join_messages, message

PAGE = 1_000
SAMPLE_DOCUMENTS, SAMPLE_CHARACTERS = 100, 500_000
EXAMPLES, EXAMPLE_CHARACTERS = 5, 300
HISTORY = message("cut.kept", "They stay where they are in the text; the earlier segments are in the history")


@job_function("recompute_segments", interrupted="resumes")
def recompute_segments(context: JobContext, project_name: str, segmenter: dict[str, Any]) -> None:
    """Recompute the segments of every document of a project.

    Texts are segmented outside transactions; each batch is written in one transaction together with its report lines. A
    resumed run finds the documents of the first run unchanged, so nothing is written or counted twice. A document that
    cannot be segmented keeps its segments and is reported.

    Raises:
        InvalidInput: no document could be segmented.
    """
    choice = SegmenterChoice.model_validate(segmenter)
    segment = build_segmenter(choice)
    with context.open(project_name, write=False) as call:
        total, language = count_documents(call.session, call.project.id), call.project.lang
    reported = context.done_items()
    done = refused = 0
    words = ""
    for ids in batches_of_document_ids(_iterate_document_sizes(context, project_name)):
        context.progress(
            done,
            max(done, total),
            message(
                "done.ofDocuments",
                "{done:,} of {count:,} documents",
                one="{done:,} of {count:,} document",
                done=done,
                count=total,
            ),
        )
        with context.open(project_name, write=False) as call:
            states = repository.load_segmented(call.session, ids)
        results = [resegment(one, segment, language, annotations_whole=choice.annotations_whole) for one in states]
        _write_new_segments(context, project_name, results, done, reported)
        done += len(ids)
        failed = [one.refused for one in results if one.refused]
        refused += len(failed)
        words = words or next(iter(failed), "")
    context.progress(done, done, message("done.documents", "{count:,} documents", one="{count:,} document", count=done))
    if refused and refused == done:
        raise InvalidInput(
            message("cut.none", "No document could be segmented: {why}", why=words),
            fix=message("fix.otherSegmenter", "Choose another segmenter"),
        )
    text, result = _summary(context, project_name, done, refused)
    context.finish(message=text, result=result)


def _iterate_document_sizes(context: JobContext, project_name: str) -> Iterator[tuple[int, int]]:
    """(id, code points) of all documents, including those added in the meantime."""
    after = 0
    while True:
        with context.open(project_name, write=False) as call:
            page = repository.document_sizes(call.session, call.project.id, after, PAGE)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1][0]


def _write_new_segments(
    context: JobContext, project_name: str, results: list[Resegmentation], done: int, reported: Collection[str]
) -> None:
    """Store the new segments of a batch with their history and report lines. Documents deleted since are skipped."""
    if not any(one.changed or one.refused for one in results):
        return
    with context.open(project_name, write=True) as call:
        live = repository.live_ids(call.session, [one.state.id for one in results])
        changed = [one for one in results if one.changed and one.state.id in live]
        repository.replace_segments(call.session, call.project.id, [(one.state, one.ranges) for one in changed])
        for one in changed:
            _append_history(call, one)
        lines = [_report_line(one, number) for number, one in enumerate(results, start=done) if one.state.id in live]
        insert_job_items(call.session, context.job_id, [line for line in lines if line and line.item not in reported])
        if changed:
            training_data_changed.send(call)
            arg = {"type": "segmented", "count": len(changed), "by": call.username}
            call.unit.emit("segments", arg, project=project_name)


def _append_history(call: ProjectCall, one: Resegmentation) -> None:
    values: dict[str, Any] = {"project_id": call.project.id, "document_id": one.state.id, "entity_id": one.state.id}
    values |= {"entity": repository.SEGMENTS, "action": "recomputed", "actor": call.username, "job_id": call.job_id}
    call.unit.append(History, values | {"before": one.former(), "after": one.counts()})
    call.unit.touch(call.project.id, "document", document_id=one.state.id)


def _report_line(one: Resegmentation, number: int) -> Outcome | None:
    """The report line of a document, if it was refused or something lost its segment, else None."""
    identifier = one.state.identifier
    if one.refused:
        return Outcome(identifier, number, REFUSED, identifier, one.refused, one.fix)
    words = detached_message(one.detached)
    return Outcome(identifier, number, REPLACED, identifier, words, HISTORY) if words and one.changed else None


def _summary(context: JobContext, project_name: str, done: int, refused: int) -> tuple[str, dict[str, Any]]:
    sums: Counter[str] = Counter()
    changed = 0
    with context.open(project_name, write=False) as call:
        for counts in repository.counts_per_recomputed_document(call.session, context.job_id):
            sums.update(counts)
            changed += 1
        segments = repository.count_tied_to_segments(call.session, call.project.id)["segments"]
    figures: dict[str, Any] = {"changed": changed, "count": done, "before": sums["before"], "after": sums["after"]}
    words = message(
        "cut.same",
        "{changed:,} of {count:,} documents have new segments",
        one="{changed:,} of {count:,} document has new segments",
        changed=changed,
        count=done,
    )
    if changed:
        text = "{changed:,} of {count:,} documents have new segments ({before:,} became {after:,})"
        words = message(
            "cut.done",
            text,
            one="{changed:,} of {count:,} document has new segments ({before:,} became {after:,})",
            **figures,
        )
    failed = (
        message("cut.failed", "Documents that could not be segmented: {count:,}", count=refused) if refused else None
    )
    result = {"documents": done, "changed": changed, "refused": refused, "segments": segments}
    result |= {"segmentsBefore": sums["before"], "segmentsAfter": sums["after"], "kept": sums["kept"]}
    result |= {kind: sums[kind] for kind in SEGMENT_BOUND}
    return join_messages([words, detached_message(sums), failed], ". "), result


@job_function("preview_segments")
def preview_segments(context: JobContext, project_name: str, segmenter: dict[str, Any]) -> None:
    """Compute the effect of new segments on a random sample of documents; the result is a `Preview`. Writes nothing."""
    choice = SegmenterChoice.model_validate(segmenter)
    segment = build_segmenter(choice)
    with context.open(project_name, write=False) as call:
        sizes = repository.random_document_sizes(call.session, call.project.id, SAMPLE_DOCUMENTS)
        states = repository.load_segmented(call.session, _ids_within_character_limit(sizes, SAMPLE_CHARACTERS))
        total = repository.count_tied_to_segments(call.session, call.project.id)
        language = call.project.lang
    results = [resegment(one, segment, language, annotations_whole=choice.annotations_whole) for one in states]
    preview = Preview(total=Tied(**total), sample=_sample_figures(results), examples=_example_segments(results))
    context.finish(message=message("cut.tried", "Tried"), result=preview.model_dump(mode="json", by_alias=True))


def _ids_within_character_limit(sizes: list[tuple[int, int]], characters: int) -> list[int]:
    """Ids of the first documents whose texts fit in `characters`, at least one.

    Args:
        sizes: (id, code points).
    """
    ids: list[int] = []
    for document_id, length in sizes:
        characters -= length
        if ids and characters < 0:
            break
        ids.append(document_id)
    return ids


def _sample_figures(results: list[Resegmentation]) -> Tried:
    detached: Counter[str] = Counter()
    for one in results:
        detached.update(one.detached)
    return Tried(
        documents=len(results),
        changed=sum(one.changed for one in results),
        refused=sum(one.refused is not None for one in results),
        segments_before=sum(len(one.state.segments) for one in results),
        segments_after=sum(len(one.ranges) for one in results),
        kept=sum(one.kept for one in results),
        metadata=detached["metadata"],
        categories=detached["categories"],
        suggestions=detached["suggestions"],
        annotations=detached["annotations"],
    )


def _example_segments(results: list[Resegmentation]) -> list[str]:
    shown = next((one for one in results if one.changed), results[0] if results else None)
    if shown is None:
        return []
    return [shown.state.text[start:end][:EXAMPLE_CHARACTERS] for start, end in shown.ranges[:EXAMPLES]]
