"""Rules of templates: what a new project takes over from another one that the caller may read."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.content.plans.plan_types import has_active_tag
from annotarium.db.identifiers import new_id
from annotarium.db.models import Label, LabelSet, Project, RelationName
from annotarium.domains.lexicons import service as lexicons
from annotarium.domains.plans import service as plans
from annotarium.domains.plans.schemas import NewPlan
from annotarium.domains.preferences import service as preferences
from annotarium.domains.project_templates import repository
from annotarium.domains.project_templates.schemas import ProjectFromTemplate
from annotarium.domains.projects import service as projects
from annotarium.domains.projects.schemas import ProjectCreate
from annotarium.errors import AnnotariumError
from annotarium.jobs.serializers import job_to_json

_SETTINGS = (
    "collaborative_annotation",
    "clean_html",
    "markdown_content",
    "replace_carriage_returns",
    "exclusive_classes",
    "route_on_open_project",
    "metafacets",
    "properties",
)
"""Columns of a project that are settings. Who owns it, who shares it and how it looks belong to each project."""


def create_from_template(
    template: ProjectCall, body: ProjectCreate, group_name: str | None, *, with_terms: bool = False
) -> ProjectFromTemplate:
    """Create a project like that of the call, without its documents, models and people. Plans are not active.

    Args:
        with_terms: a job copies the terms of the lexicons, too.

    Raises:
        Conflict: the given name is in use, or a limit of the group is reached.
        AccessDenied: the call is restricted to other projects.
    """
    wanted = body.model_copy(update={"nature": template.project.nature})
    name = projects.create_project(template, wanted, group_name).project_name
    project = next(row for row in projects.readable_projects(template) if row.name == name)
    call = ProjectCall(unit=template.unit, access=template.access, request_id=template.request_id, project=project)
    for setting in _SETTINGS:
        setattr(project, setting, getattr(template.project, setting))
    labels = _copy_labels(template.project, call)
    _copy_relation_names(template.project, call)
    made_lexicons = lexicons.copy_lexicons(template, call)
    keys = preferences.read_preferences(template)
    if keys.hotkeys:
        preferences.change_preferences(call, keys)
    template.session.flush()
    made, left_out = _copy_plans(template, call)
    answer = ProjectFromTemplate(
        project_name=name, labels=labels, lexicons=made_lexicons, plans=made, left_out_plans=left_out
    )
    if with_terms and made_lexicons:
        answer.job = job_to_json(lexicons.start_copying_terms(template, call), project)
    return answer


def _copy_labels(template: Project, call: ProjectCall) -> int:
    """Copy label sets and labels with their names, so that files and searches about the template work here, too."""
    own = {row.name: row for row in repository.label_sets(call.session, call.project.id)}
    sets: dict[int, LabelSet] = {}
    for given in repository.label_sets(call.session, template.id):
        row = own.get(given.name)
        if row is None:
            row = LabelSet(id=new_id(), project_id=call.project.id, name=given.name, created_by=call.username)
            call.session.add(row)
        row.label, row.nature, row.exclusive_classes = given.label, given.nature, given.exclusive_classes
        row.guideline, row.tags, row.modified_by = given.guideline, [*given.tags], call.username
        sets[given.id] = row
    call.session.flush()
    labels = repository.live_labels(call.session, template.id)
    for label in labels:
        call.session.add(
            Label(
                id=new_id(),
                project_id=call.project.id,
                label_set_id=sets[label.label_set_id].id,
                name=label.name,
                label=label.label,
                color=label.color,
                identifier=label.identifier,
                guideline=label.guideline,
                short_name=label.short_name,
                created_by=call.username,
                modified_by=call.username,
            )
        )
    return len(labels)


def _copy_relation_names(template: Project, call: ProjectCall) -> None:
    for given in repository.live_relation_names(call.session, template.id):
        row = RelationName(id=new_id(), project_id=call.project.id, name=given.name, color=given.color)
        row.created_by = row.modified_by = call.username
        call.session.add(row)


def _copy_plans(template: ProjectCall, call: ProjectCall) -> tuple[int, list[str]]:
    """Copy the plans that are valid in the new project; returns how many, and the labels of the others."""
    made, left_out = 0, []
    for plan in plans.list_plans(template, []):
        tags = [tag for tag in plan.tags if not has_active_tag([tag])]
        try:
            plans.create_plan(call, NewPlan(label=plan.label, parameters=plan.parameters, tags=tags), dry_run=False)
            call.session.flush()
            made += 1
        except AnnotariumError:  # raised before anything is written: its model or a component is not there
            left_out.append(plan.label)
    return made, left_out
