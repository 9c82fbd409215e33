"""All SQL of saved searches. A caller sees the own ones and the shared ones."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, false, or_, select, update

from annotarium.access.call import ProjectCall
from annotarium.db.models import SavedSearch


def is_visible(call: ProjectCall) -> ColumnElement[bool]:
    """True for the searches of the project that the caller sees: the own ones and the shared ones."""
    return (SavedSearch.project_id == call.project.id) & or_(
        SavedSearch.user_id == call.access.user_id, SavedSearch.shared.is_(True)
    )


def list_searches(call: ProjectCall, kind: str | None) -> Sequence[SavedSearch]:
    """Searches the caller sees, by label."""
    query = select(SavedSearch).where(is_visible(call)).order_by(SavedSearch.label, SavedSearch.id)
    return call.session.scalars(query.where(SavedSearch.kind == kind) if kind else query).all()


def find_search(call: ProjectCall, name: str) -> SavedSearch | None:
    """The search of that name, if the caller sees it."""
    return call.session.scalar(select(SavedSearch).where(is_visible(call), SavedSearch.name == name))


def find_default(call: ProjectCall, kind: str) -> SavedSearch | None:
    """What the caller begins with: the own default, else the newest shared one."""
    query = select(SavedSearch).where(is_visible(call), SavedSearch.kind == kind, SavedSearch.is_default.is_(True))
    own_first = (SavedSearch.user_id == call.access.user_id).desc()
    return call.session.scalars(query.order_by(own_first, SavedSearch.modified_at.desc())).first()


def count_own(call: ProjectCall) -> int:
    """How many the caller keeps in the project."""
    query = select(SavedSearch.id).where(
        SavedSearch.project_id == call.project.id, SavedSearch.user_id == call.access.user_id
    )
    return len(call.session.scalars(query).all())


def has_search_with_label(call: ProjectCall, kind: str, label: str, *, besides: int = 0) -> bool:
    """Whether the caller keeps another search of this kind under this label."""
    query = select(SavedSearch.id).where(
        SavedSearch.project_id == call.project.id,
        SavedSearch.user_id == call.access.user_id,
        SavedSearch.kind == kind,
        SavedSearch.label == label,
        SavedSearch.id != besides,
    )
    return call.session.scalars(query).first() is not None


def search_names_starting_with(call: ProjectCall, base: str) -> set[str]:
    """Names of the project that begin so, whoever's they are."""
    query = select(SavedSearch.name).where(
        SavedSearch.project_id == call.project.id, SavedSearch.name.startswith(base, autoescape=True)
    )
    return set(call.session.scalars(query))


def clear_other_defaults(call: ProjectCall, row: SavedSearch) -> None:
    """Have no other search of the owner, and of the shared ones if this is shared, be the default of its kind."""
    rivals = SavedSearch.user_id == row.user_id
    rivals = rivals | (SavedSearch.shared.is_(True) if row.shared else false())
    query = update(SavedSearch).where(
        SavedSearch.project_id == row.project_id, SavedSearch.kind == row.kind, SavedSearch.id != row.id, rivals
    )
    call.session.execute(query.values(is_default=False))
