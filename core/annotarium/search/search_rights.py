"""What a caller may search for and see in results: search types, facets, the dataset, the origin of documents.

Rights are applied here once, for hits, counts and facets alike (readUserAnnot, readFacet, groups of origin).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annotarium.access.rights import Access
from annotarium.access.visibility import readable_creation_modes, readable_creators, reads_all_labelling
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Project
from annotarium.errors import AccessDenied
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import Kind
from annotarium.search.index_entries import (
    CATEGORIES,
    DATASET,
    LABELS,
    METADATA,
    NO_ORIGIN,
    PERSONAL_FACETS,
    creator_facet_name,
)
from annotarium.search.params import SearchParams
from annotarium.search.query import Phrase, Term, parse_advanced
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

_DATASET = {"$inDataset": "true", "$outDataset": "false"}


def require_search_type(access: Access, params: SearchParams) -> None:
    """Raise `AccessDenied` unless the caller may use the search type (C-060)."""
    if params.search_type == "hybrid" and not access.can("useHybridSearch"):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.useHybridSearch", "You do not have the permission useHybridSearch"),
        )


def require_search(access: Access, params: SearchParams) -> None:
    """Raise `AccessDenied` unless the caller may search; a plain, paged and sorted list needs no right (P-019)."""
    narrowed = params.query.strip() or params.vector_query.strip() or params.selected_facets or params.filters
    if (
        narrowed
        or params.dataset
        or params.invert
        or params.facet_find
        or not _is_single_document_filter(params.query_filter)
    ):
        access.require("useSearch")


def _is_single_document_filter(query_filter: str) -> bool:
    """Return whether a filter is empty or names one document by its identifier, which may be read without searching
    too.
    """
    if not query_filter.strip():
        return True
    node = parse_advanced(query_filter, "queryFilter")
    return isinstance(node, Phrase | Term) and node.field == "identifier"


def username_if_restricted(access: Access, project: Project) -> str | None:
    """Return the caller's name when some labelling of others is hidden from the caller, else None.

    The index does not store creator and creation mode of a label together, so such a caller counts only their own
    labelling.
    """
    return None if reads_all_labelling(access) else access.username


def origin_selections(access: Access) -> list[FacetSelection]:
    """Restrict documents to those without origin or of the caller's groups, if document-level access is enabled."""
    if not get_settings().document_level_access or access.reads_all_projects:
        return []
    return [FacetSelection("origin", name) for name in (NO_ORIGIN, *sorted(access.group_names))]


def may_read_facet(access: Access, name: str) -> bool:
    """Check `readFacet:{facet}`; a facet restricted to a creator counts as the unrestricted facet."""
    return access.can(f"readFacet:{name.partition('(')[0]}")


@dataclass(frozen=True)
class FacetAccess:
    """Which facets a caller may read, as a selection or as a field of a query.

    A caller without `readUserAnnot` reads labels and the dataset through the facets of their own work, and no other
    facet that reveals other people's work.
    """

    access: Access
    restricted: str | None

    def facet(self, name: str) -> str | None:
        """Return the facet to use for a facet name, None when the caller may not read it."""
        return self.field(name) if may_read_facet(self.access, name) else None

    def field(self, name: str) -> str | None:
        """Return the facet to use for a field of a query, None when it reveals work that the caller may not see."""
        base, bracket, creator = name.partition("(")
        if self.restricted is None or base not in PERSONAL_FACETS:
            return name
        if base not in (LABELS, CATEGORIES, DATASET):
            return None
        if not bracket:
            return creator_facet_name(base, self.restricted)
        others = readable_creators(self.access) if readable_creation_modes(self.access) is None else ()
        open_to_caller = others is None or remove_imported_prefix(creator.removesuffix(")")) in {
            self.restricted,
            *others,
        }
        return name if open_to_caller else None


def full_facet_name(name: str, names: Sequence[str]) -> str:
    """Return the facet for a name; metadata may be named without its prefix."""
    full = f"{METADATA}{name}"
    return full if name not in names and full in names else name


def permitted_selection(
    selection: FacetSelection, kind: Kind, names: Sequence[str], facet_access: FacetAccess
) -> FacetSelection:
    selection = replace(selection, facet=full_facet_name(selection.facet, names))
    if facet_access.facet(selection.facet) is None:
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.facet", "You may not use the facet {name}", name=selection.facet),
        )
    if kind == "documents" and selection.facet == "identifier":
        return replace(selection, facet="documentIdentifier")
    return restrict_selection_to_own_labelling(selection, facet_access)


def dataset_selections(params: SearchParams, facet_access: FacetAccess) -> list[FacetSelection]:
    """Return the dataset filter (C-062): open to everybody, restricted to what the caller may know of the dataset."""
    value = _DATASET.get(params.dataset)
    return [restrict_selection_to_own_labelling(FacetSelection(DATASET, value, "+"), facet_access)] if value else []


def restrict_selection_to_own_labelling(selection: FacetSelection, facet_access: FacetAccess) -> FacetSelection:
    facet = facet_access.field(selection.facet) or selection.facet
    if facet != selection.facet and selection.facet == DATASET:
        # Only items with the caller's own work have a value in the own facet, so `false` becomes an exclusion.
        inside = (selection.value == "true") != (selection.selector == "-")
        return FacetSelection(facet, "true", "+" if inside else "-")
    return replace(selection, facet=facet)
