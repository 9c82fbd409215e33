"""Rules of project archives: who may export what, the name of an imported project, what it replaces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from annotarium.access.call import Call, ProjectCall
from annotarium.content.group_limits import check_group_limits
from annotarium.content.validation import InvalidContent
from annotarium.db.identifiers import new_id
from annotarium.db.models import Group, Job, Project
from annotarium.domains.imports import uploads
from annotarium.domains.imports.upload_receiving import upload_path
from annotarium.domains.projects import policy
from annotarium.domains.projects import repository as projects
from annotarium.domains.projects.archive import repository, unpacking
from annotarium.domains.projects.archive.archive_format import EXTENSION
from annotarium.domains.projects.archive.project_name_references import archived_project_name
from annotarium.domains.projects.archive.readable_rows import may_export_models
from annotarium.domains.projects.archive.restoring import new_invisible_project
from annotarium.domains.projects.archive.writing import ArchiveExport, write_archive
from annotarium.domains.projects.names import free_name, name_from_label
from annotarium.domains.projects.schemas import LABEL_LENGTH
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.serializers import ENDED, RESTORED_LABEL, RESTORED_NAME, job_to_json
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")
_IMAGE_NAME = re.compile(r"[\w.@+-]{1,200}", re.ASCII)


def filename_of(project: Project) -> str:
    """The file name of the project's archive (C-054)."""
    return f"{project.name}{EXTENSION}"


def export_project(call: ProjectCall, *, models: bool, history: bool) -> Iterator[bytes]:
    """The bytes of the project's archive, with what the caller may read."""
    return write_archive(
        ArchiveExport(call.access, call.project.id, models=models and may_export_models(call), history=history)
    )


def start_export(call: ProjectCall, *, models: bool, history: bool) -> Job:
    """Start a job that writes the archive to a file for download."""
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="export_project",
        queue="heavy",
        arguments={"project_name": call.project.name, "models": models, "history": history},
        project=call.project,
        created_by=call.username,
        description=message("start.exportProject", "Export of {project}", project=call.project.label),
    )


def start_import(
    call: Call, upload_id: str, *, group_name: str | None, reuse_name: bool, name: str | None, label: str | None
) -> dict[str, Any]:
    """Start a job that creates a project from an uploaded archive. The project is invisible until it is complete.

    Args:
        group_name: group of the new project.
        reuse_name: fail if the archived name is in use, instead of deriving a free one.
        name: requested name; fails if it is in use. None = the archived name.
        label: requested label; None = the archived label.

    Returns:
        The job, with `projectName` (conflict 1).

    Raises:
        InvalidInput: the file is not a readable archive.
        Conflict: the name is in use, or a limit of the group is reached.
    """
    path = _uploaded_archive_path(call, upload_id)
    manifest, settings = _read_manifest_and_settings(path)
    group = policy.group_for_new_project(call, group_name)
    check_group_limits(call.session, group, call.username)
    _check_document_limit(group, manifest)
    wanted = _wanted_label(label, settings)
    given = {
        "name": _new_project_name(call, manifest, wanted, name, reuse=reuse_name),
        "label": wanted,
        "owner_id": call.access.user_id,
        "group_id": group.id if group else None,
        "created_by": call.username,  # for limits per user: the archive does not count
        "modified_by": call.username,
    }
    return _start_import_job(call, (manifest, settings), given, {"upload_id": upload_id})


def start_restore(call: ProjectCall, upload_id: str) -> dict[str, Any]:
    """Start a job that replaces the project by that of an uploaded archive.

    The current project is kept, marked as deleted; owner, group and shares are moved to the new one.
    """
    return _start_replacing(call, _uploaded_archive_path(call, upload_id), {"upload_id": upload_id})


def start_restore_from_image(call: ProjectCall, archive_name: str) -> dict[str, Any]:
    """Like `start_restore`, with an archive that the operator put into the folder `archives` of the data folder."""
    if not _IMAGE_NAME.fullmatch(archive_name) or not stored_archive_path(archive_name).is_file():
        raise NotFound(
            message("archive.notStored", "There is no archive {name} on the server", name=archive_name[:80]),
            fix=message(
                "fix.storeArchive",
                "Copy it to {folder}/ in the data folder, or upload it",
                folder=stored_archive_path("").name,
            ),
        )
    return _start_replacing(call, stored_archive_path(archive_name), {"archive_name": archive_name})


def stored_archive_path(name: str) -> Path:
    """The path of an archive that the operator put on the server."""
    return get_settings().data / "archives" / name


