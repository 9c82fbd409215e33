"""IP addresses as counters and limits treat them."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network


@lru_cache(maxsize=4_096)
def network_of_address(address: str) -> str:
    """The key under which an address is counted.

    For IPv6 this is the /64 network, because one machine can use any address in it.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        return str(mapped) if mapped is not None else str(ip_network((parsed, 64), strict=False))
    return str(parsed)
