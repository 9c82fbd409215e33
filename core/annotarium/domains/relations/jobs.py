"""Deleting a name that many relations have. A second run goes on where the first stopped."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.domains.relations import acts, repository
from annotarium.errors import AccessDenied
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.said import say


@job_function(acts.DELETE)
def delete_relation_name(context: JobContext, project_name: str, name: str) -> None:
    """Delete a name with the relations that have it."""
    left, seen = True, 0
    while left:
        with context.open(project_name) as call:
            _require_writing(call)
            left = acts.delete_step(call, name)
        seen += acts.STEP
        context.progress(seen, 0, say("doing.relations", "{count:,} relations seen", count=seen))
    with context.open(project_name, write=False) as call:
        documents, changes = repository.count_job_changes(call.session, context.job_id)
    context.finish(
        message=say("done.changed", "{count:,} documents changed", count=documents),
        result={"documents": documents, "changes": changes},
    )


def _require_writing(call: ProjectCall) -> None:
    if not call.access.can("writeLabel"):
        raise AccessDenied(
            "Authorization has been denied.", cause=say("denied.writeLabel", "The permission writeLabel is missing")
        )