def archive_path(upload_id: str | None, archive_name: str | None) -> Path:
    """The path of the archive of an import job."""
    return upload_path(upload_id) if upload_id else stored_archive_path(archive_name or "")


def _uploaded_archive_path(call: Call, upload_id: str) -> Path:
    (file,) = uploads.require_uploads(call, [upload_id])
    uploads.keep_for_job(call, [file])
    return upload_path(file.id)


def _read_manifest_and_settings(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    try:
        return unpacking.read_manifest(path), unpacking.read_settings(path)
    except InvalidContent as error:
        raise InvalidInput(error.message, fix=error.fix) from error


def _check_document_limit(group: Group | None, manifest: dict[str, Any]) -> None:
    count = manifest["counts"].get("documents", 0)
    limit = group.max_docs_per_project if group else -1
    if isinstance(count, int) and 0 <= limit < count:
        raise Conflict(
            message(
                "archive.groupLimit",
                "The archive has {number:,} documents; a project of the group may have {most:,}",
                number=count,
                most=limit,
            ),
            fix=message("fix.groupLimit", "Ask an administrator to raise the limit of the group"),
        )


def _wanted_label(given: str | None, settings: dict[str, Any]) -> str:
    label = (given or "").strip() or str(settings.get("label", "")).strip()[:LABEL_LENGTH]
    if not label or len(label) > LABEL_LENGTH:
        message = f"The label of a project has 1 to {LABEL_LENGTH} characters"
        raise InvalidInput(message, details=[{"field": "projectLabel", "message": message}])
    return label


def _new_project_name(call: Call, manifest: dict[str, Any], label: str, given: str | None, *, reuse: bool) -> str:
    free_names_of_ended_imports(call)
    if given and not _NAME.fullmatch(given):
        text = "A project's name has small letters, digits, - and _ only"
        raise InvalidInput(text, details=[{"field": "projectName", "message": text}])
    original = archived_project_name(manifest)
    base = given or (original if _NAME.fullmatch(original) else name_from_label(label))
    call.access.require_opens(base)
    taken = projects.project_names_starting_with(call.session, base)
    if base in taken and (given or reuse):
        raise Conflict(
            message("archive.nameInUse", "The project name {name} is in use", name=base),
            fix=message("fix.otherName", "Choose another name"),
        )
    name = free_name(base, taken)
    call.access.require_opens(name)
    return name


def free_names_of_ended_imports(call: Call) -> None:
    """Rename the invisible projects of stopped imports, so that their names are free again."""
    for project, status in repository.unfinished_imports(call.session):
        if status in ENDED and "~" not in project.name:
            project.name = f"{project.name}~{project.id}"
    call.session.flush()


def _start_import_job(
    call: Call,
    facts: tuple[dict[str, Any], dict[str, Any]],
    given: dict[str, Any],
    source: dict[str, str],
    *,
    present: Project | None = None,
) -> dict[str, Any]:
    manifest, settings = facts
    replaces = present.name if present is not None else None
    name = replaces or given["name"]
    try:
        project = new_invisible_project(settings, old_name=archived_project_name(manifest), new_name=name, **given)
    except InvalidContent as error:
        raise InvalidInput(error.message, fix=error.fix) from error
    job = start_job(
        call.unit,
        type="PROJECT_RESTORATION",
        function="import_project",
        queue="heavy",
        arguments={
            **{"project_id": project.id, "replaces": replaces, **source},
            **{RESTORED_NAME: name, RESTORED_LABEL: project.label},
        },
        project=present,
        created_by=call.username,
        description=message("start.importProject", "Import of {project}", project=project.label),
        upload_ids=[source["upload_id"]] if "upload_id" in source else [],
    )
    project.deleted_by = f"{repository.UNFINISHED_PREFIX}{job.id}"
    call.session.add(project)
    return job_to_json(job, present) | {"projectName": name, "project": name, "projectLabel": project.label}


def _start_replacing(call: ProjectCall, path: Path, source: dict[str, str]) -> dict[str, Any]:
    policy.require_project_permission(call, "deleteProject")
    manifest, settings = _read_manifest_and_settings(path)
    present = call.project
    _check_document_limit(call.session.get(Group, present.group_id) if present.group_id else None, manifest)
    given = {
        "name": f"{present.name}~{new_id()}",  # names with a tilde cannot be requested
        "label": _wanted_label(None, settings),
        "owner_id": present.owner_id,
        "group_id": present.group_id,
        "created_by": present.created_by,
        "modified_by": call.username,
    }
    return _start_import_job(call, (manifest, settings), given, source, present=present)
