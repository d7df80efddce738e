"""Faults of the packages we build on, mended for this server."""

from __future__ import annotations

from typing import Any


def answer_about_licences() -> None:
    """Let JupyterLab's page of licences refuse: its handler can't finish an answer that is an error, so a stranger who
    asked would wait for ever, and the log would fill with tracebacks."""
    from jupyter_server.base.handlers import APIHandler
    from jupyterlab_server.licenses_handler import LicensesHandler

    finish = LicensesHandler.finish

    def finish_always(self: Any, *content: Any, _mime_type: str = "", **options: Any) -> Any:
        if _mime_type:
            return finish(self, _mime_type, *content, **options)
        return APIHandler.finish(self, *content, **options)  # at once: nobody waits for the end of an error

    LicensesHandler.finish = finish_always  # type: ignore[method-assign]
