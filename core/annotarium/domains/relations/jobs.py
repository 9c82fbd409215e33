"""Job that deletes a name with its many relations. A resumed job continues where the first run stopped."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.domains.relations import name_deletion, repository
from annotarium.errors import AccessDenied
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message


@job_function(name_deletion.DELETE)
def delete_relation_name(context: JobContext, project_name: str, name: str) -> None:
    """Delete a name with all its relations."""
    left, seen = True, 0
    while left:
        with context.open(project_name) as call:
            _require_label_writing(call)
            left = name_deletion.delete_next_relations(call, name)
        seen += name_deletion.STEP
        context.progress(
            seen, 0, message("doing.relations", "{count:,} relations seen", one="{count:,} relation seen", count=seen)
        )
    with context.open(project_name, write=False) as call:
        documents, changes = repository.count_job_changes(call.session, context.job_id)
    context.finish(
        message=message(
            "done.changed", "{count:,} documents changed", one="{count:,} document changed", count=documents
        ),
        result={"documents": documents, "changes": changes},
    )


def _require_label_writing(call: ProjectCall) -> None:
    if not call.access.can("writeLabel"):
        raise AccessDenied(
            "Authorization has been denied.", cause=message("denied.writeLabel", "The permission writeLabel is missing")
        )
