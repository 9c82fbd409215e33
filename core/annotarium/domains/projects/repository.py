"""SQL of projects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, false, func, or_, select
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.access.visibility import (
    labelling_visibility,
    labelling_visibility_clause,
    visible_documents,
)
from annotarium.db.confirmed_labelling import counted_clause
from annotarium.db.models import (
    Annotation,
    Category,
    Document,
    Experiment,
    Gazetteer,
    Group,
    GroupShare,
    Label,
    Lexicon,
    LexiconTerm,
    Membership,
    Project,
    Segment,
    Suggester,
    User,
    UserShare,
    Vectorization,
)

_PROJECT_FAMILIES = ("readProject:", "writeProject:")


@dataclass
class ProjectRowCounts:
    """Numbers of live rows of one project."""

    documents: int = 0
    segments: int = 0
    annotations: int = 0
    categories: int = 0
    terms: int = 0


@dataclass
class OwnersAndGroups:
    """Owners and groups of projects, and which projects are shared, by id."""

    users: dict[int, User] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)
    shared: set[int] = field(default_factory=set)


def visible_projects_clause(access: Access) -> ColumnElement[bool]:
    """SQL condition for live projects the caller may read, before the call's project filter (`Access.opens`)."""
    live = Project.deleted_at.is_(None)
    if access.reads_all_projects or "writeProject:*" in access.project_permissions:
        return live
    names = {
        permission.removeprefix(family)
        for permission in access.project_permissions
        for family in _PROJECT_FAMILIES
        if permission.startswith(family)
    }
    reached = access.shared_read | access.shared_write
    clauses: list[ColumnElement[bool]] = [Project.owner_id == access.user_id]
    if reached:
        clauses.append(Project.id.in_(reached))
    if access.administered_group_ids:
        clauses.append(Project.group_id.in_(access.administered_group_ids))
    if names:
        clauses.append(Project.name.in_(names))
    return live & or_(false(), *clauses)


def list_projects(
    session: Session, access: Access, *, group_name: str | None = None, username: str | None = None
) -> Sequence[Project]:
    """Projects the caller may read, ordered by label; those of a group or an owner, if given."""
    query = select(Project).where(visible_projects_clause(access)).order_by(func.lower(Project.label), Project.id)
    if group_name is not None:
        query = query.join(Group, Group.id == Project.group_id).where(Group.name == group_name)
    if username is not None:
        query = query.join(User, User.id == Project.owner_id).where(User.username == username)
    return [project for project in session.scalars(query) if access.opens(project.name)]


def name_taken(session: Session, name: str) -> bool:
    """Whether a project, live or deleted, has this name."""
    return session.scalar(select(Project.id).where(Project.name == name)) is not None


def project_names_starting_with(session: Session, base: str) -> set[str]:
    """Names of projects, live or deleted, that start with `base`."""
    return set(session.scalars(select(Project.name).where(Project.name.startswith(base, autoescape=True))))


def load_owners_and_groups(session: Session, projects: Iterable[Project]) -> OwnersAndGroups:
    """Owners, groups and whether there are shares, for the given projects, in four queries."""
    rows = list(projects)
    ids = [project.id for project in rows]
    owners = {project.owner_id for project in rows if project.owner_id is not None}
    groups = {project.group_id for project in rows if project.group_id is not None}
    people = OwnersAndGroups()
    for user in session.scalars(select(User).where(User.id.in_(owners))):
        people.users[user.id] = user
    for group in session.scalars(select(Group).where(Group.id.in_(groups))):
        people.groups[group.id] = group
    for table in (UserShare, GroupShare):
        people.shared.update(session.scalars(select(table.project_id).where(table.project_id.in_(ids))))
    return people


def load_sharers(session: Session, access: Access, project_ids: Collection[int]) -> dict[int, list[str]]:
    """By id of each project shared with the caller or one of the caller's groups: names of the users who shared it."""
    shared = (access.shared_read | access.shared_write).intersection(project_ids)
    if not shared:
        return {}
    own = select(UserShare.project_id, UserShare.created_by).where(UserShare.user_id == access.user_id)
    through = select(GroupShare.project_id, GroupShare.created_by).where(GroupShare.group_id.in_(access.group_ids))
    found: dict[int, set[str]] = {}
    for query, table in ((own, UserShare), (through, GroupShare)):
        for project_id, name in session.execute(query.where(table.project_id.in_(shared))):
            if name and name != access.username:
                found.setdefault(project_id, set()).add(name)
    return {project_id: sorted(names) for project_id, names in found.items()}


