"""Which annotations and categories of others a caller may read (readUserAnnot, readModeAnnot), as one SQL clause.

Without `readUserAnnot` a caller reads their own labelling and labelling that no person created. Of others' labelling
only the creation modes named by `readModeAnnot` are visible; without any such permission, none. Everything that shows
or counts labelling uses these rules: listings, exports, histories, figures, live events by row, searches through
`reads_all_labelling`.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, bindparam, exists, or_, true

from annotarium.access.rights import Access
from annotarium.db.imported_author_names import add_imported_prefix, remove_imported_prefix
from annotarium.db.models import Annotation, Category, Document, Project, Relation
from annotarium.settings import get_settings

HUMAN_MODES = ("manual", "imported")
_FAMILY = "readUserAnnot:"
_MODES = "readModeAnnot:"


def readable_creators(access: Access) -> frozenset[str] | None:
    """Users whose manual labelling the caller reads in addition to their own; None = everybody's."""
    if access.can(f"{_FAMILY}*"):
        return None
    named = {permission.removeprefix(_FAMILY) for permission in access.permissions if permission.startswith(_FAMILY)}
    return frozenset(named)


def readable_creation_modes(access: Access) -> frozenset[str] | None:
    """Creation modes of others' labelling that the caller reads; None = all."""
    modes = {permission.removeprefix(_MODES) for permission in access.permissions if permission.startswith(_MODES)}
    if modes & {"all", "*"}:
        return None
    return frozenset(modes | {"undefined"}) if modes else frozenset()


@dataclass(frozen=True)
class LabellingVisibility:
    """Which of others' labelling a caller reads: by creator and by creation mode (None = all)."""

    username: str
    creators: frozenset[str] | None
    modes: frozenset[str] | None


def labelling_visibility(access: Access) -> LabellingVisibility:
    """What the caller reads, hashable as a key for cached statements."""
    return LabellingVisibility(access.username, readable_creators(access), readable_creation_modes(access))


def readable_labelling_clause(
    access: Access, project: Project, table: type[Annotation] | type[Category] | type[Relation]
) -> ColumnElement[bool]:
    """True for rows the caller may read; a relation is readable if both of its annotations are."""
    if issubclass(table, Relation):
        return _readable_relation_ends_clause(access)
    return labelling_visibility_clause(labelling_visibility(access), table)


def labelling_visibility_clause(
    seen: LabellingVisibility, table: type[Annotation] | type[Category]
) -> ColumnElement[bool]:
    """True for rows that are readable with that visibility."""
    clauses: list[ColumnElement[bool]] = []
    if seen.creators is not None:
        own = table.created_by.in_(_author_names_of_users({seen.username, *seen.creators}))
        clauses.append(or_(own, table.creation_mode.not_in(HUMAN_MODES)))
    if seen.modes is not None:
        clauses.append(
            or_(table.creation_mode.in_(seen.modes), table.created_by.in_(_author_names_of_users({seen.username})))
        )
    return and_(*clauses) if clauses else true()


def _author_names_of_users(names: Set[str]) -> set[str]:
    """The author names under which labelling of these users is stored: created here or imported."""
    return {*names, *map(add_imported_prefix, names)}


def _readable_relation_ends_clause(access: Access) -> ColumnElement[bool]:
    if reads_all_labelling(access):
        return true()
    seen = labelling_visibility_clause(labelling_visibility(access), Annotation)
    ends = (Relation.source_id, Relation.target_id)
    return and_(*(exists().where(Annotation.id == end, seen) for end in ends))


def may_read_labelling(access: Access, creator: str | None, mode: str | None) -> bool:
    """Apply the rule of `readable_labelling_clause` to one row, given its creator and creation mode."""
    creators, modes = readable_creators(access), readable_creation_modes(access)
    creator = None if creator is None else remove_imported_prefix(creator)
    own = creator == access.username
    by_creator = creators is None or own or creator in creators or mode not in HUMAN_MODES
    return by_creator and (modes is None or mode in modes or own)


def may_read_document_of_group(access: Access, group: int | None) -> bool:
    """Apply the rule of `readable_documents` to a document that is not deleted, given its origin group."""
    return reads_all_documents(access) or group is None or group in access.group_ids


def reads_all_labelling(access: Access) -> bool:
    """Whether no labelling of others is hidden from the caller."""
    return readable_creators(access) is None and readable_creation_modes(access) is None


def reads_all_documents(access: Access) -> bool:
    """Whether the caller may see every document of the projects it can open."""
    return access.reads_all_projects or not get_settings().document_level_access


def readable_documents(access: Access, project: Project) -> ColumnElement[bool]:
    """True for documents of a project that are not deleted and that the caller may see (by origin group)."""
    return visible_documents_with_deleted(access, project) & Document.deleted_at.is_(None)


def readable_documents_by_id(access: Access, project: Project) -> ColumnElement[bool]:
    """`readable_documents` for queries that name documents by id, in a list or a join.

    With a plain `=` on the project, SQLite would use the index on it and scan all documents of the project for each of
    them; `+ 0` prevents that.
    """
    live = (Document.project_id + 0 == project.id) & Document.deleted_at.is_(None)
    return live & visible_documents(access)


def visible_documents_with_deleted(access: Access, project: Project) -> ColumnElement[bool]:
    """Like `readable_documents`, deleted documents included: their labelling is restored together with them."""
    return (Document.project_id == project.id) & visible_documents(access)


def visible_documents(access: Access) -> ColumnElement[bool]:
    """True for documents, of any project, that document-level access does not hide from the caller."""
    return true() if reads_all_documents(access) else documents_from_groups(access.group_ids)


def groups_of_visible_documents(access: Access) -> frozenset[int] | None:
    """The groups whose documents the caller sees in addition to documents without a group; None = all."""
    return None if reads_all_documents(access) else access.group_ids


def readable_documents_by_id_clause(groups: frozenset[int] | None) -> ColumnElement[bool]:
    """`readable_documents` for a query by document ids; the project is bound as `project`.

    With a plain `=` on the project, SQLite would use the index on it and scan all documents of the project to find a
    few ids; `+ 0` prevents that.
    """
    own = (Document.project_id + 0 == bindparam("project")) & Document.deleted_at.is_(None)
    return own if groups is None else own & documents_from_groups(groups)


def documents_from_groups(groups: frozenset[int]) -> ColumnElement[bool]:
    """True for documents that came from one of the groups or from none."""
    origin: ColumnElement[bool] = Document.origin_group_id.is_(None)
    return or_(origin, Document.origin_group_id.in_(groups)) if groups else origin
