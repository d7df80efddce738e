"""The extension that `nimmt-lab lab` adds to a Jupyter server: the gate, Home, and the shutdown of Home's kernels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from . import HOME
from .gate import Gate
from .headers import EVERYWHERE, LAB_POLICY
from .kernels import HomeKernels
from .patches import answer_about_licences, forget_widgets, start_safely

#: Our template and settings, and the working folder of the server and of Home's kernels. Nobody else writes there.
PLACE: Final = Path(__file__).resolve().parent.parent / "commands" / "jupyter"
#: Milliseconds between two checks for kernels without a page.
SWEEP: Final = 5_000


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "nimmt_lab.server.extension"}]


def _load_jupyter_server_extension(server: Any) -> None:
    from tornado.ioloop import PeriodicCallback

    from .pages import rules

    settings = server.web_app.settings
    homes = HomeKernels(server.kernel_manager)
    settings["nimmt_lab_homes"] = homes
    start_safely(server.kernel_spec_manager)
    forget_widgets(server.contents_manager)
    answer_about_licences()
    settings["headers"] = {**EVERYWHERE, "Content-Security-Policy": LAB_POLICY, **settings.get("headers", {})}
    # Strict costs nothing: a link from another site leads to the doorstep anyway.
    server.identity_provider.cookie_options.setdefault("samesite", "Strict")
    settings["xsrf_cookie_kwargs"] = {"samesite": "Strict", **settings.get("xsrf_cookie_kwargs", {})}
    server.web_app.add_handlers(".*$", _routes(server, homes))
    gate = Gate(
        server.base_url,
        HOME,
        hosts=frozenset(str(name).lower() for name in settings.get("local_hostnames", ())) | {"localhost"},
        any_host=bool(settings.get("allow_remote_access") or server.sock),
    )
    # Before every other rule, even those of extensions that load later: Jupyter inserts them further back.
    server.web_app.default_router.rules[:0] = rules(gate, server.web_app, server.identity_provider)
    sweep = PeriodicCallback(homes.sweep, SWEEP)
    server.io_loop.add_callback(sweep.start)


def _routes(server: Any, homes: HomeKernels) -> list[tuple[str, type, dict[str, Any]]]:
    from voila.configuration import VoilaConfiguration
    from voila.paths import collect_static_paths, collect_template_paths
    from voila.utils import get_voila_labextensions_path

    from .home import EXTENSIONS, ExtensionFiles, HomeHandler, PackageFiles, ShutdownHandler

    voila = VoilaConfiguration(parent=server)
    voila.template = "nimmt"
    voila.allow_template_override = voila.allow_theme_override = "NO"  # neither through a URL nor through a notebook
    voila.extension_allowlist, voila.extension_denylist = list(EXTENSIONS), []
    voila.extension_language_mapping = {}
    voila.progressive_rendering = False
    static = collect_static_paths(["voila", "nbconvert"], "nimmt")
    home = {
        "homes": homes,
        "place": PLACE,
        "folder": Path(server.root_dir).expanduser().absolute(),
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
