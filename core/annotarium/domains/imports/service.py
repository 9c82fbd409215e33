"""Rules of imports: who may import what; starts the import job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from annotarium.access.call import ProjectCall, require_permission
from annotarium.access.rights import Access
from annotarium.content.plans.active import active_conversion_plan
from annotarium.content.segmentation import default_policy
from annotarium.db.models import Job
from annotarium.domains.components.service import require_component
from annotarium.domains.imports import uploads
from annotarium.domains.imports.schemas import ImportJobArguments, ImportOptions
from annotarium.domains.imports.upload_receiving import sanitize_folder_path
from annotarium.errors import InvalidInput
from annotarium.importing.repository import find_group_id
from annotarium.jobs.job_creation import start_job
from annotarium.registry import get_registry
from annotarium_schemas.messages import message

LONG_IMPORT_BYTES = 4_000_000
"""Total file size in bytes above which an import is queued as a long job, so that short jobs run first."""


def start_import(
    call: ProjectCall,
    upload_ids: Sequence[str],
    options: ImportOptions,
    folders: Mapping[str, str] | None = None,
    *,
    function: str = "import_documents",
) -> Job:
    """Start a job that imports uploads of the caller or, with `dry_run`, reports what the import would do.

    Args:
        folders: source folders of the files, by upload id.
        function: the job function that runs: one that calls `import_documents` with the same arguments.

    Raises:
        NotFound: an upload does not exist or is not the caller's.
        InvalidInput: there is nothing to import, the originating group is unknown (V-013, V-037), the parameters of a
            converter are invalid, or the active conversion plan cannot run.
    """
    require_permission(call, "importDocuments")
    converters = validated_converter_parameters(call.access, options.converter_parameters)
    if options.converter:
        require_component(call.access, "converter", options.converter)
    if not upload_ids:
        raise InvalidInput(message("none.file", "There is no file to import"), fix="Upload a file first")
    files = uploads.require_uploads(call, list(dict.fromkeys(upload_ids)))
    uploads.keep_for_job(call, files)
    named = bool(options.converter) or not options.use_plan
    plan = None if named else active_conversion_plan(call)
    cleaned = call.project.clean_html if options.clean_text == "default" else options.clean_text == "true"
    resolved = {
        "upload_ids": [file.id for file in files],
        "segmentation_policy": options.segmentation_policy or default_policy(call.project.nature),
        "split_corpus": options.split_corpus and not options.ignore_labelling,  # V-014
        "clean_text": cleaned,
        "converters": converters,
        "distinct_texts": options.skip_duplicates,
        "folders": {
            file.id: folder for file in files if (folder := sanitize_folder_path((folders or {}).get(file.id, "")))
        },
        "origin_group_id": _origin_group(call, options),
        "plan": plan.arguments() if plan else None,
    }
    arguments = ImportJobArguments.model_validate(dict(options) | resolved).model_dump(mode="json")
    names = ", ".join(file.filename for file in files[:3]) + (", ..." if len(files) > 3 else "")
    parameters = {name: arguments[name] for name in ImportJobArguments.shown}
    return start_job(
        call.unit,
        # A dry run changes no document, so C-084 must not count it as an import.
        type="UNSPECIFIED" if options.dry_run else "DOC_IMPORT",
        function="check_import" if options.dry_run else function,
        arguments={"project_name": call.project.name, **arguments},
        project=call.project,
        created_by=call.username,
        description=(
            message("start.check", "Check of {files}", files=names)
            if options.dry_run
            else message("start.import", "Import of {files}", files=names)
        ),
        upload_ids=[file.id for file in files],
        queue="long" if sum(file.size for file in files) > LONG_IMPORT_BYTES else "default",
        parameters=parameters | ({"plan": plan.label} if plan else {}),
    )


def _origin_group(call: ProjectCall, options: ImportOptions) -> int | None:
    """Id of the originating group, to which the documents become visible, by name or identity provider's identifier.

    It has to be one of the caller's groups, unless the caller reads all projects.
    """
    if not options.group_name and not options.idp_group_identifier:
        return None
    group_id = find_group_id(
        call.session, name=options.group_name or None, identifier=options.idp_group_identifier or None
    )
    if group_id is None or (group_id not in call.access.group_ids and not call.access.reads_all_projects):
        given = options.group_name or options.idp_group_identifier
        raise InvalidInput(
            message("none.origin", "{name} is not one of your originating groups", name=given),
            fix="Choose one of your groups",
        )
    return group_id


def validated_converter_parameters(access: Access, given: str) -> dict[str, dict[str, Any]]:
    """Parse and validate the converter parameters of an import; returns them by converter name.

    Raises:
        InvalidInput: not a JSON object of objects, or a value is invalid: `details` names converter and field.
        NotFound, AccessDenied: the converter does not exist, or the caller may not use it.
    """
    if not given.strip():
        return {}
    try:
        named = orjson.loads(given)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(
            message("wrong.converterJson", "The parameters of converters are not JSON"), cause=str(error)
        ) from error
    if not isinstance(named, dict) or not all(isinstance(one, dict) for one in named.values()):
        raise InvalidInput(
            message("wrong.converterObject", "The parameters of converters are not an object of objects"),
            fix='Write {"csv": {...}}',
        )
    for name, parameters in named.items():
        require_component(access, "converter", name)
        try:
            get_registry().validate("converter", name, parameters)
        except InvalidInput as error:
            details = [{**one, "field": f"{name}.{one['field']}"} for one in error.details]
            raise InvalidInput(error.message, details=details) from error
    return named
