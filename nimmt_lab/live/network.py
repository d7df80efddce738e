"""Addresses of this machine, and which requests to answer.

>>> fits_origin("http://192.168.0.7:8765", "192.168.0.7:8765"), fits_origin("http://a.example", "localhost:8765")
(True, False)
"""

from __future__ import annotations

import ipaddress
import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

PORT: Final = 8765
#: An address that belongs to nobody: a datagram socket "connected" to it sends nothing, and learns which of this
#: machine's addresses it would use.
_NOWHERE: Final = ("192.0.2.1", 9)


def lan_addresses() -> list[str]:
    """The IPv4 addresses of this machine that other devices can reach, the most likely one first."""
    found: list[str] = []
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(_NOWHERE)
        found.append(str(probe.getsockname()[0]))
    with suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not ipaddress.ip_address(one).is_loopback and one != "0.0.0.0"]


def host_names(lan: bool) -> frozenset[str]:
    """The names by which browsers may ask for this machine; another name that points here is an attack (DNS
    rebinding)."""
    names = {"localhost"}
    if lan:
        own = socket.gethostname().lower()
        names |= {own, own.partition(".")[0], f"{own.partition('.')[0]}.local"}
    return frozenset(names)


def known_host(host: str, names: frozenset[str], lan: bool) -> bool:
    """Whether a `Host` header is one of ours. On a network, any plain address is: no other site has one of those.

    >>> known_host("127.0.0.1:8765", frozenset({"localhost"}), False), known_host("evil.example", frozenset(), True)
    (True, False)
    """
    try:
        parts = urlsplit(f"//{host}")
        name = (parts.hostname or "").lower()
        if parts.port == 0 or parts.username is not None:  # raises unless the port is a number; pages quote the header
            return False
    except ValueError:
        return False
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return lan or address.is_loopback


def fits_origin(origin: str | None, host: str) -> bool:
    """Whether a WebSocket comes from a page of this server."""
    if not origin or not host:
        return False
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def is_local(address: str) -> bool:
    """Whether a connection comes from this machine."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
