"""Rules of projects: list, creation, settings, deletion, re-indexing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import orjson

from annotarium.access import audit
from annotarium.access.call import Call, ProjectCall
from annotarium.content.group_limits import check_group_limits
from annotarium.content.labels import ensure_default_set
from annotarium.content.project_images import keep_image
from annotarium.content.project_removal import remove_project
from annotarium.content.segmenter_choice import SEGMENTER_PROPERTY, SegmenterChoice, segmenter_choice, validated_choice
from annotarium.db.identifiers import new_id
from annotarium.db.models import Job, Project
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import from_iso
from annotarium.domains.components.service import require_component
from annotarium.domains.projects import policy, repository
from annotarium.domains.projects.names import free_name, name_from_label
from annotarium.domains.projects.read_models import build_project_read_models
from annotarium.domains.projects.schemas import ProjectConfigPatch, ProjectCreate, ProjectRead, ProjectStatus
from annotarium.errors import Conflict, InvalidInput
from annotarium.jobs.job_creation import start_job
from annotarium.search.metadata_facets import validate_metadata_facets
from annotarium.search.search_defaults import SEARCH_DEFAULTS_PROPERTY, search_defaults, validated_search_defaults
from annotarium_schemas.answers import Ack
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchDefaults

_PLAIN_FIELDS = (
    "label",
    "description",
    "route_on_open_project",
    "collaborative_annotation",
    "clean_html",
    "markdown_content",
    "replace_carriage_returns",
    "metafacets",
)


def list_projects(
    call: Call, *, metrics: bool, owners: bool, engines: bool, group_name: str | None, username: str | None
) -> list[ProjectRead]:
    """Projects the caller may read, as API schemas."""
    rows = repository.list_projects(call.session, call.access, group_name=group_name, username=username)
    return build_project_read_models(call, rows, metrics=metrics, owners=owners, engines=engines)


def readable_projects(call: Call) -> Sequence[Project]:
    """Projects the caller may read, as rows."""
    return repository.list_projects(call.session, call.access, group_name=None, username=None)


def read_project(call: ProjectCall, *, metrics: bool, owners: bool, engines: bool) -> ProjectRead:
    project_read = build_project_read_models(call, [call.project], metrics=metrics, owners=owners, engines=engines)[0]
    project_read.segmenter = segmenter_choice(call.project)
    project_read.search_defaults = search_defaults(call.project)
    return project_read


def create_project(call: Call, body: ProjectCreate, group_name: str | None) -> ProjectStatus:
    """Create a project with its default label set; the caller becomes its owner.

    Raises:
        Conflict: the given name is in use, or a limit of the group is reached.
        AccessDenied: the call is restricted to other projects.
    """
    group = policy.group_for_new_project(call, group_name)
    check_group_limits(call.session, group, call.username)
    name = _free_name(call, body)
    project = Project(
        id=new_id(),
        name=name,
        label=body.label,
        description=body.description,
        nature=body.nature,
        lang=body.lang,
        owner_id=call.access.user_id,
        group_id=group.id if group else None,
        collaborative_annotation=body.collaborative_annotation,
        metafacets=_parse_metafacets(body.metafacets),
        properties=body.properties,
        created_by=call.username,
        modified_by=call.username,
    )
    _set_image(call, project, body)
    call.session.add(project)
    call.session.flush()
    ensure_default_set(call.session, project, call.username)
    call.unit.emit("projects", {"type": "created", "name": project.name}, user=call.username)
    return ProjectStatus(project_name=project.name, status="created")


def _free_name(call: Call, body: ProjectCreate) -> str:
    if body.name is not None:
        call.access.require_opens(body.name)
        if repository.name_taken(call.session, body.name):
            raise Conflict(
                message("taken.project", "The project name {name} is in use", name=body.name),
                fix=message("fix.otherName", "Choose another name"),
            )
        return body.name
    base = name_from_label(body.label)
    name = free_name(base, repository.project_names_starting_with(call.session, base))
    call.access.require_opens(name)
    return name


def _parse_metafacets(given: str | list[Any] | None) -> list[Any]:
    if not given:
        return []
    if isinstance(given, list):
        return validate_metadata_facets(given)
    try:
        read = orjson.loads(given)
    except orjson.JSONDecodeError:
        return validate_metadata_facets([name.strip() for name in given.split(",") if name.strip()])
    return validate_metadata_facets(read if isinstance(read, list) else [read])


def _set_image(call: Call, project: Project, body: ProjectCreate | ProjectConfigPatch) -> None:
    """Set an uploaded image (`imageId`) or an address (`imageUrl`, never fetched by the server); empty removes it."""
    given = body.model_fields_set & {"image_id", "image_url"}
    if not given:
        return
    if body.image_id:
        keep_image(call, body.image_id, own=body.image_id != project.image_id)
        project.image, project.image_id, project.image_filename = body.image_id, body.image_id, body.image_filename
        return
    address = body.image_url or ""
    parts = urlsplit(address)
    if address and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise InvalidInput(
            message("wrong.imageLink", "The link of the image is not a web address"),
            fix="Give a link that starts with https://",
            details=[{"field": "imageUrl", "message": message("field.webAddress", "Not a web address")}],
        )
    project.image, project.image_id, project.image_filename = address, None, None


def update_config(call: ProjectCall, body: ProjectConfigPatch) -> None:
    """Change settings; absent fields stay unchanged, and so do null ones except `routeOnOpenProject`."""
    policy.require_project_permission(call, "changeProjectConfig")
    project = call.project
    for field in body.model_fields_set & set(_PLAIN_FIELDS):
        value = getattr(body, field)
        if value is not None or field == "route_on_open_project":
            setattr(project, field, validate_metadata_facets(value) if field == "metafacets" else value)
    if body.classification is not None:
        project.exclusive_classes = body.classification.exclusive_classes
        ensure_default_set(
            call.session, project, call.username
        ).exclusive_classes = body.classification.exclusive_classes
    if body.created_date is not None:
        try:
            project.created_at = from_iso(body.created_date)
        except ValueError as error:
            raise InvalidInput(message("wrong.createdDate", "createdDate is not an ISO 8601 date and time")) from error
    _set_image(call, project, body)
    if body.segmenter is not None:
        choose_segmenter(call, body.segmenter)
    if body.search_defaults is not None:
        set_search_defaults(call, body.search_defaults)
    mark_modified(project, call.username)
    notify_project_changed(call)


def choose_segmenter(call: ProjectCall, choice: SegmenterChoice) -> None:
    """Set the segmenter for new documents; existing documents keep their segments until these are recomputed.

    Raises:
        InvalidInput: it is not installed, or its parameters are invalid.
        AccessDenied: the caller may not use it.
    """
    checked = validated_choice(choice)
    require_component(call.access, "segmenter", checked.name)
    call.project.properties = call.project.properties | {
        SEGMENTER_PROPERTY: checked.model_dump(mode="json", by_alias=True)
    }


def set_search_defaults(call: ProjectCall, defaults: SearchDefaults) -> SearchDefaults | None:
    """Set how the project searches when a request does not say; returns the former value, None for full text.

    Setting the former value again undoes it. Full text without a reranker removes the setting.

    Raises:
        InvalidInput: its vectors, reranker or parameters of the reranker do not exist; `details` name the field.
    """
    former = search_defaults(call.project)
    checked = validated_search_defaults(call.session, call.project, defaults)
    kept = {name: value for name, value in call.project.properties.items() if name != SEARCH_DEFAULTS_PROPERTY}
    if checked.search_type != "text" or checked.reranker:
        kept[SEARCH_DEFAULTS_PROPERTY] = checked.model_dump(mode="json", by_alias=True)
    call.project.properties = kept
    details = checked.model_dump(mode="json", by_alias=True, include={"search_type", "vectorizer", "reranker"})
    audit.add_entry(call.session, call.username, "project.search", call.project.name, **details)
    return former


def notify_project_changed(call: ProjectCall) -> None:
    """Notify the clients that have the project open that its properties changed."""
    call.unit.emit("project", {"type": "updated", "by": call.username}, project=call.project.name)


def delete_project(call: ProjectCall) -> Ack:
    """Mark the project as deleted and free its name; its rows stay until purged. Its index and uploads are deleted."""
    policy.require_project_permission(call, "deleteProject")
    remove_project(call.unit, call.project, call.username)
    return Ack()


def start_reindex(call: ProjectCall) -> Job:
    """Start a job that rebuilds the index of the project."""
    policy.require_project_permission(call, "changeProjectConfig")
    return start_job(
        call.unit,
        type="PROJECT_INDEXING",
        function="reindex_projects",
        queue="long",
        arguments={"project_names": [call.project.name]},
        project=call.project,
        created_by=call.username,
        description=message("start.index", "Indexing {project}", project=call.project.label),
        total_steps=1,
    )


def start_reindex_all(call: Call) -> Job:
    """Start a job that rebuilds the indices of all projects the caller may read."""
    names = [project.name for project in repository.list_projects(call.session, call.access)]
    return start_job(
        call.unit,
        type="PROJECTS_INDEXING",
        function="reindex_projects",
        queue="long",
        arguments={"project_names": names},
        project=None,
        created_by=call.username,
        description=message("start.indexAll", "Indexing all projects"),
        total_steps=len(names),
    )
