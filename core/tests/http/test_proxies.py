"""Whose word about the client's address is taken: a proxy that a setting names, and nobody else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from annotarium.server.api_server import server_config
from annotarium.settings import Settings, get_settings

pytestmark = pytest.mark.usefixtures("data_folder")


def seen(peer: str, *headers: tuple[str, str], kind: str = "http") -> tuple[str, str]:
    """Address and scheme that the application sees."""
    found: list[tuple[str, str]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append((scope["client"][0], scope["scheme"]))

    config = server_config()
    config.app, config.factory = app, False
    config.load()
    scope = {"type": kind, "client": (peer, 4711), "scheme": "http" if kind == "http" else "ws"}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers]
    asyncio.run(config.loaded_app(scope, None, None))
    return found[0]


FORGED = (("x-forwarded-for", "198.51.100.1"), ("x-forwarded-proto", "https"))


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.0.0.5", "203.0.113.9"])
def test_nobody_is_believed_unless_a_setting_names_him(peer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not callers of this machine either: a guesser would have a new address with each try."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # a variable of the library's own opens nothing
    assert seen(peer, *FORGED) == (peer, "http")


@pytest.mark.parametrize(
    ("forwarded", "client"),
    [
        ("198.51.100.1", "198.51.100.1"),
        ("6.6.6.6, 198.51.100.1", "198.51.100.1"),
        ("6.6.6.6, 198.51.100.1, 10.0.0.7", "198.51.100.1"),
        ("127.0.0.1, 198.51.100.1,10.0.0.7", "198.51.100.1"),
        ("10.0.0.7", "10.0.0.7"),
        ("", "10.0.0.5"),
    ],
)
def test_a_named_proxy_is_believed_from_the_right(forwarded: str, client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands further left was written by the client."""
    monkeypatch.setattr(get_settings(), "trusted_proxies", ["10.0.0.0/24", "::1"])
    assert seen("10.0.0.5", ("x-forwarded-for", forwarded), ("x-forwarded-proto", "https")) == (client, "https")
    assert seen("10.0.1.5", ("x-forwarded-for", forwarded)) == ("10.0.1.5", "http")


def test_a_line_of_its_own_counts_as_further_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some proxies add a header and leave the client's in its place."""
    monkeypatch.setattr(get_settings(), "trusted_proxies", ["10.0.0.5"])
    lines = (("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "198.51.100.1"))
    assert seen("10.0.0.5", *lines) == ("198.51.100.1", "http")
    assert seen("10.0.0.5", *FORGED, kind="websocket") == ("198.51.100.1", "wss")


def test_proxies_are_addresses_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANNOTARIUM_TRUSTED_PROXIES", "10.0.0.5, 192.168.0.0/16,fd00::/8")
    assert Settings().trusted_proxies == ["10.0.0.5/32", "192.168.0.0/16", "fd00::/8"]
    for wrong in ("*", "proxy.example.org", "10.0.0.5/8"):
        monkeypatch.setenv("ANNOTARIUM_TRUSTED_PROXIES", wrong)
        with pytest.raises(ValidationError):
            Settings()
