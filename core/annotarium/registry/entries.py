"""Reads the entry points of all groups: the only place of the server that does. Imports no component.

stevedore lists a group without importing it, but what it returns has lost its distribution (`dist` is None) and with
two entries of one name the last wins silently; so distributions come from `importlib.metadata` and names used twice
are refused here (both measured on stevedore 5.10.0).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from importlib.metadata import Distribution, EntryPoint, entry_points

from stevedore import NamedExtensionManager

from annotarium.registry.info import Entry
from annotarium_plugins.kinds import API_GROUP, API_VERSION

OWN_DISTRIBUTION = "annotarium"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


def read_group(group: str) -> list[Entry]:
    """Entries of a group, sorted by name. A refused entry stays in the list, with the reason."""
    owners = _owners(group)
    fences = _api_fences()
    entries = []
    for point in NamedExtensionManager(group, names=[], invoke_on_load=False).list_entry_points():
        distributions = owners[point.name, point.value]
        owner = distributions.pop(0) if distributions else None
        entries.append(_entry(point, owner, fences))
    entries.sort(key=lambda entry: (entry.point.name, entry.distribution))
    return _refuse_duplicates(entries)


def _owners(group: str) -> dict[tuple[str, str], list[Distribution]]:
    owners: dict[tuple[str, str], list[Distribution]] = defaultdict(list)
    for point in entry_points(group=group):
        if point.dist is not None:
            owners[point.name, point.value].append(point.dist)
    return owners


def _api_fences() -> dict[str, set[str]]:
    """API versions accepted, by distribution, for distributions that declare any."""
    fences: dict[str, set[str]] = defaultdict(set)
    for point in entry_points(group=API_GROUP):
        if point.dist is not None:
            fences[point.dist.name].add(point.name)
    return fences


def _entry(point: EntryPoint, owner: Distribution | None, fences: dict[str, set[str]]) -> Entry:
    name, version = (owner.name, owner.version) if owner is not None else ("unknown", "")
    refusal = ""
    if not NAME.fullmatch(point.name):
        refusal = f"The name {point.name!r} is not accepted: use letters, digits, '_', '.', '-', at most 100 characters"
    elif not point.attr and point.group != "annotarium.hooks":
        refusal = f"The entry point {point.value!r} names no class: write package.module:Class"
    elif name in fences and API_VERSION not in fences[name]:
        wanted = ", ".join(sorted(fences[name]))
        refusal = (
            f"{name} is made for component API {wanted}; this server has {API_VERSION}. Install a matching version"
        )
    return Entry(point, name, version, refusal)


def _refuse_duplicates(entries: list[Entry]) -> list[Entry]:
    """A name belongs to one distribution. Ours keeps its names; between others nobody wins, as order would decide."""
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_name[entry.point.name].append(entry)
    checked = []
    for entry in entries:
        same = by_name[entry.point.name]
        if len(same) > 1 and entry.distribution != OWN_DISTRIBUTION and not entry.refusal:
            names = " and ".join(sorted({other.distribution for other in same}))
            reason = f"The name {entry.point.name!r} is declared more than once, by {names}. Uninstall one of them"
            entry = replace(entry, refusal=reason)
        checked.append(entry)
    return checked
