"""The gate: decide about every request before any other code sees it.

A page of another site, or of another port of this machine, can make a browser send requests here, and the browser adds
our cookies. So the gate rejects every request of such a page, with or without a token. There is one exception: a link
to Home leads to a doorstep, a page that runs nothing and waits for a click.

Scripts and old browsers do not send `Sec-Fetch-*`; for them, `Origin` and `Referer` decide.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from urllib.parse import urlsplit


class Verdict(Enum):
    PASS = "pass"
    #: A page with a link to Home, and nothing else.
    DOORSTEP = "doorstep"
    REFUSE = "refuse"


#: `Sec-Fetch-Site` of our own pages, and of addresses that were typed or bookmarked.
_OURS = ("", "same-origin", "none")
#: `Sec-Fetch-Dest` of requests that a script or a person makes on purpose. Browsers fetch pictures and frames by
#: themselves.
_ON_PURPOSE = ("", "document", "empty")


@dataclass(frozen=True)
class Gate:
    """`base_url` ends in a slash. `hosts` are names of this machine; `any_host` accepts every name, for a server that
    is open to the network.

    >>> gate = Gate("/", "voila/render/home.ipynb")
    >>> gate.verdict("GET", "/lab", {"Host": "localhost:8888", "Sec-Fetch-Site": "none"})
    <Verdict.PASS: 'pass'>
    >>> gate.verdict("GET", "/lab", {"Host": "localhost:8888", "Sec-Fetch-Site": "cross-site"})
    <Verdict.REFUSE: 'refuse'>
    >>> gate.verdict("GET", "/lab", {"Host": "rebound.example:8888"})
    <Verdict.REFUSE: 'refuse'>
    """

    base_url: str
    home: str
    hosts: frozenset[str] = frozenset({"localhost"})
    any_host: bool = False

    def verdict(self, method: str, path: str, headers: Mapping[str, str]) -> Verdict:
        """Decide about a request; `path` comes without the query."""
        host = headers.get("Host", "")
        if not self.any_host and not self._is_local(host):
            return Verdict.REFUSE  # DNS rebinding: somebody else's name that points to this machine
        destination = headers.get("Sec-Fetch-Dest", "")
        runs = path == self.base_url + self.home or path.startswith(f"{self.base_url}nbconvert/")
        if runs and destination not in _ON_PURPOSE:
            return Verdict.REFUSE
        if self._is_ours(host, headers):
            return Verdict.PASS
        followed = (
            method == "GET"
            and headers.get("Sec-Fetch-Mode") == "navigate"
            and destination == "document"
            and "Origin" not in headers
            and path in (self.base_url, self.base_url + self.home)
        )
        return Verdict.DOORSTEP if followed else Verdict.REFUSE

    def _is_local(self, host: str) -> bool:
        name = _name_of(host)
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name in self.hosts

    def _is_ours(self, host: str, headers: Mapping[str, str]) -> bool:
        if headers.get("Sec-Fetch-Site", "") not in _OURS:
            return False
        sent_by = (headers.get(name) for name in ("Origin", "Sec-WebSocket-Origin", "Referer"))
        return all(_place_of(address) == host.lower() for address in sent_by if address is not None)


def _name_of(host: str) -> str:
    """Strip the port from a host, and the brackets from an IPv6 address.

    >>> _name_of("Localhost:8888"), _name_of("[::1]:8888"), _name_of("::1")
    ('localhost', '::1', '::1')
    """
    host = host.lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.rpartition(":")[0] if host.count(":") == 1 else host


def _place_of(address: str) -> str | None:
    """Host and port of a web address; None for `null`, files and nonsense."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return parts.netloc.lower() if parts.scheme in ("http", "https") else None
