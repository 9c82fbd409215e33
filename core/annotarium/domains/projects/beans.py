"""Projects as they travel."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium import __version__
from annotarium.access.call import Call
from annotarium.db.damage import readable
from annotarium.db.models import Project
from annotarium.db.times import iso
from annotarium.domains.projects import repository
from annotarium.domains.projects.repository import Counts, People
from annotarium.domains.projects.schemas import Classification, NamedRef, PersonRef, ProjectRead

Engines = dict[int, tuple[list[str], list[str]]]


def project_beans(
    call: Call, projects: Sequence[Project], *, metrics: bool = False, owners: bool = True, engines: bool = True
) -> list[ProjectRead]:
    """Wire form of projects the caller may read; parts not asked for cost no query.

    Args:
        metrics: add the counts of documents, segments, annotations and categories, of those the caller may read.
        owners: add the owner.
        engines: add `engines` (all in use), `algorithms` (of experiments) and `components` (of suggesters).
    """
    ids = [project.id for project in projects]
    people = repository.load_people(call.session, projects)
    counts = repository.count_rows(call.session, call.access, ids) if metrics and ids else {}
    used = repository.load_engines(call.session, ids) if engines and ids else {}
    vectorizers = repository.load_vectorizers(call.session, ids) if ids else {}
    sharers = repository.load_sharers(call.session, call.access, ids)

    def bean_of(project: Project) -> ProjectRead:
        bean = _bean(call, project, people, counts, used if engines else None, owners)
        bean.shared_by = sharers.get(project.id)
        bean.vectorizers = vectorizers.get(project.id, [])
        return bean

    return readable(projects, bean_of)


def _bean(
    call: Call, project: Project, people: People, counts: dict[int, Counts], used: Engines | None, owners: bool
) -> ProjectRead:
    owner = people.users.get(project.owner_id or 0) if owners else None
    group = people.groups.get(project.group_id or 0)
    bean = ProjectRead(
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
        learners, suggesters = used.get(project.id, ([], []))
        bean.engines, bean.algorithms, bean.components = sorted({*learners, *suggesters}), learners, suggesters
    if project.id in counts:
        own = counts[project.id]
        bean.documents, bean.segments = own.documents, own.segments
        bean.annotations, bean.categories = own.annotations, own.categories
    return bean
