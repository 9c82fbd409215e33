"""Response models of sample projects."""

from __future__ import annotations

from annotarium_schemas.shape import Shape


class SampleStarted(Shape):
    """A new sample project, and the job that fills it. The job then starts a training and a suggester."""

    project_name: str
    job_id: str
