"""What propagating annotations and categories over a corpus shares: counting in batches, and the loop of the jobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import JobChanges, count_job_changes
from annotarium.jobs.context import JobContext
from annotarium_schemas.messages import message
from annotarium_schemas.shape import Shape

RIGHT = "annotateCorpus"
BATCH = 50
"""Documents at once."""
_COUNTING_SECONDS = 3.0
_SHORT = 40


class PropagationCounts(Shape):
    """What was found and made, or would be; the shapes of annotations and categories add theirs."""

    ok: bool = True
    scope: Literal["document", "found", "corpus"]
    documents: int
    occurrences: int
    existing: int = 0
    created: int = 0
    at_least: bool = False


class BatchCounts(NamedTuple):
    """Of some documents: how many have occurrences, how many those are, and how many of them can be labelled."""

    documents: int
    occurrences: int
    free: int


def count_in_batches(
    answer: PropagationCounts, ids: Iterator[int], count: Callable[[Sequence[int]], BatchCounts]
) -> None:
    """Add up what `count` finds in the documents, for some seconds; `at_least` says that there are more.

    Call it in a reading transaction: other writers would wait for a writing one.
    """
    until = time.monotonic() + _COUNTING_SECONDS
    while batch := list(islice(ids, BATCH)):
        counts = count(batch)
        answer.documents += counts.documents
        answer.occurrences += counts.occurrences
        answer.created += counts.free
        if time.monotonic() > until:
            answer.at_least = next(ids, None) is not None
            break
    answer.existing = answer.occurrences - answer.created


def shorten(text: str) -> str:
    """The begin of a text, for descriptions of jobs."""
    return text if len(text) <= _SHORT else text[:_SHORT] + "\u2026"


def run_propagation(
    context: JobContext,
    project_name: str,
    total: int,
    find_ids: Callable[[ProjectCall], Iterator[int]],
    propagate: Callable[[Sequence[int]], int],
    summary: Callable[[JobChanges, str], str],
) -> None:
    """Propagate over documents in batches and end the job.

    `propagate` opens its own transactions, in which it requires `RIGHT`, and answers in how many documents of a batch
    it found something; `summary` words what was made, given the text for the number of documents. A second run counts
    what the first one made.
    """
    with context.open(project_name, write=False) as call:
        ids = find_ids(call)
    seen = 0
    while batch := list(islice(ids, BATCH)):
        context.progress(
            min(seen, total),
            total,
            message("doing.read", "{count:,} documents read", one="{count:,} document read", count=seen),
        )
        seen += propagate(batch)
    with context.open(project_name, write=False) as call:
        changes = count_job_changes(call.session, context.job_id, action="created")
    text = summary(
        changes, message("number.documents", "{count:,} documents", one="{count:,} document", count=changes.documents)
    )
    context.progress(total, total, text)
    context.finish(message=text, result={"found": seen} | changes._asdict())
