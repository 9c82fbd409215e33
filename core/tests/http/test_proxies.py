"""The client's address is taken from a proxy that a setting names, and from no other peer."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from annotarium.server.api_server import server_config
from annotarium.settings import Settings, get_settings

pytestmark = pytest.mark.usefixtures("data_folder")


def seen(peer: str, *headers: tuple[str, str], kind: str = "http") -> tuple[str, str]:
    """Return the address and scheme that the application sees."""
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
def test_forwarded_headers_are_ignored_from_unnamed_peers(peer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers on this machine are not trusted either: a password guesser could claim a new address with each
    attempt.
    """
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # a variable of the library itself has no effect
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
def test_forwarded_addresses_of_a_named_proxy_are_read_from_the_right(
    forwarded: str, client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Addresses further left were written by the client."""
    monkeypatch.setattr(get_settings(), "trusted_proxies", ["10.0.0.0/24", "::1"])
    assert seen("10.0.0.5", ("x-forwarded-for", forwarded), ("x-forwarded-proto", "https")) == (client, "https")
    assert seen("10.0.1.5", ("x-forwarded-for", forwarded)) == ("10.0.1.5", "http")


def test_a_repeated_forwarded_header_counts_as_further_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some proxies add a header of their own and leave the client's header as it is."""
    monkeypatch.setattr(get_settings(), "trusted_proxies", ["10.0.0.5"])
    lines = (("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "198.51.100.1"))
    assert seen("10.0.0.5", *lines) == ("198.51.100.1", "http")
    assert seen("10.0.0.5", *FORGED, kind="websocket") == ("198.51.100.1", "wss")


def test_trusted_proxies_are_addresses_or_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANNOTARIUM_TRUSTED_PROXIES", "10.0.0.5, 192.168.0.0/16,fd00::/8")
    assert Settings().trusted_proxies == ["10.0.0.5/32", "192.168.0.0/16", "fd00::/8"]
    for wrong in ("*", "proxy.example.org", "10.0.0.5/8"):
        monkeypatch.setenv("ANNOTARIUM_TRUSTED_PROXIES", wrong)
        with pytest.raises(ValidationError):
            Settings()
