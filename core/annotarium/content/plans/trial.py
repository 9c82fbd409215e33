"""A trial: a plan runs on one document, and each step says what it added and removed. Nothing is stored."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from annotarium.content.plans.runner import PlanRunner, StepRun
from annotarium.content.segmentation import SegmentFunction, segment_text
from annotarium.content.validation import InvalidContent
from annotarium_schemas.documents import Annotation, Category, Document, Sentence
from annotarium_schemas.messages import message_of

TRIAL_CHARACTERS = 100_000
"""Longest text of a trial. Of a longer document, only its beginning is tried."""
MAX_ITEMS = 20_000
"""Annotations and categories that an answer lists; further ones are only counted."""
MAX_SEGMENTS = 5_000
"""Segments that an answer lists for a step; further ones are only counted."""

TrialJson = dict[str, Any]
LabelledItem = Annotation | Category


class _Snapshot(NamedTuple):
    """The document between two steps; `items` are indexes of `_ItemTable`."""

    items: list[int]
    segments: list[tuple[int, int]]
    metadata: dict[str, Any]
    language: str


class _ItemTable:
    """Every annotation and category that the document had at some time, each once."""

    def __init__(self) -> None:
        self.items: list[LabelledItem] = []

    def indexes_of(self, document: Document, before: Sequence[int]) -> list[int]:
        """Return the indexes of what the document has now. What it had before keeps its index."""
        free: dict[tuple[object, ...], deque[int]] = defaultdict(deque)
        for index in before:
            free[_item_key(self.items[index])].append(index)
        found = []
        labelled: list[LabelledItem] = [*document.annotations, *document.categories]
        for item in labelled:
            known = free[_item_key(item)]
            if known:
                found.append(known.popleft())
            else:
                found.append(len(self.items))
                self.items.append(item.model_copy())
        return found


def _item_key(item: LabelledItem) -> tuple[object, ...]:
    fragments = tuple(map(tuple, getattr(item, "fragments", None) or ()))
    return type(item), item.start, item.end, fragments, item.label_name or item.label, item.status


def try_plan(document: Document, runner: PlanRunner, segment: SegmentFunction | None) -> TrialJson:
    """Run a plan on a document and return the result after each step as JSON.

    A step that fails ends the trial: what was found before it is returned, with the reason.

    Args:
        segment: segments the text before the first step if the document has no segments; None = it stays without.

    Raises:
        InvalidContent: the segmenter failed.
    """
    document = document.model_copy(deep=True)
    begin = time.perf_counter()
    if segment is not None and not document.sentences:
        ranges = segment_text(document.text, runner.language, segment)
        document.sentences = [Sentence(start=start, end=end) for start, end in ranges]
    table = _ItemTable()
    seen = _snapshot(document, runner.language, table, ())
    start = {
        "seconds": time.perf_counter() - begin,
        "items": _listed(seen.items),
        "count": len(seen.items),
        **_segments_json(seen),
    }
    done = list(_step_results(document, seen, runner, table))
    done += [{"state": "notReached"} for _ in runner.plan.pipeline[len(done) :]]
    items = [_item_json(index, item) for index, item in enumerate(table.items[:MAX_ITEMS])]
    return {"text": document.text, "items": items, "start": start, "steps": done}


def _step_results(document: Document, seen: _Snapshot, runner: PlanRunner, table: _ItemTable) -> Iterator[TrialJson]:
    runs = runner.run_steps(document)
    while True:
        try:
            run = next(runs, None)
        except InvalidContent as error:
            texts = {"problem": error.message, "fix": error.fix}
            yield {"state": "failed", **texts, "said": message_of(**texts)}
            return
        if run is None:
            return
        after = _snapshot(run.document, run.language, table, seen.items)
        yield _step_json(run, seen, after)
        seen = after


def _snapshot(document: Document, language: str, table: _ItemTable, before: Sequence[int]) -> _Snapshot:
    segments = [(one.start, one.end) for one in document.sentences or ()]
    return _Snapshot(table.indexes_of(document, before), segments, dict(document.metadata), language)


def _step_json(run: StepRun, before: _Snapshot, after: _Snapshot) -> TrialJson:
    there, gone = set(before.items), set(before.items) - set(after.items)
    added = [index for index in after.items if index not in there]
    result: TrialJson = {
        "state": run.state,
        "seconds": run.seconds,
        "loadingSeconds": run.loading,
        "added": _listed(added),
        "removed": _listed(sorted(gone)),
        "addedCount": len(added),
        "removedCount": len(gone),
        "keptCount": len(there) - len(gone),
    }
    metadata = {name: value for name, value in after.metadata.items() if before.metadata.get(name) != value}
    if metadata:
        result["metadata"] = metadata
    if after.language != before.language:
        result["language"] = after.language
    if after.segments != before.segments:
        result |= _segments_json(after)
    return result


def _listed(indexes: Sequence[int]) -> list[int]:
    return [index for index in indexes if index < MAX_ITEMS]


def _segments_json(state: _Snapshot) -> TrialJson:
    return {"segments": state.segments[:MAX_SEGMENTS], "segmentCount": len(state.segments)}


def _item_json(index: int, item: LabelledItem) -> TrialJson:
    kind = "annotation" if isinstance(item, Annotation) else "category"
    body = item.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"identifier", "properties"})
    if body.get("creationMode") == "imported":
        del body["creationMode"]  # not a value of the published enumeration
    body.setdefault("labelName", item.label or "")
    return body | {"id": index, "kind": kind}
