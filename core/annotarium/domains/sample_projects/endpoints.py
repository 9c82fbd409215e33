"""Endpoint of sample projects."""

from __future__ import annotations

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.domains.sample_projects import service
from annotarium.domains.sample_projects.schemas import SampleStarted
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["projects"])


@router.post("/projects/_sample")
@guarded("createProject", idempotent=True)
def create_sample_project(call: Call) -> SampleStarted:
    """Create a project with film biographies, have a model trained on them, and suggestions made (extension)."""
    return service.create_sample_project(call)
