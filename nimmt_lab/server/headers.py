"""Security headers of our pages."""

from __future__ import annotations

from typing import Final

#: JupyterLab, the login page, errors. Notebook outputs contain scripts, hence 'unsafe-inline';
#: JupyterLab compiles schemas, hence 'unsafe-eval', and shows a PDF as an object. Nothing loads from another machine.
#: There is no `default-src`, because Jupyter appends its own ('none') to answers that are not pages.
LAB_POLICY: Final = (
    "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; "
    "connect-src 'self' data: blob:; worker-src 'self' blob:; frame-src 'self' blob:; object-src blob:; "
    "manifest-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
)
_CLOSED: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def home_policy(nonce: str) -> str:
    """Home runs scripts of this server, scripts with the page's nonce, and blobs, which anywidget imports."""
    return (
        f"{_CLOSED}; script-src 'self' 'nonce-{nonce}' blob:; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'"
    )


def doorstep_policy(nonce: str) -> str:
    """A page with one style and at most one script, both ours."""
    return f"{_CLOSED}; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'"


#: On every page. `no-referrer` would make browsers send `Origin: null` with our own forms and beacons.
EVERYWHERE: Final = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
