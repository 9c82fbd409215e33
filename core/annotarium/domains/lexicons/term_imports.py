"""Rules of term imports and exports: who may read what into a lexicon, and in which formats it is written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from annotarium.access.call import ProjectCall
from annotarium.db.models import Job, Upload
from annotarium.domains.components.service import may_use_component, require_component
from annotarium.domains.imports import uploads
from annotarium.domains.lexicons import service
from annotarium.domains.lexicons.term_reading import KIND, importer_for_extension
from annotarium.errors import InvalidInput
from annotarium.jobs.job_creation import start_job
from annotarium.registry import get_registry
from annotarium_plugins.base.term_importer import ARCHIVE_EXTENSION
from annotarium_plugins.term_formats import FORMATS
from annotarium_schemas.lexicons import TermImport, TermImporterSpec
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    from fastapi.responses import StreamingResponse

LONG_IMPORT_BYTES = 4_000_000
"""Total size of the files above which an import is queued as a long job."""


def start_import(call: ProjectCall, lexicon_name: str, body: TermImport) -> Job:
    """Start a job that imports uploads of the caller into a lexicon. Terms of the same identifier are replaced.

    Raises:
        NotFound: the lexicon, an upload or the importer does not exist.
        InvalidInput: the parameters of the importer are invalid, or no importer reads a file of this type.
        AccessDenied: the caller may not use the importer.
    """
    lexicon = service.require_lexicon(call, lexicon_name)
    files = uploads.require_uploads(call, list(dict.fromkeys(file.id for file in body.files)))
    parameters = _validated(call, body.importer, files)
    uploads.keep_for_job(call, files)
    names = ", ".join(file.filename for file in files[:3]) + (", ..." if len(files) > 3 else "")
    return start_job(
        call.unit,
        type="TERM_IMPORT",
        function="import_terms",
        arguments={
            "project_name": call.project.name,
            "lexicon_id": lexicon.id,
            "upload_ids": [file.id for file in files],
            "format": body.importer.format,
            "parameters": parameters,
            "importers": _usable_importers(call),
        },
        project=call.project,
        created_by=call.username,
        description=message(
            "start.importTerms", "Import of {files} into {lexicon}", files=names, lexicon=lexicon.label
        ),
        upload_ids=[file.id for file in files],
        queue="long" if sum(file.size for file in files) > LONG_IMPORT_BYTES else "default",
        parameters={"importer": body.importer.format, "lexicon": lexicon.name},
    )


def start_preview(call: ProjectCall, body: TermImport) -> Job:
    """Start an interactive job that reads the beginning of the first file; its result is a `TermPreview`.

    Raises as `start_import`.
    """
    (file,) = uploads.require_uploads(call, [body.files[0].id])
    parameters = _validated(call, body.importer, [file])
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="preview_terms",
        arguments={
            "project_name": call.project.name,
            "upload_id": file.id,
            "format": body.importer.format or _importer_of(file) or "",
            "parameters": parameters,
            "importers": _usable_importers(call),
        },
        project=call.project,
        created_by=call.username,
        description=message("start.previewTerms", "Preview of {file}", file=file.filename),
        queue="interactive",
    )


def _validated(call: ProjectCall, importer: TermImporterSpec, files: Sequence[Upload]) -> dict[str, object]:
    """The parameters to run the importer with, after checking that the caller may use it."""
    if importer.format:
        require_component(call.access, KIND, importer.format)
        get_registry().validate(KIND, importer.format, importer.parameters)
        return dict(importer.parameters)
    if importer.parameters:
        problem = message("field.importerFormat", "Parameters need the name of their importer")
        raise InvalidInput(
            message("wrong.importerFormat", "There is no importer for these parameters"),
            details=[{"field": "importer.format", "message": problem}],
        )
    for file in files:
        if _extension(file) == ARCHIVE_EXTENSION:  # its members decide
            continue
        name = _importer_of(file)
        if name is None:
            words = "No importer of terms reads the type of {name}"
            raise InvalidInput(
                message("wrong.termFile", words, name=file.filename), fix="Choose the importer to read it with"
            )
        require_component(call.access, KIND, name)
    return {}


def _extension(file: Upload) -> str:
    return PurePosixPath(file.filename).suffix.removeprefix(".").lower()


def _importer_of(file: Upload) -> str | None:
    return importer_for_extension(_extension(file))


def _usable_importers(call: ProjectCall) -> list[str]:
    """The importers that may read the members of an archive, and a file whose content is not what its name says."""
    return [name for name in get_registry().names(KIND) if may_use_component(call.access, KIND, name)]


def export_terms(call: ProjectCall, lexicon_name: str, format: str) -> StreamingResponse:
    """Stream all terms of a lexicon as a download; memory does not grow with their number.

    Raises:
        NotFound: there is no such lexicon. InvalidInput: there is no such format.
    """
    from fastapi.responses import StreamingResponse  # imported here because workers run without the web framework

    lexicon = service.require_lexicon(call, lexicon_name)
    chosen = FORMATS.get(format)
    if chosen is None:
        raise InvalidInput(
            message("none.termFormat", "Terms cannot be exported as {name}", name=format[:40]),
            fix=f"Use one of {', '.join(FORMATS)}",
        )
    filename = lexicon.name.encode("ascii", "ignore").decode() or "lexicon"
    headers = {"content-disposition": f'attachment; filename="{filename}.{chosen.extension}"'}
    terms = service.iter_terms(call, [lexicon.name])
    return StreamingResponse(chosen.write(terms), media_type=chosen.content_type, headers=headers)
