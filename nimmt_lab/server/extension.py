"""What `nimmt-lab lab` adds to a Jupyter server: the gate, Home, and the end of Home's kernels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from . import HOME
from .gate import Gate
from .headers import EVERYWHERE, LAB_POLICY
from .kernels import HomeKernels
from .mended import answer_about_licences
from .specs import start_safely
from .untrusted import forget_widgets

#: Our template and settings: the working folder of the server and of Home's kernels. Nobody else writes there.
PLACE: Final = Path(__file__).resolve().parent.parent / "commands" / "jupyter"
#: Milliseconds between two looks for kernels without a page.
SWEEP: Final = 5_000


class _Manager:
    """Jupyter's kernel manager as `HomeKernels` sees it."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def __contains__(self, kernel_id: str) -> bool:
        return kernel_id in self._manager

    def connections(self, kernel_id: str) -> int:
        return int(self._manager.kernel_model(kernel_id)["connections"])

    async def shut_down(self, kernel_id: str) -> None:
        from jupyter_core.utils import ensure_async

        await ensure_async(self._manager.shutdown_kernel(kernel_id))


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "nimmt_lab.server.extension"}]


def _load_jupyter_server_extension(server: Any) -> None:
    from tornado.ioloop import PeriodicCallback

    settings = server.web_app.settings
    homes = HomeKernels(_Manager(server.kernel_manager))
    settings["nimmt_lab_homes"] = homes
    start_safely(server.kernel_spec_manager)
    forget_widgets(server.contents_manager)
    answer_about_licences()
    settings["headers"] = {**EVERYWHERE, "Content-Security-Policy": LAB_POLICY, **settings.get("headers", {})}
    # Strict costs nothing: whoever follows a link from elsewhere stops at the doorstep first.
    server.identity_provider.cookie_options.setdefault("samesite", "Strict")
    settings["xsrf_cookie_kwargs"] = {"samesite": "Strict", **settings.get("xsrf_cookie_kwargs", {})}
    server.web_app.add_handlers(".*$", _routes(server, homes))
    _close_the_gate(server)
    sweep = PeriodicCallback(homes.sweep, SWEEP)
    server.io_loop.add_callback(sweep.start)


def _close_the_gate(server: Any) -> None:
    from .pages import rules

    settings = server.web_app.settings
    gate = Gate(
        server.base_url,
        HOME,
        hosts=frozenset(str(name).lower() for name in settings.get("local_hostnames", ())) | {"localhost"},
        any_host=bool(settings.get("allow_remote_access") or server.sock),
    )
    # Before every other rule, those of extensions that load later included: they are inserted further back.
    server.web_app.default_router.rules[:0] = rules(gate, server.web_app, server.identity_provider)


def _routes(server: Any, homes: HomeKernels) -> list[tuple[str, type, dict[str, Any]]]:
    from voila.configuration import VoilaConfiguration
    from voila.paths import collect_static_paths, collect_template_paths
    from voila.utils import get_voila_labextensions_path

    from .home import EXTENSIONS, ExtensionFiles, HomeHandler, PackageFiles, ShutdownHandler, folder_of

    voila = VoilaConfiguration(parent=server)
    voila.template = "nimmt"
    voila.allow_template_override = voila.allow_theme_override = "NO"  # neither by an address nor by a notebook
    voila.extension_allowlist, voila.extension_denylist = list(EXTENSIONS), []
    voila.extension_language_mapping = {}
    voila.progressive_rendering = False
    static = collect_static_paths(["voila", "nbconvert"], "nimmt")
    home = {
        "homes": homes,
        "place": PLACE,
        "folder": folder_of(server.root_dir),
        "config": server.config,
        "template_paths": collect_template_paths(["voila", "nbconvert"], "nimmt"),
        "voila_configuration": voila,
    }
    base = re.escape(server.base_url)
    ours = "|".join(map(re.escape, EXTENSIONS))
    return [
        (f"{base}{re.escape(HOME)}", HomeHandler, home),
        (f"{base}voila/api/shutdown/([0-9a-f-]+)", ShutdownHandler, {"homes": homes}),
        (f"{base}voila/static/(.*)", PackageFiles, {"path": static}),
        (f"{base}voila/templates/nimmt/static/(.*)", PackageFiles, {"path": static}),
        (
            f"{base}voila/labextensions/((?:{ours})/static/.*)",
            ExtensionFiles,
            {"path": get_voila_labextensions_path(voila.extra_labextensions_path), "follow_dir_symlinks": True},
        ),
    ]
