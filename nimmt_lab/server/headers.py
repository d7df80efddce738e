"""What browsers are told about our pages."""

from __future__ import annotations

from typing import Final


def _policy(**rules: str) -> str:
    return "; ".join(f"{name.replace('_', '-')} {value}" for name, value in rules.items())


#: JupyterLab, the login page, errors. Notebooks' outputs bring scripts of their own, hence 'unsafe-inline'; JupyterLab
#: compiles schemas, hence 'unsafe-eval'; it shows a PDF as an object. Nothing comes from another machine. There's no
#: `default-src`, because Jupyter appends its own ('none') for what isn't a page.
LAB_POLICY: Final = _policy(
    script_src="'self' 'unsafe-inline' 'unsafe-eval' blob:",
    style_src="'self' 'unsafe-inline'",
    img_src="'self' data: blob:",
    media_src="'self' data: blob:",
    font_src="'self' data:",
    connect_src="'self' data: blob:",
    worker_src="'self' blob:",
    frame_src="'self' blob:",
    object_src="blob:",
    manifest_src="'self'",
    base_uri="'self'",
    form_action="'self'",
    frame_ancestors="'self'",
)


def home_policy(nonce: str) -> str:
    """Home runs the scripts of this server, those with this page's nonce, and what anywidget imports as a blob."""
    return _policy(
        default_src="'none'",
        script_src=f"'self' 'nonce-{nonce}' blob:",
        style_src="'self' 'unsafe-inline'",
        img_src="'self' data: blob:",
        font_src="'self' data:",
        connect_src="'self'",
        object_src="'none'",
        base_uri="'none'",
        form_action="'none'",
        frame_ancestors="'none'",
    )


def doorstep_policy(nonce: str) -> str:
    """A page with a style and at most one script of ours."""
    return _policy(
        default_src="'none'",
        script_src=f"'nonce-{nonce}'",
        style_src=f"'nonce-{nonce}'",
        base_uri="'none'",
        form_action="'none'",
        frame_ancestors="'none'",
    )


#: On every page. `no-referrer` would make browsers send `Origin: null` with our own forms and beacons.
EVERYWHERE: Final = {
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
