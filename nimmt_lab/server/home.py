"""Home on the server: one notebook of ours, rendered by Voilà, and the files that its page needs.

Voilà itself would render every notebook in the folder it serves, and hand out its pictures. We do not load it: of its
routes, only those below exist, and none of them reads the learner's folder.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import nbformat
from jupyter_core.utils import ensure_async
from jupyter_server.base.handlers import APIHandler, FileFindHandler
from tornado import web
from tornado.iostream import StreamClosedError
from voila.tornado.handler import TornadoVoilaHandler

from nimmt_lab.lessons.notebooks import notebook
from nimmt_lab.screens.assets import font_styles

from .headers import EVERYWHERE, home_policy
from .kernels import HomeKernels

#: The variable that tells Home's kernel where the learner's folder is; the kernel works in a folder of ours.
FOLDER: Final = "NIMMT_LAB_FOLDER"
_CODE: Final = f'import os\n\nfrom nimmt_lab.widgets import Home\n\nHome(folder=os.environ["{FOLDER}"])'
#: The JupyterLab extensions that Home's page loads, whatever else is installed.
EXTENSIONS: Final = ("anywidget", "@jupyter-widgets/jupyterlab-manager", "@voila-dashboards/widgets-manager8")


class OurNotebook:
    """Replaces Jupyter's contents manager: every path is Home."""

    async def get(self, path: str = "", **_: object) -> dict[str, object]:
        content = nbformat.reads(notebook([_CODE], code=(0,)), as_version=4)
        return {"type": "notebook", "name": "home.ipynb", "path": "home.ipynb", "content": content}


class OurKernels:
    """Replaces Jupyter's kernel manager: kernels start in a folder of ours and import nothing from it."""

    def __init__(self, manager: Any, homes: HomeKernels, place: Path, folder: Path) -> None:
        self._manager, self._homes, self._place, self._folder = manager, homes, place, folder
        self.started: str | None = None

    async def start_kernel(self, *, kernel_name: str, env: Mapping[str, str], path: str = "") -> str:
        """Start a kernel; `path`, where Voilà would run it, is ignored."""
        safe = {**env, "PYTHONSAFEPATH": "1", FOLDER: str(self._folder)}
        start = self._manager.start_kernel(kernel_name=kernel_name, cwd=str(self._place), env=safe)
        self.started = str(await ensure_async(start))
        self._homes.add(self.started)
        return self.started

    def get_kernel(self, kernel_id: str) -> Any:
        return self._manager.get_kernel(kernel_id)


_HEAD = re.compile(r"<head(?=[\s>])[^>]*>")
_SCRIPT = re.compile(r"<script(?=[\s>])")


class HomeHandler(TornadoVoilaHandler):  # type: ignore[misc]
    """GET Home: the only request that starts a kernel without JupyterLab."""

    def initialize(self, homes: HomeKernels, place: Path, folder: Path, **options: Any) -> None:
        super().initialize(**options)
        self._homes, self._place, self._folder = homes, place, folder
        self._kernels: OurKernels | None = None

    @property
    def contents_manager(self) -> OurNotebook:
        return OurNotebook()

    @property
    def kernel_manager(self) -> OurKernels:
        if self._kernels is None:
            self._kernels = OurKernels(super().kernel_manager, self._homes, self._place, self._folder)
        return self._kernels

    @web.authenticated
    async def get(self) -> None:
        """Render Home. If the page is closed meanwhile, its kernel is shut down."""
        _ = self.xsrf_token  # sets the cookie that the page needs to shut down its kernel
        nonce = secrets.token_urlsafe(18)
        for name, value in {**EVERYWHERE, "Content-Security-Policy": home_policy(nonce)}.items():
            self.set_header(name, value)
        closed = styled = False
        try:
            async for html in self.get_generator(path="home.ipynb"):
                if not styled:
                    html, found = _HEAD.subn(lambda head: f"{head[0]}<style>{font_styles()}</style>", html, count=1)
                    styled = bool(found)
                # Scripts in the notebook's own output are in JSON, where `<` is escaped.
                self.write(_SCRIPT.sub(f'<script nonce="{nonce}"', html))
                if not closed:
                    try:
                        await self.flush()
                    except StreamClosedError:
                        closed = True
        finally:
            if closed and self.kernel_manager.started is not None:
                await self._homes.end(self.kernel_manager.started)


class ShutdownHandler(APIHandler):
    """POST from a page that closes: shut down its kernel. Only Home's kernels can be shut down this way."""

    def initialize(self, homes: HomeKernels) -> None:
        self._homes = homes

    @web.authenticated
    async def post(self, kernel_id: str) -> None:
        # Jupyter has checked the XSRF cookie.
        if kernel_id not in self._homes:
            raise web.HTTPError(404)
        await self._homes.end(kernel_id)
        self.set_status(204)
        self.finish()


class PackageFiles(FileFindHandler):
    """Scripts and styles of installed packages, for users who have logged in."""

    #: Jupyter caches paths in one table for all of its routes; ours needs its own.
    _static_paths: dict[str, str] = {}  # noqa: RUF012 (typed as in Jupyter)

    async def prepare(self) -> None:  # type: ignore[override]
        """Refuse strangers: Jupyter would send the login page in place of a script."""
        await super().prepare()
        if self.current_user is None:
            raise web.HTTPError(403)


class ExtensionFiles(PackageFiles):
    """Scripts and styles of the extensions that Home loads."""

    _static_paths: dict[str, str] = {}  # noqa: RUF012 (typed as in Jupyter)
