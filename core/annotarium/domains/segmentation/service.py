"""Rules of segmentation: who may recompute segments; one recomputation per project at a time."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.plans.active import active_segmenter
from annotarium.content.segmenter_choice import SegmenterChoice, validated_choice
from annotarium.db.models import Job
from annotarium.domains.components.service import require_component
from annotarium.domains.segmentation import repository
from annotarium.errors import Conflict
from annotarium.jobs.job_creation import start_job
from annotarium_schemas.messages import message


def start_recomputation(call: ProjectCall, choice: SegmenterChoice | None = None) -> Job:
    """Start a job that segments all documents again: by `choice`, else the active plan, else the project's setting
    (T-031).

    If the same job is already waiting or running, that job is returned.

    Raises:
        AccessDenied: the caller may not use the segmenter of `choice`.
        InvalidInput: the segmenter is not installed, or its parameters are invalid.
        Conflict: a job with another segmenter is waiting or running.
    """
    checked = _checked_segmenter_choice(call, choice)
    arguments = {"project_name": call.project.name, "segmenter": checked.model_dump(mode="json", by_alias=True)}
    repository.lock_project(call.session, call.project.id)
    running = repository.running_recomputation(call.session, call.project.id)
    if running is not None:
        if running.arguments == arguments:
            return running
        raise Conflict(
            message("busy.segments", "The segments are being computed with another setting"),
            fix="Cancel that job, or wait for it",
        )
    return start_job(
        call.unit,
        type="PROJECT_SEGMENTATION",
        function="recompute_segments",
        queue="long",
        arguments=arguments,
        project=call.project,
        created_by=call.username,
        description=message("start.segments", "Segments of {project}", project=call.project.label),
    )


def start_preview(call: ProjectCall, choice: SegmenterChoice | None) -> Job:
    """Start an interactive job that previews `start_recomputation`. Raises `AccessDenied`, `InvalidInput`."""
    checked = _checked_segmenter_choice(call, choice)
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="preview_segments",
        arguments={"project_name": call.project.name, "segmenter": checked.model_dump(mode="json", by_alias=True)},
        project=call.project,
        created_by=call.username,
        description=message("start.trySegments", "Trying segments of {project}", project=call.project.label),
        queue="interactive",
    )


def _checked_segmenter_choice(call: ProjectCall, choice: SegmenterChoice | None) -> SegmenterChoice:
    checked = validated_choice(choice or active_segmenter(call.session, call.project))
    if choice is not None:
        require_component(call.access, "segmenter", checked.name)
    return checked
