"""Jobs of categories: batches of documents, each in one transaction; a second run skips what the first gave."""

from __future__ import annotations

from itertools import islice
from typing import Any

from annotarium.corpus.labelling import repository as labelling
from annotarium.corpus.labelling.likeness import Likeness
from annotarium.domains.categories import propagation
from annotarium.domains.documents.service import require_right
from annotarium.domains.labels.service import require_label
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.said import say


@job_function(propagation.FUNCTION)
def propagate_category(
    context: JobContext, project_name: str, label: str, likeness: dict[str, Any], sentences: bool, total: int
) -> None:
    """Give a category to all sentences or documents of the corpus that are like one, where nobody decided yet."""
    wanted = Likeness(**likeness)
    with context.open(project_name, write=False) as call:
        ids = propagation.candidates(call, wanted)
    seen = 0
    while batch := list(islice(ids, propagation.BATCH)):
        context.progress(min(seen, total), total, say("doing.read", "{count:,} documents read", count=seen))
        with context.open(project_name) as call:
            require_right(call, propagation.RIGHT)
            meant = require_label(call, label)
            alike = propagation.places_like(call, meant, wanted, batch, sentences=sentences)
            propagation.give(call, meant, alike)
        seen += alike.documents
    with context.open(project_name, write=False) as call:
        changes, changed = labelling.count_job_changes(call, context.job_id)
    places = say("number.documents", "{count:,} documents", count=changed)
    words = say("done.categoriesIn", "{count:,} categories added in {places}", count=changes, places=places)
    context.progress(total, total, words)
    context.finish(message=words, result={"found": seen, "documents": changed, "changes": changes})
