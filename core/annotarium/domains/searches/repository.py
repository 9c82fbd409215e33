"""SQL of saved searches. A caller sees their own and the shared ones."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, false, or_, select, update

from annotarium.access.call import ProjectCall
from annotarium.db.models import SavedSearch


def is_visible(call: ProjectCall) -> ColumnElement[bool]:
    """SQL condition for the saved searches of the project that the caller sees: their own and the shared ones."""
    return (SavedSearch.project_id == call.project.id) & or_(
        SavedSearch.user_id == call.access.user_id, SavedSearch.shared.is_(True)
    )


def list_searches(call: ProjectCall, kind: str | None) -> Sequence[SavedSearch]:
    """Saved searches the caller sees, ordered by label; of one kind if given."""
    query = select(SavedSearch).where(is_visible(call)).order_by(SavedSearch.label, SavedSearch.id)
    return call.session.scalars(query.where(SavedSearch.kind == kind) if kind else query).all()


def find_search(call: ProjectCall, name: str) -> SavedSearch | None:
    """The search of that name, if the caller sees it."""
    return call.session.scalar(select(SavedSearch).where(is_visible(call), SavedSearch.name == name))


def find_default(call: ProjectCall, kind: str) -> SavedSearch | None:
    """The caller's own default search of this kind, else the most recently modified shared default, else None."""
    query = select(SavedSearch).where(is_visible(call), SavedSearch.kind == kind, SavedSearch.is_default.is_(True))
    own_first = (SavedSearch.user_id == call.access.user_id).desc()
    return call.session.scalars(query.order_by(own_first, SavedSearch.modified_at.desc())).first()


def count_own(call: ProjectCall) -> int:
    """Number of searches the caller has saved in the project."""
    query = select(SavedSearch.id).where(
        SavedSearch.project_id == call.project.id, SavedSearch.user_id == call.access.user_id
    )
    return len(call.session.scalars(query).all())


def has_search_with_label(call: ProjectCall, kind: str, label: str, *, besides: int = 0) -> bool:
    """Whether the caller has another saved search of this kind with this label.

    Args:
        besides: id of a saved search to ignore.
    """
    query = select(SavedSearch.id).where(
        SavedSearch.project_id == call.project.id,
        SavedSearch.user_id == call.access.user_id,
        SavedSearch.kind == kind,
        SavedSearch.label == label,
        SavedSearch.id != besides,
    )
    return call.session.scalars(query).first() is not None


def search_names_starting_with(call: ProjectCall, base: str) -> set[str]:
    """Names of saved searches of the project that start with `base`, regardless of the owner."""
    query = select(SavedSearch.name).where(
        SavedSearch.project_id == call.project.id, SavedSearch.name.startswith(base, autoescape=True)
    )
    return set(call.session.scalars(query))


def clear_other_defaults(call: ProjectCall, row: SavedSearch) -> None:
    """Clear the default flag of the owner's other searches of this kind; if `row` is shared, of all shared ones too."""
    rivals = SavedSearch.user_id == row.user_id
    rivals = rivals | (SavedSearch.shared.is_(True) if row.shared else false())
    query = update(SavedSearch).where(
        SavedSearch.project_id == row.project_id, SavedSearch.kind == row.kind, SavedSearch.id != row.id, rivals
    )
    call.session.execute(query.values(is_default=False))