def load_engines(session: Session, project_ids: Sequence[int]) -> dict[int, tuple[list[str], list[str]]]:
    """By project id: engines of its experiments, and of its suggesters and gazetteers, each sorted and without
    duplicates.
    """
    found: dict[int, tuple[set[str], set[str]]] = {}
    tables: tuple[tuple[int, type[Experiment] | type[Suggester] | type[Gazetteer]], ...]
    tables = ((0, Experiment), (1, Suggester), (1, Gazetteer))
    for position, table in tables:
        query = select(table.project_id, table.engine).where(table.project_id.in_(project_ids)).distinct()
        for project_id, engine in session.execute(query):
            found.setdefault(project_id, (set(), set()))[position].add(engine)
    return {key: (sorted(learners), sorted(components)) for key, (learners, components) in found.items()}


def load_vectorizers(session: Session, project_ids: Sequence[int]) -> dict[int, list[str]]:
    """By project id: names of the vectorizations with a model, oldest first."""
    query = select(Vectorization.project_id, Vectorization.name).order_by(Vectorization.id)
    found: dict[int, list[str]] = {}
    for project_id, name in session.execute(
        query.where(Vectorization.project_id.in_(project_ids), Vectorization.model > 0)
    ):
        found.setdefault(project_id, []).append(name)
    return found


def count_project_rows(session: Session, access: Access, project_ids: Sequence[int]) -> dict[int, ProjectRowCounts]:
    """Number of documents, segments, annotations and categories that the caller may read, and of terms, by project id,
    in five queries. Rejected annotations and categories do not count.

    Annotations and categories are joined through the project's labels, for which both tables have an index.
    """
    counts = {project_id: ProjectRowCounts() for project_id in project_ids}
    readable = Document.deleted_at.is_(None) & visible_documents(access)
    of_projects = Document.project_id.in_(project_ids)
    documents = select(Document.project_id, func.count()).where(of_projects, readable)
    for project_id, number in session.execute(documents.group_by(Document.project_id)):
        counts[project_id].documents = number
    segments = select(Document.project_id, func.count()).join(Segment, Segment.document_id == Document.id)
    for project_id, number in session.execute(segments.where(of_projects, readable).group_by(Document.project_id)):
        counts[project_id].segments = number
    seen = labelling_visibility(access)
    tables: tuple[tuple[str, type[Annotation] | type[Category]], ...]
    tables = (("annotations", Annotation), ("categories", Category))
    for name, table in tables:
        query = (
            select(Label.project_id, func.count())
            .join(table, table.label_id == Label.id)
            .join(Document, Document.id == table.document_id)
            .where(
                Label.project_id.in_(project_ids),
                counted_clause(table),
                readable,
                labelling_visibility_clause(seen, table),
            )
            .group_by(Label.project_id)
        )
        for project_id, number in session.execute(query):
            setattr(counts[project_id], name, number)
    # A deleted lexicon may still have terms, which a job removes. Removed terms have no rows: without a look at their
    # `deleted_at`, an index is enough to count them.
    terms = (
        select(Lexicon.project_id, func.count())
        .join(LexiconTerm, LexiconTerm.lexicon_id == Lexicon.id)
        .where(Lexicon.project_id.in_(project_ids), Lexicon.deleted_at.is_(None))
        .group_by(Lexicon.project_id)
    )
    for project_id, number in session.execute(terms):
        counts[project_id].terms = number
    return counts


def find_group(session: Session, name: str) -> Group | None:
    return session.scalar(select(Group).where(Group.name == name))


def groups_of(session: Session, user_id: int) -> Sequence[Group]:
    """Groups a user belongs to, ordered by name."""
    query = select(Group).join(Membership, Membership.group_id == Group.id).where(Membership.user_id == user_id)
    return session.scalars(query.order_by(Group.name)).all()
