"""Job that deletes a name with its many relations. A resumed job continues where the first run stopped."""

from __future__ import annotations

from annotarium.content.labelling.operation_jobs import finish_with_job_changes
from annotarium.content.labels import require_label_writing
from annotarium.domains.relations import name_deletion
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message


@job_function(name_deletion.DELETE)
def delete_relation_name(context: JobContext, project_name: str, name: str) -> None:
    """Delete a name with all its relations."""
    left, seen = True, 0
    while left:
        with context.open(project_name) as call:
            require_label_writing(call)
            left = name_deletion.delete_next_relations(call, name)
        seen += name_deletion.STEP
        context.progress(
            seen,
            0,
            message("doing.relations", "{count:,} relations processed", one="{count:,} relation processed", count=seen),
        )
    finish_with_job_changes(context, project_name)
