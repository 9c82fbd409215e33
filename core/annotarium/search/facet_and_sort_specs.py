"""Facets, histograms and sort orders that a request asks for."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.db.models import Project
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.search.exact_forms import OTHER_FORMS
from annotarium.search.index_and_search_types import TITLE_ORDER, FacetSpec, Sort
from annotarium.search.index_entries import DATASET, DOCUMENT, METADATA, TERM_FORMS, TERM_IDENTIFIERS
from annotarium.search.metadata_facets import project_metadata_facets
from annotarium.search.params import SearchParams
from annotarium.search.search_rights import FacetAccess, full_facet_name, may_read_facet
from annotarium_schemas.messages import message

FACET_VALUES = 50
HIDDEN_FACETS = frozenset(
    {
        *(DOCUMENT, "documentIdentifier", "identifier", "lexiconId", "origin", TITLE_ORDER),
        *(OTHER_FORMS, TERM_FORMS, TERM_IDENTIFIERS),
    }
)
DATE_FACETS = ("activity", "createdDate")
SORTS = frozenset({"createdDate", "modifiedDate", "activity"})
"""Dates that hits may be sorted by."""


def _facets_shown_by_project(names: Sequence[str], project: Project) -> Sequence[str]:
    """Return the names of facets; metadata only those that the project lists, in its order; all if it lists none."""
    wanted = [f"{METADATA}{one.name}" for one in project_metadata_facets(project)]
    if not wanted:
        return names
    return [*(name for name in names if not name.startswith(METADATA)), *(name for name in wanted if name in names)]


def facet_specs(
    params: SearchParams, names: Sequence[str], project: Project, facet_access: FacetAccess
) -> list[FacetSpec]:
    if not params.facets:
        return []
    named = [full_facet_name(name, names) for name in params.facet_names]
    dates = [name for name in DATE_FACETS if not named or name in named]
    specs = [FacetSpec(name, kind="dates") for name in dates if may_read_facet(facet_access.access, name)]
    size = params.facet_size or FACET_VALUES
    for name in [name for name in names if name in named] if named else _facets_shown_by_project(names, project):
        hidden = name in HIDDEN_FACETS or name in facet_access.access.hidden_facets or name.startswith(f"{DATASET}(")
        if not hidden and facet_access.facet(name) == name:
            specs.append(FacetSpec(name, size=size, find=params.facet_find))
    return specs


def histogram_specs(params: SearchParams, names: Sequence[str], facet_access: FacetAccess) -> list[FacetSpec]:
    wanted = dict.fromkeys(full_facet_name(name, names) for name in params.histograms)
    may = [name for name in wanted if name in SORTS or name.startswith(METADATA)]
    return [FacetSpec(name, kind="histogram") for name in may if may_read_facet(facet_access.access, name)]


def sort_order(params: SearchParams, names: Sequence[str], facet_access: FacetAccess) -> Sort | None:
    if not params.sort:
        return None
    given = params.sort.removeprefix("-")
    name = full_facet_name(given, names)
    if given in ("title", "preferredForm"):
        name = TITLE_ORDER
    elif name.startswith(METADATA):
        if facet_access.facet(name) is None:
            raise AccessDenied(
                "Authorization has been denied.",
                cause=message("denied.facet", "You may not use the facet {name}", name=name),
            )
    elif name not in SORTS:
        known = ", ".join(sorted(SORTS))
        raise InvalidInput(
            message("search.sort", "Results cannot be sorted by {name}", name=given),
            fix=f"Use one of {known}, title, metadata.{{name}}",
        )
    return Sort(name, descending=params.sort.startswith("-"))
