"""The job that fills a sample project."""

from __future__ import annotations

from typing import Any

from annotarium.domains.sample_projects import service
from annotarium.jobs.context import JobContext, find_job_function, job_function


@job_function(service.JOB_FUNCTION, interrupted="resumes")
def fill_sample_project(context: JobContext, project_name: str, **arguments: Any) -> None:
    """Import the documents, then start the training and the suggester as jobs of their own.

    Args:
        arguments: those of `import_documents`.
    """
    import_documents = find_job_function("import_documents")
    assert import_documents is not None  # all job functions are loaded together
    import_documents(context, project_name, **arguments)
    with context.open(project_name, write=False) as call:
        components = service.choose_components(call)
    if components is not None:
        with context.open(project_name) as call:
            service.start_learning(call, components)
