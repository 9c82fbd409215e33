"""Job that rebuilds indices; importing this module also registers the jobs of archives."""

from __future__ import annotations

from annotarium.domains.projects.archive import jobs as archives
from annotarium.errors import NotFound
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message

__all__ = ["archives", "reindex_projects"]


@job_function("reindex_projects")
def reindex_projects(context: JobContext, project_names: list[str]) -> None:
    """Have the index of each project rebuilt: writes one outbox row per project, applied after the commit."""
    done = 0
    for position, name in enumerate(project_names):
        context.progress(position, len(project_names), message("doing.index", "Indexing {project}", project=name))
        try:
            with context.open(name, write=True) as call:
                call.unit.touch(call.project.id, "project")
                done += 1
        except NotFound:
            continue  # deleted since the job was started
    context.progress(len(project_names), len(project_names), message("done.indexed", "Indexed"))
    context.finish(
        message=message(
            "done.indexedProjects", "{count:,} projects indexed", one="{count:,} project indexed", count=done
        )
    )
