"""Jobs of saved questions."""

from __future__ import annotations

from typing import Any

from annotarium.domains.imports.jobs import run_import
from annotarium.domains.questions import service
from annotarium.domains.questions.importer import QuestionImporter
from annotarium.jobs.context import JobContext, job_function


@job_function(service.IMPORT_FUNCTION, interrupted="resumes")
def import_questions(context: JobContext, project_name: str, **arguments: Any) -> None:
    """Import files of questions, with their documents and judgements.

    Args:
        arguments: those of `import_documents`.
    """
    run_import(context, project_name, arguments, QuestionImporter)
    with context.open(project_name) as call:
        service.notify_questions(call, "saved")
