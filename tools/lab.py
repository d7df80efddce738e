"""Opens JupyterLab in tutorials/: in the browser on a desktop, by printing the address where there is none.

Further arguments go to JupyterLab as they are: `python tools/lab.py --port 9999`.
"""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

HERE = Path(__file__).resolve().parent
TUTORIALS = HERE.parent / "tutorials"


def has_browser() -> bool:
    """Whether a window can be opened; a text browser in a terminal does not count."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def arguments(extra: list[str]) -> list[str]:
    """What JupyterLab is started with. Nothing is fetched at run time: no news, no update check, no catalogue."""
    chosen = [
        f"--ServerApp.root_dir={TUTORIALS}",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    if not has_browser():
        chosen.append("--no-browser")
    if is_root():  # a bare container; Jupyter refuses root otherwise
        chosen.append("--allow-root")
    return chosen + extra


def main() -> None:
    # The announcements plugin (and its question about news) is switched off for this server only, not for the user.
    paths = [str(HERE / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(path for path in paths if path)
    from jupyterlab.labapp import LabApp

    LabApp.launch_instance(argv=arguments(sys.argv[1:]))


if __name__ == "__main__":
    main()
