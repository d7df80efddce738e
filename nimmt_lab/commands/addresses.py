"""A small extension of the Jupyter server that `nimmt-lab` starts: it prints where Home and JupyterLab are."""

from __future__ import annotations

import logging
from typing import Any

from nimmt_lab.server import HOME


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "nimmt_lab.commands.addresses"}]


def _worth_saying(record: logging.LogRecord) -> bool:
    """That a notebook we laid out has not been signed is no news: nothing in it runs by itself."""
    return "is not trusted" not in str(record.msg)


def host_of(ip: str) -> str:
    """The host to type on this machine; "every address" is none, and some browsers refuse it.

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

    # Jupyter's own default is longer than Tornado allows, which Tornado corrects, and says so for every page.
    server.web_app.settings.setdefault("ws_ping_timeout", 30_000)
    # Jupyter repeats a token it has made in a banner of its own, with Home's address only.
    server.identity_provider.token_generated = False
    server.log.addFilter(_worth_saying)
    server.io_loop.call_later(0.2, say)
