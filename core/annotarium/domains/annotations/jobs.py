"""Jobs of annotations. They work in batches of documents, one transaction each; a second run skips what exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from annotarium.access.call import require_permission
from annotarium.content.labelling.propagation import RIGHT, run_propagation
from annotarium.content.labelling.repository import JobChanges
from annotarium.domains.annotations import propagation
from annotarium.domains.annotations.occurrences import OccurrenceQuery
from annotarium.domains.labels.service import require_label
from annotarium.jobs.context import JobContext, job_function
from annotarium.search.selection import Selection
from annotarium_schemas.messages import message

SPANS_AT_ONCE = 500
"""Annotations written in one transaction, for which other writers wait."""


@job_function(propagation.FUNCTION)
def propagate_annotation(
    context: JobContext,
    project_name: str,
    label: str,
    template: dict[str, Any],
    wanted: dict[str, Any],
    total: int,
    search: dict[str, Any] | None = None,
) -> None:
    """Annotate all equal occurrences of a text in the corpus, or in what a search finds, that lack the label."""
    query = OccurrenceQuery(**wanted)
    selection = None if search is None else Selection.from_json(search)

    def propagate(document_ids: Sequence[int]) -> int:
        # Texts are searched while others may write; what is found is written in short transactions.
        with context.open(project_name, write=False) as call:
            spans = propagation.find_spans_to_label(call, require_label(call, label).id, query, document_ids)
        for part in propagation.parts_of_copies(spans.copies, SPANS_AT_ONCE):
            with context.open(project_name) as call:
                require_permission(call, RIGHT)
                label_id = require_label(call, label).id
                still = propagation.still_to_label(call, label_id, part)
                propagation.create_copies(call, template | {"label_id": label_id}, still)
        return spans.documents

    def summary(made: JobChanges, places: str) -> str:
        return message(
            "done.annotationsIn",
            "{count:,} annotations created in {places}",
            one="{count:,} annotation created in {places}",
            count=made.changes,
            places=places,
        )

    find_ids = partial(propagation.candidate_document_ids, query=query, search=selection)
    run_propagation(context, project_name, total, find_ids, propagate, summary)
