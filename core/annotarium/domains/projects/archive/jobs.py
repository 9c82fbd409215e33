"""Jobs that export and import project archives."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sqlalchemy.exc import IntegrityError

from annotarium.access.call import Call
from annotarium.content.project_images import keep_image
from annotarium.content.project_removal import release_name
from annotarium.content.validation import InvalidContent
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.imports import uploads
from annotarium.domains.imports.upload_receiving import FileWriter
from annotarium.domains.projects.archive import repository
from annotarium.domains.projects.archive.archive_format import project_tables
from annotarium.domains.projects.archive.messages import counts_message
from annotarium.domains.projects.archive.restoring import ProjectRestorer
from annotarium.domains.projects.archive.service import archive_path, filename_of
from annotarium.domains.projects.archive.service import export_project as project_archive_chunks
from annotarium.domains.projects.archive.unpacking import Unpacked, unpacked
from annotarium.errors import InvalidInput, NotFound
from annotarium.jobs.context import JobContext, LeaseLost, job_function
from annotarium.jobs.serializers import ENDED
from annotarium.settings import get_settings
from annotarium_schemas.messages import join_messages, message

_CHUNK = 1 << 20


@job_function("export_project")
def export_project(context: JobContext, project_name: str, models: bool, history: bool) -> None:
    """Write the archive of a project to a file, which its creator downloads from `/downloads/{id}`."""
    with context.open(project_name, write=False) as call:
        total = repository.count_readable_documents(call)
        chunks = project_archive_chunks(call, models=models, history=history)
        filename = filename_of(call.project)
    writer = FileWriter(filename, "application/zip", get_settings().archive_bytes)
    try:
        for chunk in chunks:
            writer.write(chunk)
            context.progress(
                0,
                max(total, 1),
                message("doing.bytes", "{count:,} bytes written", one="{count:,} byte written", count=writer.size),
            )
        received = writer.finish()
    except BaseException:
        writer.discard()
        raise
    try:
        with (
            context.open() as call
        ):  # no project is opened: users with read access may export, and the file belongs to them
            uploads.register(call, [received])
    except BaseException:
        uploads.discard([received])
        raise
    result = {"download": f"/downloads/{received.id}", "filename": filename, "contentType": "application/zip"}
    context.finish(
        message=message(
            "done.bytes", "{file}: {count:,} bytes", one="{file}: {count:,} byte", file=filename, count=received.size
        ),
        result=result,
    )


@job_function("import_project")
def import_project(
    context: JobContext,
    project_id: int,
    replaces: str | None = None,
    project_name: str = "",
    project_label: str = "",
    upload_id: str | None = None,
    archive_name: str | None = None,
) -> None:
    """Create the project of an archive; see `archive.service.start_import`.

    Args:
        project_name, project_label: of the resulting project. `jobs.serializers` reports them until it exists.

    Raises:
        InvalidInput: the archive has invalid content; nothing is imported.
    """
    _remove_abandoned(context)
    try:
        with unpacked(archive_path(upload_id, archive_name)) as archive:
            restorer = ProjectRestorer(archive, project_id, project_name, context.open, context.progress)
            restorer.run()
            name = _make_visible(context, archive, project_id, replaces)
    except LeaseLost:
        raise  # another run is working on the project
    except BaseException as error:
        _remove_unfinished_project(project_id)
        raise _as_invalid_input(error) from error
    count = archive.manifest["counts"].get("documents", 0)
    text = join_messages(
        [
            message("done.restored", "{count:,} documents restored", one="{count:,} document restored", count=count),
            _left_out_message(restorer.left_out),
        ],
        ". ",
    )
    context.finish(message=text, result={"projectName": name, "leftOut": dict(restorer.left_out)})


def _as_invalid_input(error: BaseException) -> BaseException:
    if isinstance(error, InvalidContent):
        return InvalidInput(error.message, fix=error.fix)
    if isinstance(error, IntegrityError):
        return InvalidInput(
            message("archive.twins", "The archive contains two documents, labels or models with the same name"),
            cause=str(error.orig)[:200],
            fix=message("fix.exportAgain", "Export it again"),
        )
    return error


def _left_out_message(left_out: Counter[str]) -> str | None:
    text = "Without {what}, which refer to missing items"
    return message("done.withoutTables", text, what=counts_message(left_out)) if left_out else None


def _make_visible(context: JobContext, archive: Unpacked, project_id: int, replaces: str | None) -> str:
    """Make the project visible; returns its name."""
    with context.open() as call:
        project = call.session.get(Project, project_id)
        if project is None:
            raise NotFound(
                message("gone.project", "The project of this import was deleted"),
                fix=message("fix.importArchive", "Import the archive again"),
            )
        if archive.image is not None:
            _store_image(call, project, archive.image)
        if replaces is not None:
            _replace(call, project, replaces)
        repository.assign_job_to_project(call.session, context.job_id, project.id)
        project.deleted_at = project.deleted_by = None
        project.modified_at = now_ms()
        call.unit.touch(project.id, "project")
        arg = {"type": "created", "name": project.name}
        call.unit.emit("projects", arg, user=call.username)
        name: str = project.name
        return name


def _replace(call: Call, project: Project, name: str) -> None:
    present = repository.find_project(call.session, name)
    if present is None or present.deleted_at is not None or not call.access.rights_on(present).write:
        raise NotFound(message("none.project", "There is no project {name}", name=name))
    project.owner_id, project.group_id = present.owner_id, present.group_id
    present.deleted_at, present.deleted_by = now_ms(), call.username
    release_name(call.unit, present)
    project.name = name
    project.version = present.version + 1
    repository.move_shares(call.session, present.id, project.id)
    call.unit.touch(present.id, "project")
    call.unit.emit("project", {"type": "restored", "by": call.username}, project=name)


def _store_image(call: Call, project: Project, path: Path) -> None:
    """Store the picture. An invalid or too large one is left out, since nothing depends on it."""
    limit = get_settings().image_limit
    if path.stat().st_size > limit or uploads.image_type(path) is None:
        return
    writer = FileWriter(project.image_filename or "image", None, limit)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            writer.write(chunk)
    received = writer.finish()
    uploads.register(call, [received], image=True)
    call.session.flush()
    keep_image(call, received.id)
    project.image = project.image_id = received.id


def _remove_unfinished_project(project_id: int) -> None:
    with unit_of_work(actor="", write=True) as unit:
        project = unit.session.get(Project, project_id)
        if project is not None and (project.deleted_by or "").startswith(repository.UNFINISHED_PREFIX):
            repository.remove_project(unit.session, project_id, project_tables())


def _remove_abandoned(context: JobContext) -> None:
    """Delete the invisible projects of stopped imports."""
    with context.open(write=False) as call:
        ids = [project.id for project, status in repository.unfinished_imports(call.session) if status in ENDED]
    for project_id in ids:
        _remove_unfinished_project(project_id)
