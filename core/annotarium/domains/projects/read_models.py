"""Converts projects to their API schema."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium import __version__
from annotarium.access.call import Call
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Project
from annotarium.db.timestamps import iso
from annotarium.domains.projects import repository
from annotarium.domains.projects.repository import OwnersAndGroups, ProjectRowCounts
from annotarium.domains.projects.schemas import Classification, NamedRef, PersonRef, ProjectRead

Engines = dict[int, tuple[list[str], list[str]]]


def build_project_read_models(
    call: Call, projects: Sequence[Project], *, metrics: bool = False, owners: bool = True, engines: bool = True
) -> list[ProjectRead]:
    """API schemas of projects the caller may read; parts that are not requested cost no query.

    Args:
        metrics: add the counts of documents, segments, annotations and categories that the caller may read, and of
            terms.
        owners: add the owner.
        engines: add `engines` (all in use), `algorithms` (of experiments) and `components` (of suggesters and
            gazetteers).
    """
    ids = [project.id for project in projects]
    people = repository.load_owners_and_groups(call.session, projects)
    counts = repository.count_project_rows(call.session, call.access, ids) if metrics and ids else {}
    used = repository.load_engines(call.session, ids) if engines and ids else {}
    vectorizers = repository.load_vectorizers(call.session, ids) if ids else {}
    sharers = repository.load_sharers(call.session, call.access, ids)

    def read_of(project: Project) -> ProjectRead:
        project_read = _build_project_read_model(call, project, people, counts, used if engines else None, owners)
        project_read.shared_by = sharers.get(project.id)
        project_read.vectorizers = vectorizers.get(project.id, [])
        return project_read

    return convert_readable_rows(projects, read_of)


def _build_project_read_model(
    call: Call,
    project: Project,
    people: OwnersAndGroups,
    counts: dict[int, ProjectRowCounts],
    used: Engines | None,
    owners: bool,
) -> ProjectRead:
    owner = people.users.get(project.owner_id or 0) if owners else None
    group = people.groups.get(project.group_id or 0)
    project_read = ProjectRead(
        name=project.name,
        label=project.label,
        description=project.description,
        created_date=iso(project.created_at) or "",
        created_by=project.created_by or None,
        image=project.image,
        image_id=project.image_id,
        image_filename=project.image_filename,
        lang=project.lang,
        nature=project.nature,
        group=NamedRef(name=group.name, label=group.label) if group else None,
        owner=PersonRef(username=owner.username, profilename=owner.profilename or owner.username) if owner else None,
        private=project.id not in people.shared,
        shared=project.id in people.shared,
        has_split=project.has_split,
        read_only=not call.access.rights_on(project).write,
        route_on_open_project=project.route_on_open_project,
        collaborative_annotation=project.collaborative_annotation,
        clean_html=project.clean_html,
        markdown_content=project.markdown_content,
        replace_carriage_returns=project.replace_carriage_returns,
        classification=Classification(exclusive_classes=project.exclusive_classes),
        metafacets=project.metafacets,
        version=__version__,
    )
    if used is not None:
        learners, components = used.get(project.id, ([], []))
        project_read.engines, project_read.algorithms, project_read.components = (
            sorted({*learners, *components}),
            learners,
            components,
        )
    if project.id in counts:
        own = counts[project.id]
        project_read.documents, project_read.segments = own.documents, own.segments
        project_read.annotations, project_read.categories = own.annotations, own.categories
        project_read.terms = own.terms
    return project_read
