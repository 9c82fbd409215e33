"""Jobs of categories. They work in batches of documents, one transaction each; a second run skips what exists."""

from __future__ import annotations

from itertools import islice
from typing import Any

from annotarium.access.call import require_permission
from annotarium.content.labelling import repository as labelling
from annotarium.domains.categories import propagation
from annotarium.domains.categories.similarity import SimilarityCriterion
from annotarium.domains.labels.service import require_label
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message


@job_function(propagation.FUNCTION)
def propagate_category(
    context: JobContext, project_name: str, label: str, likeness: dict[str, Any], sentences: bool, total: int
) -> None:
    """Assign a category to all similar sentences or documents of the corpus on which nobody has decided yet."""
    criterion = SimilarityCriterion(**likeness)
    with context.open(project_name, write=False) as call:
        ids = propagation.candidate_document_ids(call, criterion)
    seen = 0
    while batch := list(islice(ids, propagation.BATCH)):
        context.progress(
            min(seen, total),
            total,
            message("doing.read", "{count:,} documents read", one="{count:,} document read", count=seen),
        )
        with context.open(project_name) as call:
            require_permission(call, propagation.RIGHT)
            found_label = require_label(call, label)
            similar = propagation.find_similar(call, found_label, criterion, batch, sentences=sentences)
            propagation.assign_to_free_positions(call, found_label, similar)
        seen += similar.documents
    with context.open(project_name, write=False) as call:
        changes, changed = labelling.count_job_changes(call, context.job_id)
    places = message("number.documents", "{count:,} documents", one="{count:,} document", count=changed)
    words = message(
        "done.categoriesIn",
        "{count:,} categories added in {places}",
        one="{count:,} category added in {places}",
        count=changes,
        places=places,
    )
    context.progress(total, total, words)
    context.finish(message=words, result={"found": seen, "documents": changed, "changes": changes})
