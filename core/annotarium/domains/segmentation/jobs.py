"""Jobs of segmentation: compute the segments again, and try what that would do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus.material import material_changed
from annotarium.corpus.outcome import REFUSED, REPLACED, Outcome
from annotarium.corpus.repository import insert_job_items
from annotarium.corpus.segmenter import SegmenterChoice, build_segmenter
from annotarium.db.models import History
from annotarium.domains.segmentation import repository
from annotarium.domains.segmentation.recompute import TIED, Recut, apart_words, in_batches, recut
from annotarium.domains.segmentation.schemas import Preview, Tied, Tried
from annotarium.errors import InvalidInput
from annotarium.jobs.context import JobContext, job_function
from annotarium.search.repository import count_documents
from annotarium_schemas.said import joined, say

PAGE = 1_000
SAMPLE_DOCUMENTS, SAMPLE_CHARACTERS = 100, 500_000
EXAMPLES, EXAMPLE_CHARACTERS = 5, 300
HISTORY = say("cut.kept", "They stay where they are in the text; the former segments are in the history")


@job_function("recompute_segments", interrupted="resumes")
def recompute_segments(context: JobContext, project_name: str, segmenter: dict[str, Any]) -> None:
    """Cut every document of a project anew.

    Texts are cut outside transactions; each batch is written in one, with its report. A second run finds the documents
    of the first unchanged, so that nothing is written or counted twice. A document that cannot be cut keeps its
    segments and is reported.

    Raises:
        InvalidInput: no document could be cut.
    """
    choice = SegmenterChoice.model_validate(segmenter)
    segment = build_segmenter(choice)
    with context.open(project_name, write=False) as call:
        total, language = count_documents(call.session, call.project.id), call.project.lang
    reported = context.done_items()
    done = refused = 0
    words = ""
    for ids in in_batches(_sizes(context, project_name)):
        context.progress(
            done, max(done, total), say("done.ofDocuments", "{done:,} of {count:,} documents", done=done, count=total)
        )
        with context.open(project_name, write=False) as call:
            states = repository.load_cuts(call.session, ids)
        cuts = [recut(one, segment, language, annotations_whole=choice.annotations_whole) for one in states]
        _write(context, project_name, cuts, done, reported)
        done += len(ids)
        failed = [one.refused for one in cuts if one.refused]
        refused += len(failed)
        words = words or next(iter(failed), "")
    context.progress(done, done, say("done.documents", "{count:,} documents", count=done))
    if refused and refused == done:
        raise InvalidInput(
            say("cut.none", "No document could be cut: {why}", why=words),
            fix=say("fix.otherSegmenter", "Choose another segmenter"),
        )
    message, result = _summary(context, project_name, done, refused)
    context.finish(message=message, result=result)


def _sizes(context: JobContext, project_name: str) -> Iterator[tuple[int, int]]:
    """(id, code points) of all documents, those that come meanwhile too."""
    after = 0
    while True:
        with context.open(project_name, write=False) as call:
            page = repository.document_sizes(call.session, call.project.id, after, PAGE)
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1][0]


def _write(context: JobContext, project_name: str, cuts: list[Recut], done: int, reported: Collection[str]) -> None:
    """Store the new segments of a batch, with what they were and what lost its segment."""
    if not any(one.changed or one.refused for one in cuts):
        return
    with context.open(project_name, write=True) as call:
        live = repository.live_ids(call.session, [one.state.id for one in cuts])
        changed = [one for one in cuts if one.changed and one.state.id in live]
        repository.replace_segments(call.session, call.project.id, [(one.state, one.ranges) for one in changed])
        for one in changed:
            _record(call, one)
        lines = [_line(one, number) for number, one in enumerate(cuts, start=done) if one.state.id in live]
        insert_job_items(call.session, context.job_id, [line for line in lines if line and line.item not in reported])
        if changed:
            material_changed(call)
            arg = {"type": "segmented", "count": len(changed), "by": call.username}
            call.unit.emit("segments", arg, project=project_name)


def _record(call: ProjectCall, one: Recut) -> None:
    values: dict[str, Any] = {"project_id": call.project.id, "document_id": one.state.id, "entity_id": one.state.id}
    values |= {"entity": repository.SEGMENTS, "action": "recomputed", "actor": call.username, "job_id": call.job_id}
    call.unit.append(History, values | {"before": one.former(), "after": one.counts()})
    call.unit.touch(call.project.id, "document", document_id=one.state.id)


def _line(one: Recut, number: int) -> Outcome | None:
    """A line of the report, only where there is something to say."""
    identifier = one.state.identifier
    if one.refused:
        return Outcome(identifier, number, REFUSED, identifier, one.refused, one.fix)
    words = apart_words(one.apart)
    return Outcome(identifier, number, REPLACED, identifier, words, HISTORY) if words and one.changed else None


def _summary(context: JobContext, project_name: str, done: int, refused: int) -> tuple[str, dict[str, Any]]:
    sums: Counter[str] = Counter()
    changed = 0
    with context.open(project_name, write=False) as call:
        for counts in repository.recomputed(call.session, context.job_id):
            sums.update(counts)
            changed += 1
        segments = repository.count_tied(call.session, call.project.id)["segments"]
    figures: dict[str, Any] = {"changed": changed, "count": done, "before": sums["before"], "after": sums["after"]}
    words = say("cut.same", "{changed:,} of {count:,} documents have new segments", changed=changed, count=done)
    if changed:
        text = "{changed:,} of {count:,} documents have new segments ({before:,} became {after:,})"
        words = say("cut.done", text, **figures)
    failed = say("cut.failed", "Documents that could not be cut: {count:,}", count=refused) if refused else None
    result = {"documents": done, "changed": changed, "refused": refused, "segments": segments}
    result |= {"segmentsBefore": sums["before"], "segmentsAfter": sums["after"], "kept": sums["kept"]}
    result |= {kind: sums[kind] for kind in TIED}
    return joined([words, apart_words(sums), failed], ". "), result


@job_function("preview_segments")
def preview_segments(context: JobContext, project_name: str, segmenter: dict[str, Any]) -> None:
    """What cutting anew would do to documents drawn at random; the result is a `Preview`. Nothing is written."""
    choice = SegmenterChoice.model_validate(segmenter)
    segment = build_segmenter(choice)
    with context.open(project_name, write=False) as call:
        sizes = repository.sample_sizes(call.session, call.project.id, SAMPLE_DOCUMENTS)
        states = repository.load_cuts(call.session, _within(sizes, SAMPLE_CHARACTERS))
        total = repository.count_tied(call.session, call.project.id)
        language = call.project.lang
    cuts = [recut(one, segment, language, annotations_whole=choice.annotations_whole) for one in states]
    preview = Preview(total=Tied(**total), sample=_tried(cuts), examples=_examples(cuts))
    context.finish(message=say("cut.tried", "Tried"), result=preview.model_dump(mode="json", by_alias=True))


def _within(sizes: list[tuple[int, int]], characters: int) -> list[int]:
    """Ids of as many documents as the characters allow, one at least."""
    ids: list[int] = []
    for document_id, length in sizes:
        characters -= length
        if ids and characters < 0:
            break
        ids.append(document_id)
    return ids


def _tried(cuts: list[Recut]) -> Tried:
    apart: Counter[str] = Counter()
    for one in cuts:
        apart.update(one.apart)
    return Tried(
        documents=len(cuts),
        changed=sum(one.changed for one in cuts),
        refused=sum(one.refused is not None for one in cuts),
        segments_before=sum(len(one.state.segments) for one in cuts),
        segments_after=sum(len(one.ranges) for one in cuts),
        kept=sum(one.kept for one in cuts),
        metadata=apart["metadata"],
        categories=apart["categories"],
        suggestions=apart["suggestions"],
        annotations=apart["annotations"],
    )


def _examples(cuts: list[Recut]) -> list[str]:
    shown = next((one for one in cuts if one.changed), cuts[0] if cuts else None)
    if shown is None:
        return []
    return [shown.state.text[start:end][:EXAMPLE_CHARACTERS] for start, end in shown.ranges[:EXAMPLES]]
