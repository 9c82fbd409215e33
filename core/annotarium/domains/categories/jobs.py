"""Jobs of categories. They work in batches of documents, one transaction each; a second run skips what exists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from annotarium.access.call import require_permission
from annotarium.content.labelling.propagation import RIGHT, run_propagation
from annotarium.content.labelling.repository import JobChanges
from annotarium.domains.categories import propagation
from annotarium.domains.categories.similarity import SimilarityCriterion
from annotarium.domains.labels.service import require_label
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message

POSITIONS_AT_ONCE = 500
"""Categories written in one transaction, for which other writers wait."""


@job_function(propagation.FUNCTION)
def propagate_category(
    context: JobContext,
    project_name: str,
    label: str,
    likeness: dict[str, Any],
    sentences: bool,
    total: int,
    only: int | None = None,
) -> None:
    """Assign a category to all similar sentences or documents of the corpus, or of one document, on which nobody has
    decided yet.
    """
    criterion = SimilarityCriterion(**likeness)

    def propagate(document_ids: Sequence[int]) -> int:
        # Texts are compared while others may write; what is found is written in short transactions.
        with context.open(project_name, write=False) as call:
            found_label = require_label(call, label)
            similar = propagation.find_similar(call, found_label, criterion, document_ids, sentences=sentences)
        for first in range(0, len(similar.free), POSITIONS_AT_ONCE):
            with context.open(project_name) as call:
                require_permission(call, RIGHT)
                found_label = require_label(call, label)
                part = similar.free[first : first + POSITIONS_AT_ONCE]
                free = propagation.still_free(call, found_label, part)
                propagation.assign_to_positions(call, found_label, free)
        return similar.documents

    def summary(given: JobChanges, places: str) -> str:
        return message(
            "done.categoriesIn",
            "{count:,} categories added to {places}",
            one="{count:,} category added to {places}",
            count=given.changes,
            places=places,
        )

    find_ids = partial(propagation.candidate_document_ids, criterion=criterion, only=only)
    run_propagation(context, project_name, total, find_ids, propagate, summary)
