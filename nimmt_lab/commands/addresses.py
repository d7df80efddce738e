"""A Jupyter server extension for `nimmt-lab lab`: print the addresses of Home and JupyterLab."""

from __future__ import annotations

import logging
from typing import Any

from nimmt_lab.server import HOME


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "nimmt_lab.commands.addresses"}]


def _worth_saying(record: logging.LogRecord) -> bool:
    """Hide warnings about unsigned notebooks: we wrote them, and nothing in them runs by itself."""
    return "is not trusted" not in str(record.msg)


def host_of(ip: str) -> str:
    """The host to type on this machine; some browsers refuse the wildcard addresses.

    >>> host_of("0.0.0.0"), host_of("::1"), host_of("192.168.0.7")
    ('localhost', '[::1]', '192.168.0.7')
    """
    if ip in ("", "*", "0.0.0.0", "::"):
        return "localhost"
    return f"[{ip}]" if ":" in ip else ip


def _load_jupyter_server_extension(server: Any) -> None:
    def say() -> None:
        token = f"?token={server.identity_provider.token}" if server.identity_provider.token else ""
        address = f"http{'s' if server.certfile else ''}://{host_of(server.ip)}:{server.port}{server.base_url}"
        print(f"\nHome:       {address}{HOME}{token}\nJupyterLab: {address}lab{token}\n", flush=True)
        print("Ctrl+C ends both.", flush=True)

    # Jupyter's default is longer than Tornado allows; Tornado would correct it with a warning for every page.
    server.web_app.settings.setdefault("ws_ping_timeout", 30_000)
    # Keep Jupyter from printing a new token in a banner of its own, with only one of the addresses.
    server.identity_provider.token_generated = False
    server.log.addFilter(_worth_saying)
    server.io_loop.call_later(0.2, say)
