"""Checks that all processes of an installation use the same search index: engine, place, index version and software.

`annotarium serve` publishes its index in the database when it starts; starting it with or without OPENSEARCH_URL moves
the index intentionally. Workers and commands compare their own index with it when they start, before they take a job,
and whenever they read what to index: a process that wrote to another index would acknowledge changes that no search
finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy.orm import Session

import annotarium
from annotarium.db.database import get_database
from annotarium.db.models import InstanceFact
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import ServiceUnavailable
from annotarium.search import repository
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import INDEX_VERSION
from annotarium.settings import Settings, get_settings

log = structlog.get_logger(__name__)
_UNKNOWN_STORE = ""
"""Place of an index on a server that was not contacted yet."""


class IndexDiffers(ServiceUnavailable):
    """This process has another search index than the installation. It may not write to it, nor take jobs."""

    error = "index_differs"


@dataclass
class _LocalIndex:
    """State of this process: whether it publishes its index (`annotarium serve`), whether it works on another index
    than the one in use on request, and the known places of indexes on servers.
    """

    publishes: bool = False
    detached: bool = False
    store_ids: dict[tuple[str, str], str] = field(default_factory=dict)


_local = _LocalIndex()


def skip_index_check() -> None:
    """Disable all comparisons, for a process that is meant to work on an index that is not (yet) the one in use."""
    _local.detached = True


def describe_local_index(settings: Settings) -> dict[str, Any]:
    """Return engine, place, index version and software of this process, without contacting the server."""
    server = settings.engine_name == "opensearch"
    return {
        "engine": settings.engine_name,
        "prefix": settings.opensearch_prefix if server else "",
        "place": _local.store_ids.get(_search_server_address(settings), _UNKNOWN_STORE) if server else "data folder",
        "indexVersion": INDEX_VERSION,
        "software": annotarium.__version__,
    }


def publish_index() -> dict[str, Any] | None:
    """Store the index of this process as that of the installation. Returns what was stored before.

    Called by `annotarium serve` at its start. The place of an index on a server is kept when engine and prefix are the
    same as before; `publish_index_store_id` asks the server, which may be unreachable now.
    """
    _local.publishes = True
    own = describe_local_index(get_settings())
    with unit_of_work(actor="", write=True) as unit:
        fact = unit.session.get(InstanceFact, repository.SHARED_INDEX, with_for_update=True)
        before = None if fact is None else dict(fact.value)
        if before is not None and _is_same(before, own, ("engine", "prefix")):
            own["place"] = before["place"]
        if fact is None:
            unit.session.add(InstanceFact(key=repository.SHARED_INDEX, value=own))
        elif before != own:
            fact.value = own
    return before


def publish_index_store_id() -> bool:
    """Ask the server for the place of its index and store it. Returns whether it is another one than before.

    Raises:
        ServiceUnavailable: the server is unreachable.
    """
    settings = get_settings()
    if settings.engine_name != "opensearch":
        return False
    store_id = _read_store_id(settings, make=True)
    with unit_of_work(actor="", write=True) as unit:
        fact = unit.session.get(InstanceFact, repository.SHARED_INDEX, with_for_update=True)
        if fact is None or not _is_same(fact.value, describe_local_index(settings), ("engine", "prefix")):
            return False  # another process moved the index meanwhile
        before = str(fact.value["place"])
        fact.value = {**fact.value, "place": store_id}
    return before not in (_UNKNOWN_STORE, store_id)


def require_index_of_installation(session: Session) -> None:
    """Check that this process may index what it reads in this transaction. Costs one look-up by key.

    Raises:
        IndexDiffers: its index is not that of the installation.
        ServiceUnavailable: the search server is unreachable.
    """
    shared = repository.find_shared_index(session)
    if shared is None or _local.detached:
        return
    own = _with_store_id(shared, get_settings(), _local.publishes)
    require_equal_index_descriptions(shared, own, software=False)


def require_same_index(*, software: bool = True) -> None:
    """Check index and software at the start of a process and before it takes a job; an unreachable server is tolerated.

    Raises:
        IndexDiffers: its index, or its software, is not that of the installation.
    """
    with get_database().session(write=False) as session:
        shared = repository.find_shared_index(session)
    if shared is None or _local.detached:
        return
    settings = get_settings()
    try:
        own = _with_store_id(shared, settings, True)
    except IndexDiffers:
        raise
    except ServiceUnavailable as away:
        log.warning("index_not_compared", cause=away.cause)
        own = {**describe_local_index(settings), "place": shared["place"]}
    require_equal_index_descriptions(shared, own, software=software)


def require_equal_index_descriptions(shared: Mapping[str, Any], own: Mapping[str, Any], *, software: bool) -> None:
    """Compare the index stored in the database with that of a process.

    Raises:
        IndexDiffers: with the first difference, and what to do about it.
    """
    words = _difference(shared, own, software=software)
    if words is not None:
        cause, fix = words
        raise IndexDiffers("This process does not share the search index of the installation", cause=cause, fix=fix)


def _difference(shared: Mapping[str, Any], own: Mapping[str, Any], *, software: bool) -> tuple[str, str] | None:
    again = "then restart it"
    if shared["engine"] != own["engine"]:
        has = {"embedded": "in its data folder", "opensearch": "on an OpenSearch server"}
        cause = f"The studio has its index {has[shared['engine']]}, this process {has[own['engine']]}"
        if shared["engine"] == "opensearch":
            return cause, f"Set OPENSEARCH_URL for this process as for annotarium serve, {again}"
        return cause, f"Take OPENSEARCH_URL away from the environment of this process, {again}"
    if shared["prefix"] != own["prefix"]:
        cause = f"The studio's indexes are called {shared['prefix']}.*, those of this process {own['prefix']}.*"
        return cause, f"Set ANNOTARIUM_OPENSEARCH_PREFIX={shared['prefix']}, {again}"
    if shared["place"] != own["place"]:
        cause = "OPENSEARCH_URL of this process names another OpenSearch than that of the studio"
        return cause, f"Set OPENSEARCH_URL for this process as for annotarium serve, {again}"
    if shared["indexVersion"] != own["indexVersion"] or (software and shared["software"] != own["software"]):
        cause = (
            f"The studio is Annotarium {shared['software']} (index version {shared['indexVersion']}), this process is "
            f"{own['software']} (index version {own['indexVersion']})"
        )
        return cause, "Install the same version on all machines; start annotarium serve first, then this process"
    return None


def _with_store_id(shared: Mapping[str, Any], settings: Settings, trusting: bool) -> dict[str, Any]:
    """Return the description of this process, with its place on the server where that has to be compared.

    Args:
        trusting: accept an index whose place is not stored yet as the same.
    """
    own = describe_local_index(settings)
    if own["engine"] != "opensearch" or not _is_same(shared, own, ("engine", "prefix")):
        return own
    if shared["place"] == _UNKNOWN_STORE:
        if trusting:
            return {**own, "place": _UNKNOWN_STORE}
        raise ServiceUnavailable("The studio has not reached its search server yet", fix="Try again in a minute")
    if own["place"] == _UNKNOWN_STORE:
        own["place"] = _read_store_id(settings, make=False)
    return own


def _read_store_id(settings: Settings, *, make: bool) -> str:
    store_id = get_search_engine().store_id(make=make)
    if store_id != _UNKNOWN_STORE:
        _local.store_ids[_search_server_address(settings)] = store_id
    return store_id or "nowhere"


def _search_server_address(settings: Settings) -> tuple[str, str]:
    return settings.opensearch_url or "", settings.opensearch_prefix


def _is_same(one: Mapping[str, Any], other: Mapping[str, Any], names: tuple[str, ...]) -> bool:
    return all(one.get(name) == other.get(name) for name in names)
