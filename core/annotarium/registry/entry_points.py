"""Reads the entry points of all groups; no other module of the server does. Imports no component.

stevedore lists a group without importing it, but its result lacks the distribution (`dist` is None), and of two entries
with the same name the last one wins silently. Therefore distributions come from `importlib.metadata`, and duplicate
names are refused here (both measured on stevedore 5.10.0).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from importlib.metadata import Distribution, EntryPoint, distributions

from stevedore import NamedExtensionManager

from annotarium.registry.component_info import ComponentEntryPoint
from annotarium_plugins.kinds import API_GROUP, API_VERSION, HOOKS_GROUP

OWN_DISTRIBUTION = "annotarium"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}")


Owners = dict[tuple[str, str, str], list[Distribution]]


def read_groups(groups: Iterable[str]) -> dict[str, list[ComponentEntryPoint]]:
    """Entries of each group, sorted by name. A refused entry stays in its list, with the reason."""
    wanted = set(groups)
    owners: Owners = defaultdict(list)
    fences: dict[str, set[str]] = defaultdict(set)
    seen: set[str] = set()
    for distribution in distributions():
        points = [point for point in distribution.entry_points if point.group in wanted or point.group == API_GROUP]
        if not points or _normalized_distribution_name(distribution.name) in seen:
            continue
        seen.add(_normalized_distribution_name(distribution.name))
        for point in points:
            owners[point.group, point.name, point.value].append(distribution)
            if point.group == API_GROUP:
                fences[distribution.name].add(point.name)
    return {group: _read_group(group, owners, fences) for group in sorted(wanted)}


def read_unknown_groups(groups: Iterable[str]) -> list[tuple[str, EntryPoint]]:
    """Entry points in groups with our prefix that are not among the known groups, by distribution."""
    known, prefix = {*groups, API_GROUP}, f"{OWN_DISTRIBUTION}."
    return sorted(
        (distribution.name, point)
        for distribution in distributions()
        for point in distribution.entry_points
        if point.group.startswith(prefix) and point.group not in known
    )


def _normalized_distribution_name(name: str) -> str:
    """The normalised name of a distribution; the first one on the path hides others with the same name."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _read_group(group: str, owners: Owners, fences: dict[str, set[str]]) -> list[ComponentEntryPoint]:
    entries = []
    for point in NamedExtensionManager(group, names=[], invoke_on_load=False).list_entry_points():
        distributions = owners[group, point.name, point.value]
        owner = distributions.pop(0) if distributions else None
        entries.append(_make_entry(point, owner, fences))
    entries.sort(key=lambda entry: (entry.point.name, entry.distribution))
    return _refuse_duplicates(entries)


def _make_entry(point: EntryPoint, owner: Distribution | None, fences: dict[str, set[str]]) -> ComponentEntryPoint:
    name, version = (owner.name, owner.version) if owner is not None else ("unknown", "")
    refusal = ""
    if not NAME.fullmatch(point.name):
        refusal = f"The name {point.name!r} is not accepted: use letters, digits, '_', '.', '-', at most 100 characters"
    elif not point.attr and point.group != HOOKS_GROUP:
        refusal = f"The entry point {point.value!r} names no class: write package.module:Class"
    elif name in fences and API_VERSION not in fences[name]:
        wanted = ", ".join(sorted(fences[name]))
        refusal = (
            f"{name} is made for component API {wanted}; this server has {API_VERSION}. Install a matching version"
        )
    return ComponentEntryPoint(point, name, version, refusal)


def _refuse_duplicates(entries: list[ComponentEntryPoint]) -> list[ComponentEntryPoint]:
    """Refuse duplicate names: ours are kept; of others, none is accepted, as order would decide."""
    by_name: dict[str, list[ComponentEntryPoint]] = defaultdict(list)
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
