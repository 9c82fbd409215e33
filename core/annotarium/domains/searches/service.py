"""Rules of saved searches: users save their own; sharing needs write access to the project (S-022)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from sqlalchemy import ColumnElement

from annotarium.access.call import ProjectCall
from annotarium.content.free_names import first_free_name
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.identifiers import new_id
from annotarium.db.models import SavedSearch
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.searches import repository
from annotarium.domains.searches.schemas import SavedSearchCreate, SavedSearchPatch, SavedSearchRead, SearchKind
from annotarium.errors import AccessDenied, Conflict, NotFound
from annotarium.search.params import check_query, params_from_request
from annotarium_schemas.messages import message
from annotarium_schemas.search import SearchParams, SearchRequest

MAX_SAVED_SEARCHES = 200
"""Maximum number of saved searches per user and project."""


def is_visible_to(call: ProjectCall) -> ColumnElement[bool]:
    """SQL condition for the saved searches that the caller sees, for queries of other packages."""
    return repository.is_visible(call)


def list_searches(call: ProjectCall, kind: SearchKind | None) -> list[SavedSearchRead]:
    """The caller's own and the shared saved searches, ordered by label."""
    return convert_readable_rows(repository.list_searches(call, kind), lambda row: _build_search_read_model(call, row))


def save_search(call: ProjectCall, body: SavedSearchCreate) -> SavedSearchRead:
    """Save a search.

    Raises:
        Conflict: the caller has a search with this label, or has reached `MAX_SAVED_SEARCHES`.
        AccessDenied: the caller may not share it, or not as the default.
        QuerySyntaxError: the query is not valid.
    """
    if repository.has_search_with_label(call, body.kind, body.label):
        raise Conflict(
            message("taken.search", "You already have a saved search {name}", name=body.label),
            fix="Choose another name, or replace that one",
        )
    if repository.count_own(call) >= MAX_SAVED_SEARCHES:
        raise Conflict(
            message(
                "limit.searches",
                "You already have {number:,} saved searches in this project",
                number=MAX_SAVED_SEARCHES,
            ),
            fix="Delete one that you do not need",
        )
    row = SavedSearch(
        id=new_id(),
        project_id=call.project.id,
        user_id=call.access.user_id,
        name=_free_name(call, body.label),
        label=body.label,
        kind=body.kind,
        search=_stored_params(body.search),
        shared=body.shared,
        is_default=body.is_default,
        created_by=call.username,
        modified_by=call.username,
    )
    if row.shared:
        _require_sharing(call, row)
    call.session.add(row)
    return _finish_search_change(call, row)


def change_search(call: ProjectCall, name: str, body: SavedSearchPatch) -> SavedSearchRead:
    """Change a saved search; raises like `save_search`."""
    row = _require_editable_search(call, name)
    if body.label is not None:
        if repository.has_search_with_label(call, row.kind, body.label, besides=row.id):
            raise Conflict(
                message("taken.search", "You already have a saved search {name}", name=body.label),
                fix=message("fix.otherName", "Choose another name"),
            )
        row.label = body.label
    if body.search is not None:
        row.search = _stored_params(body.search)
    shared_before = row.shared
    row.shared = row.shared if body.shared is None else body.shared
    row.is_default = row.is_default if body.is_default is None else body.is_default
    if row.shared and (not shared_before or body.is_default is not None):
        _require_sharing(call, row)
    mark_modified(row, call.username)
    return _finish_search_change(call, row)


def delete_search(call: ProjectCall, name: str) -> None:
    """Delete a saved search; raises `NotFound`, or `AccessDenied` if the caller may not change it."""
    row = _require_editable_search(call, name)
    call.session.delete(row)
    _notify(call, row)


def merge_saved_search(
    call: ProjectCall, request: SearchRequest, kind: SearchKind, *, name: str, default: bool
) -> SearchRequest:
    """Complete a request with the parameters of a saved search; parameters in the request take precedence.

    Args:
        name: the saved search; empty = none.
        default: without a name, use the caller's default search, if any.

    Raises:
        NotFound: there is no search of that name, or the caller does not see it.
        AccessDenied: the caller may not search.
        Conflict: the saved search is damaged.
    """
    if name or default:
        call.access.require("useSearch")
    row = _require_search(call, name) if name else repository.find_default(call, kind) if default else None
    if row is None:
        return request
    given = request.search.model_dump(by_alias=True, exclude_unset=True)
    try:
        search = SearchParams.model_validate(_merge_mappings(row.search, given))
    except ValidationError as error:
        raise Conflict(
            message("search.damaged", "The saved search {name} is damaged and cannot be run", name=row.label),
            fix=message("fix.saveAnew", "Delete it, then save the search again"),
        ) from error
    return request.model_copy(update={"search": search})


def _merge_mappings(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(under, Mapping)
        merged[key] = _merge_mappings(under, value) if both else value  # type: ignore[arg-type]
    return merged


def _stored_params(search: SearchParams) -> dict[str, Any]:
    check_query(params_from_request(SearchRequest(search=search)))
    return search.model_dump(by_alias=True, mode="json", exclude={"from_"}, exclude_defaults=True)


def _free_name(call: ProjectCall, label: str) -> str:
    from slugify import slugify  # imported late: takes 4 MB

    base = slugify(label, separator="_")[:60] or "search"
    taken = repository.search_names_starting_with(call, base)
    return first_free_name(base, lambda name: name in taken)


def _require_search(call: ProjectCall, name: str) -> SavedSearch:
    row = repository.find_search(call, name)
    if row is None:
        raise NotFound(
            message("none.search", "There is no saved search {name}", name=name),
            fix=message("fix.ofTheList", "Choose one from the list"),
        )
    return row


def _require_editable_search(call: ProjectCall, name: str) -> SavedSearch:
    row = _require_search(call, name)
    if not _may_edit(call, row):
        raise AccessDenied("Authorization has been denied.", cause=f"The search {row.label} is {row.created_by}'s")
    return row


def _may_edit(call: ProjectCall, row: SavedSearch) -> bool:
    """Whether the caller owns the search, or it is shared and the caller may change the project's settings."""
    rights = call.access.rights_on(call.project)
    keeper = rights.write and (rights.owner or call.access.can("changeProjectConfig"))
    return row.user_id == call.access.user_id or (row.shared and keeper)


def _require_sharing(call: ProjectCall, row: SavedSearch) -> None:
    """Raise unless the caller may share it: needs write access; for a shared default, the right to change settings."""
    rights = call.access.rights_on(call.project)
    if not rights.write:
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.shareSearch", "To share searches, you need the right to write to the project"),
        )
    if row.is_default and not (rights.owner or call.access.can("changeProjectConfig")):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.defaultSearch", "The default search of everybody is a setting of the project"),
            fix="Share it without making it the default",
        )


def _finish_search_change(call: ProjectCall, row: SavedSearch) -> SavedSearchRead:
    call.session.flush()
    if row.is_default:
        repository.clear_other_defaults(call, row)
    _notify(call, row)
    return _build_search_read_model(call, row)


def _notify(call: ProjectCall, row: SavedSearch) -> None:
    call.unit.emit("searches", {"type": "saved", "kind": row.kind, "by": call.username}, project=call.project.name)


def _build_search_read_model(call: ProjectCall, row: SavedSearch) -> SavedSearchRead:
    return SavedSearchRead(
        name=row.name,
        label=row.label,
        kind=row.kind,
        search=row.search,
        shared=row.shared,
        is_default=row.is_default,
        mine=row.user_id == call.access.user_id,
        editable=_may_edit(call, row),
        created_by=row.created_by,
        modified_date=iso(row.modified_at),
    )
