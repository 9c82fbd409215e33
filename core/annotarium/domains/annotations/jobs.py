"""Jobs of annotations. They work in batches of documents, one transaction each; a second run skips what exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.propagation import run_propagation
from annotarium.content.labelling.repository import JobChanges
from annotarium.domains.annotations import propagation
from annotarium.domains.annotations.occurrences import OccurrenceQuery
from annotarium.domains.labels.service import require_label
from annotarium.jobs.context import JobContext, job_function
from annotarium.search.selection import Selection
from annotarium_schemas.messages import message


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

    def propagate(call: ProjectCall, document_ids: Sequence[int]) -> int:
        label_id = require_label(call, label).id
        spans = propagation.find_spans_to_label(call, label_id, query, document_ids)
        propagation.create_copies(call, template | {"label_id": label_id}, spans.copies)
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
