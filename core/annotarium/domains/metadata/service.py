"""Rules of metadata, origins and alternative texts across documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from annotarium.access.call import ProjectCall, require_permission
from annotarium.domains.metadata import repository
from annotarium.domains.metadata.schemas import (
    AltTextCount,
    DeleteManyResponse,
    ItemCount,
    ItemRef,
    Kind,
    MetadataDefinition,
    MetadataDefinitionEntry,
    OriginRead,
)
from annotarium.domains.projects import service as projects
from annotarium.domains.projects.schemas import ProjectConfigPatch
from annotarium.search.index_entries import metadata_facet_values
from annotarium.search.indexer import get_outbox_relay
from annotarium.search.metadata_facets import project_metadata_facets

Mode = Literal["PRESERVE", "APPEND", "OVERWRITE"]
_MAX_VALUES_LISTED = 100
_MAX_VALUES_COUNTED = 1_000
_FACET_VALUES = 50
"""Maximum number of distinct values of a generated facet: with more, a facet is no help to filter."""
_FACETS = 10


@dataclass
class _NameStatistics:
    """Statistics of one metadata name."""

    documents: int = 0
    multiple: bool = False
    kinds: set[Kind] = field(default_factory=set)
    values: Counter[str] = field(default_factory=Counter)

    def take(self, value: Any) -> None:
        """Count the value of one document."""
        self.documents += 1
        self.multiple = self.multiple or isinstance(value, list)
        for one in value if isinstance(value, list) else [value]:
            self.kinds.add(_kind(one))
        for words in metadata_facet_values(value):
            if words in self.values or len(self.values) < _MAX_VALUES_COUNTED:
                self.values[words] += 1

    @property
    def kind(self) -> Kind:
        """The common kind of all values, else `mixed`."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 else "mixed"


def _kind(value: Any) -> Kind:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "text"


def _metadata_statistics(call: ProjectCall) -> dict[str, _NameStatistics]:
    found: dict[str, _NameStatistics] = {}
    for metadata in repository.iterate_metadata(call):
        for name, value in metadata.items():
            found.setdefault(name, _NameStatistics()).take(value)
    return found


def list_metadata(call: ProjectCall) -> list[MetadataDefinition]:
    """Metadata of the documents the caller may read, by name."""
    rights = call.access.rights_on(call.project)
    editable = rights.write and (rights.owner or call.access.can("modifyMetadata"))
    entries = [
        MetadataDefinitionEntry(
            metadata_name=name,
            distinct_metadata_values=[value for value, _ in known.values.most_common(_MAX_VALUES_LISTED)],
            is_editable=editable,
            is_multiple=known.multiple,
            kind=known.kind,
            count=known.documents,
            distinct_count=len(known.values),
        )
        for name, known in sorted(_metadata_statistics(call).items())
    ]
    return [MetadataDefinition(metadata=entries)]


def list_origins(call: ProjectCall) -> list[OriginRead]:
    return [
        OriginRead(
            name=group.name,
            label=group.label,
            identifier=group.identifier,
            mapping_discriminator=group.mapping_discriminator,
        )
        for group in repository.origin_groups_of_documents(call)
    ]


def generate_facets(call: ProjectCall, mode: Mode) -> None:
    """Choose the metadata that are useful as facets: few distinct values that occur in several documents each.

    `PRESERVE` changes nothing if facets are configured, `APPEND` adds to them, `OVERWRITE` replaces them.
    """
    present = list(call.project.metafacets)
    chosen = present
    if mode == "OVERWRITE" or not present or mode == "APPEND":
        names = _names_useful_as_facets(_metadata_statistics(call))
        kept = [] if mode == "OVERWRITE" else present
        known = {one.name for one in project_metadata_facets(call.project)} if kept else set()
        chosen = [*kept, *(name for name in names if name not in known)]
    projects.update_config(call, ProjectConfigPatch(metafacets=chosen))


def _names_useful_as_facets(found: dict[str, _NameStatistics]) -> list[str]:
    useful = [
        (name, known)
        for name, known in found.items()
        if 2 <= len(known.values) <= _FACET_VALUES and sum(known.values.values()) >= 2 * len(known.values)
    ]
    ordered = sorted(useful, key=lambda one: (-one[1].documents, len(one[1].values), one[0]))
    return [name for name, _ in ordered[:_FACETS]]


def list_alt_texts(call: ProjectCall) -> list[AltTextCount]:
    return [AltTextCount(name=name, count=count) for name, count in repository.count_alt_texts(call)]


def delete_alt_texts(
    call: ProjectCall, items: Sequence[ItemRef], *, everything: bool, details: bool
) -> DeleteManyResponse:
    """Delete alternative texts by name, or all of them; history keeps their content (D-014).

    Raises:
        AccessDenied: the permission `deleteDocuments` is missing.
    """
    require_permission(call, "deleteDocuments")
    wanted = [name for name, _ in repository.count_alt_texts(call)] if everything else [item.name for item in items]
    counts = [ItemCount(name=name, count=repository.delete_alt_texts(call, name)) for name in dict.fromkeys(wanted)]
    removed = sum(one.count for one in counts)
    if removed:
        arg = {"type": "altTexts", "count": removed, "by": call.username}
        call.unit.emit("documents", arg, project=call.project.name)
    return DeleteManyResponse(removed=removed, details=counts if details else None)


def flush_index(call: ProjectCall) -> None:
    """Wait until searches see what was committed; gives up after a while without an error."""
    get_outbox_relay().settle(call.project.id)
