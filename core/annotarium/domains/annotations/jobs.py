"""Jobs of annotations. They work in batches of documents, one transaction each; a second run skips what exists."""

from __future__ import annotations

from itertools import islice
from typing import Any

from annotarium.access.call import require_permission
from annotarium.content.labelling import repository as labelling
from annotarium.domains.annotations import propagation
from annotarium.domains.annotations.occurrences import OccurrenceQuery
from annotarium.domains.labels.service import require_label
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message


@job_function(propagation.FUNCTION)
def propagate_annotation(
    context: JobContext, project_name: str, label: str, template: dict[str, Any], wanted: dict[str, Any], total: int
) -> None:
    """Annotate all equal occurrences of a text in the corpus that do not have the label yet."""
    query = OccurrenceQuery(**wanted)
    with context.open(project_name, write=False) as call:
        ids = propagation.candidate_document_ids(call, query)
    seen = 0
    while batch := list(islice(ids, propagation.BATCH)):
        context.progress(
            min(seen, total),
            total,
            message("doing.read", "{count:,} documents read", one="{count:,} document read", count=seen),
        )
        with context.open(project_name) as call:
            require_permission(call, propagation.RIGHT)
            label_id = require_label(call, label).id
            copies, documents, _ = propagation.find_spans_to_label(call, label_id, query, batch)
            propagation.create_copies(call, template | {"label_id": label_id}, copies)
        seen += documents
    with context.open(project_name, write=False) as call:
        changes, changed = labelling.count_job_changes(call, context.job_id)
    places = message("number.documents", "{count:,} documents", one="{count:,} document", count=changed)
    words = message(
        "done.annotationsIn",
        "{count:,} annotations made in {places}",
        one="{count:,} annotation made in {places}",
        count=changes,
        places=places,
    )
    context.progress(total, total, words)
    context.finish(message=words, result={"found": seen, "documents": changed, "changes": changes})
